import { expect, it } from 'vitest';
import { describeDatabases } from '../../test/support/database.ts';
import { createId } from '../lib/ids.ts';
import type { ReceiptFigures, ReceiptRow } from './receipt.ts';
import { createReceiptStore } from './receipt-store.ts';

function toRow(fields: Partial<ReceiptRow> = {}): ReceiptRow {
  return {
    id: createId(),
    traceId: createId(),
    startedAt: '2026-01-02T03:04:05.678Z',
    role: 'narrator',
    principal: 'local',
    tier: 'live',
    deployment: 'main',
    outcome: 'ok',
    body: '{"b" : 1,\n"a":"\\u0000 ü"}',
    ...fields,
  };
}

describeDatabases('receipt store', (open) => {
  it('gives a receipt back as it was, body byte for byte, before and after it is stored', async () => {
    const store = createReceiptStore(open());
    const row = toRow({
      request: 'asked',
      answer: 'answered',
      startedAt: new Date('2026-01-02T03:04:05.678Z'),
    });
    const expected = { ...row, startedAt: '2026-01-02T03:04:05.678Z' };
    expect(store.append(row)).toBeUndefined();
    expect(await store.get(row.id)).toEqual(expected);
    await store.flush();
    expect(await store.get(row.id)).toEqual(expected);
    const { rows } = await open().pool.query('select count(*)::int as n from receipts where id = $1', [
      row.id,
    ]);
    expect(rows).toEqual([{ n: 1 }]);
  });

  it('leaves contents out when they are not asked for, and in lists', async () => {
    const store = createReceiptStore(open());
    const row = toRow({ request: 'asked', answer: 'answered', principal: 'contents' });
    const bare = { ...row, request: null, answer: null };
    store.append(row);
    expect(await store.get(row.id, { contents: false })).toEqual(bare);
    await store.flush();
    expect(await store.get(row.id, { contents: false })).toEqual(bare);
    expect(await store.list({ principal: 'contents', limit: 10 })).toEqual([bare]);
  });

  it('knows no receipt that was never appended', async () => {
    expect(await createReceiptStore(open()).get(createId())).toBeNull();
  });

  it('lists newest first, page by page, each receipt once, with those just appended', async () => {
    const store = createReceiptStore(open());
    const rows = Array.from({ length: 1234 }, () => toRow({ principal: 'pages' }));
    for (const row of rows) store.append(row);
    const seen: string[] = [];
    for (;;) {
      const before = seen.at(-1);
      const page = await store.list({ principal: 'pages', limit: 500, ...(before ? { before } : {}) });
      seen.push(...page.map((receipt) => receipt.id));
      if (page.length < 500) break;
    }
    expect(seen).toEqual(rows.map((row) => row.id).reverse());
  });

  it('filters by principal, tier, outcome and role together', async () => {
    const store = createReceiptStore(open());
    const wanted = toRow({ principal: 'filter', tier: 'local', outcome: 'error', role: 'strategist' });
    for (const other of [{ principal: 'x' }, { tier: 'live' }, { outcome: 'ok' }, { role: null }]) {
      store.append({ ...wanted, id: createId(), ...other });
    }
    store.append(wanted);
    const found = await store.list({
      principal: 'filter',
      tier: 'local',
      outcome: 'error',
      role: 'strategist',
      limit: 10,
    });
    expect(found.map((receipt) => receipt.id)).toEqual([wanted.id]);
  });

  it('stores a text with U+0000 and half a surrogate pair, which PostgreSQL cannot hold', async () => {
    const store = createReceiptStore(open());
    const row = toRow({ request: 'a\0b', answer: 'c\ud800d' });
    store.append(row);
    await store.flush();
    expect(await store.get(row.id)).toMatchObject({ request: 'a\ufffdb', answer: 'c\ufffdd' });
  });

  it('tells an empty text from none, and replaces the two characters that it writes batches with', async () => {
    const store = createReceiptStore(open());
    const rows = [
      toRow({ request: '', answer: null, role: null }),
      toRow({ request: null, answer: '', role: '' }),
      toRow({ request: 'a\nb\\N,{"c"}', answer: 'a\x1eb\x1fc' }),
    ];
    for (const row of rows) store.append(row);
    await store.flush();
    expect(await store.get(rows[0]?.id ?? '')).toMatchObject({ request: '', answer: null, role: null });
    expect(await store.get(rows[1]?.id ?? '')).toMatchObject({ request: null, answer: '', role: '' });
    expect(await store.get(rows[2]?.id ?? '')).toMatchObject({
      request: 'a\nb\\N,{"c"}',
      answer: 'a\ufffdb\ufffdc',
    });
  });

  it('stores a batch of one whose texts are all empty', async () => {
    const store = createReceiptStore(open());
    const row = toRow({ request: '', answer: '', role: '', tier: '', deployment: '' });
    store.append(row);
    await store.flush();
    expect(await store.get(row.id)).toMatchObject({ request: '', answer: '', role: '', tier: '' });
  });

  it('loses a row that the database refuses, says so, and stores its neighbours', async () => {
    const lost: number[] = [];
    const store = createReceiptStore(open(), { receiptsLost: (rows) => lost.push(rows) });
    const rows = Array.from({ length: 20 }, () => toRow({ principal: 'refused' }));
    Object.assign(rows[7] ?? {}, { traceId: 'not a uuid' });
    Object.assign(rows[12] ?? {}, { startedAt: new Date('never') });
    for (const row of rows) store.append(row);
    await store.flush();
    expect(lost).toEqual([1, 1]);
    expect(await store.list({ principal: 'refused', limit: 100 })).toHaveLength(18);
  });

  it('stores a receipt once when it is appended again', async () => {
    const store = createReceiptStore(open());
    const row = toRow({ principal: 'twice' });
    store.append(row);
    await store.flush();
    store.append(row);
    await store.flush();
    expect(await store.list({ principal: 'twice', limit: 10 })).toHaveLength(1);
  });

  it('counts and sums by minute, of all or of one principal, without looking into bodies', async () => {
    const store = createReceiptStore(open());
    const start = Date.parse('2031-05-06T07:08:00Z');
    const at = (seconds: number) => new Date(start + seconds * 1000);
    const figures = (durationMs: number, more: Partial<ReceiptFigures> = {}): ReceiptFigures => ({
      durationMs,
      inputTokens: 10,
      outputTokens: 2,
      costAmount: null,
      costCurrency: null,
      fallbackReason: null,
      ...more,
    });
    const add = (seconds: number, fields: Partial<ReceiptRow>) =>
      store.append(
        toRow({ id: createId(start + seconds * 1000), startedAt: at(seconds), principal: 'sum', ...fields }),
      );
    add(-1, { figures: figures(1) });
    add(0, { figures: figures(100, { costAmount: 0.5, costCurrency: 'USD' }) });
    add(59, { tier: 'local', figures: figures(300, { fallbackReason: 'upstream_timeout' }) });
    add(60, { tier: null, outcome: 'error', figures: figures(9000, { inputTokens: 0, outputTokens: 0 }) });
    add(61, { outcome: 'truncated', figures: figures(5, { costAmount: 1, costCurrency: 'EUR' }) });
    add(62, { tier: 'simulation', figures: figures(200, { costAmount: 0.25, costCurrency: 'USD' }) });
    add(63, { tier: 'local', outcome: 'cancelled', principal: 'other' });
    add(120, {});
    const all = await store.summarise({ from: at(0), to: at(120) });
    expect(all.currency).toBe('USD');
    expect(all.totals).toEqual({
      requests: 6,
      live: 1,
      local: 2,
      simulation: 1,
      failed: 2,
      fallbacks: 1,
      p50Ms: 200,
      p95Ms: expect.closeTo(290, 5),
      inputTokens: 40,
      outputTokens: 8,
      cost: 0.75,
    });
    expect(all.minutes.map(({ at: minute, requests }) => [minute.getTime() - start, requests])).toEqual([
      [0, 2],
      [60_000, 4],
    ]);
    expect(all.minutes[1]).toMatchObject({ p50Ms: 200, failed: 2, cost: 0.25 });
    const own = await store.summarise({ from: at(0), to: at(120), principal: 'other' });
    expect(own.totals).toMatchObject({ requests: 1, local: 1, p50Ms: null, inputTokens: 0 });
    const none = await store.summarise({ from: at(500), to: at(600) });
    expect(none).toMatchObject({
      totals: { requests: 0, p95Ms: null, cost: 0 },
      minutes: [],
      currency: null,
    });
  });
});
