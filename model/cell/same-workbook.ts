import { type Cell, sameContent } from './cell.ts';
import { type FormatTable, formatKey } from './cell-format.ts';
import { Grid } from './grid.ts';
import { isEmptyRow, type Row } from './row.ts';
import type { Items, RemovedSheet, Sheet, Workbook } from './workbook.ts';

/** Whether two workbooks are the same, in every part that an operation can reach; their formats may stand in other places. */
export function sameWorkbook(one: Workbook, other: Workbook): boolean {
  if (one === other) return true;
  const formats: FormatPair = [one.formats, other.formats];
  return (
    one.sheets.length === other.sheets.length &&
    one.sheets.every((sheet, at) => sameSheet(sheet, other.sheets[at]!, formats)) &&
    sameJson(one.properties, other.properties) &&
    sameJson(one.volatile, other.volatile) &&
    sameItems(one.items, other.items) &&
    sameMap(one.removed, other.removed, (a, b) => sameRemoved(a, b, formats)) &&
    sameMap(one.removedComments, other.removedComments, sameJson)
  );
}

type FormatPair = readonly [FormatTable, FormatTable];

const sameJson = (one: unknown, other: unknown): boolean =>
  one === other || formatKey(one) === formatKey(other);

function sameMap<Value>(
  one: ReadonlyMap<string, Value>,
  other: ReadonlyMap<string, Value>,
  same: (a: Value, b: Value) => boolean,
): boolean {
  if (one === other) return true;
  if (one.size !== other.size) return false;
  for (const [key, value] of one) {
    const counterpart = other.get(key);
    if (counterpart === undefined || !same(value, counterpart)) return false;
  }
  return true;
}

function sameItems(one: Items<string>, other: Items<string>): boolean {
  if (one === other) return true;
  const kinds = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...kinds].every((kind) => sameMap(one[kind] ?? new Map(), other[kind] ?? new Map(), sameJson));
}

const sameRemoved = (one: RemovedSheet, other: RemovedSheet, formats: FormatPair): boolean =>
  one === other ||
  (one.index === other.index &&
    sameMap(one.names, other.names, sameJson) &&
    sameSheet(one.sheet, other.sheet, formats));

function sameSheet(one: Sheet, other: Sheet, formats: FormatPair): boolean {
  if (one === other) return true;
  if (one.id !== other.id || one.copyOf !== other.copyOf) return false;
  if (!sameJson(one.properties, other.properties)) return false;
  if (!sameItems(one.items, other.items) || !sameLines(one, other, formats)) return false;
  for (const [from, to] of Grid.differences(one.grid, other.grid)) {
    for (let place = from; place <= to; place++) {
      if (!sameRow(one.grid.row(place), other.grid.row(place), formats)) return false;
    }
  }
  return true;
}

function sameLines(one: Sheet, other: Sheet, [formats, others]: FormatPair): boolean {
  const runs = ({ columns }: Sheet, table: FormatTable) =>
    columns.runs.map(([first, count, line]) => [
      first,
      count,
      { ...line, format: formatAt(table, line.format) },
    ]);
  return one.columns === other.columns || sameJson(runs(one, formats), runs(other, others));
}

const formatAt = (table: FormatTable, place: number | undefined): unknown =>
  place === undefined ? undefined : table.at(place);

function sameFormat([formats, others]: FormatPair, one: number, other: number): boolean {
  if (formats === others) return one === other;
  return sameJson(formats.at(one), others.at(other));
}

function sameRow(one: Row | undefined, other: Row | undefined, formats: FormatPair): boolean {
  if (one === other) return true;
  if (!one || !other) return isEmptyRow((one ?? other)!);
  const [a, b] = [one.line, other.line];
  const line = { ...a, format: formatAt(formats[0], a.format) };
  if (a !== b && !sameJson(line, { ...b, format: formatAt(formats[1], b.format) })) return false;
  return (
    one.columns.length === other.columns.length &&
    one.columns.every(
      (column, at) => column === other.columns[at] && sameCell(one.cells[at]!, other.cells[at]!, formats),
    )
  );
}

const sameCell = (one: Cell, other: Cell, formats: FormatPair): boolean =>
  one === other || (sameContent(one, other) && sameFormat(formats, one.format, other.format));
