import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { describeDatabases } from '../../test/support/database.ts';
import { clearLedger, emitMany, openTestLedger } from '../../test/support/ledger.ts';
import { canonicalJson } from '../lib/canonical-json.ts';
import type { ChainedEvent } from './event.ts';
import { sha256 } from './event-text.ts';
import { createMasker } from './mask.ts';
import type { VerifyReport } from './verify.ts';
import { verifyExport } from './verify.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tiercel-ledger-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const findingsOf = ({ chains }: VerifyReport) => chains.flatMap(({ findings }) => findings);

describeDatabases('ledger', (open) => {
  beforeEach(() => clearLedger(open()));
  const openHere = () => openTestLedger(open(), { dataDir: folder });

  it('stores a chain that verifies, ends it with an anchored checkpoint, and goes on with it after a restart', async () => {
    const first = await openHere();
    emitMany(first.ledger, 1200);
    await first.ledger.flush();
    const { writer } = first.ledger;
    await first.close();
    const second = await openHere();
    expect(second.ledger.writer).toBe(writer);
    emitMany(second.ledger, 3);
    const report = await second.ledger.verify();
    // 1200 and 3, a checkpoint after the thousandth or a batch later, and one at the end.
    expect(report).toMatchObject({ intact: true, events: 1205, anchor: { heads: 2, torn: false } });
    expect(report.chains).toMatchObject([
      { writer, first: 1, last: 1205, checkpoints: 2, foreignCheckpoints: 0 },
    ]);
    expect(second.ledger.head.seq).toBe(1205);
    await second.close();
  });

  it('makes its key once, readable by its owner alone', async () => {
    const first = await openHere();
    await first.close();
    const second = await openHere();
    expect(second.ledger.publicKey).toBe(first.ledger.publicKey);
    expect((await stat(join(folder, 'ledger-key.pem'))).mode & 0o777).toBe(0o600);
    await second.close();
  });

  it('L01 two writers of one database at once have two chains, both intact', async () => {
    const one = await openHere();
    const two = await openHere();
    await Promise.all(
      Array.from({ length: 20 }, async (_, n) => {
        emitMany(one.ledger, 25, 'one');
        emitMany(two.ledger, 25, 'two');
        if (n % 5 === 0) await Promise.all([one.ledger.flush(), two.ledger.flush()]);
      }),
    );
    await Promise.all([one.ledger.flush(), two.ledger.flush()]);
    expect(one.ledger.writer).not.toBe(two.ledger.writer);
    const report = await one.ledger.verify();
    expect(report).toMatchObject({ intact: true, events: 1000 });
    expect(report.chains).toMatchObject([{ events: 500 }, { events: 500 }]);
    await Promise.all([one.close(), two.close()]);
  });

  it('L03 an edited payload is found as altered, with the first bad seq', async () => {
    const { ledger, close } = await openHere();
    emitMany(ledger, 100);
    await ledger.flush();
    await open().pool.query(`update events set body = replace(body, '"d-41"', '"d-4l"') where seq = 42`);
    const report = await ledger.verify();
    expect(report.intact).toBe(false);
    expect(findingsOf(report)).toEqual([
      { kind: 'altered', seq: 42, reason: expect.stringContaining('hash') },
    ]);
    await close();
  });

  it('finds a column that was edited to hide an event from searches', async () => {
    const { ledger, close } = await openHere();
    emitMany(ledger, 10);
    await ledger.flush();
    await open().pool.query(`update events set actor = 'nobody' where seq = 7`);
    expect(findingsOf(await ledger.verify())).toMatchObject([{ kind: 'altered', seq: 7 }]);
    await close();
  });

  it('L04 a deleted tail is found as truncated against the anchor', async () => {
    const { ledger, close } = await openHere();
    emitMany(ledger, 100);
    await ledger.checkpoint();
    await open().pool.query('delete from events where seq > 91');
    await open().pool.query(`update event_writers set head_seq = 91`);
    expect(findingsOf(await ledger.verify())).toEqual([
      { kind: 'truncated', last: 91, expected: 101, witness: 'anchor' },
    ]);
    await close();
  });

  it('finds a chain truncated that is gone altogether', async () => {
    const { ledger, close } = await openHere();
    emitMany(ledger, 10);
    await ledger.checkpoint();
    await clearLedger(open());
    expect(findingsOf(await ledger.verify())).toEqual([
      { kind: 'truncated', last: 0, expected: 11, witness: 'anchor' },
    ]);
    await close();
  });

  it('L05 an event deleted in the middle is found there, renumbered or not', async () => {
    const { ledger, close } = await openHere();
    emitMany(ledger, 100);
    await ledger.flush();
    await open().pool.query('delete from events where seq = 50');
    expect(findingsOf(await ledger.verify())).toEqual([{ kind: 'gap', after: 49, next: 51 }]);
    await open().pool.query('update events set seq = -seq where seq > 50');
    await open().pool.query('update events set seq = -seq - 1 where seq < 0');
    const findings = findingsOf(await ledger.verify());
    expect(findings[0]).toMatchObject({ kind: 'altered', seq: 50 });
    await close();
  });

  it('finds a history that was rewritten with all its hashes, since nobody can sign its checkpoint', async () => {
    const { ledger, close } = await openHere();
    emitMany(ledger, 10);
    await ledger.checkpoint();
    const { pool } = open();
    const { rows } = await pool.query<{ body: string }>('select body from events order by seq');
    let prevHash = '0'.repeat(64);
    for (const { body } of rows) {
      const { hash: _, ...event } = JSON.parse(body) as ChainedEvent;
      const forged = { ...event, prevHash };
      if (event.seq === 5) forged.message = 'nothing happened';
      if (event.type === 'LEDGER_CHECKPOINT') forged.payload = { ...event.payload, hash: prevHash };
      prevHash = sha256(canonicalJson(forged));
      const text = canonicalJson({ ...forged, hash: prevHash });
      await pool.query('update events set body = $1 where seq = $2', [text, event.seq]);
    }
    const expected = { kind: 'signature', seq: 11 };
    expect(findingsOf(await ledger.verify({ anchor: join(folder, 'none') }))).toMatchObject([expected]);
    const anchored = { kind: 'altered', seq: 11, reason: expect.stringContaining('anchor') };
    expect(findingsOf(await ledger.verify())).toMatchObject([anchored, expected]);
    await close();
  });

  it('L07 keeps the order of seq and of ids when the clock is set back, and shows the time as recorded', async () => {
    const first = await openHere();
    emitMany(first.ledger, 3);
    await first.close();
    const now = Date.now();
    const clock = vi.spyOn(Date, 'now').mockImplementation(() => now - 3_600_000);
    vi.useFakeTimers({ now: now - 3_600_000, toFake: ['Date'] });
    try {
      const second = await openHere();
      emitMany(second.ledger, 3);
      const { events } = await second.ledger.events({});
      expect(events.map(({ seq }) => seq)).toEqual([7, 6, 5, 4, 3, 2, 1]);
      expect(Date.parse(events[0]?.ts ?? '')).toBeLessThan(now - 3_500_000);
      expect(await second.ledger.verify()).toMatchObject({ intact: true });
      await second.close();
    } finally {
      clock.mockRestore();
      vi.useRealTimers();
    }
  });

  it('L08 verifies across the seam of an archived segment, with its file and without', async () => {
    const { ledger, close } = await openHere();
    emitMany(ledger, 1500);
    await ledger.checkpoint();
    const before = new Date(Date.now() + 1);
    await new Promise((resolve) => setTimeout(resolve, 5));
    emitMany(ledger, 20);
    await ledger.flush();
    const archives = await ledger.archive(before, folder);
    expect(archives).toMatchObject([{ first: 1, writer: ledger.writer }]);
    const last = archives[0]?.last ?? 0;
    const paths = archives.map(({ path }) => path);
    expect((await open().pool.query('select min(seq)::int as seq from events')).rows).toEqual([
      { seq: last + 1 },
    ]);
    const whole = await ledger.verify({ archives: paths });
    expect(whole).toMatchObject({ intact: true, events: ledger.head.seq });
    const rest = await ledger.verify();
    expect(rest).toMatchObject({ intact: true, chains: [{ first: last + 1, archivedThrough: last }] });
    expect(await verifyExport(paths[0] ?? '')).toMatchObject({ intact: true, events: last });
    const text = await readFile(paths[0] ?? '', 'utf8');
    await writeFile(paths[0] ?? '', text.replace('"d-41"', '"d-4l"'));
    expect(findingsOf(await ledger.verify({ archives: paths }))).toMatchObject([
      { kind: 'altered', seq: 42 },
    ]);
    await close();
  });

  it('exports what verifies without the database, and names what is altered, missing, cut or torn in it', async () => {
    const { ledger, close } = await openHere();
    emitMany(ledger, 50);
    await ledger.checkpoint();
    const path = join(folder, 'export.jsonl');
    let text = '';
    for await (const lines of ledger.export()) text += lines;
    const check = async (content: string) => {
      await writeFile(path, content);
      return verifyExport(path, { anchor: ledger.anchorPath, publicKeys: [ledger.publicKey] });
    };
    expect(await check(text)).toMatchObject({ intact: true, events: 51 });
    const lines = text.trimEnd().split('\n');
    expect(findingsOf(await check(text.replace('probe 30', 'probe 3O')))).toMatchObject([
      { kind: 'altered', seq: 31 },
    ]);
    expect(findingsOf(await check(`${lines.toSpliced(20, 1).join('\n')}\n`))).toEqual([
      { kind: 'gap', after: 20, next: 22 },
    ]);
    expect(findingsOf(await check(`${lines.slice(0, 40).join('\n')}\n`))).toMatchObject([
      { kind: 'truncated', last: 40, expected: 51 },
    ]);
    const torn = await check(`${text}${lines[0]?.slice(0, 100)}`);
    expect(torn.intact).toBe(true);
    expect(findingsOf(torn)).toEqual([{ kind: 'torn', after: 51 }]);
    // Laid out anew it is the same event.
    const spaced = lines
      .map((line) =>
        JSON.stringify(
          JSON.parse(line),
          Object.keys(JSON.parse(line))
            .reverse()
            .concat(Object.keys(JSON.parse(line).payload)),
        ),
      )
      .join('\n');
    expect(await check(`${spaced}\n`)).toMatchObject({ intact: true, events: 51 });
    await close();
  });

  it('masks known secrets and what looks like one before it is hashed, also for listeners', async () => {
    const secret = 'quote"and\\slash';
    const masker = createMasker([secret, 'short']);
    const { ledger, close } = await openTestLedger(open(), { dataDir: folder, masker: () => masker });
    const heard: string[] = [];
    ledger.trace.subscribe((event) => heard.push(JSON.stringify(event)));
    ledger.trace.emit('BREAKER_OPENED', {
      actor: `a ${secret}`,
      message: 'Authorization: Bearer abcdefghijklmnop and postgres://me:hunter22@host/db',
      payload: { deployment: `x${secret}y`, until: 'sk-proj-abcdefghijklmnopqrstuv short' },
    });
    const { events } = await ledger.events({});
    for (const text of [JSON.stringify(events), heard.join('')]) {
      for (const leak of ['quote', 'abcdefghijklmnop', 'hunter22']) expect(text).not.toContain(leak);
      expect(text).toContain('short');
    }
    expect(events[0]).toMatchObject({ actor: 'a [masked]', payload: { deployment: 'x[masked]y' } });
    expect(await ledger.verify()).toMatchObject({ intact: true });
    await close();
  });

  it('stores what no JSON and no database can hold with a replacement for it', async () => {
    const { ledger, close } = await openHere();
    const payload = { deployment: 'a\0b\ud800c', until: '\n' };
    await ledger.trace.record('BREAKER_OPENED', { actor: 'li\nne\0', message: 'm\ud800', payload });
    await ledger.trace.record('INFERENCE_ATTEMPT', {
      actor: '',
      message: '',
      payload: { deployment: 'x', outcome: 'served', durationMs: Number.NaN },
    });
    const { events } = await ledger.events({});
    expect(events).toMatchObject([
      { actor: 'unknown', payload: { durationMs: null } },
      {
        actor: 'li\ufffdne\ufffd',
        message: 'm\ufffd',
        payload: { deployment: 'a\ufffdb\ufffdc', until: '\n' },
      },
    ]);
    expect(await ledger.verify()).toMatchObject({ intact: true, events: 2 });
    await close();
  });
});

describe('anchor', () => {
  it('is no fault when its last line is torn, and is when one in the middle is', async () => {
    const { appendAnchor, readAnchor } = await import('./anchor.ts');
    const { openSigner } = await import('./signing-key.ts');
    const path = join(folder, 'anchor.jsonl');
    const signer = await openSigner(folder);
    const head = signer.sign({ writer: 'w', seq: 1, hash: 'h' });
    await appendAnchor(path, head);
    await writeFile(path, `${await readFile(path, 'utf8')}{"writer":"w","se`);
    expect(await readAnchor(path)).toEqual({ heads: [head], badLines: [], torn: true });
    await appendAnchor(path, head);
    expect(await readAnchor(path)).toEqual({ heads: [head, head], badLines: [2], torn: false });
    expect(await readAnchor(join(folder, 'none'))).toBeNull();
  });
});
