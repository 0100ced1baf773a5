import type { Span } from '../../api/types.ts';
import { formatDuration } from '../../kit/format.ts';
import { LABELS, toWords } from '../../kit/words.ts';
import type { Row } from './rows.ts';

/** A member of a span's detail; each kind of span has its own. */
export function fieldOf({ detail }: Span, name: string): unknown {
  return detail?.[name];
}

/** What a line of the waterfall says beside its bars. */
export function noteOf({ spans }: Row): string {
  const [span] = spans;
  switch (span.kind) {
    case 'plan':
      return planNote(span);
    case 'attempt':
      return spans.map(attemptNote).join(' → retry → ');
    case 'approval':
      return approvalNote(span);
    case 'tool':
    case 'run':
      return span.endMs === null ? 'running' : `${toWords(span.outcome)} · ${lengthOf(span)}`;
  }
}

function lengthOf({ startMs, endMs }: Span): string {
  return endMs === null ? 'running' : formatDuration(Math.max(0, endMs - startMs));
}

function planNote(span: Span): string {
  const label = String(fieldOf(span, 'label') ?? '');
  const candidates = fieldOf(span, 'candidates');
  const names = Array.isArray(candidates) ? candidates.join(' → ') : '';
  return [label in LABELS ? LABELS[label as keyof typeof LABELS] : label, names].filter(Boolean).join(': ');
}

const MARKS: Readonly<Record<string, string>> = { first_token: 'first' };

function attemptNote(span: Span): string {
  const status = fieldOf(span, 'httpStatus');
  const code = fieldOf(span, 'errorCode');
  if (span.endMs === null) return 'running';
  if (typeof code === 'string') {
    return [status, span.outcome === 'truncated' ? 'truncated:' : '', toWords(code)]
      .filter(Boolean)
      .join(' ');
  }
  const marks = (span.marks ?? []).map(
    ({ at, name }) => `${MARKS[name] ?? toWords(name)} ${formatDuration(at - span.startMs)}`,
  );
  return [toWords(span.outcome), ...marks].join(' · ');
}

function approvalNote(span: Span): string {
  if (span.endMs === null) return 'waits for a person';
  const by = fieldOf(span, 'by');
  return `waited ${lengthOf(span)} · ${toWords(span.outcome)}${typeof by === 'string' ? ` by ${by}` : ''}`;
}
