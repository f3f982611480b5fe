import type { XmlDocument } from '../package/xml-document.ts';
import type { XmlElement } from '../package/xml-scanner.ts';
import type { RowGaps } from './source-map.ts';
import { type WrappedElement, wrappedElements } from './table-wraps.ts';

/** A cell of the model: the element that begins it, and how far it reaches. */
export interface PlannedCell {
  readonly element: XmlElement;
  readonly column: number;
  readonly colspan: number;
  rowspan: number;
  lastRow: number;
  id: string;
}

export interface PlannedRow extends WrappedElement {
  readonly gaps: RowGaps;
  readonly cells: PlannedPlace[];
  readonly contentStart: number;
  readonly contentEnd: number;
}

/** A cell element of a row: where a cell of the model begins, or goes on. */
export interface PlannedPlace extends WrappedElement {
  readonly cell: PlannedCell;
  readonly continues: boolean;
}

export interface PlannedTable {
  readonly rows: readonly PlannedRow[];
  readonly contentStart: number;
  readonly contentEnd: number;
}

interface OpenRow extends Omit<PlannedRow, 'gaps'> {
  readonly before: number;
  readonly endColumn: number;
  readonly columns: number;
}

/** As many columns as Word lets one cell span, and as it lets a table have. */
const MOST_SPANNED = 63;
/** Other programs write more columns; a table's map takes memory for rows times columns, in every browser. */
const MOST_COLUMNS = 255;
const MOST_ROWS_SPANNED = 32_767;

/**
 * Rows and cells of a table with vertical merges (17.4.84) as `rowspan`, and what rows lack at either side as gaps, so
 * that all rows have the same columns. Undefined when the table holds something that the model cannot.
 */
export function planTable(xml: XmlDocument, table: XmlElement): PlannedTable | undefined {
  const wrapped = wrappedElements(xml, table, 'w:tr');
  if (!wrapped) return undefined;
  /** Cells that the row above has at a column and that may be continued. */
  const open = new Map<number, PlannedCell>();
  const rows: OpenRow[] = [];
  for (const element of wrapped.found) {
    const row = planRow(xml, element, rows.length, open);
    if (!row) return undefined;
    rows.push(row);
  }
  const columns = rows.reduce((most, row) => Math.max(most, row.columns), 0);
  if (columns > MOST_COLUMNS) return undefined;
  const planned = rows.map(({ before, endColumn, columns: _columns, ...row }) => {
    return { ...row, gaps: { before, after: columns - endColumn } };
  });
  const isWithin = planned.every(({ gaps }) => Math.max(gaps.before, gaps.after) <= MOST_SPANNED);
  return isWithin ? { ...wrapped, rows: planned } : undefined;
}

function planRow(
  xml: XmlDocument,
  row: WrappedElement,
  rowIndex: number,
  open: Map<number, PlannedCell>,
): OpenRow | undefined {
  const wrapped = wrappedElements(xml, row.element, 'w:tc');
  if (!wrapped) return undefined;
  const properties = xml.child(row.element, 'w:trPr');
  const before = numberOf(xml, xml.child(properties, 'w:gridBefore')) ?? 0;
  const after = numberOf(xml, xml.child(properties, 'w:gridAfter')) ?? 0;
  const cells: PlannedRow['cells'] = [];
  let column = before;
  for (const place of wrapped.found) {
    const { element: cellElement } = place;
    if (cellElement.selfClosing) return undefined;
    const { colspan, merge, restarts } = spanOf(xml, cellElement);
    const above = open.get(column);
    const continues =
      merge &&
      !restarts &&
      above?.lastRow === rowIndex - 1 &&
      above.colspan === colspan &&
      above.rowspan < MOST_ROWS_SPANNED;
    for (let covered = column; covered < column + colspan; covered++) open.delete(covered);
    if (continues) {
      above.rowspan++;
      above.lastRow = rowIndex;
      open.set(column, above);
      cells.push({ ...place, cell: above, continues: true });
    } else {
      const cell = { element: cellElement, column, colspan, rowspan: 1, lastRow: rowIndex, id: '' };
      if (restarts) open.set(column, cell);
      cells.push({ ...place, cell, continues: false });
    }
    column += colspan;
  }
  const { contentStart, contentEnd } = wrapped;
  return { ...row, cells, contentStart, contentEnd, before, endColumn: column, columns: column + after };
}

function spanOf(xml: XmlDocument, cell: XmlElement): { colspan: number; merge: boolean; restarts: boolean } {
  const properties = xml.child(cell, 'w:tcPr');
  const span = numberOf(xml, xml.child(properties, 'w:gridSpan')) ?? 1;
  const merge = xml.child(properties, 'w:vMerge');
  return {
    colspan: Math.min(MOST_SPANNED, Math.max(1, span)),
    merge: merge !== undefined,
    restarts: xml.attribute(merge, 'w:val') === 'restart',
  };
}

function numberOf(xml: XmlDocument, element: XmlElement | undefined): number | undefined {
  const value = Number(xml.attribute(element, 'w:val') ?? Number.NaN);
  return Number.isInteger(value) && value >= 0 ? value : undefined;
}
