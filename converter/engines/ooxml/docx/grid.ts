import type { Node } from 'prosemirror-model';

/** A cell of the model, or the continuation of one that spans rows, at its place in a table's grid. */
export interface GridCell {
  readonly cell: Node;
  readonly column: number;
  readonly continues: boolean;
}

/**
 * Places the cells of a table row by row, as HTML does: a cell goes to the first column that no cell above spans into.
 * A span ends with the table, or where a cell lies across its way.
 */
export function layOutTable(table: Node): GridCell[][] {
  /** Spans still open, by their first column. */
  let open = new Map<number, { cell: Node; rows: number }>();
  const rows: GridCell[][] = [];
  table.forEach((row) => {
    const placed: GridCell[] = [];
    const next = new Map<number, { cell: Node; rows: number }>();
    let column = 0;
    const place = (cell: Node, continues: boolean, rowsBelow: number) => {
      placed.push({ cell, column, continues });
      if (rowsBelow > 0) next.set(column, { cell, rows: rowsBelow });
      column += cell.attrs.colspan;
    };
    const continueSpans = () => {
      for (let span = open.get(column); span; span = open.get(column)) place(span.cell, true, span.rows - 1);
    };
    row.forEach((cell) => {
      continueSpans();
      place(cell, false, cell.attrs.rowspan - 1);
    });
    continueSpans();
    rows.push(placed);
    open = next;
  });
  return rows;
}

/** The width in pixels that cells say for each column of a layout, where one does; its length is that of the grid. */
export function columnPixels(layout: readonly GridCell[][]): (number | undefined)[] {
  const pixels: (number | undefined)[] = [];
  for (const { cell, column } of layout.flat()) {
    const widths: readonly number[] = cell.attrs.colwidth ?? [];
    const known = widths.length === cell.attrs.colspan;
    for (let offset = 0; offset < cell.attrs.colspan; offset++)
      pixels[column + offset] ??= (known && widths[offset]) || undefined;
  }
  return Array.from(pixels);
}
