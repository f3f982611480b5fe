import { blankCell, type Cell, sameContent } from '../../model/cell/cell.ts';
import type { FormatTable } from '../../model/cell/cell-format.ts';
import { formatKey } from '../../model/cell/cell-format.ts';
import { applyOperation } from '../../model/cell/change.ts';
import { type ChartChange, chartChangeBetween } from '../../model/cell/chart-change.ts';
import { Grid } from '../../model/cell/grid.ts';
import type { Drawing, Item, ItemKind } from '../../model/cell/items.ts';
import { type Line, noLine } from '../../model/cell/lines.ts';
import { inParts } from '../../model/cell/operation-parts.ts';
import type { BlockInput, CellOperation, ChangeLines } from '../../model/cell/operations.ts';
import { emptyRow, type Row } from '../../model/cell/row.ts';
import { structureMapOf, targetOf } from '../../model/cell/structure-map.ts';
import { type Items, noItems, type Sheet, sheetOf, type Workbook } from '../../model/cell/workbook.ts';
import { ContentBlocks } from './content-blocks.ts';
import { GatheredAreas } from './gathered-areas.ts';
import type { MadeOn } from './rebase.ts';

/**
 * The operations that take others back, each on what the one before has made: first what moves cells back, then what sets
 * everything as it was that still differs. They give way to what others have done since.
 * @param made each on the one before
 * @param after what they have led to
 */
export function inverseOf(made: readonly MadeOn[], after: Workbook): readonly CellOperation[] {
  const [first] = made;
  if (!first) return [];
  const inverses: CellOperation[] = [];
  let current = after;
  for (const back of structureInverses(made).reverse()) {
    const applied = applyOperation(current, back);
    if (typeof applied === 'string') continue;
    inverses.push({ ...back, undo: true });
    current = applied;
  }
  return [...inverses, ...differences(current, first.document)];
}

