import { z } from 'zod';
import type { EventDefinition } from './event.ts';
import { EVENTS } from './events.ts';

/** docs/events.md, as the catalogue says it should be. */
export function eventsMarkdown(): string {
  const sections = Object.entries(EVENTS).map(
    ([type, definition]) => `## ${type}\n\n${definition.meaning}\n\n${membersOf(definition)}`,
  );
  return `${INTRODUCTION}\n${sections.join('\n\n')}\n`;
}

const INTRODUCTION = `# Events

Made from \`src/trace/events.ts\` by \`npm run docs\`; change it there.

Everything that happens is an event in the ledger: \`{ id, seq, ts, runId, traceId, spanId, causeId?, type, actor, tier?, message,
payload, writer, prevHash, hash }\`. \`hash\` is the SHA-256 of the canonical JSON (RFC 8785) of all other members, \`prevHash\` the
hash of the event before it in the chain of its \`writer\`. A run has the id of its first event. Below are the types that Tiercel
emits, with their payloads; apps add their own with \`defineEvents\`.
`;

function membersOf({ payload }: EventDefinition): string {
  return Object.entries(payload.shape)
    .map(([name, schema]) => `- \`${name}\`: ${toWords(schema)}`)
    .join('\n');
}

function toWords(schema: unknown): string {
  if (schema instanceof z.ZodOptional) return `${toWords(schema.unwrap())}, optional`;
  if (schema instanceof z.ZodEnum) {
    return schema.options.length > 8
      ? 'a code of [errors](errors.md)'
      : schema.options.map((one) => `\`${one}\``).join(' or ');
  }
  if (schema instanceof z.ZodArray) return `list of ${toWords(schema.element)}`;
  if (schema instanceof z.ZodObject) return `\`{ ${Object.keys(schema.shape).join(', ')} }\``;
  if (schema instanceof z.ZodBoolean) return 'true or false';
  return schema instanceof z.ZodNumber ? 'number' : 'text';
}
