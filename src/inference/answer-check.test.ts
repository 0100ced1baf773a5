import { describe, expect, it } from 'vitest';
import { checkAnswer } from './answer-check.ts';
import type { AssistantMessage, ChatCompletion, ResponseFormat } from './chat.ts';

const titled: ResponseFormat = {
  type: 'json_schema',
  json_schema: {
    name: 'page',
    schema: {
      type: 'object',
      properties: { title: { type: 'string' } },
      required: ['title'],
      additionalProperties: false,
    },
  },
};

function answer(
  message: Partial<AssistantMessage>,
  finish: 'stop' | 'content_filter' = 'stop',
): ChatCompletion {
  const choice = {
    index: 0,
    message: { role: 'assistant' as const, content: null, ...message },
    finish_reason: finish,
  };
  return { id: 'x', object: 'chat.completion', created: 1, model: 'm', choices: [choice] };
}

function check(content: string, format: ResponseFormat = titled) {
  const result = checkAnswer(answer({ content }), format);
  return result.ok ? result.completion.choices[0]?.message.content : result;
}

describe('checkAnswer', () => {
  it.each([
    ['JSON alone', '{"title":"right"}'],
    ['a code fence', '```json\n{"title":"right"}\n```'],
    ['a fence among prose', 'Here:\n```\n{"title":"right"}\n```\nDone.'],
    ['prose around it', 'Here you go: {"title":"right"} Enjoy.'],
  ])('takes the JSON out of %s', (_, content) => {
    expect(check(content)).toBe('{"title":"right"}');
  });

  it.each([
    ['doubled braces', 'Here you go: {{"title":"x"}}'],
    ['two fences', '```\n{"title":"a"}\n```\n```\n{"title":"b"}\n```'],
    ['cut JSON', '{"title":"ri'],
    ['no JSON', 'I cannot do that.'],
    ['nothing', ''],
  ])('refuses %s as no JSON', (_, content) => {
    expect(check(content)).toEqual({ ok: false, problem: 'The answer is not JSON.' });
  });

  it('names the place where the schema is broken', () => {
    expect(check('{"title":5}')).toMatchObject({ ok: false, problem: expect.stringContaining('#/title') });
    expect(check('{"title":"x","more":1}')).toMatchObject({ ok: false });
    expect(check('[]')).toMatchObject({ ok: false });
  });

  it('gives up on a pattern that backtracks without end, and leaves the schema as it was', () => {
    const schema = { type: 'object', properties: { title: { type: 'string', pattern: '^(a+)+$' } } };
    const before = JSON.stringify(schema);
    const hostile: ResponseFormat = { type: 'json_schema', json_schema: { name: 'x', schema } };
    expect(check(`{"title":"${'a'.repeat(60)}!"}`, hostile)).toMatchObject({
      problem: expect.stringContaining('ms to check'),
    });
    expect(check('{"title":"aaa"}', hostile)).toBe('{"title":"aaa"}');
    expect(JSON.stringify(schema)).toBe(before);
  });

  it('wants an object for json_object', () => {
    expect(check('{"a":1}', { type: 'json_object' })).toBe('{"a":1}');
    expect(check('[1]', { type: 'json_object' })).toMatchObject({ ok: false });
  });

  it('leaves tool calls, refusals and filtered answers as they are', () => {
    const call = { id: '1', type: 'function' as const, function: { name: 'f', arguments: '{}' } };
    for (const completion of [
      answer({ tool_calls: [call] }),
      answer({ refusal: 'No.' }),
      answer({ content: '' }, 'content_filter'),
    ]) {
      expect(checkAnswer(completion, titled)).toEqual({ ok: true, completion });
    }
  });

  it('checks every choice', () => {
    const both = answer({ content: '{"title":"a"}' });
    both.choices.push({ index: 1, message: { role: 'assistant', content: 'no' }, finish_reason: 'stop' });
    expect(checkAnswer(both, titled).ok).toBe(false);
  });

  it('follows references and does not hang on a recursive schema', () => {
    const tree: ResponseFormat = {
      type: 'json_schema',
      json_schema: {
        name: 'tree',
        schema: {
          $ref: '#/$defs/node',
          $defs: {
            node: {
              type: 'object',
              properties: { next: { $ref: '#/$defs/node' } },
              additionalProperties: false,
            },
          },
        },
      },
    };
    expect(check('{"next":{"next":{}}}', tree)).toBe('{"next":{"next":{}}}');
    expect(check('{"next":{"nxt":{}}}', tree)).toMatchObject({ ok: false });
  });
});
