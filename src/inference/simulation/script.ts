import type { ChatRequest } from '../chat.ts';
import { listed, toolReport } from './prose.ts';
import type { Reading } from './reading.ts';

/**
 * How a role behaves in simulation: the first step that holds and is not yet done is taken. A step with calls is
 * done once its calls have been made since the last user message, so steps in a row are one turn's course.
 */
export type SimulationScript = readonly SimulationStep[];

export type SimulationStep = {
  /** All that is named must hold; absent: always. */
  when?: {
    /** One of these stands in the last user message, whatever the case. */
    says?: readonly string[];
    /** One of these stands in what tools have returned since the last user message. */
    returned?: readonly string[];
  };
  /** Tools to call, as many at once as the request allows. A tool that the request does not offer is left out. */
  call?: readonly SimulationCall[];
  /**
   * Text to answer, taken when no call of the step is left. It is the role's own text and gets no disclosure. `{topic}`, `{request}`,
   * `{terms}`, `{number}`, `{date}` and `{results}` are filled from the request.
   */
  say?: string;
};

export type SimulationCall = {
  tool: string;
  /** Absent: made from the tool's parameter schema. A string that is one placeholder keeps the value's type. */
  arguments?: { readonly [name: string]: unknown };
};

export type Scripted = { kind: 'call'; calls: SimulationCall[] } | { kind: 'say'; text: string };

/** The step that a script takes for a request, or null when none holds. */
export function followScript(
  script: SimulationScript,
  request: ChatRequest,
  reading: Reading,
): Scripted | null {
  const offered = new Set(
    request.tool_choice === 'none' ? [] : request.tools?.map((tool) => tool.function?.name),
  );
  const made = reading.calls.map((call) => call.function.name);
  for (const step of script) {
    if (!holds(step, reading)) continue;
    const left = (step.call ?? []).filter((call) => {
      const at = made.indexOf(call.tool);
      if (at >= 0) made.splice(at, 1);
      return at < 0 && offered.has(call.tool);
    });
    if (left.length > 0) return { kind: 'call', calls: left };
    if (step.say !== undefined) return { kind: 'say', text: String(fill(step.say, reading)) };
  }
  return null;
}

function holds(step: SimulationStep, reading: Reading): boolean {
  const stands = (terms: readonly string[] | undefined, text: string) =>
    terms === undefined || terms.some((term) => text.toLowerCase().includes(term.toLowerCase()));
  const returned = reading.results.map((result) => result.text).join('\n');
  return stands(step.when?.says, reading.text) && stands(step.when?.returned, returned);
}

const PLACEHOLDER = /\{(topic|request|terms|number|date|results)\}/g;

/** The value with every placeholder in its texts filled, however deep. */
export function fill(value: unknown, reading: Reading): unknown {
  if (typeof value === 'string') {
    const whole = /^\{(\w+)\}$/.exec(value)?.[1];
    if (whole === 'number') return reading.numbers[0] ?? 1;
    return value.replace(PLACEHOLDER, (_match, name: string) => placeholder(name, reading));
  }
  if (Array.isArray(value)) return value.map((item) => fill(item, reading));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, fill(member, reading)]));
}

function placeholder(name: string, reading: Reading): string {
  switch (name) {
    case 'request':
      return reading.text;
    case 'terms':
      return listed(reading, 5);
    case 'number':
      return String(reading.numbers[0] ?? 1);
    case 'date':
      return reading.dates[0] ?? '2025-01-01';
    case 'results':
      return toolReport(reading.results);
    default:
      return reading.subject;
  }
}
