import { Validator } from '@cfworker/json-schema';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRandom } from '../random.ts';
import { readRequest } from '../reading.ts';
import { generateValue } from './generate.ts';

const DIGEST = '0f1e2d3c4b5a69788796a5b4c3d2e1f00f1e2d3c4b5a69788796a5b4c3d2e1f0';
const BIKE = 'Plan a launch for a bike repair shop';

function generate(schema: unknown, text = BIKE) {
  const reading = readRequest({ messages: [{ role: 'user', content: text }] });
  return generateValue(schema, 'answer', reading, createRandom(DIGEST));
}

function made(schema: unknown, text = BIKE): unknown {
  const generated = generate(schema, text);
  if (generated.kind !== 'value') throw new Error(generated.reason);
  return generated.value;
}

describe('generateValue', () => {
  it.each<[string, unknown]>([
    [
      'nested objects',
      {
        type: 'object',
        required: ['a'],
        properties: {
          a: { type: 'object', required: ['b'], properties: { b: { type: 'integer', minimum: 3 } } },
        },
      },
    ],
    [
      'a closed object',
      {
        type: 'object',
        properties: { title: { type: 'string' } },
        required: ['title'],
        additionalProperties: false,
      },
    ],
    ['exclusive limits', { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 0.001 }],
    ['multiples of a fraction', { type: 'number', multipleOf: 0.01, minimum: 1.005, maximum: 1.02 }],
    ['an integer that is a multiple of a fraction', { type: 'integer', multipleOf: 2.5, minimum: 6 }],
    ['negative limits', { type: 'integer', maximum: -10 }],
    ['large limits', { type: 'number', minimum: 1e300 }],
    [
      'unique items of a small set',
      { type: 'array', items: { enum: ['a', 'b', 'c'] }, uniqueItems: true, minItems: 3 },
    ],
    [
      'unique small integers',
      { type: 'array', items: { type: 'integer', minimum: 1, maximum: 4 }, uniqueItems: true, minItems: 4 },
    ],
    ['unique booleans', { type: 'array', items: { type: 'boolean' }, uniqueItems: true, minItems: 2 }],
    ['a tuple', { type: 'array', prefixItems: [{ type: 'string' }, { type: 'number' }], items: false }],
    ['contains', { type: 'array', items: { type: 'integer' }, contains: { minimum: 90 }, minContains: 2 }],
    ['a nullable type', { type: ['null', 'string'] }],
    ['a reference', { $ref: '#/$defs/step', $defs: { step: { type: 'string', minLength: 5 } } }],
    [
      'a recursive tree',
      {
        $ref: '#/definitions/node',
        definitions: {
          node: {
            type: 'object',
            required: ['name', 'children'],
            properties: {
              name: { type: 'string' },
              children: { type: 'array', items: { $ref: '#/definitions/node' } },
            },
          },
        },
      },
    ],
    [
      'a linked list',
      {
        $ref: '#/$defs/n',
        $defs: {
          n: {
            type: 'object',
            required: ['value', 'next'],
            additionalProperties: false,
            properties: {
              value: { type: 'integer' },
              next: { anyOf: [{ $ref: '#/$defs/n' }, { type: 'null' }] },
            },
          },
        },
      },
    ],
    [
      'allOf',
      {
        allOf: [
          { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
          { properties: { b: { type: 'integer' }, a: { maxLength: 3 } }, required: ['b'] },
        ],
      },
    ],
    [
      'anyOf beside properties',
      {
        type: 'object',
        properties: { kind: { type: 'string' } },
        required: ['kind'],
        anyOf: [{ required: ['x'], properties: { x: { const: 1 } } }, { required: ['y'] }],
      },
    ],
    [
      'oneOf by a discriminator',
      {
        oneOf: [
          { type: 'object', properties: { t: { const: 'a' }, v: { type: 'string' } }, required: ['t', 'v'] },
          { type: 'object', properties: { t: { const: 'b' } }, required: ['t'] },
        ],
      },
    ],
    ['oneOf of overlapping numbers', { oneOf: [{ type: 'integer' }, { type: 'number', minimum: 2 }] }],
    [
      'if, then, else',
      JSON.parse(
        '{"type":"object","properties":{"kind":{"enum":["x","y"]}},"required":["kind"],' +
          '"if":{"properties":{"kind":{"const":"x"}}},"then":{"required":["x"]},"else":{"required":["y"]}}',
      ),
    ],
    ['not', { type: 'integer', minimum: 1, maximum: 5, not: { enum: [1, 2, 3] } }],
    [
      'pattern properties',
      {
        type: 'object',
        patternProperties: { '^k[0-9]+$': { type: 'integer' } },
        additionalProperties: false,
        minProperties: 3,
      },
    ],
    [
      'property names',
      {
        type: 'object',
        propertyNames: { pattern: '^[A-Z]{2}$' },
        additionalProperties: { type: 'boolean' },
        minProperties: 4,
      },
    ],
    ['a map', { type: 'object', additionalProperties: { type: 'number' } }],
    [
      'dependent required',
      {
        type: 'object',
        properties: { a: { type: 'string' }, b: { type: 'string' } },
        required: ['a'],
        dependentRequired: { a: ['c'] },
      },
    ],
    ['a long text', { type: 'string', minLength: 700, maxLength: 720 }],
    ['a short text', { type: 'string', maxLength: 2 }],
    ['property names that none has', { type: 'object', propertyNames: false }],
    [
      'an optional part that is refused',
      { type: 'object', properties: { a: { type: 'string' } }, not: { required: ['a'] } },
    ],
    ['no constraint', {}],
    ['true', true],
  ])('satisfies %s', (_name, schema) => {
    const value = made(schema);
    expect(new Validator(structuredClone(schema) as never, '2020-12').validate(value).valid).toBe(true);
  });

  it.each([
    '^[A-Z]{3}-\\d{4}$',
    '^(draft|final)$',
    '^\\+?[1-9]\\d{1,14}$',
    '[a-z]+@[a-z]+\\.(com|org)',
    '^#[0-9a-fA-F]{6}$',
    '^(?:\\d{1,3}\\.){3}\\d{1,3}$',
    '^[^@\\s]+@[^@\\s]+$',
    '^v(?<major>\\d+)\\.\\d+$',
    '^\\p{Lu}\\p{L}*$',
    '^$',
    'a|b|',
    '^[\\w.-]*?z$',
    '^\\u0041[\\x30-\\x35]$',
    '^(a+)+$',
  ])('makes a text for the pattern %s', (pattern) => {
    expect(made({ type: 'string', pattern })).toMatch(new RegExp(pattern, 'u'));
  });

  it('puts the words of the request into the form of a pattern', () => {
    const pattern = '^[a-z0-9]+(?:-[a-z0-9]+)*$';
    expect(made({ type: 'array', items: { type: 'string', pattern }, maxItems: 2 })).toEqual([
      'launch',
      'bike-repair-shop',
    ]);
  });

  it('keeps a pattern and a length at once', () => {
    expect(made({ type: 'string', pattern: '^[a-z-]+$', minLength: 30, maxLength: 31 })).toMatch(
      /^[a-z-]{30,31}$/,
    );
  });

  it.each([
    'date',
    'date-time',
    'time',
    'duration',
    'email',
    'hostname',
    'uri',
    'uri-reference',
    'uuid',
    'ipv4',
    'ipv6',
    'regex',
    'json-pointer',
  ])('makes a text of the format %s', (format) => {
    const schema = { type: 'array', items: { type: 'string', format }, minItems: 3 };
    expect(new Validator(schema as never, '2020-12').validate(made(schema)).valid).toBe(true);
  });

  it.each<[string, unknown, string]>([
    [
      'limits that exclude each other',
      { type: 'object', required: ['n'], properties: { n: { type: 'integer', minimum: 5, maximum: 4 } } },
      '$.n',
    ],
    ['a look-ahead', { type: 'array', minItems: 1, items: { type: 'string', pattern: '^(?=a)b' } }, '$[0]'],
    ['false', { type: 'object', required: ['gone'], properties: { gone: false } }, '$.gone'],
    ['an endless recursion', { type: 'object', required: ['a'], properties: { a: { $ref: '#' } } }, '$.a.a'],
    ['a reference to nowhere', { $ref: '#/$defs/none' }, '$'],
    [
      'a circle of references',
      { $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } } },
      '$',
    ],
    [
      'more unique items than there are',
      { type: 'array', items: { enum: [1, 2] }, uniqueItems: true, minItems: 3 },
      '$[2]',
    ],
    ['too long a text', { type: 'string', minLength: 1e9 }, '$'],
    ['no schema at all', 'nonsense', '$'],
  ])('names the path when it cannot satisfy %s', (_name, schema, path) => {
    const generated = generate(schema);
    expect(generated).toMatchObject({ kind: 'unsatisfiable' });
    expect(generated.kind === 'unsatisfiable' && generated.reason.startsWith(path)).toBe(true);
  });

  it('ends quickly for a schema that branches without end', () => {
    const schema = {
      $ref: '#/$defs/n',
      $defs: {
        n: {
          type: 'object',
          required: ['l', 'r'],
          properties: { l: { $ref: '#/$defs/n' }, r: { $ref: '#/$defs/n' } },
        },
      },
    };
    const start = performance.now();
    expect(generate(schema).kind).toBe('unsatisfiable');
    expect(performance.now() - start).toBeLessThan(3000);
  });

  it("uses the request's own words and numbers", () => {
    const schema = {
      type: 'object',
      required: ['title', 'city', 'budget', 'start_date', 'contact', 'mood'],
      properties: {
        title: { type: 'string' },
        city: { type: 'string' },
        budget: { type: 'number' },
        start_date: { type: 'string', format: 'date' },
        contact: { type: 'string', format: 'email' },
        mood: { enum: ['calm', 'loud'] },
      },
    };
    const value = made(
      schema,
      'Plan a loud launch for a bike repair shop on 2026-03-01 for 5000 euro; city: Lisbon; ask ada@shop.example',
    );
    expect(value).toMatchObject({
      city: 'Lisbon',
      budget: 5000,
      start_date: '2026-03-01',
      contact: 'ada@shop.example',
      mood: 'loud',
    });
    expect((value as { title: string }).title).toContain('bike repair shop');
  });

  it('takes defaults and examples where the schema gives them', () => {
    expect(made({ type: 'string', default: 'medium' })).toBe('medium');
    expect(made({ type: 'string', examples: ['Ada'] })).toBe('Ada');
    expect(made({ type: 'string', minLength: 10, default: 'medium' })).not.toBe('medium');
  });

  it('leaves the schema as it was', () => {
    const schema = Object.freeze({
      type: 'string',
      $defs: Object.freeze({ a: Object.freeze({ $ref: '#' }) }),
    });
    expect(generate(schema).kind).toBe('value');
    expect(Object.getOwnPropertyNames(schema)).toEqual(['type', '$defs']);
  });
});

