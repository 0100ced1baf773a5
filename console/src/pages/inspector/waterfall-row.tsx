import type { SpanKind } from '../../api/types.ts';
import { Glyph } from '../../kit/tier.tsx';
import { Bars, signOf } from './bar.tsx';
import { noteOf } from './notes.ts';
import type { Row } from './rows.ts';
import type { Zoom } from './use-zoom.ts';

/** Name, note, bars; a narrow screen keeps the name over the bars. */
export const COLUMNS =
  'grid grid-cols-[minmax(0,1fr)] content-center items-center gap-x-3 wide:grid-cols-[8rem_minmax(0,3fr)_minmax(0,4fr)]';

const KINDS: Readonly<Record<Exclude<SpanKind, 'attempt'>, string>> = {
  plan: 'M1.5 2h7M3 5h5.5M4.5 8h4',
  tool: 'M2 8 6 4M5 2.2a2.2 2.2 0 1 0 2.8 2.8',
  approval: 'M3.3 1.5v7M6.7 1.5v7',
  run: 'M3 1.5 8 5 3 8.5Z',
};

type RowProps = {
  id: string;
  row: Row;
  place: { top: number; height: number; index: number; of: number };
  extent: number;
  zoom: Zoom;
  chosen: boolean;
  /** Does not match what is searched for. */
  dimmed: boolean;
  onChoose: (span: string) => void;
};

export function WaterfallRow({ id, row, place, extent, zoom, chosen, dimmed, onChoose }: RowProps) {
  const [span] = row.spans;
  const note = noteOf(row);
  const noteInk = signOf(span) === 'failed' ? 'text-failed' : 'text-muted';
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the list listens to the arrow keys
    // biome-ignore lint/a11y/useFocusableInteractive: the list has the focus and names its row by aria-activedescendant
    <div
      id={id}
      role="option"
      aria-selected={chosen}
      aria-posinset={place.index + 1}
      aria-setsize={place.of}
      className={`absolute inset-x-0 cursor-pointer px-4 ${COLUMNS} ${chosen ? 'bg-selected' : 'hover:bg-hover'} ${dimmed ? 'opacity-35' : ''}`}
      style={{ transform: `translateY(${place.top}px)`, height: place.height }}
      onClick={() => onChoose(span.id)}
    >
      <span className="sr-only">{span.kind} </span>
      <span
        className="z-[1] hidden min-w-0 items-center gap-1.5 wide:flex"
        style={{ paddingLeft: row.depth * 12 }}
      >
        {span.kind === 'attempt' ? (
          <Glyph sign={span.tier ?? 'neutral'} />
        ) : (
          <svg className="size-2.5 shrink-0 text-muted" viewBox="0 0 10 10" aria-hidden="true">
            <path d={KINDS[span.kind]} fill="none" stroke="currentColor" strokeWidth="1.4" />
          </svg>
        )}
        <span className="truncate">{span.name}</span>
      </span>
      <span className={`z-[1] hidden truncate text-xs wide:block ${noteInk}`} title={note}>
        {note}
      </span>
      <span className="flex min-w-0 gap-2 text-xs leading-5 wide:hidden">
        <span className="shrink-0">{span.name}</span>
        <span className={`truncate ${noteInk}`}>{note}</span>
      </span>
      <span className="relative h-4 cursor-crosshair overflow-hidden wide:h-full" {...zoom.handlers}>
        <Bars row={row} view={zoom.view} extent={extent} />
        {zoom.drag ? (
          <span
            className="absolute inset-y-0 bg-ink/15"
            style={{
              left: `${Math.min(zoom.drag.from, zoom.drag.to) * 100}%`,
              width: `${Math.abs(zoom.drag.to - zoom.drag.from) * 100}%`,
            }}
          />
        ) : null}
      </span>
    </div>
  );
}
