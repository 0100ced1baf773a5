import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { describeDatabases } from '../../test/support/database.ts';
import { clearLedger, emitMany, openTestLedger } from '../../test/support/ledger.ts';
import { currentScope, withRun, withScope } from './context.ts';
import { defineEvents } from './define-events.ts';
import type { ChainedEvent } from './event.ts';
import type { Ledger } from './ledger.ts';

const EVENTS = 100_000;

describeDatabases('event queries', (open) => {
  let folder: string;
  let ledger: Ledger;
  let close: () => Promise<void>;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tiercel-query-'));
    await clearLedger(open());
    ({ ledger, close } = await openTestLedger(open(), { dataDir: folder }));
    for (let n = 0; n < EVENTS; n += 10_000) {
      emitMany(ledger, 9_999);
      const payload = { deployment: `Größe ${n}`, until: '50% "off"' };
      ledger.trace.emit('BREAKER_OPENED', { actor: 'rare', message: `Opened ${n}`, payload });
      await ledger.flush();
    }
  }, 180_000);
  afterAll(async () => {
    await close();
    await rm(folder, { recursive: true, force: true });
  });

  async function all(query: Parameters<Ledger['events']>[0], between = () => {}): Promise<ChainedEvent[]> {
    const found: ChainedEvent[] = [];
    let cursor: string | null | undefined;
    do {
      const page = await ledger.events({ ...query, ...(cursor ? { cursor } : {}) });
      found.push(...page.events);
      cursor = page.cursor;
      between();
    } while (cursor !== null);
    return found;
  }

  it('L09 neither repeats nor skips an event of 100,000 while others are written, on two chains', async () => {
    const other = await openTestLedger(open(), { dataDir: folder });
    const before = (
      await open().pool.query("select id from events where type = 'BREAKER_OPENED' order by id desc")
    ).rows;
    const found = await all({ type: 'BREAKER_OPENED', q: 'opened', limit: 3 }, () => {
      emitMany(ledger, 50);
      emitMany(other.ledger, 50);
      other.ledger.trace.emit('BREAKER_OPENED', {
        actor: 'x',
        message: 'Opened',
        payload: { deployment: 'new', until: '' },
      });
    });
    expect(found.map(({ id }) => id)).toEqual(before.map(({ id }) => id));
    const ids = (await all({ limit: 1000 }, () => emitMany(other.ledger, 5))).map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toEqual([...ids].sort().reverse());
    expect(ids.length).toBeGreaterThan(EVENTS);
    await other.close();
  }, 120_000);

  it('gives a first page of 100,000 within 200 ms, whatever is asked', async () => {
    for (const query of [
      {},
      { type: 'BREAKER_OPENED' },
      { q: 'nowhere to be found' },
      { actor: 'rare' },
      { tier: 'live' },
    ]) {
      await ledger.events(query);
      const times = [];
      for (let n = 0; n < 3; n++) {
        const began = performance.now();
        await ledger.events(query);
        times.push(performance.now() - began);
      }
      // The best of three: others work on this machine.
      expect(Math.min(...times), JSON.stringify(query)).toBeLessThan(200);
    }
  });

  it('finds text in message and payload, letters of either case, quotes and wildcards as they are', async () => {
    expect(await all({ q: 'OPENED 30000' })).toMatchObject([{ message: 'Opened 30000' }]);
    expect(await all({ q: '50% "off"', actor: 'rare' })).toHaveLength(EVENTS / 10_000);
    expect(await all({ q: 'Größe 50000' })).toHaveLength(1);
    // Members of the event that are no content are not searched.
    expect(await all({ q: 'prevHash' })).toEqual([]);
  }, 120_000);

  it('filters by time, run and trace', async () => {
    const [newest, older] = (await ledger.events({ type: 'BREAKER_OPENED', limit: 2 })).events;
    const found = await all({ type: 'BREAKER_OPENED', after: older?.ts ?? '', before: newest?.ts ?? '' });
    expect(found.map(({ id }) => id)).toContain(older?.id);
    expect(found.map(({ id }) => id)).not.toContain(newest?.id);
    const { runId, traceId } = newest as ChainedEvent;
    for (const by of [{ runId }, { traceId }, { runId, traceId, q: newest?.message ?? '' }]) {
      const { events } = await ledger.events({ ...by, type: 'BREAKER_OPENED', limit: 1 });
      expect(events[0]?.id).toBe(newest?.id);
    }
    await expect(ledger.events({ cursor: 'x' })).rejects.toMatchObject({ code: 'invalid_request' });
    await expect(ledger.events({ after: 'yesterday' })).rejects.toMatchObject({
      details: { param: 'after' },
    });
  });

  it('reads a run as a tree of causes, and lists it by its first event', async () => {
    const { trace } = ledger;
    const step = (deployment: string) =>
      trace.emit('BREAKER_PROBED', { actor: 'a', message: deployment, payload: { deployment } });
    let inner = '';
    await withRun(trace, { actor: 'ada', name: 'plan' }, async () => {
      const first = step('one');
      await Promise.resolve();
      const scope = currentScope();
      if (scope)
        withScope({ ...scope, causeId: first }, () => {
          inner = step('two');
        });
    });
    const failed = withRun(trace, { actor: 'ada', name: 'fails' }, () => Promise.reject(new Error('no')));
    await expect(failed).rejects.toThrow('no');
    const { runs } = await ledger.runs({ limit: 2 });
    expect(runs).toMatchObject([{ message: 'fails started' }, { message: 'plan started', actor: 'ada' }]);
    const events = await ledger.run(runs[1]?.runId ?? '');
    expect(events.map(({ type, message }) => `${type} ${message}`)).toEqual([
      'RUN_STARTED plan started',
      'BREAKER_PROBED one',
      'BREAKER_PROBED two',
      'RUN_FINISHED plan finished',
    ]);
    expect(events[0]?.id).toBe(runs[1]?.runId);
    const chain = await ledger.chainOf(inner);
    expect(chain?.path.map(({ message }) => message)).toEqual(['plan started', 'one', 'two']);
    expect((await ledger.chainOf(events[0]?.id ?? ''))?.effects).toHaveLength(3);
    expect((await ledger.run(runs[0]?.runId ?? '')).at(-1)).toMatchObject({ payload: { outcome: 'error' } });
    expect(await ledger.chainOf('nothing')).toBeNull();
  });

  it('takes an app’s own types, and refuses payloads that are not theirs', async () => {
    const shop = ledger.trace.extend(
      defineEvents({ ORDER_PLACED: { meaning: 'An order.', payload: z.strictObject({ items: z.int() }) } }),
    );
    await shop.record('ORDER_PLACED', { actor: 'shop', message: 'Two things', payload: { items: 2 } });
    expect((await ledger.events({ type: 'ORDER_PLACED' })).events).toMatchObject([{ payload: { items: 2 } }]);
    const wrong = { actor: 'shop', message: '', payload: { items: 0.5 } };
    expect(() => shop.emit('ORDER_PLACED', wrong)).toThrow();
    expect(() => defineEvents({ orderPlaced: { meaning: 'x', payload: z.strictObject({}) } })).toThrow(
      TypeError,
    );
  });

  it('tails what is stored, resumes after an id, filters, and hears other writers', async () => {
    const other = await openTestLedger(open(), { dataDir: folder });
    const [last] = emitMany(ledger, 1, 'tail');
    const heard: string[] = [];
    const hear = ({ id }: ChainedEvent) => void heard.push(id);
    const wanted = [...emitMany(ledger, 700, 'tail'), ...emitMany(other.ledger, 3, 'tail')];
    await other.ledger.flush();
    const end = await ledger.tail(hear, { actor: 'tail', afterId: last ?? '' });
    await expect.poll(() => heard.length, { interval: 10 }).toBe(703);
    wanted.push(...emitMany(ledger, 2, 'tail'), ...emitMany(other.ledger, 2, 'tail'));
    emitMany(ledger, 5, 'another');
    await other.ledger.flush();
    // The embedded database has no other process, so its tails are woken by their own ledger.
    await ledger.flush();
    emitMany(ledger, 1, 'another');
    await expect.poll(() => heard.length, { interval: 10, timeout: 5000 }).toBe(707);
    expect([...heard].sort()).toEqual([...wanted].sort());
    end();
    await other.close();
  });
});
