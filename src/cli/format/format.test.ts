import { describe, expect, it } from 'vitest';
import type { Receipt } from '../../inference/receipt.ts';
import { type Paint, plain } from '../output.ts';
import { toReceiptLine, toReceiptList, toReceiptText } from './receipt.ts';
import { toOriginText, toSettingsTable, toValueText } from './settings.ts';
import { toTable } from './table.ts';
import { toDuration } from './units.ts';

const RECEIPT: Receipt = {
  id: '01939f2e-5c1a-7000-8000-3f1d2c4b5a69',
  traceId: '0af7651916cd43dd8448eb211c80319c',
  kind: 'chat',
  role: 'narrator',
  principal: 'laptop',
  mode: 'live',
  routing: 'cloud_first',
  label: 'hybrid',
  requested: 'role:narrator',
  streamed: true,
  served: { tier: 'local', deployment: 'ollama', provider: 'openai-wire', model: 'llama3.2:3b' },
  outcome: 'ok',
  fallbackReason: 'upstream_rate_limited',
  attempts: [
    {
      tier: 'live',
      deployment: 'foundry-main',
      model: 'gpt-5.4-mini',
      outcome: 'failed',
      errorCode: 'upstream_rate_limited',
      httpStatus: 429,
      repairs: ['temperature'],
      startedAt: '2026-11-30T12:00:00.000Z',
      headerMs: 120,
      durationMs: 121,
    },
    {
      tier: 'local',
      deployment: 'ollama',
      model: 'llama3.2:3b',
      outcome: 'served',
      repairs: [],
      startedAt: '2026-11-30T12:00:00.121Z',
      headerMs: 40,
      firstTokenMs: 300,
      durationMs: 1200,
    },
  ],
  excluded: [{ deployment: 'spare', tier: 'live', reason: 'breaker_open' }],
  usage: { inputTokens: 12, outputTokens: 34, source: 'reported' },
  cost: { amount: 0.00012, currency: 'USD', priceSource: 'config' },
  proof: {
    retrievalHits: [],
    memoryInjected: [],
    toolsOffered: ['look_up', 'pay'],
    toolsCalled: ['look_up'],
  },
  policyDigest: null,
  startedAt: '2026-11-30T12:00:00.000Z',
  firstTokenMs: 421,
  durationMs: 1321,
};

const FAILED: Receipt = {
  ...RECEIPT,
  served: null,
  outcome: 'error',
  errorCode: 'upstream_timeout',
  attempts: [],
  excluded: [],
};

/** As the words of a line, so that column widths do not matter. */
const squeeze = (text: string) => text.split('\n').map((line) => line.trim().replace(/ {2,}/g, ' | '));

describe('toReceiptLine', () => {
  it('says tier, deployment, model, fallback reason, duration, tokens and id', () => {
    expect(toReceiptLine(RECEIPT, plain)).toBe(
      `■ local ollama · llama3.2:3b · fell back: upstream_rate_limited · 1.3 s · 12 in, 34 out · ${RECEIPT.id}`,
    );
  });

  it('shows a truncated answer as failed, never as served', () => {
    const line = toReceiptLine({ ...RECEIPT, outcome: 'truncated', errorCode: 'upstream_truncated' }, plain);
    expect(line).toMatch(/^▲ failed local · ollama · llama3\.2:3b · truncated · upstream_truncated/);
  });

  it('says why nothing served', () => {
    expect(toReceiptLine(FAILED, plain)).toMatch(/^▲ failed error · upstream_timeout/);
  });
});

describe('toReceiptText', () => {
  it('tells who served and why, each attempt with repairs, what was left out, usage and cost', () => {
    const lines = squeeze(toReceiptText(RECEIPT, plain));
    expect(lines).toEqual(
      expect.arrayContaining([
        'served by | ■ local',
        'ollama, model llama3.2:3b (openai-wire)',
        'why | mode live, routing cloud_first: the plan was hybrid; fell back: upstream_rate_limited',
        'usage | 12 in, 34 out',
        'cost | 0.00012 USD, by the price in the settings',
        'tools | look_up, pay',
        'called | look_up',
        '1 | ● live | foundry-main | gpt-5.4-mini | failed | header 120 ms, 121 ms in all | upstream_rate_limited, HTTP 429; repaired: temperature',
        '2 | ■ local | ollama | llama3.2:3b | served | header 40 ms, first token 300 ms, 1.2 s in all',
        '● live | spare | breaker_open',
      ]),
    );
  });

  it('shows contents as indented JSON, and a digest as it is', () => {
    const contents = { request: '{"messages":[]}', answer: 'sha256:abc' };
    const text = toReceiptText({ ...RECEIPT, contents }, plain);
    expect(text).toContain('request\n  {\n    "messages": []\n  }');
    expect(text).toContain('answer\n  sha256:abc');
  });

  it('leaves out sections that are empty', () => {
    const text = toReceiptText(FAILED, plain);
    expect(text).not.toContain('attempts');
    expect(text).not.toContain('left out');
    expect(text).toContain('error, upstream_timeout');
  });
});

describe('toReceiptList', () => {
  it('gives one line a receipt, with the error of one that nothing served', () => {
    const lines = squeeze(toReceiptList([RECEIPT, FAILED], plain));
    expect(lines).toHaveLength(2);
    expect(lines[0]).toContain('■ local | role:narrator | ollama | ok | 1.3 s');
    expect(lines[1]).toContain('▲ failed | role:narrator | upstream_timeout | error');
  });
});

describe('toTable', () => {
  it('aligns columns by what is seen, not by the colour codes', () => {
    const paint: Paint = (_, text) => `<<${text}>>`;
    expect(
      toTable(
        [
          [{ text: 'a', style: 'red' }, 'x'],
          ['long', 'y'],
        ],
        paint,
      ),
    ).toBe('<<a>>     x\nlong  y');
  });
});

describe('toSettingsTable', () => {
  it('gives path, value and origin', () => {
    const rows = [
      { path: 'roles.ops.local', value: ['a', 'b'], origin: { kind: 'inherited', detail: 'defaults.local' } },
    ] as const;
    expect(squeeze(toSettingsTable(rows, plain))).toEqual([
      'roles.ops.local | [a, b] | inherited from defaults.local',
    ]);
  });

  it.each([
    [null, '–'],
    [[], '[]'],
    [false, 'false'],
    [{ type: 'none' }, '{"type":"none"}'],
    ['text', 'text'],
  ])('writes %j as %s', (value, text) => {
    expect(toValueText(value)).toBe(text);
  });

  it('names an origin without detail by its kind', () => {
    expect(toOriginText({ kind: 'default' })).toBe('default');
    expect(toOriginText({ kind: 'environment', detail: 'DEMO_MODE' })).toBe('environment: DEMO_MODE');
  });
});

describe('toDuration', () => {
  it.each([
    [0.44, '0.4 ms'],
    [12.4, '12 ms'],
    [999.7, '1.0 s'],
    [59_949, '59.9 s'],
    [59_951, '1 min 0 s'],
    [125_000, '2 min 5 s'],
  ])('writes %d ms as %s', (ms, text) => {
    expect(toDuration(ms)).toBe(text);
  });
});
