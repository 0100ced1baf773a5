import type { ReactNode } from 'react';

export type Column<Row> = {
  key: string;
  title: string;
  /** A CSS grid track: `88px`, `minmax(8rem, 1fr)`. */
  width: string;
  align?: 'end';
  /** Where the cell stands in a row of two lines: at the start or end of a line, or nowhere. */
  narrow: 'first' | 'first-end' | 'second' | 'second-end' | 'hidden';
  cell: (row: Row) => ReactNode;
};

export function templateOf(columns: readonly { width: string }[]): string {
  return columns.map((column) => column.width).join(' ');
}

/** The classes of a row's box; its height and, on one line, its grid template are the caller's. */
export function rowClass(wide: boolean): string {
  return wide ? 'grid items-center gap-3 px-4' : 'flex flex-col justify-center gap-0.5 px-4';
}

type CellsProps<Row> = { row: Row; columns: readonly Column<Row>[]; role?: 'gridcell' };

/** The cells of a row, on one line or, where that is too narrow, on two. */
export function RowCells<Row>({ wide, ...rest }: CellsProps<Row> & { wide: boolean }) {
  return wide ? <OneLine {...rest} /> : <TwoLines {...rest} />;
}

function OneLine<Row>({ row, columns, role }: CellsProps<Row>) {
  return columns.map((column) => (
    <div
      key={column.key}
      role={role}
      className={`min-w-0 truncate ${column.align === 'end' ? 'text-right' : ''}`}
    >
      {column.cell(row)}
    </div>
  ));
}

function TwoLines<Row>({ row, columns, role }: CellsProps<Row>) {
  return (['first', 'second'] as const).map((line) => (
    <div
      key={line}
      role={role && 'presentation'}
      className={`flex min-w-0 items-center gap-3 ${line === 'second' ? 'text-muted text-xs' : ''}`}
    >
      {columns
        .filter(({ narrow }) => narrow.startsWith(line))
        .toSorted((a, b) => a.narrow.length - b.narrow.length)
        .map((column) => {
          const end = column.narrow === `${line}-end`;
          return (
            <div key={column.key} role={role} className={end ? 'ml-auto shrink-0' : 'min-w-0 truncate'}>
              {column.cell(row)}
            </div>
          );
        })}
    </div>
  ));
}
