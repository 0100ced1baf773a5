import type { ChatRequest } from '../chat.ts';
import type { Reading } from './reading.ts';
import type { SchemaNode } from './schema/generation.ts';

const LONGEST_EXAMPLE = 4000;
const MOST_KEYS = 30;

/**
 * What `json_object` asks for without a schema: the shape of an example object in the messages, else the keys
 * that the messages list, else a title, a summary and topics.
 */
export function inferSchema(request: ChatRequest, reading: Reading): SchemaNode {
  const texts = [reading.text, ...request.messages.slice(0, 4).map((message) => message.content)];
  for (const text of texts) {
    if (typeof text !== 'string') continue;
    const shape = exampleIn(text) ?? keysIn(text);
    if (shape) return shape;
  }
  return closed({
    simulated: { const: true },
    title: { type: 'string' },
    summary: { type: 'string' },
    topics: { type: 'array', items: { type: 'string' }, uniqueItems: true },
  });
}

function closed(properties: SchemaNode): SchemaNode {
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false };
}

function exampleIn(text: string): SchemaNode | null {
  const start = text.indexOf('{');
  if (start < 0) return null;
  const part = text.slice(start, start + LONGEST_EXAMPLE);
  try {
    const value: unknown = JSON.parse(part.slice(0, part.lastIndexOf('}') + 1));
    return shapeOf(value, 0);
  } catch {
    return null;
  }
}

function shapeOf(value: unknown, depth: number): SchemaNode {
  if (depth > 8) return {};
  if (Array.isArray(value))
    return { type: 'array', items: value.length > 0 ? shapeOf(value[0], depth + 1) : {} };
  if (value === null) return { type: 'null' };
  if (typeof value !== 'object') {
    return { type: Number.isInteger(value) ? 'integer' : typeof value };
  }
  const entries = Object.entries(value).map(([key, member]) => [key, shapeOf(member, depth + 1)]);
  return closed(Object.fromEntries(entries));
}

/** After "keys" or "fields": names in quotes, else a plain list of words. */
function keysIn(text: string): SchemaNode | null {
  const list = /\b(?:keys?|fields?|properties)\b[:\s]+([^.\n]{1,400})/i.exec(text)?.[1];
  if (!list) return null;
  const quoted = [...list.matchAll(/["'`“]([\w $-]{1,40})["'`”]/g)].map((match) => match[1] ?? '');
  const plain = list.split(/\s*(?:,|\band\b)\s*/).map((word) => word.trim());
  const keys = quoted.length > 0 ? quoted : plain.filter((word) => /^[A-Za-z_]\w{0,39}$/.test(word));
  if (keys.length === 0) return null;
  return closed(Object.fromEntries(keys.slice(0, MOST_KEYS).map((key) => [key, shapeByName(key)])));
}

function shapeByName(key: string): SchemaNode {
  if (/^(?:count|number|total|amount|price|cost|age|year|score|rating|quantity|population)$/i.test(key))
    return { type: 'number' };
  if (/^(?:is|has|can)_?[A-Z_]|^(?:valid|enabled|done)$/.test(key)) return { type: 'boolean' };
  if (/(?:steps|tags|items|topics|keywords|ideas|tasks|names)$/i.test(key))
    return { type: 'array', items: { type: 'string' } };
  return { type: 'string' };
}
