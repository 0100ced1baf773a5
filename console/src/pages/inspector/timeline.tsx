import { useVirtualizer } from '@tanstack/react-virtual';
import { useCallback, useEffect, useId, useRef } from 'react';
import type { RunDetail, TraceEvent } from '../../api/types.ts';
import { Button } from '../../kit/button.tsx';
import { SearchField } from '../../kit/fields.tsx';
import { formatCount } from '../../kit/format.ts';
import { useShortcuts } from '../../kit/keys.ts';
import { Panel } from '../../kit/panel.tsx';
import {
  arrange,
  type InspectorState,
  isBadEvent,
  type Selection,
  type SetInspectorState,
} from './selection.ts';
import { TimelineRow } from './timeline-row.tsx';

const ROW_PX = 26;

type TimelineProps = {
  detail: RunDetail;
  state: InspectorState;
  set: SetInspectorState;
  selection: Selection;
  className: string;
};

/** What happened, event by event. The arrow keys walk it from anywhere on the page. */
export function Timeline({ detail, state, set, selection, className }: TimelineProps) {
  const search = useRef<HTMLInputElement>(null);
  const errorsFirst = state.errors === 'first';
  const events = arrange(detail.events, state.q, errorsFirst);
  const walk = (step: number) => {
    const now = events.findIndex(({ id }) => id === selection.event);
    const next = events[now < 0 ? 0 : Math.max(0, Math.min(events.length - 1, now + step))];
    if (next) selection.selectEvent(next);
  };
  const toggleErrors = () => {
    const first = errorsFirst ? undefined : detail.events.find(isBadEvent);
    if (first) selection.selectEvent(first);
    set({ errors: errorsFirst ? undefined : 'first' });
  };
  useShortcuts('Timeline', [
    { keys: 'ArrowDown', does: 'Next event', run: () => walk(1) },
    { keys: 'ArrowUp', does: 'Event before', run: () => walk(-1) },
    { keys: '/', does: 'Search in this run', run: () => search.current?.focus() },
    { keys: 'e', does: 'Errors first', run: toggleErrors },
  ]);
  const onSearch = useCallback((q: string | undefined) => set({ q }), [set]);
  return (
    <Panel
      title="Timeline"
      className={className}
      aside={
        <div className="flex items-center gap-2">
          <span className="hidden text-faint text-xs wide:inline">
            {formatCount(events.length)} {events.length === 1 ? 'event' : 'events'}
          </span>
          <SearchField
            label="Search in this run"
            value={state.q}
            onChange={onSearch}
            fieldRef={search}
            className="w-40"
          />
          <Button
            look="quiet"
            aria-pressed={errorsFirst}
            className="aria-pressed:bg-selected"
            onClick={toggleErrors}
          >
            Errors first
          </Button>
        </div>
      }
    >
      <Events events={events} startedAt={detail.run.startedAt} selection={selection} q={state.q} />
    </Panel>
  );
}

type EventsProps = {
  events: readonly TraceEvent[];
  startedAt: string;
  selection: Selection;
  q: string | undefined;
};

function Events({ events, startedAt, selection, q }: EventsProps) {
  const id = useId();
  const scroller = useRef<HTMLElement>(null);
  const virtual = useVirtualizer({
    count: events.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    getItemKey: (index) => events[index]?.id ?? index,
    overscan: 10,
  });
  const chosen = events.findIndex((event) => event.id === selection.event);
  const { scrollToIndex } = virtual;
  useEffect(() => {
    if (chosen >= 0) scrollToIndex(chosen, { align: 'auto' });
  }, [chosen, scrollToIndex]);
  const started = Date.parse(startedAt);
  return (
    <section
      ref={scroller}
      aria-label="Events"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
      tabIndex={0}
      className="min-h-0 flex-1 overflow-y-scroll overflow-x-hidden border-line border-t"
    >
      {events.length === 0 ? (
        <p className="px-4 py-3 text-muted">
          {q === undefined ? 'No event has been recorded for this run.' : 'Nothing in this run matches.'}
        </p>
      ) : null}
      <ol className="relative" style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ key, index, start }) => {
          const event = events[index];
          return event ? (
            <TimelineRow
              key={key}
              id={`${id}-${event.id}`}
              event={event}
              index={index}
              total={events.length}
              top={start}
              startedAt={started}
              chosen={index === chosen}
              related={selection.span !== undefined && event.spanId === selection.span}
              measure={virtual.measureElement}
              onChoose={selection.selectEvent}
            />
          ) : null;
        })}
      </ol>
    </section>
  );
}
