import { sameContent } from '../../model/cell/cell.ts';
import type { CellFormat, FormatTable } from '../../model/cell/cell-format.ts';
import { formatKey } from '../../model/cell/cell-format.ts';
import { applyOperation } from '../../model/cell/change.ts';
import { type ChartChange, chartChangeBetween } from '../../model/cell/chart-change.ts';
import { Grid } from '../../model/cell/grid.ts';
import type { Drawing, Item, ItemKind } from '../../model/cell/items.ts';
import { type Line, noLine } from '../../model/cell/lines.ts';
import type { CellInput, CellOperation, ChangeLines, SetCells } from '../../model/cell/operations.ts';
import { cellIn, emptyRow, type Row } from '../../model/cell/row.ts';
import { structureMapOf, targetOf } from '../../model/cell/structure-map.ts';
import { type Items, noItems, type Sheet, sheetOf, type Workbook } from '../../model/cell/workbook.ts';

/**
 * The operations that take one back, each on what the one before has made: first what moves cells back, then what sets
 * everything as it was that still differs. They give way to what others have done since.
 */
export function inverseOf(
  before: Workbook,
  operation: CellOperation,
  after: Workbook,
): readonly CellOperation[] {
  const parts = operation.op === 'several' ? operation.operations : [operation];
  const inverses: CellOperation[] = [];
  let current = after;
  for (const back of structureInverses(before, parts)) {
    const applied = applyOperation(current, back);
    if (typeof applied === 'string') continue;
    inverses.push({ ...back, undo: true });
    current = applied;
  }
  return [...inverses, ...differences(current, before)];
}

/** From the last to the first. */
function structureInverses(before: Workbook, parts: readonly CellOperation[]): CellOperation[] {
  const inverses: CellOperation[] = [];
  let current = before;
  for (const part of parts) {
    const back = structureInverse(current, part);
    if (back) inverses.unshift(back);
    if (parts.length === 1) break;
    const after = applyOperation(current, part);
    if (typeof after !== 'string') current = after;
  }
  return inverses;
}

function structureInverse(before: Workbook, operation: CellOperation): CellOperation | null {
  switch (operation.op) {
    case 'insert': {
      const { sheet, axis, at, count, band } = operation;
      return { op: 'delete', sheet, axis, at, count, ...(band ? { band } : {}) };
    }
    case 'delete': {
      const { sheet, axis, at, count, band } = operation;
      return { op: 'insert', sheet, axis, at, count, ...(band ? { band } : {}) };
    }
    case 'move': {
      const { sheet, axis, at, count, to } = operation;
      if (!structureMapOf(operation)) return null;
      return to > at
        ? { op: 'move', sheet, axis, at: to - count, count, to: at }
        : { op: 'move', sheet, axis, at: to, count, to: at + count };
    }
    case 'moveCells': {
      const { sheet, area, toSheet } = operation;
      return {
        op: 'moveCells',
        sheet: toSheet,
        area: targetOf(operation),
        toSheet: sheet,
        row: area[0],
        column: area[1],
      };
    }
    case 'sort': {
      const { order } = operation;
      const places = [...order].sort((one, other) => one - other);
      const cameTo = new Map(order.map((from, at) => [from, places[at]!]));
      const { op, sheet, axis, band } = operation;
      return { op, sheet, axis, band, order: places.map((place) => cameTo.get(place)!) };
    }
    case 'addSheet':
      return { op: 'removeSheet', sheet: operation.sheet };
    case 'removeSheet':
      return { op: 'restoreSheet', sheet: operation.sheet };
    case 'restoreSheet':
      return { op: 'removeSheet', sheet: operation.sheet };
    case 'moveSheet': {
      const to = before.sheets.findIndex(({ id }) => id === operation.sheet);
      return { op: 'moveSheet', sheet: operation.sheet, to };
    }
    default:
      return null;
  }
}

