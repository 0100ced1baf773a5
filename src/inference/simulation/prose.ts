import { clip, named } from './phrases.ts';
import { toCode } from './prose-code.ts';
import { toComparison, toDraft, toExplanation, toList, toPlan, toQuestion } from './prose-forms.ts';
import { toSummary } from './prose-summary.ts';
import type { Random } from './random.ts';
import type { Reading, ToolResult } from './reading.ts';

/**
 * A short answer made of the request's own words. Its first sentence says that no model was asked; nothing in it
 * states a fact that the request does not hold.
 */
export function composeText(reading: Reading, role: string | null, random: Random): string {
  const parts = [opening(reading, role)];
  if (reading.afterTool) parts.push(toolReport(reading.results));
  else parts.push(body(reading, random));
  if (reading.images > 0) {
    parts.push(
      reading.images === 1
        ? 'The image that was sent has not been looked at.'
        : `The ${reading.images} images that were sent have not been looked at.`,
    );
  }
  return parts.filter((part) => part !== '').join('\n\n');
}

/** The sentence that every simulated answer in prose begins with. */
export const DISCLOSURE = 'Simulated answer: no model was asked.';

function opening(reading: Reading, role: string | null): string {
  const forRole = role === null ? DISCLOSURE : `Simulated answer for the role “${role}”: no model was asked.`;
  return reading.persona === null
    ? forRole
    : `${forRole} The system prompt sets the part of ${reading.persona}; a simulation cannot play it.`;
}

function body(reading: Reading, random: Random): string {
  switch (reading.intent) {
    case 'empty':
      return reading.images > 0
        ? 'The message has no text to build on.'
        : 'The message is empty, so there is nothing to build on.';
    case 'greeting':
      return 'Hello. Simulation builds its answers from the words of the request: ask for a plan, a list, a summary or a draft to see how. A local or live deployment gives a model’s answer.';
    case 'foreign':
      return foreign(reading);
    case 'translation':
      return `A translation needs a model. The text to translate was read as: “${clip(reading.subject, 200)}”.`;
    case 'summary':
      return toSummary(reading);
    case 'comparison':
      return toComparison(reading, random);
    case 'code':
      return toCode(reading);
    case 'list':
      return toList(reading, random);
    case 'plan':
      return toPlan(reading, random);
    case 'explanation':
      return toExplanation(reading, random);
    case 'draft':
      return toDraft(reading, random);
    case 'question':
      return toQuestion(reading, random);
    case 'other':
      return toPlan(reading, random);
  }
}

function foreign(reading: Reading): string {
  const terms = reading.phrases.slice(0, 6).map((phrase) => `- “${phrase.text}”`);
  return `Simulation writes English only, and the request does not look like English. It was read as: “${clip(reading.subject, 160)}”.${
    terms.length > 1 ? `\n\nTerms it names:\n${terms.join('\n')}` : ''
  }`;
}

const MOST_LINES = 12;
const MOST_RESULTS = 8;
const LONGEST_TEXT = 600;

/** What the tools returned, in their own words. */
export function toolReport(results: readonly ToolResult[]): string {
  const shown = results.slice(-MOST_RESULTS);
  const left = results.length - shown.length;
  const reports = shown.map((result) => `The tool \`${result.tool}\` returned:\n${resultLines(result.text)}`);
  if (left > 0) reports.unshift(`${left} earlier ${left === 1 ? 'result is' : 'results are'} left out here.`);
  return reports.join('\n\n');
}

function resultLines(text: string): string {
  if (text.trim() === '') return '- nothing';
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return `- ${clip(text.trim(), LONGEST_TEXT)}`;
  }
  if (typeof value !== 'object' || value === null) return `- ${clip(String(value), LONGEST_TEXT)}`;
  const entries = Object.entries(value);
  if (entries.length === 0) return Array.isArray(value) ? '- an empty list' : '- an empty object';
  const lines = entries.slice(0, MOST_LINES).map(([key, member]) => {
    const shown = clip(typeof member === 'string' ? member : JSON.stringify(member), 200);
    return Array.isArray(value) ? `- ${shown}` : `- ${key}: ${shown}`;
  });
  const more = entries.length - lines.length;
  return more > 0 ? `${lines.join('\n')}\n- and ${more} more` : lines.join('\n');
}

/** The phrases as they are put into a sentence: “a”, “b” and “c”. */
export function listed(reading: Reading, limit: number): string {
  const names = reading.phrases.slice(0, limit).map(named);
  return names.length < 2 ? (names[0] ?? '') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}
