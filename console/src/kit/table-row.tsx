import type { ReactNode } from 'react';
import { type Column, RowCells, rowClass } from './row-cells.tsx';

// biome-ignore-start lint/a11y/useSemanticElements: rows of a virtual list stand at computed places, which a <table> cannot
// biome-ignore-start lint/a11y/useFocusableInteractive: the grid has the focus and names its row by aria-activedescendant

export function TableHead<Row>({ columns, template }: { columns: readonly Column<Row>[]; template: string }) {
  return (
    <div role="rowgroup" className="sticky top-0 z-[1]">
      <div
        role="row"
        className="grid h-7 items-center gap-3 border-line border-b bg-chrome px-4 text-muted text-xs"
        style={{ gridTemplateColumns: template }}
      >
        {columns.map((column) => (
          <div
            key={column.key}
            role="columnheader"
            className={`truncate ${column.align === 'end' ? 'text-right' : ''}`}
          >
            {column.title}
          </div>
        ))}
      </div>
    </div>
  );
}

type RowProps<Row> = {
  id: string;
  row: Row;
  index: number;
  top: number;
  height: number;
  columns: readonly Column<Row>[];
  /** Null asks for two lines. */
  template: string | null;
  selected: boolean;
  onOpen: (row: Row) => void;
  measure: ((element: Element | null) => void) | null;
  children: ReactNode;
};

export function TableRow<Row>(props: RowProps<Row>) {
  const { id, row, index, top, height, columns, template, selected, onOpen, measure, children } = props;
  return (
    <div
      ref={measure}
      data-index={index}
      className="absolute inset-x-0"
      style={{ transform: `translateY(${top}px)` }}
    >
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the grid listens for Enter */}
      <div
        id={id}
        role="row"
        aria-rowindex={index + 2}
        aria-selected={selected}
        className={`cursor-pointer border-line border-b ${rowClass(template !== null)} ${
          selected ? 'bg-selected' : 'hover:bg-hover'
        }`}
        style={template ? { height, gridTemplateColumns: template } : { height }}
        onClick={() => onOpen(row)}
      >
        <RowCells row={row} columns={columns} wide={template !== null} role="gridcell" />
      </div>
      {/* A grid holds rows alone, so what a row shows below itself is one as well. */}
      {children ? (
        <div role="row">
          <div role="gridcell">{children}</div>
        </div>
      ) : null}
    </div>
  );
}

// biome-ignore-end lint/a11y/useSemanticElements: rows of a virtual list stand at computed places
// biome-ignore-end lint/a11y/useFocusableInteractive: the grid has the focus
