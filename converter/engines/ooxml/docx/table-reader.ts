import type { Node } from 'prosemirror-model';
import { wordSchema } from '../../../../model/word/schema.ts';
import type { XmlDocument } from '../xml-document.ts';
import type { XmlElement } from '../xml-scanner.ts';
import { bindsPrefixes, type ReadContext } from './read-context.ts';
import type { RowCell } from './source-map.ts';

/** Reads the blocks of a cell, at their depth in the model. */
export type ReadBlocks = (children: readonly XmlElement[], depth: number) => Node[];

export const TWIPS_PER_PIXEL = 15;

interface PlannedCell {
  readonly element: XmlElement;
  readonly column: number;
  readonly colspan: number;
  rowspan: number;
  lastRow: number;
  id: string;
}

interface PlannedRow {
  readonly element: XmlElement;
  readonly skippedColumns: number;
  readonly cells: { readonly element: XmlElement; readonly cell: PlannedCell; readonly continues: boolean }[];
}

const TABLE_CHILDREN = new Set(['w:tblPr', 'w:tblGrid', 'w:tr', 'w:bookmarkStart', 'w:bookmarkEnd']);
const ROW_CHILDREN = new Set(['w:trPr', 'w:tblPrEx', 'w:tc', 'w:bookmarkStart', 'w:bookmarkEnd']);

/**
 * A table (17.4.38) with vertical merges as `rowspan`; undefined when it holds something that the model cannot, such
 * as rows in content controls.
 */
export function readTable(
  context: ReadContext,
  element: XmlElement,
  previousEnd: number,
  depth: number,
  readBlocks: ReadBlocks,
): Node | undefined {
  const { xml, map } = context;
  const rows = planRows(xml, element);
  const first = rows?.[0];
  const last = rows?.at(-1);
  if (!rows || !first || !last) return undefined;
  const grid = xml.child(element, 'w:tblGrid');
  const gridTwips = (grid?.children ?? [])
    .filter(({ name }) => name === 'w:gridCol')
    .map((column) => Number(xml.attribute(column, 'w:w') ?? 0) || 0);
  const id = map.nextId('t');
  const nodes: Node[] = [];
  let rowPreviousEnd = first.element.start;
  for (const row of rows) {
    nodes.push(readRow(context, row, gridTwips, rowPreviousEnd, depth + 1, readBlocks));
    rowPreviousEnd = row.element.end;
  }
  const node = wordSchema.nodes.table.create({ id }, nodes);
  const { start, end } = element;
  const content = { contentStart: first.element.start, contentEnd: last.element.end };
  map.addBlock({ kind: 'table', node, start, end, previousEnd, grid, gridTwips, ...content });
  return node;
}

function planRows(xml: XmlDocument, table: XmlElement): PlannedRow[] | undefined {
  if (table.children.some(({ name }) => !TABLE_CHILDREN.has(name))) return undefined;
  /** Cells that the row above has at a column and that may be continued. */
  const open = new Map<number, PlannedCell>();
  const rows: PlannedRow[] = [];
  for (const element of table.children.filter(({ name }) => name === 'w:tr')) {
    if (element.children.some(({ name }) => !ROW_CHILDREN.has(name)) || bindsPrefixes(xml, element))
      return undefined;
    const row = planRow(xml, element, rows.length, open);
    if (!row) return undefined;
    rows.push(row);
  }
  return rows;
}

function planRow(
  xml: XmlDocument,
  element: XmlElement,
  rowIndex: number,
  open: Map<number, PlannedCell>,
): PlannedRow | undefined {
  const skippedColumns = numberOf(xml, xml.child(xml.child(element, 'w:trPr'), 'w:gridBefore')) ?? 0;
  const row: PlannedRow = { element, skippedColumns, cells: [] };
  let column = skippedColumns;
  for (const cellElement of element.children.filter(({ name }) => name === 'w:tc')) {
    if (cellElement.selfClosing || bindsPrefixes(xml, cellElement)) return undefined;
    const properties = xml.child(cellElement, 'w:tcPr');
    const colspan = Math.min(63, Math.max(1, numberOf(xml, xml.child(properties, 'w:gridSpan')) ?? 1));
    const merge = xml.child(properties, 'w:vMerge');
    const restarts = xml.attribute(merge, 'w:val') === 'restart';
    const above = open.get(column);
    const continues =
      merge !== undefined && !restarts && above?.lastRow === rowIndex - 1 && above.colspan === colspan;
    for (let covered = column; covered < column + colspan; covered++) open.delete(covered);
    if (continues) {
      above.rowspan++;
      above.lastRow = rowIndex;
      open.set(column, above);
      row.cells.push({ element: cellElement, cell: above, continues: true });
    } else {
      const cell = { element: cellElement, column, colspan, rowspan: 1, lastRow: rowIndex, id: '' };
      if (restarts) open.set(column, cell);
      row.cells.push({ element: cellElement, cell, continues: false });
    }
    column += colspan;
  }
  return row.cells.length > 0 ? row : undefined;
}

function readRow(
  context: ReadContext,
  row: PlannedRow,
  gridTwips: readonly number[],
  previousEnd: number,
  depth: number,
  readBlocks: ReadBlocks,
): Node {
  const id = context.map.nextId('r');
  const nodes: Node[] = [];
  const cells: RowCell[] = [];
  for (const { element, cell, continues } of row.cells) {
    if (!continues) nodes.push(readCell(context, cell, gridTwips, depth + 1, readBlocks));
    cells.push({ element, cellId: cell.id, continues });
  }
  const node = wordSchema.nodes.table_row.create({ id }, nodes);
  const { start, end } = row.element;
  context.map.addBlock({
    kind: 'row',
    node,
    start,
    end,
    previousEnd,
    cells,
    skippedColumns: row.skippedColumns,
  });
  return node;
}

function readCell(
  { xml, map }: ReadContext,
  cell: PlannedCell,
  gridTwips: readonly number[],
  depth: number,
  readBlocks: ReadBlocks,
): Node {
  const { element, column, colspan, rowspan } = cell;
  cell.id = map.nextId('c');
  const properties = xml.child(element, 'w:tcPr');
  const children = element.children.filter((child) => child !== properties);
  const blocks = readBlocks(children, depth + 1);
  if (blocks.length === 0) blocks.push(wordSchema.nodes.paragraph.create({ id: map.nextId('p') }));
  const widths = gridTwips
    .slice(column, column + colspan)
    .map((twips) => Math.round(twips / TWIPS_PER_PIXEL));
  const known = widths.length === colspan && widths.every((width) => width > 0 && width <= 10_000);
  const attrs = { id: cell.id, colspan, rowspan, colwidth: known ? widths : null };
  const node = wordSchema.nodes.table_cell.create(attrs, blocks);
  const contentStart = children[0]?.start ?? element.closeStart;
  const contentEnd = children.at(-1)?.end ?? contentStart;
  const { start, end } = element;
  map.addBlock({
    kind: 'cell',
    node,
    start,
    end,
    previousEnd: start,
    element,
    properties,
    contentStart,
    contentEnd,
  });
  return node;
}

function numberOf(xml: XmlDocument, element: XmlElement | undefined): number | undefined {
  const value = Number(xml.attribute(element, 'w:val') ?? Number.NaN);
  return Number.isInteger(value) && value >= 0 ? value : undefined;
}
