import { isObject } from './behaviour.ts';

/**
 * A value that conforms to a plain JSON Schema (types, enum, const, properties, items, minimum, minItems); strings are
 * the name of their property. Anything finer is not looked at: this upstream plays a model, not a validator.
 */
export function sampleOf(schema: unknown, name = 'sample'): unknown {
  if (!isObject(schema)) return name;
  if ('const' in schema) return schema['const'];
  if (Array.isArray(schema['enum'])) return schema['enum'][0];
  switch (schema['type']) {
    case 'number':
    case 'integer':
      return typeof schema['minimum'] === 'number' ? schema['minimum'] : 1;
    case 'boolean':
      return true;
    case 'null':
      return null;
    case 'array': {
      const length = typeof schema['minItems'] === 'number' ? schema['minItems'] : 1;
      return Array.from({ length }, () => sampleOf(schema['items'], name));
    }
    case 'object': {
      const properties = isObject(schema['properties']) ? schema['properties'] : {};
      return Object.fromEntries(
        Object.entries(properties).map(([key, value]) => [key, sampleOf(value, key)]),
      );
    }
    default:
      return name;
  }
}
