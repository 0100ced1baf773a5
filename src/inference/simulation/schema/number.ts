import { asNumber, type Generation, type Place, type SchemaNode, Unsatisfiable } from './generation.ts';

/** A number that the node admits, as near to what the property's name and the request suggest as it may be. */
export function generateNumber(
  node: SchemaNode,
  type: 'integer' | 'number',
  place: Place,
  generation: Generation,
): number {
  const typed = { ...node, type };
  const low = Math.max(
    asNumber(node['minimum']) ?? -Infinity,
    asNumber(node['exclusiveMinimum']) ?? -Infinity,
  );
  const high = Math.min(
    asNumber(node['maximum']) ?? Infinity,
    asNumber(node['exclusiveMaximum']) ?? Infinity,
  );
  const step = asNumber(node['multipleOf']) ?? (type === 'integer' ? 1 : undefined);
  const wanted = suggestNumber(place, generation, (value) => generation.accepts(value, typed));
  const candidates =
    step === undefined
      ? continuous(low, high, wanted, place.variant)
      : stepped(low, high, step, wanted, place.variant);
  for (const candidate of candidates) {
    const value = candidate === 0 ? 0 : candidate;
    if (Number.isFinite(value) && generation.accepts(value, typed)) return value;
  }
  throw new Unsatisfiable(place.path, `no ${type} was found that its limits admit`);
}

const BY_NAME: readonly (readonly [RegExp, number])[] = [
  [/probab|confidence|likelihood|fraction|ratio/, 0.5],
  [/percent|score/, 50],
  [/rating|stars|priority|level|severity/, 3],
  [/year/, 2025],
  [/month/, 6],
  [/age$/, 30],
  [/price|cost|amount|total|budget|fee/, 20],
  [/minutes|duration|seconds/, 30],
  [/lat(itude)?$|lon(gitude)?$|lng$/, 0],
  [/index|offset/, 0],
];

function suggestNumber(place: Place, generation: Generation, admits: (value: number) => boolean): number {
  const { numbers } = generation.reading;
  const start = place.variant % Math.max(1, numbers.length);
  const said = [...numbers.slice(start), ...numbers.slice(0, start)].find(admits);
  if (said !== undefined) return said;
  const name = place.name.toLowerCase();
  return BY_NAME.find(([pattern]) => pattern.test(name))?.[1] ?? 1 + (generation.offset(place) % 9);
}

const STEPS_TRIED = 200;

function* stepped(
  low: number,
  high: number,
  step: number,
  wanted: number,
  variant: number,
): Generator<number> {
  const first = Math.ceil(low / step);
  const last = Math.floor(high / step);
  const near = Math.min(last, Math.max(first, Math.round(wanted / step)));
  const span = last - first + 1;
  for (let i = 0; i < STEPS_TRIED; i++) {
    const ahead = near + variant + i;
    const k =
      span < Infinity && span > 0
        ? first + ((ahead - first) % span)
        : ahead <= last
          ? ahead
          : near - variant - i;
    yield exact(k * step, step);
  }
}

/** Without the noise of binary fractions: three times 0.1 is 0.3. */
function exact(value: number, step: number): number {
  const [digits = '', exponent = '0'] = String(step).split('e');
  const decimals = (digits.split('.')[1] ?? '').length - Number(exponent);
  return decimals > 0 && decimals <= 100 ? Number(value.toFixed(decimals)) : value;
}

function* continuous(low: number, high: number, wanted: number, variant: number): Generator<number> {
  // Halves, so that one of two tries is no integer: `oneOf` may want either.
  yield wanted + variant / 2;
  if (low > -Infinity && high < Infinity) {
    const point = low + (high - low) * (((variant % 15) + 1) / 16);
    yield Number(point.toFixed(2));
    yield point;
    yield low / 2 + high / 2;
  }
  if (low > -Infinity) yield* [low + 1 + variant, low, low * 2, low / 2, low + Number.MIN_VALUE];
  if (high < Infinity) yield* [high - 1 - variant, high, high * 2, high / 2, high - Number.MIN_VALUE];
  yield 0;
}
