import type { Paint, Style } from '../output.ts';

export type Cell = string | { text: string; style: Style };

/** Columns as wide as their widest cell, two blanks apart, each line indented; the last column is not padded. */
export function toTable(rows: readonly (readonly Cell[])[], paint: Paint, indent = ''): string {
  const widths: number[] = [];
  for (const row of rows) {
    row.forEach((cell, column) => {
      widths[column] = Math.max(widths[column] ?? 0, textOf(cell).length);
    });
  }
  return rows
    .map((row) => {
      const cells = row.map((cell, column) => {
        const gap = ' '.repeat((widths[column] ?? 0) - textOf(cell).length);
        return `${typeof cell === 'string' ? cell : paint(cell.style, cell.text)}${gap}`;
      });
      return `${indent}${cells.join('  ')}`.trimEnd();
    })
    .join('\n');
}

function textOf(cell: Cell): string {
  return typeof cell === 'string' ? cell : cell.text;
}
