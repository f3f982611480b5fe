import type { Node } from 'prosemirror-model';
import { removeColumn, removeRow, TableMap } from 'prosemirror-tables';
import type { Transform } from 'prosemirror-transform';
import { wordSchema } from '../../../../model/word/schema.ts';

const { nodes } = wordSchema;

/** Whether a cell stands for columns that its row leaves out. */
export type IsLeftOut = (cell: Node) => boolean;

/** Whether nothing is in a cell but a paragraph without text. */
export function isEmptyCell(cell: Node): boolean {
  return (
    cell.childCount === 1 && cell.firstChild!.type === nodes.paragraph && cell.firstChild!.content.size === 0
  );
}

/** A table that begins at this position, as prosemirror-tables asks for it. */
function rectAt(tr: Transform, tablePos: number) {
  const table = tr.doc.nodeAt(tablePos)!;
  const map = TableMap.get(table);
  return { map, table, tableStart: tablePos + 1, left: 0, top: 0, right: map.width, bottom: map.height };
}

/** It does nothing to the transaction that a transform could not do. */
type TableTransaction = Parameters<typeof removeColumn>[0];

/**
 * Takes rows and columns out whose every cell goes. The cells that go with others in their row and column stay.
 * @param going positions of cells that are tracked as deleted or inserted, and go
 */
export function removeWholeLines(tr: Transform, going: readonly number[], isLeftOut: IsLeftOut): void {
  const begun = tr.mapping.maps.length;
  const tables = new Map<number, number[]>();
  for (const position of going) {
    const tablePos = tr.doc.resolve(position).before(-1);
    tables.set(tablePos, [...(tables.get(tablePos) ?? []), position]);
  }
  // From the last one, and so from tables within cells: what comes before stays where it is.
  for (const [tablePos, cells] of [...tables].toSorted(([one], [other]) => other - one)) {
    const positions = (): ReadonlySet<number> => {
      const mapped = cells.map((position) => tr.mapping.slice(begun).mapResult(position));
      return new Set(mapped.filter(({ deleted }) => !deleted).map(({ pos }) => pos));
    };
    removeRows(tr, tablePos, positions(), isLeftOut);
    removeColumnsOf(tr, tablePos, positions(), isLeftOut);
  }
}

function removeRows(tr: Transform, tablePos: number, going: ReadonlySet<number>, isLeftOut: IsLeftOut): void {
  const { map, table, tableStart } = rectAt(tr, tablePos);
  if (map.problems) return;
  const rows = table.children.flatMap((_row, row) => {
    const places = map.map.slice(row * map.width, (row + 1) * map.width);
    const goes = (place: number) => going.has(tableStart + place);
    const isWhole = places.every((place) => {
      const cell = table.nodeAt(place)!;
      return cell.attrs.rowspan === 1 && (goes(place) || isLeftOut(cell));
    });
    return isWhole && places.some(goes) ? [row] : [];
  });
  if (rows.length === map.height) return;
  for (const row of rows.reverse()) removeRow(tr as unknown as TableTransaction, rectAt(tr, tablePos), row);
}

function removeColumnsOf(
  tr: Transform,
  tablePos: number,
  going: ReadonlySet<number>,
  isLeftOut: IsLeftOut,
): void {
  const { map, table, tableStart } = rectAt(tr, tablePos);
  if (map.problems) return;
  const goes = (place: number) => going.has(tableStart + place);
  // Of those that stay, some cell is there: a table has no columns alone that its rows leave out.
  const isGone = (place: number) => goes(place) || isLeftOut(table.nodeAt(place)!);
  const gone = Array.from({ length: map.width }, (_, column) => column).filter((column) =>
    placesIn(map, column).every(isGone),
  );
  if (gone.length === map.width) return;
  removeColumns(
    tr,
    tablePos,
    gone.filter((column) => placesIn(map, column).some(goes)),
  );
}

const placesIn = ({ map, width, height }: TableMap, column: number): number[] =>
  Array.from({ length: height }, (_, row) => map[row * width + column]!);

function removeColumns(tr: Transform, tablePos: number, columns: readonly number[]): void {
  for (const column of columns.toReversed())
    removeColumn(tr as unknown as TableTransaction, rectAt(tr, tablePos), column);
}

/**
 * Takes a cell out of its row: the cells behind it move up, and the row leaves out as many columns at its end. In the model these
 * are the cell itself, emptied. Where a cell that spans rows is in the way, an empty cell stays in its place.
 */
export function removeCell(tr: Transform, position: number, settled: 'accepted' | 'rejected'): void {
  const $cell = tr.doc.resolve(position);
  const cell = $cell.nodeAfter!;
  const tablePos = $cell.before(-1);
  const { map, table, tableStart } = rectAt(tr, tablePos);
  const row = $cell.index(-1);
  const left = map.problems ? 0 : map.colCount(position - tableStart);
  const places = new Set(map.map.slice(row * map.width + left, (row + 1) * map.width));
  const isFree = !map.problems && [...places].every((place) => table.nodeAt(place)!.attrs.rowspan === 1);
  const { id, colspan } = cell.attrs;
  const emptied = nodes.table_cell.create({ ...cell.attrs, settled }, nodes.paragraph.create());
  if (!isFree) {
    tr.replaceWith(position, position + cell.nodeSize, emptied);
    return;
  }
  const end = $cell.end();
  tr.delete(position, position + cell.nodeSize);
  tr.insert(end - cell.nodeSize, nodes.table_cell.create({ id, colspan, settled }, nodes.paragraph.create()));
  const widths = columnWidths(table, map);
  let at = position;
  let column = left;
  for (const one of tr.doc.resolve(position).parent.children.slice($cell.index())) {
    const own = widths.slice(column, column + one.attrs.colspan);
    const colwidth = own.some((width) => width > 0) ? own : null;
    if (!own.every((width, index) => width === (one.attrs.colwidth?.[index] ?? 0)))
      tr.setNodeAttribute(at, 'colwidth', colwidth);
    at += one.nodeSize;
    column += one.attrs.colspan;
  }
}

/** What each column is wide by the cells that say so; zero where none does. */
function columnWidths(table: Node, map: TableMap): number[] {
  return Array.from({ length: map.width }, (_, column) => {
    const said = placesIn(map, column).map(
      (place) => table.nodeAt(place)!.attrs.colwidth?.[column - map.colCount(place)] ?? 0,
    );
    return said.find((width) => width > 0) ?? 0;
  });
}

/** Takes the last columns out that all rows leave out, if a table is there. */
export function dropLastColumns(tr: Transform, tablePos: number, isLeftOut: IsLeftOut): void {
  if (tr.doc.nodeAt(tablePos)?.type !== nodes.table) return;
  for (;;) {
    const { map, table } = rectAt(tr, tablePos);
    const places = placesIn(map, map.width - 1);
    if (map.problems || map.width === 1 || !places.every((place) => isLeftOut(table.nodeAt(place)!))) return;
    removeColumns(tr, tablePos, [map.width - 1]);
  }
}

/** Whether a row has nothing but this cell: neither another one, nor one from above. */
export function isAloneInRow(doc: Node, position: number, isLeftOut: IsLeftOut): boolean {
  const $cell = doc.resolve(position);
  const table = $cell.node(-1);
  const rowStart = $cell.start() - $cell.start(-1);
  const { map, width } = TableMap.get(table);
  const row = $cell.index(-1);
  return (
    map.slice(row * width, (row + 1) * width).every((place) => place >= rowStart) &&
    $cell.parent.children.every((cell, index) => index === $cell.index() || isLeftOut(cell))
  );
}