/** What makes one workbook of another, where both have the same sheets. */
function differences(from: Workbook, to: Workbook): CellOperation[] {
  if (from === to) return [];
  const operations: CellOperation[] = [];
  const properties = patchBetween(from.properties, to.properties);
  if (properties) operations.push({ op: 'workbook', patch: properties, undo: true });
  for (const sheet of to.sheets) {
    const current = sheetOf(from, sheet.id);
    if (current && current !== sheet)
      operations.push(...sheetDifferences(current, from.formats, sheet, to.formats));
  }
  operations.push(...itemDifferences(null, from.items as Items<ItemKind>, to.items as Items<ItemKind>));
  return operations;
}

function sheetDifferences(
  from: Sheet,
  formats: FormatTable,
  to: Sheet,
  wanted: FormatTable,
): CellOperation[] {
  const operations: CellOperation[] = [];
  const { id: sheet } = to;
  const patch = patchBetween(from.properties, to.properties);
  if (patch) operations.push({ op: 'sheet', sheet, patch, undo: true });
  if (from.columns !== to.columns) operations.push(...columnDifferences(from, formats, to, wanted));
  if (from.grid !== to.grid) operations.push(...rowDifferences(from, formats, to, wanted));
  operations.push(...itemDifferences(sheet, from.items as Items<ItemKind>, to.items as Items<ItemKind>));
  return operations;
}

/** Fields that differ, null where they are absent; null where none do. */
function patchBetween(from: object, to: object): Record<string, unknown> | null {
  if (from === to) return null;
  const patch: Record<string, unknown> = {};
  const [before, after] = [from as Record<string, unknown>, to as Record<string, unknown>];
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    if (before[name] === after[name] || formatKey(before[name]) === formatKey(after[name])) continue;
    patch[name] = after[name] ?? null;
  }
  return Object.keys(patch).length === 0 ? null : patch;
}

/** Formats of an operation, each once. */
class GivenFormats {
  readonly list: CellFormat[] = [];
  readonly #places = new Map<number, number>();
  readonly #table: FormatTable;

  constructor(table: FormatTable) {
    this.#table = table;
  }

  placeOf(format: number): number {
    let place = this.#places.get(format);
    if (place === undefined) {
      place = this.list.push(this.#table.at(format)) - 1;
      this.#places.set(format, place);
    }
    return place;
  }
}

function sameFormat(formats: FormatTable, one: number, wanted: FormatTable, other: number): boolean {
  return one === other || formatKey(formats.at(one)) === formatKey(wanted.at(other));
}

function rowDifferences(from: Sheet, formats: FormatTable, to: Sheet, wanted: FormatTable): CellOperation[] {
  const cells: SetCells['cells'][number][] = [];
  const given = new GivenFormats(wanted);
  const lines = new LineChanges(to.id, 'row', formats, wanted);
  for (const [first, last] of Grid.differences(from.grid, to.grid)) {
    for (let place = first; place <= last; place++) {
      const [one, other] = [from.grid.row(place), to.grid.row(place)];
      if (one === other) continue;
      lines.add(place, place, one?.line ?? noLine, other?.line ?? noLine);
      for (const column of columnsOf(one, other)) {
        const [current, cell] = [cellIn(one, column), cellIn(other, column)];
        if (current === cell) continue;
        const input: { v?: CellInput['v']; f?: CellInput['f']; s?: number } = {};
        if (!sameContent(current, cell)) {
          input.v = cell.value;
          if (cell.formula) input.f = cell.formula.toJSON();
        }
        if (!sameFormat(formats, current.format, wanted, cell.format)) input.s = given.placeOf(cell.format);
        if ('v' in input || 's' in input) cells.push([place, column, input]);
      }
    }
  }
  const set: CellOperation[] =
    cells.length > 0 ? [{ op: 'set', sheet: to.id, cells, formats: given.list, undo: true }] : [];
  return [...lines.operations(), ...set];
}

function columnsOf(one: Row = emptyRow, other: Row = emptyRow): Iterable<number> {
  if (one.columns === other.columns) return one.columns;
  return new Set([...one.columns, ...other.columns]);
}

function columnDifferences(
  from: Sheet,
  formats: FormatTable,
  to: Sheet,
  wanted: FormatTable,
): CellOperation[] {
  const edges = new Set<number>();
  for (const [first, count] of [...from.columns.runs, ...to.columns.runs])
    edges.add(first).add(first + count);
  const sorted = [...edges].sort((one, other) => one - other);
  const lines = new LineChanges(to.id, 'column', formats, wanted);
  for (const [at, edge] of sorted.entries()) {
    const next = sorted[at + 1];
    if (next !== undefined) lines.add(edge, next - 1, from.columns.at(edge), to.columns.at(edge));
  }
  return lines.operations();
}

/** Gathers lines that change alike. */
class LineChanges {
  readonly #changes = new Map<
    string,
    { spans: [number, number][]; change: Pick<ChangeLines, 'patch' | 'format'> }
  >();
  readonly #about: Pick<ChangeLines, 'sheet' | 'axis'>;
  readonly #formats: FormatTable;
  readonly #wanted: FormatTable;

