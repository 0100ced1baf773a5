import { describe, expect, it } from 'vitest';
import { type BreakerChange, createBreakers } from './breaker.ts';

function open(settings = { failures: 3, windowMs: 60_000, coolDownMs: 30_000 }) {
  let time = 1_000_000;
  const changes: BreakerChange[] = [];
  const breakers = createBreakers(
    () => settings,
    (change) => changes.push(change),
    () => time,
  );
  return {
    breakers,
    changes,
    pass: (ms: number) => {
      time += ms;
    },
    fail: (retryAfterMs?: number) =>
      breakers
        .acquire('a')
        ?.report(retryAfterMs === undefined ? { kind: 'failing' } : { kind: 'failing', retryAfterMs }),
    succeed: () => breakers.acquire('a')?.report({ kind: 'healthy' }),
  };
}

describe('createBreakers', () => {
  it('opens after three consecutive failures and lets none pass until the cool-down is over', () => {
    const { breakers, fail, pass } = open();
    fail();
    fail();
    expect(breakers.view('a').state).toBe('closed');
    fail();
    expect(breakers.view('a').state).toBe('open');
    expect(breakers.acquire('a')).toBeNull();
    expect(breakers.view('b').state).toBe('closed');
    pass(30_000);
    expect(breakers.view('a').state).toBe('half_open');
  });

  it('forgets failures after a success, and those older than the window', () => {
    const { breakers, fail, succeed, pass } = open();
    fail();
    fail();
    succeed();
    fail();
    fail();
    expect(breakers.view('a').state).toBe('closed');
    pass(60_001);
    fail();
    expect(breakers.view('a').state).toBe('closed');
  });

  it('lets exactly one probe through; its success closes, its failure opens anew', () => {
    const { breakers, fail, pass, changes } = open();
    for (let i = 0; i < 3; i++) fail();
    pass(30_000);
    const probe = breakers.acquire('a');
    expect(probe?.probe).toBe(true);
    expect(breakers.acquire('a')).toBeNull();
    probe?.report({ kind: 'failing' });
    expect(breakers.acquire('a')).toBeNull();
    pass(30_000);
    breakers.acquire('a')?.report({ kind: 'healthy' });
    expect(breakers.view('a')).toEqual({ state: 'closed', failures: 0 });
    expect(changes.map(({ to }) => to)).toEqual(['opened', 'probed', 'opened', 'probed', 'closed']);
  });

  it('gives the place of the probe free when its caller went away', () => {
    const { breakers, fail, pass } = open();
    for (let i = 0; i < 3; i++) fail();
    pass(30_000);
    breakers.acquire('a')?.report({ kind: 'neutral' });
    expect(breakers.acquire('a')?.probe).toBe(true);
  });

  it('waits as long as the target asked for, but never for more than an hour', () => {
    const { breakers, fail, pass } = open();
    fail();
    fail();
    fail(5_000);
    pass(5_000);
    expect(breakers.view('a').state).toBe('half_open');
    fail(287_441_000);
    pass(3_600_000);
    expect(breakers.view('a').state).toBe('half_open');
  });

  it('closes at once when it is reset', () => {
    const { breakers, fail } = open();
    for (let i = 0; i < 3; i++) fail();
    breakers.reset('a');
    expect(breakers.view('a')).toEqual({ state: 'closed', failures: 0 });
    expect(breakers.list()).toEqual([]);
  });
});
