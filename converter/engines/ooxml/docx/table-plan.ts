import type { XmlDocument } from '../xml-document.ts';
import type { XmlElement } from '../xml-scanner.ts';
import type { RowGaps } from './source-map.ts';

/** A cell of the model: the element that begins it, and how far it reaches. */
export interface PlannedCell {
  readonly element: XmlElement;
  readonly column: number;
  readonly colspan: number;
  rowspan: number;
  lastRow: number;
  id: string;
}

export interface PlannedRow {
  readonly element: XmlElement;
  readonly gaps: RowGaps;
  readonly cells: { readonly element: XmlElement; readonly cell: PlannedCell; readonly continues: boolean }[];
}

interface OpenRow extends Omit<PlannedRow, 'gaps'> {
  readonly before: number;
  readonly endColumn: number;
  readonly columns: number;
}

const TABLE_CHILDREN = new Set(['w:tblPr', 'w:tblGrid', 'w:tr', 'w:bookmarkStart', 'w:bookmarkEnd']);
const ROW_CHILDREN = new Set(['w:trPr', 'w:tblPrEx', 'w:tc', 'w:bookmarkStart', 'w:bookmarkEnd']);
/** As many columns as Word lets one cell span, and as it lets a table have. */
const MOST_SPANNED = 63;
/** Other programs write more columns; a table's map takes memory for rows times columns, in every browser. */
const MOST_COLUMNS = 255;
const MOST_ROWS_SPANNED = 32_767;

/**
 * Rows and cells of a table with vertical merges (17.4.84) as `rowspan`, and what rows lack at either side as gaps, so
 * that all rows have the same columns. Undefined when the table holds something that the model cannot.
 */
export function planRows(xml: XmlDocument, table: XmlElement): PlannedRow[] | undefined {
  if (table.children.some(({ name }) => !TABLE_CHILDREN.has(name))) return undefined;
  /** Cells that the row above has at a column and that may be continued. */
  const open = new Map<number, PlannedCell>();
  const rows: OpenRow[] = [];
  for (const element of table.children.filter(({ name }) => name === 'w:tr')) {
    if (element.children.some(({ name }) => !ROW_CHILDREN.has(name))) return undefined;
    const row = planRow(xml, element, rows.length, open);
    if (!row) return undefined;
    rows.push(row);
  }
  const columns = rows.reduce((most, row) => Math.max(most, row.columns), 0);
  if (columns > MOST_COLUMNS) return undefined;
  const planned = rows.map(({ element, cells, before, endColumn }) => {
    return { element, cells, gaps: { before, after: columns - endColumn } };
  });
  return planned.every(({ gaps }) => Math.max(gaps.before, gaps.after) <= MOST_SPANNED) ? planned : undefined;
}

function planRow(
  xml: XmlDocument,
  element: XmlElement,
  rowIndex: number,
  open: Map<number, PlannedCell>,
): OpenRow | undefined {
  const properties = xml.child(element, 'w:trPr');
  const before = numberOf(xml, xml.child(properties, 'w:gridBefore')) ?? 0;
  const after = numberOf(xml, xml.child(properties, 'w:gridAfter')) ?? 0;
  const cells: PlannedRow['cells'] = [];
  let column = before;
  for (const cellElement of element.children.filter(({ name }) => name === 'w:tc')) {
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
      cells.push({ element: cellElement, cell: above, continues: true });
    } else {
      const cell = { element: cellElement, column, colspan, rowspan: 1, lastRow: rowIndex, id: '' };
      if (restarts) open.set(column, cell);
      cells.push({ element: cellElement, cell, continues: false });
    }
    column += colspan;
  }
  return cells.length > 0
    ? { element, cells, before, endColumn: column, columns: column + after }
    : undefined;
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
