import type { Attrs, Node } from 'prosemirror-model';
import { accepts } from '../../../../model/word/attributes.ts';
import { wordSchema } from '../../../../model/word/schema.ts';
import * as values from '../../../../model/word/values.ts';
import type { XmlDocument } from '../package/xml-document.ts';
import type { XmlElement } from '../package/xml-scanner.ts';
import { noteControl } from './controls/control-reader.ts';
import type { ReadContext } from './read-context.ts';
import { isOn, readShading } from './simple-types.ts';
import type { RowCell } from './source-map.ts';
import { bordersOf } from './styles.ts';
import { type PlannedCell, type PlannedRow, planTable } from './table-structure.ts';

/** Reads the blocks of a cell, at their depth in the model. */
type ReadBlocks = (children: readonly XmlElement[], depth: number) => Node[];

export const TWIPS_PER_PIXEL = 15;
const MOST_PIXELS = 10_000;

/** A table (17.4.37); undefined when it holds something that the model cannot. */
export function readTable(
  context: ReadContext,
  element: XmlElement,
  previousEnd: number,
  depth: number,
  readBlocks: ReadBlocks,
): Node | undefined {
  const { xml, map, budget } = context;
  const plan = planTable(xml, element);
  if (!plan) return undefined;
  const { rows, contentStart, contentEnd } = plan;
  budget.takeGrid(rows.length, columnsOf(rows[0]!));
  const grid = xml.child(element, 'w:tblGrid');
  const gridTwips = (grid?.children ?? [])
    .filter(({ name }) => name === 'w:gridCol')
    .map((column) => Number(xml.attribute(column, 'w:w') ?? 0) || 0);
  const id = map.nextId('t');
  const nodes: Node[] = [];
  let rowPreviousEnd = contentStart;
  for (const row of rows) {
    nodes.push(readRow(context, row, gridTwips, rowPreviousEnd, depth + 1, readBlocks));
    rowPreviousEnd = row.element.end;
  }
  const properties = xml.child(element, 'w:tblPr');
  const node = wordSchema.nodes.table.create({ id, ...tableAttributes(context, properties, rows) }, nodes);
  const { start, end } = element;
  map.addBlock({
    kind: 'table',
    node,
    start,
    end,
    previousEnd,
    element,
    properties,
    grid,
    gridTwips,
    contentStart,
    contentEnd,
  });
  return node;
}

/** Of every row: what one lacks is a gap. */
function columnsOf({ cells, gaps }: PlannedRow): number {
  return cells.reduce((sum, { cell }) => sum + cell.colspan, gaps.before + gaps.after);
}

function tableAttributes(
  { xml, tableStyles }: ReadContext,
  properties: XmlElement | undefined,
  rows: readonly PlannedRow[],
): Attrs {
  const style = xml.attribute(xml.child(properties, 'w:tblStyle'), 'w:val') ?? null;
  const own = bordersOf(xml, xml.child(properties, 'w:tblBorders'));
  const lined = tableStyles().drawsLines(style, own) || mostCellsDrawLines(xml, rows);
  return { style: accepts(values.name, style) ? style : null, lined, align: alignmentOf(xml, properties) };
}

/** Some programs say the lines of a table cell by cell. */
function mostCellsDrawLines(xml: XmlDocument, rows: readonly PlannedRow[]): boolean {
  const cells = rows.flatMap((row) => row.cells);
  const lined = cells.filter(({ element }) => {
    const borders = bordersOf(xml, xml.child(xml.child(element, 'w:tcPr'), 'w:tcBorders'));
    return [...borders.values()].includes(true);
  });
  return lined.length > cells.length / 2;
}

function alignmentOf(xml: XmlDocument, properties: XmlElement | undefined): string | null {
  const value = xml.attribute(xml.child(properties, 'w:jc'), 'w:val');
  const side = value === 'start' ? 'left' : value === 'end' ? 'right' : value;
  return accepts(values.tableAlignment, side) ? side! : null;
}

function readRow(
  context: ReadContext,
  row: PlannedRow,
  gridTwips: readonly number[],
  previousEnd: number,
  depth: number,
  readBlocks: ReadBlocks,
): Node {
  const { xml, map } = context;
  const { element, gaps, wraps, lead, contentStart, contentEnd } = row;
  const id = map.nextId('r');
  const nodes: Node[] = [];
  const cells: RowCell[] = [];
  if (gaps.before > 0) nodes.push(readGap(context, element.start, 0, gaps.before, gridTwips));
  let endColumn = gaps.before;
  for (const { cell, continues, ...place } of row.cells) {
    if (!continues) {
      nodes.push(readCell(context, cell, gridTwips, depth + 1, readBlocks));
      const control = [...wraps, ...place.wraps].findLast((wrap) => wrap.element.name === 'w:sdt');
      if (control) noteControl(context, control.element, cell.id);
    }
    cells.push({ ...place, cellId: cell.id, continues });
    endColumn += cell.colspan;
  }
  if (gaps.after > 0) nodes.push(readGap(context, element.end, endColumn, gaps.after, gridTwips));
  const properties = xml.child(element, 'w:trPr');
  const header = xml.child(properties, 'w:tblHeader');
  const height = Number(xml.attribute(xml.child(properties, 'w:trHeight'), 'w:val') ?? Number.NaN);
  const attrs = {
    id,
    header: header !== undefined && isOn(xml.attributes(header)),
    height: accepts(values.twips, height) ? height : null,
  };
  const node = wordSchema.nodes.table_row.create(attrs, nodes);
  const { start, end } = element;
  const place = { element, wraps, lead, contentStart, contentEnd };
  map.addBlock({ kind: 'row', node, start, end, previousEnd, ...place, properties, cells, gaps });
  return node;
}

function readGap(
  { map }: ReadContext,
  at: number,
  column: number,
  colspan: number,
  gridTwips: readonly number[],
): Node {
  const attrs = { id: map.nextId('g'), colspan, colwidth: pixelsOf(gridTwips, column, colspan) };
  const paragraph = wordSchema.nodes.paragraph.create({ id: map.nextId('p') });
  const node = wordSchema.nodes.table_cell.create(attrs, paragraph);
  map.addBlock({ kind: 'gap', node, start: at, end: at, previousEnd: at });
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
  const found = xml.child(element, 'w:tcPr');
  const children = element.children.filter((child) => child !== found);
  // Behind content, where the schema has none (17.4.69), they stay where they are.
  const properties = found === element.children[0] ? found : undefined;
  const blocks = readBlocks(children, depth + 1);
  if (blocks.length === 0) blocks.push(wordSchema.nodes.paragraph.create({ id: map.nextId('p') }));
  const color = readShading(xml, xml.child(properties, 'w:shd'));
  const vertical = xml.attribute(xml.child(properties, 'w:vAlign'), 'w:val');
  const attrs = {
    id: cell.id,
    colspan,
    rowspan,
    colwidth: pixelsOf(gridTwips, column, colspan),
    shading: color === undefined || color === 'auto' ? null : color,
    verticalAlign: accepts(values.cellAlignment, vertical) ? vertical : null,
  };
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

/** The width of each column in pixels; zero for columns that the grid does not give, null when it gives none. */
function pixelsOf(gridTwips: readonly number[], column: number, colspan: number): number[] | null {
  const widths = Array.from({ length: colspan }, (_, offset) => {
    const pixels = Math.round((gridTwips[column + offset] ?? 0) / TWIPS_PER_PIXEL);
    return pixels > 0 && pixels <= MOST_PIXELS ? pixels : 0;
  });
  return widths.some((width) => width > 0) ? widths : null;
}
