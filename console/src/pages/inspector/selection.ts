import { useCallback, useMemo } from 'react';
import type { RunDetail, Span, TraceEvent } from '../../api/types.ts';
import type { SetUrlState, UrlState } from '../../kit/url-state.ts';
import { isBad } from './rows.ts';

export const STATE_NAMES = ['span', 'event', 'q', 'errors', 'receipt'] as const;
export type StateName = (typeof STATE_NAMES)[number];
export type InspectorState = UrlState<StateName>;
export type SetInspectorState = SetUrlState<StateName>;

export type Selection = {
  span: string | undefined;
  event: string | undefined;
  selectSpan: (id: string) => void;
  selectEvent: (event: TraceEvent) => void;
};

/** What is chosen in the run, in all panes at once: an event chooses its span, a span its first event. */
export function useSelection(detail: RunDetail, state: InspectorState, set: SetInspectorState): Selection {
  const { spans, events } = detail;
  const spanIds = useMemo(() => new Set(spans.map(({ id }) => id)), [spans]);
  const selectSpan = useCallback(
    (id: string) => set({ span: id, event: events.find(({ spanId }) => spanId === id)?.id }),
    [events, set],
  );
  const selectEvent = useCallback(
    ({ id, spanId }: TraceEvent) => set({ event: id, span: spanIds.has(spanId) ? spanId : undefined }),
    [spanIds, set],
  );
  return { span: state.span, event: state.event, selectSpan, selectEvent };
}

/** Whether an event tells of something that went wrong. */
export function isBadEvent({ type, payload }: TraceEvent): boolean {
  const { outcome, errorCode } = payload;
  return (
    /_(FAILED|DENIED|REJECTED|EXPIRED|LOST)$/.test(type) ||
    (typeof outcome === 'string' && isBad(outcome)) ||
    typeof errorCode === 'string'
  );
}

/** The events that match a search, those that tell of an error first if so wished, else in their order. */
export function arrange(
  events: readonly TraceEvent[],
  q: string | undefined,
  errorsFirst: boolean,
): readonly TraceEvent[] {
  const wanted = q?.toLowerCase();
  const found = wanted === undefined ? events : events.filter((event) => textOf(event).includes(wanted));
  if (!errorsFirst) return found;
  return [...found.filter(isBadEvent), ...found.filter((event) => !isBadEvent(event))];
}

function textOf({ type, message, actor, payload }: TraceEvent): string {
  return `${type}\n${message}\n${actor}\n${JSON.stringify(payload)}`.toLowerCase();
}

/** Whether a span matches a search, by its name or what it holds. */
export function matches(span: Span, q: string): boolean {
  return `${span.name}\n${JSON.stringify(span.detail)}`.toLowerCase().includes(q.toLowerCase());
}
