import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { withRun } from '../trace/context.ts';
import type { ChainedEvent } from '../trace/event.ts';
import { openRuntime, type Runtime } from './runtime.ts';

let folder: string;
let runtime: Runtime;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tiercel-events-'));
  runtime = await openRuntime({ env: {}, cwd: folder, configObject: { ledger: { durability: 'strict' } } });
});
afterAll(async () => {
  await runtime.close();
  await rm(folder, { recursive: true, force: true });
});

const call = () =>
  runtime.router.complete({ model: 'auto', request: { messages: [{ role: 'user', content: 'Hello' }] } });

it('stores a call as a run of its own, under its receipt’s id, each event caused by the one before', async () => {
  const { receipt } = await call();
  const stored = await runtime.database.pool.query('select seq from events where run_id = $1', [receipt.id]);
  // Durability is strict: they were stored before the answer was given.
  expect(stored.rows).toHaveLength(3);
  const events = await runtime.ledger.run(receipt.id);
  expect(events.map(({ type }) => type)).toEqual(['PLAN_RESOLVED', 'INFERENCE_ATTEMPT', 'INFERENCE_SERVED']);
  expect(events[0]).toMatchObject({ id: receipt.id, traceId: receipt.traceId, actor: 'local' });
  expect(events.map(({ causeId }) => causeId)).toEqual([undefined, events[0]?.id, events[1]?.id]);
  expect(events[2]).toMatchObject({ tier: 'simulation', payload: { receiptId: receipt.id, outcome: 'ok' } });
  expect((await runtime.ledger.runs({ limit: 1 })).runs).toMatchObject([{ runId: receipt.id }]);
});

it('stores a call within a run as part of it', async () => {
  let receiptId = '';
  let traceId = '';
  await withRun(runtime.trace, { actor: 'ada', name: 'two steps' }, async () => {
    ({ id: receiptId, traceId } = (await call()).receipt);
  });
  const { runs } = await runtime.ledger.runs({ limit: 1 });
  expect(runs).toMatchObject([{ message: 'two steps started', traceId }]);
  const events = await runtime.ledger.run(runs[0]?.runId ?? '');
  expect(events).toHaveLength(5);
  expect(events[1]).toMatchObject({ causeId: events[0]?.id, payload: { receiptId } });
});

it('stores who changed a setting or took it back, and keys made and revoked', async () => {
  await runtime.changes.apply(new Map([['routing', 'local_only']]), 'ada');
  await runtime.changes.undo(1, 'bob');
  const { id } = await runtime.keys.create({ name: 'mine', principal: 'ada', admin: false });
  await runtime.keys.revoke('mine');
  const types = ['SETTING_CHANGED', 'KEY_CREATED', 'KEY_REVOKED'];
  const { events } = await runtime.ledger.events({ type: types });
  const told = ({ type, actor, payload }: ChainedEvent) => ({ type, actor, payload });
  expect(events.map(told)).toEqual([
    { type: 'KEY_REVOKED', actor: 'operator', payload: { key: 'mine' } },
    {
      type: 'KEY_CREATED',
      actor: 'operator',
      payload: { keyId: id, name: 'mine', principal: 'ada', admin: false },
    },
    { type: 'SETTING_CHANGED', actor: 'bob', payload: { path: 'routing' } },
    { type: 'SETTING_CHANGED', actor: 'ada', payload: { path: 'routing' } },
  ]);
});

it('verifies as a whole', async () => {
  expect(await runtime.ledger.verify()).toMatchObject({ intact: true });
});
