import type { Node } from 'prosemirror-model';

/** A cell of the model, or the continuation of one that spans rows, at its place in a table's grid. */
export interface GridCell {
  readonly cell: Node;
  readonly column: number;
  readonly continues: boolean;
}

/**
 * Places the cells of a table row by row, as HTML does: a cell goes to the first column that no cell above spans into.
 * Spans end with the table.
 * @param skippedColumns columns that a row leaves out before its first cell
 */
export function layOutTable(table: Node, skippedColumns: (row: Node) => number): GridCell[][] {
  /** Spans still open, by their first column. */
  const open = new Map<number, { cell: Node; rows: number }>();
  const rows: GridCell[][] = [];
  table.forEach((row) => {
    const placed: GridCell[] = [];
    let column = skippedColumns(row);
    const continueSpans = () => {
      for (let span = open.get(column); span; span = open.get(column)) {
        placed.push({ cell: span.cell, column, continues: true });
        if (--span.rows === 0) open.delete(column);
        column += span.cell.attrs.colspan;
      }
    };
    row.forEach((cell) => {
      continueSpans();
      placed.push({ cell, column, continues: false });
      column += cell.attrs.colspan;
    });
    continueSpans();
    rows.push(placed);
    for (const { cell, column: at, continues } of placed) {
      if (!continues && cell.attrs.rowspan > 1) open.set(at, { cell, rows: cell.attrs.rowspan - 1 });
    }
  });
  return rows;
}
