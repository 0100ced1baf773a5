import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, type ReactNode, useCallback, useEffect, useId, useRef } from 'react';
import { useWide } from './media.ts';
import { type Column, templateOf } from './row-cells.tsx';
import { TableHead, TableRow } from './table-row.tsx';

export type TableProps<Row> = {
  label: string;
  rows: readonly Row[];
  columns: readonly Column<Row>[];
  rowKey: (row: Row) => string;
  /** The key of the selected row, held by the caller, as in the URL. */
  selected: string | undefined;
  onSelect: (key: string) => void;
  /** Enter or a click. */
  onOpen: (row: Row) => void;
  /** What a row shows below itself, when it is open. */
  expansion?: (row: Row) => ReactNode;
  /** The last rows are in sight: time to fetch more. */
  onNearEnd?: () => void;
  /** The index of the first row in sight; 0 means that the list stands at its start. */
  onScroll?: (first: number) => void;
  /** Where to stand when first shown. */
  startAt?: number;
  /** All rows that there are, when more exist than are loaded. */
  total?: number;
};

const ROW_PX = 32;
const NARROW_ROW_PX = 52;

/** A list that holds any number of rows: only those in sight exist. Arrow keys select, Enter opens. */
export function Table<Row>(props: TableProps<Row>) {
  const { rows, rowKey, selected, columns, expansion, label, total } = props;
  const wide = useWide();
  const id = useId();
  const scroller = useRef<HTMLDivElement>(null);
  const height = wide ? ROW_PX : NARROW_ROW_PX;
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: useCallback(() => height, [height]),
    getItemKey: useCallback((index: number) => keyAt(rows, rowKey, index), [rows, rowKey]),
    overscan: 12,
    initialOffset: (props.startAt ?? 0) * height,
  });
  useEdges(props, virtual);
  const selectedIndex = rows.findIndex((row) => rowKey(row) === selected);
  const onKeyDown = useRowKeys(props, selectedIndex, (index) =>
    virtual.scrollToIndex(index, { align: 'auto' }),
  );
  const template = templateOf(columns);

  return (
    // biome-ignore lint/a11y/useSemanticElements: rows of a virtual list stand at computed places, which a <table> cannot
    <div
      ref={scroller}
      role="grid"
      aria-label={label}
      aria-rowcount={(total ?? rows.length) + 1}
      aria-activedescendant={selectedIndex < 0 ? undefined : `${id}-${selected}`}
      tabIndex={0}
      onKeyDown={onKeyDown}
      className="relative min-h-0 flex-1 overflow-y-scroll overflow-x-hidden"
    >
      {wide ? <TableHead columns={columns} template={template} /> : null}
      {/* biome-ignore lint/a11y/useSemanticElements: as above */}
      <div role="rowgroup" className="relative" style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map((item) => {
          const row = rows[item.index];
          if (row === undefined) return null;
          return (
            <TableRow
              key={item.key}
              id={`${id}-${item.key}`}
              row={row}
              index={item.index}
              top={item.start}
              height={height}
              columns={columns}
              template={wide ? template : null}
              selected={item.index === selectedIndex}
              onOpen={props.onOpen}
              measure={expansion ? virtual.measureElement : null}
            >
              {expansion?.(row)}
            </TableRow>
          );
        })}
      </div>
    </div>
  );
}

type Virtual = ReturnType<typeof useVirtualizer<HTMLDivElement, Element>>;

function keyAt<Row>(rows: readonly Row[], rowKey: (row: Row) => string, index: number): string | number {
  const row = rows[index];
  return row === undefined ? index : rowKey(row);
}

/** Tells the caller where the list stands, and when its end comes near. */
function useEdges<Row>({ rows, onNearEnd, onScroll }: TableProps<Row>, virtual: Virtual): void {
  const { startIndex = 0, endIndex = 0 } = virtual.range ?? {};
  useEffect(() => onScroll?.(startIndex), [startIndex, onScroll]);
  const near = rows.length > 0 && endIndex >= rows.length - 20;
  const count = rows.length;
  useEffect(() => {
    if (near && count > 0) onNearEnd?.();
  }, [near, count, onNearEnd]);
}

const STEPS: Readonly<Record<string, number>> = {
  ArrowDown: 1,
  j: 1,
  ArrowUp: -1,
  k: -1,
  PageDown: 15,
  PageUp: -15,
  Home: Number.NEGATIVE_INFINITY,
  End: Number.POSITIVE_INFINITY,
};

function useRowKeys<Row>(
  { rows, rowKey, onSelect, onOpen }: TableProps<Row>,
  selectedIndex: number,
  reveal: (index: number) => void,
) {
  return (event: KeyboardEvent) => {
    if (event.target !== event.currentTarget || event.ctrlKey || event.metaKey || event.altKey) return;
    const step = STEPS[event.key];
    const current = rows[selectedIndex];
    if (event.key === 'Enter' && current !== undefined) onOpen(current);
    else if (step !== undefined) {
      const index = Math.max(0, Math.min(rows.length - 1, selectedIndex + step));
      const row = rows[index];
      if (row === undefined) return;
      onSelect(rowKey(row));
      reveal(index);
    } else return;
    event.preventDefault();
  };
}
