import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ChatRequest } from './chat.ts';
import { applyRepair, createRepairMemory, REPAIR_NAMES, type RepairName, repairFor } from './repair.ts';

const full: ChatRequest = {
  messages: [
    { role: 'developer', content: 'Be brief.' },
    { role: 'user', content: 'Hello' },
  ],
  temperature: 0.2,
  top_p: 0.9,
  max_tokens: 100,
  parallel_tool_calls: false,
  reasoning_effort: 'low',
  stream_options: { include_usage: true },
  response_format: { type: 'json_schema', json_schema: { name: 'x', schema: { type: 'object' } } },
};

describe('repairFor', () => {
  it.each([
    [
      "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
      'max_tokens',
      'max_tokens_to_max_completion_tokens',
    ],
    [
      'max_tokens is not supported, use max_completion_tokens',
      undefined,
      'max_tokens_to_max_completion_tokens',
    ],
    [
      "Unsupported value: 'temperature' does not support 0.2 with this model. Only the default (1) value is supported.",
      'temperature',
      'drop_temperature',
    ],
    ['temperature does not support 0.2', undefined, 'drop_temperature'],
    [
      "Invalid parameter: 'response_format' of type 'json_schema' is not supported with this model.",
      'response_format',
      'json_schema_to_json_object',
    ],
    ['Unrecognized request argument supplied: parallel_tool_calls', undefined, 'drop_parallel_tool_calls'],
    ['Unknown parameter: reasoning_effort', null, 'drop_reasoning_effort'],
    ["Extra inputs are not permitted, field: 'stream_options'", undefined, 'drop_stream_options'],
    ["Invalid role 'developer'", 'messages[0].role', 'developer_to_system'],
    ['the model has had enough', undefined, null],
  ] as const)('reads %j as %3$s', (text, param, expected) => {
    expect(repairFor({ text, ...(param ? { param } : {}) }, full, new Set())).toBe(expected);
  });

  it('degrades response_format one step at a time and keeps the contract in the prompt', () => {
    const applied = new Set<RepairName>();
    const complaint = { text: 'response_format unsupported' };
    const first = repairFor(complaint, full, applied);
    expect(first).toBe('json_schema_to_json_object');
    const halfway = applyRepair(full, 'json_schema_to_json_object');
    expect(halfway.response_format).toEqual({ type: 'json_object' });
    const second = repairFor(complaint, halfway, new Set(['json_schema_to_json_object']));
    expect(second).toBe('response_format_to_instruction');
    const last = applyRepair(halfway, 'response_format_to_instruction');
    expect(last.response_format).toBeUndefined();
    expect(last.messages).toHaveLength(3);
    expect(last.messages[0]?.content).toContain('{"type":"object"}');
  });

  it('tries nothing twice', () => {
    const once = applyRepair(full, 'max_tokens_to_max_completion_tokens');
    expect(once).toMatchObject({ max_completion_tokens: 100 });
    expect(once.max_tokens).toBeUndefined();
    const again = repairFor(
      { text: 'max_completion_tokens is not supported' },
      once,
      new Set(['max_tokens_to_max_completion_tokens']),
    );
    expect(again).toBe('max_completion_tokens_to_max_tokens');
    const back = applyRepair(once, 'max_completion_tokens_to_max_tokens');
    expect(
      repairFor(
        { text: 'max_tokens' },
        back,
        new Set(['max_tokens_to_max_completion_tokens', 'max_completion_tokens_to_max_tokens']),
      ),
    ).toBeNull();
  });
});

describe('applyRepair', () => {
  it('composes in any order to the same request', () => {
    const names = REPAIR_NAMES.filter((name) => name !== 'max_completion_tokens_to_max_tokens');
    const strip = (request: ChatRequest) => ({
      ...request,
      messages: request.messages.map(({ role }) => role),
    });
    const expected = strip(names.reduce(applyRepair, full));
    fc.assert(
      fc.property(fc.shuffledSubarray(names, { minLength: names.length }), (order) => {
        expect(strip(order.reduce(applyRepair, full))).toEqual(expected);
      }),
    );
  });

  it('changes no request that does not hold what it repairs', () => {
    const plain: ChatRequest = { messages: [{ role: 'user', content: 'Hello' }] };
    for (const name of REPAIR_NAMES) expect(applyRepair(plain, name)).toBe(plain);
  });
});

describe('createRepairMemory', () => {
  const target = {
    id: 'a',
    tier: 'live',
    baseUrl: 'http://x/v1',
    auth: { type: 'none' },
    model: 'm',
    capabilities: {},
  } as const;
  const candidate = { tier: 'live', deployment: 'a', model: 'm', target } as const;

  it('remembers by deployment, address and model', () => {
    const memory = createRepairMemory();
    memory.learn(candidate, ['drop_temperature']);
    memory.learn(candidate, ['drop_top_p', 'drop_temperature']);
    expect(memory.known(candidate)).toEqual(['drop_temperature', 'drop_top_p']);
    expect(memory.known({ ...candidate, model: 'other' })).toEqual([]);
    expect(memory.known({ ...candidate, target: { ...target, baseUrl: 'http://y/v1' } })).toEqual([]);
  });

  it('knows from the configuration what a target cannot take', () => {
    const memory = createRepairMemory();
    const limited = {
      ...candidate,
      target: { ...target, capabilities: { jsonSchema: false, streamUsage: false } },
    };
    expect(memory.known(limited)).toEqual(['json_schema_to_json_object', 'drop_stream_options']);
  });
});
