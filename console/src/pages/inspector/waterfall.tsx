import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, useCallback, useEffect, useId, useMemo, useRef } from 'react';
import type { RunDetail } from '../../api/types.ts';
import { Button } from '../../kit/button.tsx';
import { useShortcuts } from '../../kit/keys.ts';
import { useWide } from '../../kit/media.ts';
import { formatTick, placeOf, ticksOf, type View } from './axis.ts';
import { extentOf, type Row, toRows } from './rows.ts';
import { matches, type Selection } from './selection.ts';
import { useZoom, type Zoom } from './use-zoom.ts';
import { COLUMNS, WaterfallRow } from './waterfall-row.tsx';

const ROW_PX = 26;
const NARROW_ROW_PX = 36;

type WaterfallProps = { detail: RunDetail; selection: Selection; q: string | undefined; className: string };

/** Where the time went: a line for each step, a bar for each try. */
export function Waterfall({ detail, selection, q, className }: WaterfallProps) {
  const rows = useMemo(() => toRows(detail.spans), [detail.spans]);
  const extent = useMemo(() => extentOf(detail.spans), [detail.spans]);
  const zoom = useZoom(extent);
  useShortcuts('Waterfall', [
    { keys: '+', does: 'Closer', run: () => zoom.by(0.5) },
    { keys: '-', does: 'Farther', run: () => zoom.by(2) },
    { keys: '0', does: 'The whole run', run: zoom.reset },
  ]);
  return (
    <section aria-label="Waterfall" className={`flex min-w-0 flex-col ${className}`}>
      <header className={`min-h-10 shrink-0 border-line border-b px-4 ${COLUMNS}`}>
        <span className="flex items-center justify-between gap-3 wide:col-span-2">
          <h2 className="font-semibold text-sm">Waterfall</h2>
          {zoom.zoomed ? (
            <Button look="quiet" onClick={zoom.reset}>
              Whole run
            </Button>
          ) : null}
        </span>
        <Axis view={zoom.view} />
      </header>
      <Lines rows={rows} extent={extent} zoom={zoom} selection={selection} q={q} />
    </section>
  );
}

function Axis({ view }: { view: View }) {
  return (
    <span className="relative block h-4 self-end text-faint text-xs" aria-hidden="true">
      {ticksOf(view, 4).map((ms) => {
        const place = placeOf(ms, view);
        const shift = place < 0.03 ? '' : place > 0.93 ? '-translate-x-full' : '-translate-x-1/2';
        return (
          <span
            key={ms}
            className={`absolute whitespace-nowrap font-mono ${shift}`}
            style={{ left: `${place * 100}%` }}
          >
            {formatTick(ms, view)}
          </span>
        );
      })}
    </span>
  );
}

type LinesProps = {
  rows: readonly Row[];
  extent: number;
  zoom: Zoom;
  selection: Selection;
  q: string | undefined;
};

function Lines({ rows, extent, zoom, selection, q }: LinesProps) {
  const id = useId();
  const scroller = useRef<HTMLDivElement>(null);
  const height = useWide() ? ROW_PX : NARROW_ROW_PX;
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: useCallback(() => height, [height]),
    overscan: 10,
  });
  const chosen = rows.findIndex(({ spans }) => spans.some((span) => span.id === selection.span));
  const { scrollToIndex } = virtual;
  useEffect(() => {
    if (chosen >= 0) scrollToIndex(chosen, { align: 'auto' });
  }, [chosen, scrollToIndex]);
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    const next = rows[Math.max(0, Math.min(rows.length - 1, chosen + step))];
    if (step === 0 || !next) return;
    event.preventDefault();
    selection.selectSpan(next.key);
  };
  return (
    <div
      ref={scroller}
      role="listbox"
      aria-label="Steps of the run"
      aria-activedescendant={chosen < 0 ? undefined : `${id}-${chosen}`}
      tabIndex={0}
      onKeyDown={onKeyDown}
      className="min-h-0 overflow-y-scroll overflow-x-hidden"
    >
      <div role="presentation" className="relative" style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, start, size }) => {
          const row = rows[index];
          return row ? (
            <WaterfallRow
              key={row.key}
              id={`${id}-${index}`}
              row={row}
              place={{ top: start, height: size, index, of: rows.length }}
              extent={extent}
              zoom={zoom}
              chosen={index === chosen}
              dimmed={q !== undefined && !row.spans.some((span) => matches(span, q))}
              onChoose={selection.selectSpan}
            />
          ) : null;
        })}
      </div>
    </div>
  );
}