/** Schemas that have a value, of the subset that callers use. */
const { schema: schemas } = fc.letrec<{ schema: unknown }>((tie) => {
  const limited = (least: string, most: string, max: number) =>
    fc.tuple(fc.nat({ max }), fc.nat({ max }), fc.boolean(), fc.boolean()).map(([a, b, low, high]) => ({
      ...(low ? { [least]: Math.min(a, b) } : {}),
      ...(high ? { [most]: Math.max(a, b) } : {}),
    }));
  const name = fc.constantFrom('title', 'price', 'email', 'steps', 'a b', 'count', 'date', '__proto__', 'é');
  const string = limited('minLength', 'maxLength', 60).map((limits) => ({ type: 'string', ...limits }));
  const formatted = fc
    .constantFrom('date', 'email', 'uri', 'uuid', 'date-time')
    .map((format) => ({ type: 'string', format }));
  const patterned = fc
    .constantFrom('^[a-z]{2,5}$', '^(x|y)\\d+$', '[A-Z]')
    .map((pattern) => ({ type: 'string', pattern }));
  const integer = limited('minimum', 'maximum', 50).map((limits) => ({ type: 'integer', ...limits }));
  const number = fc
    .tuple(
      fc.double({ min: -1e6, max: 1e6, noNaN: true }),
      fc.double({ min: 1e-3, max: 1e6, noNaN: true }),
      fc.boolean(),
    )
    .map(([from, span, open]) =>
      open
        ? { type: 'number', exclusiveMinimum: from, exclusiveMaximum: from + span }
        : { type: 'number', minimum: from, maximum: from + span },
    );
  const multiple = fc
    .constantFrom(0.1, 0.25, 3, 7, 100)
    .map((multipleOf) => ({ type: 'number', multipleOf, minimum: -5 }));
  const scalar = fc.oneof(
    string,
    formatted,
    patterned,
    integer,
    number,
    multiple,
    fc.constant({ type: 'boolean' }),
    fc.constant({ type: 'null' }),
    fc
      .array(fc.jsonValue({ maxDepth: 1 }), { minLength: 1, maxLength: 4 })
      .map((values) => ({ enum: values })),
    fc.jsonValue({ maxDepth: 2 }).map((value) => ({ const: value })),
  );
  const array = fc
    .tuple(tie('schema'), limited('minItems', 'maxItems', 4))
    .map(([items, limits]) => ({ type: 'array', items, ...limits }));
  const object = fc
    .tuple(fc.dictionary(name, tie('schema'), { maxKeys: 4 }), fc.boolean(), fc.boolean())
    .map(([properties, required, closed]) => ({
      type: 'object',
      properties,
      ...(required ? { required: Object.keys(properties) } : {}),
      ...(closed ? { additionalProperties: false } : {}),
    }));
  const anyOf = fc
    .array(tie('schema'), { minLength: 1, maxLength: 3 })
    .map((branches) => ({ anyOf: branches }));
  const nullable = integer.map((schema) => ({ ...schema, type: ['null', 'integer'] }));
  const allOf = fc
    .tuple(object, fc.dictionary(name, fc.constant({}), { maxKeys: 2 }))
    .map(([a, properties]) => ({ allOf: [a, { type: 'object', properties }] }));
  const referred = tie('schema').map((part) => ({ allOf: [part, true] }));
  return {
    schema: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      scalar,
      array,
      object,
      anyOf,
      nullable,
      allOf,
      referred,
    ),
  };
});

it('gives every satisfiable schema a value that validates', () => {
  fc.assert(
    fc.property(schemas, fc.string(), (schema, text) => {
      const value = made(schema, text);
      const copy = JSON.parse(JSON.stringify(schema));
      expect(new Validator(copy, '2020-12').validate(value).valid).toBe(true);
    }),
    { numRuns: 500 },
  );
});
