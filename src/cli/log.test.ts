import { Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { createLog, toHumanLine } from './log.ts';
import { plain } from './output.ts';

function capture(): { stream: NodeJS.WriteStream; lines: () => string[] } {
  let text = '';
  const stream = new Writable({
    write(chunk, _encoding, done) {
      text += String(chunk);
      done();
    },
  });
  return { stream: stream as NodeJS.WriteStream, lines: () => text.trimEnd().split('\n') };
}

describe('createLog', () => {
  it('writes JSON lines when nobody watches', () => {
    const { stream, lines } = capture();
    createLog({}, stream).info({ url: 'http://127.0.0.1:4040' }, 'listening');
    expect(lines().map((line) => JSON.parse(line))).toEqual([
      {
        level: 30,
        time: expect.stringMatching(/^\d{4}-.*Z$/),
        url: 'http://127.0.0.1:4040',
        msg: 'listening',
      },
    ]);
  });

  it('leaves secrets out by the name of their field, up to two levels down', () => {
    const { stream, lines } = capture();
    createLog({}, stream).info(
      {
        authorization: 'Bearer canary',
        headers: { authorization: 'Bearer canary', 'api-key': 'canary' },
        request: { headers: { cookie: 'canary', 'x-api-key': 'canary' } },
        deployment: { apiKey: 'canary', token: 'canary' },
      },
      'request',
    );
    expect(lines().join()).not.toContain('canary');
    expect(lines().join()).toContain('[secret]');
  });

  it('leaves out keys of its own wherever they stand', () => {
    const { stream, lines } = capture();
    const key = `tcl_${'k'.repeat(43)}`;
    createLog({}, stream).error({ error: `refused ${key}` }, `key ${key}`);
    expect(lines().join()).not.toContain('kkk');
  });

  it('keeps quiet below its level', () => {
    const { stream, lines } = capture();
    const log = createLog({ TIERCEL_LOG_LEVEL: ' WARN ' }, stream);
    log.info({}, 'not this');
    log.warn({}, 'this');
    expect(lines().map((line) => JSON.parse(line).msg)).toEqual(['this']);
  });

  it('refuses a level that there is not, naming those that there are', () => {
    expect(() => createLog({ TIERCEL_LOG_LEVEL: 'loud' }, capture().stream)).toThrow(
      'TIERCEL_LOG_LEVEL: "loud" is not allowed. Use one of: trace, debug, info, warn, error, fatal, silent.',
    );
  });
});

describe('toHumanLine', () => {
  it('puts time, level, message and fields on one line', () => {
    const line = JSON.stringify({
      level: 40,
      time: '2026-11-30T12:00:00.000Z',
      msg: 'breaker opened',
      deployment: 'ollama',
      failures: 3,
    });
    expect(toHumanLine(line, plain)).toMatch(
      /^\d\d:\d\d:\d\d warn {2}breaker opened {2}deployment=ollama failures=3\n$/,
    );
  });
});