  constructor(sheet: string, axis: ChangeLines['axis'], formats: FormatTable, wanted: FormatTable) {
    this.#about = { sheet, axis };
    this.#formats = formats;
    this.#wanted = wanted;
  }

  add(from: number, to: number, one: Line, other: Line): void {
    if (one === other) return;
    const { format: current, ...before } = one;
    const { format, ...after } = other;
    const patch = patchBetween(before, after) ?? {};
    const isSame =
      current === undefined || format === undefined
        ? current === format
        : sameFormat(this.#formats, current, this.#wanted, format);
    if (isSame && Object.keys(patch).length === 0) return;
    const change = {
      patch,
      ...(isSame ? {} : { format: format === undefined ? null : this.#wanted.at(format) }),
    };
    const key = formatKey(change);
    const known = this.#changes.get(key);
    if (!known) this.#changes.set(key, { spans: [[from, to]], change });
    else if (known.spans.at(-1)![1] === from - 1) known.spans.at(-1)![1] = to;
    else known.spans.push([from, to]);
  }

  operations(): CellOperation[] {
    return [...this.#changes.values()].map(({ spans, change }) => ({
      ...{ op: 'lines', ...this.#about, spans, undo: true },
      ...change,
    }));
  }
}

/** Where two drawings differ in their charts alone, how these do. */
function chartDifference(from: Item, to: Item): ChartChange | null {
  const [before, after] = [from, to] as [Drawing, Drawing];
  if (!before.chart || !after.chart || before.chart === after.chart) return null;
  if (patchBetween({ ...before, chart: null }, { ...after, chart: null })) return null;
  return chartChangeBetween(before.chart, after.chart);
}

function itemDifferences(sheet: string | null, from: Items<ItemKind>, to: Items<ItemKind>): CellOperation[] {
  const operations: CellOperation[] = [];
  const kinds = new Set([...Object.keys(from), ...Object.keys(to)]) as Set<ItemKind>;
  for (const kind of kinds) {
    const [current, wanted] = [from[kind] ?? noItems, to[kind] ?? noItems] as ReadonlyMap<string, Item>[];
    if (current === wanted) continue;
    for (const id of current!.keys()) {
      if (!wanted!.has(id)) operations.push({ op: 'drop', sheet, kind, id, undo: true });
    }
    for (const [id, item] of wanted!) {
      const before = current!.get(id);
      if (before === item) continue;
      if (!before) {
        operations.push({ op: 'put', sheet, kind, id, item, undo: true });
        continue;
      }
      const chart = sheet !== null && kind === 'drawing' ? chartDifference(before, item) : null;
      if (chart) {
        operations.push({ op: 'chart', sheet: sheet!, id, ...chart, undo: true });
        continue;
      }
      const patch = patchBetween(before, item);
      if (patch) operations.push({ op: 'patch', sheet, kind, id, patch, undo: true });
    }
  }
  return operations;
}