/** What takes back each that moves cells or sheets, from the first to the last. */
function structureInverses(made: readonly MadeOn[]): CellOperation[] {
  return made.flatMap(({ operation, document }) => {
    if (operation.op !== 'several') return structureInverse(document, operation) ?? [];
    let current = document;
    return operation.operations.flatMap((part) => {
      const before = current;
      const after = applyOperation(before, part);
      if (typeof after !== 'string') current = after;
      return structureInverse(before, part) ?? [];
    });
  });
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

function sameFormat(formats: FormatTable, one: number, wanted: FormatTable, other: number): boolean {
  return one === other || formatKey(formats.at(one)) === formatKey(wanted.at(other));
}

/** The same for many cells, which have few formats: each pair is looked at once. */
function sameFormats(formats: FormatTable, wanted: FormatTable): (one: number, other: number) => boolean {
  const known = new Map<number, boolean>();
  let [last, isSame] = [-1, true];
  return (one, other) => {
    if (one === other) return true;
    const pair = one * wanted.count + other;
    if (pair === last) return isSame;
    last = pair;
    isSame = known.get(pair) ?? sameFormat(formats, one, wanted, other);
    known.set(pair, isSame);
    return isSame;
  };
}

function rowDifferences(from: Sheet, formats: FormatTable, to: Sheet, wanted: FormatTable): CellOperation[] {
  const contents = new ContentBlocks();
  const looks = new GatheredAreas();
  const lines = new LineChanges(to.id, 'row', formats, wanted);
  const isSame = sameFormats(formats, wanted);
  for (const [first, last] of Grid.differences(from.grid, to.grid)) {
    for (let place = first; place <= last; place++) {
      const [one, other] = [from.grid.row(place), to.grid.row(place)];
      if (one === other) continue;
      lines.add(place, place, one?.line ?? noLine, other?.line ?? noLine);
      if (one && one.cells === other?.cells && one.columns === other.columns) continue;
      differentCells(one ?? emptyRow, other ?? emptyRow, (column, current, cell) => {
        if (!sameContent(current, cell)) contents.add(place, column, contentOf(cell));
        // A cell that is not kept looks as its row or column does.
        const [is, was] = [lookOf(from, one, current, column), lookOf(to, other, cell, column)];
        if (!isSame(is, was)) looks.add(place, column, was);
      });
    }
  }
  return [...lines.operations(), ...contents.operations(to.id), ...formatsOf(to.id, looks, wanted)];
}

/** What gives a cell the content of another one; null where that is nothing. */
function contentOf({ value, formula }: Cell): BlockInput {
  if (formula) return { v: value, f: formula.toJSON() };
  return typeof value === 'object' && value !== null ? { v: value } : value;
}

/** Looks at the cells of two rows that are not the very same, by rising column; a blank one stands for one that is not kept. */
function differentCells(
  one: Row,
  other: Row,
  look: (column: number, cell: Cell, otherCell: Cell) => void,
): void {
  let a = 0;
  let b = 0;
  while (a < one.columns.length || b < other.columns.length) {
    const left = one.columns[a] ?? Infinity;
    const right = other.columns[b] ?? Infinity;
    const cell = left <= right ? one.cells[a++]! : blankCell;
    const otherCell = right <= left ? other.cells[b++]! : blankCell;
    if (cell !== otherCell) look(Math.min(left, right), cell, otherCell);
  }
}

function lookOf({ columns }: Sheet, row: Row | undefined, cell: Cell, column: number): number {
  return cell !== blankCell ? cell.format : (row?.line.format ?? columns.at(column).format ?? 0);
}

/** Each area gets the format that it had. */
function* formatsOf(sheet: string, looks: GatheredAreas, wanted: FormatTable): Generator<CellOperation> {
  for (const [place, areas] of looks.done()) {
    const format = wanted.at(place);
    for (const part of inParts(areas))
      yield { op: 'format', sheet, areas: part, patch: {}, format, undo: true };
  }
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

interface LineChange {
  readonly spans: [number, number][];
  readonly change: Pick<ChangeLines, 'patch' | 'format'>;
}

/** Gathers lines that change alike. */
class LineChanges {
  readonly #changes = new Map<string, LineChange>();
  readonly #about: Pick<ChangeLines, 'sheet' | 'axis'>;
  readonly #formats: FormatTable;
  readonly #wanted: FormatTable;
  /** Of the lines that were added last: many that follow each other are the very same. */
  #last: { readonly one: Line; readonly other: Line; readonly change: LineChange | null } | null = null;

  constructor(sheet: string, axis: ChangeLines['axis'], formats: FormatTable, wanted: FormatTable) {
    this.#about = { sheet, axis };
    this.#formats = formats;
    this.#wanted = wanted;
  }

  add(from: number, to: number, one: Line, other: Line): void {
    if (one === other) return;
    if (this.#last?.one !== one || this.#last.other !== other)
      this.#last = { one, other, change: this.#changeOf(one, other) };
    const { change } = this.#last;
    if (!change) return;
    const span = change.spans.at(-1);
    if (span && span[1] === from - 1) span[1] = to;
    else change.spans.push([from, to]);
  }

  /** How a line becomes another one; null: they are alike. */
  #changeOf(one: Line, other: Line): LineChange | null {
    const { format: current, ...before } = one;
    const { format, ...after } = other;
    const patch = patchBetween(before, after) ?? {};
    const isSame =
      current === undefined || format === undefined
        ? current === format
        : sameFormat(this.#formats, current, this.#wanted, format);
    if (isSame && Object.keys(patch).length === 0) return null;
    const change = {
      patch,
      ...(isSame ? {} : { format: format === undefined ? null : this.#wanted.at(format) }),
    };
    const key = formatKey(change);
    const known = this.#changes.get(key) ?? { spans: [], change };
    this.#changes.set(key, known);
    return known;
  }

  operations(): CellOperation[] {
    return [...this.#changes.values()].flatMap(({ spans, change }) =>
      inParts(spans).map(
        (part): CellOperation => ({ op: 'lines', ...this.#about, spans: part, undo: true, ...change }),
      ),
    );
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
