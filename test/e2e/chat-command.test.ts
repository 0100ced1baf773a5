import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FaultyUpstream, startFaultyUpstream } from '../../apps/faulty-upstream/server.ts';
import { localSettings, setUpWorkplace } from '../support/workplace.ts';

const here = setUpWorkplace();
let upstream: FaultyUpstream;
beforeAll(async () => {
  upstream = await startFaultyUpstream();
});
afterAll(() => upstream.close());

describe.each(['with a running server', 'without one'])('tiercel chat %s', (how) => {
  async function chatWith(model: string, args = '') {
    here.configure(localSettings(upstream.baseUrl, model));
    if (how === 'with a running server') await here.serve();
    return here.run(`chat ${args} hi there`);
  }

  it('streams the answer of a deployment and names it', async () => {
    const { code, stdout, stderr } = await chatWith('ok', '--model box');
    expect(stdout.length).toBeGreaterThan(10);
    expect(stderr).toMatch(/^■ local box · ok · \d/);
    expect(code).toBe(0);
  });

  it('exits 1 and never shows a cut answer as a whole one', async () => {
    const { code, stderr } = await chatWith('cut-after-3');
    expect(stderr).toMatch(/▲ failed local · box · .* truncated · upstream_truncated/);
    expect(code).toBe(1);
  });

  it('tells which fallback answered and why', async () => {
    const { code, stderr } = await chatWith('unauthorized', '--model role:guide');
    expect(stderr).toMatch(/^◆ simulation .*fell back: upstream_credentials/);
    expect(code).toBe(0);
  });

  it('prints answer and receipt as JSON, also of a call that failed', async () => {
    const { code, stdout } = await chatWith('status-400', '--json');
    expect(JSON.parse(stdout)).toMatchObject({
      text: '',
      error: { code: expect.any(String) },
      receipt: { outcome: 'error' },
    });
    expect(code).toBe(1);
  });

  it('refuses a name that there is not', async () => {
    const { code, stderr } = await chatWith('ok', '--model nobody');
    expect(stderr).toContain('There is no model "nobody"');
    expect(code).toBe(1);
  });
});
