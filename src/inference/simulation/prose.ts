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
const DISCLOSURE = 'Simulated answer: no model was asked.';

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
      return `A translation needs a model. The request was read as: “${clip(reading.subject, 200)}”.`;
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
      return echo(reading);
  }
}

/** For what is neither a question nor one of the forms that simulation knows. */
function echo(reading: Reading): string {
  const read = `The request was read as: “${clip(reading.subject, 200)}”.`;
  const isTask =
    reading.phrases.length > 1 && !/^(?:i|you|we|he|she|it|they|this|that)\b/i.test(reading.subject);
  if (!isTask)
    return `${read} Simulation has more to say to a plan, a list, a summary, a comparison or a draft.`;
  const steps = [
    'say what a good result would look like, and who will judge it;',
    `note what is known about ${listed(reading, 3)}, and what is missing;`,
    'decide who takes the first step, and by when.',
  ];
  return `${read} To carry it on:\n\n${steps.map((step) => `- ${step}`).join('\n')}`;
}

function foreign(reading: Reading): string {
  const terms = reading.phrases.slice(0, 6).map((phrase) => `- “${phrase.text}”`);
  const own = DISCLOSURES.find(([pattern]) => pattern.test(reading.text))?.[1];
  const lead = 'Simulation writes English only, and the request does not look like English. It was read as:';
  const read = `${own ? `${own}\n\n` : ''}${lead} “${clip(reading.subject, 160)}”.`;
  return terms.length > 1 ? `${read}\n\nTerms it names:\n${terms.join('\n')}` : read;
}

/** The disclosure once more, in the languages that are told by a few frequent words. */
const DISCLOSURES: readonly (readonly [RegExp, string])[] = [
  [/\b(?:und|der|das|für|einen?|ist|bitte|nicht)\b/i, 'Simulierte Antwort: Es wurde kein Modell befragt.'],
  [/\b(?:le|les|une|pour|est|vous|avec)\b/i, 'Réponse simulée : aucun modèle n’a été interrogé.'],
  [/\b(?:el|los|las|una|para|por|del)\b/i, 'Respuesta simulada: no se ha consultado ningún modelo.'],
  [/^(?=.*\p{Script=Han})(?!.*[\p{Script=Hiragana}\p{Script=Katakana}])/su, '模拟回答：没有询问任何模型。'],
];

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
