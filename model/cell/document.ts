import * as z from 'zod/mini';
import { ModelVersionError } from '../log/kind-model.ts';
import { isColumn, isRow } from './area.ts';
import type { Cell } from './cell.ts';
import { type CellFormat, FormatTable } from './cell-format.ts';
import { Formula, type FormulaJson } from './formula/formula.ts';
import { Grid } from './grid.ts';
import {
  type Item,
  type ItemKind,
  isSheetItemKind,
  isWorkbookItemKind,
  readItem,
  sheetItemKinds,
  workbookItemKinds,
} from './items.ts';
import { type Line, type LineRun, Lines, noLine } from './lines.ts';
import type { Row } from './row.ts';
import type { CellValue } from './values.ts';
import { WORKBOOK_VERSION } from './version.ts';
import type {
  Items,
  Sheet,
  SheetProperties,
  VolatileState,
  Workbook,
  WorkbookProperties,
} from './workbook.ts';

/**
 * A formula in a row: as in operations, or, for one of those that a file shares, its place in the sheet's `shared` and how
 * many rows and columns it is from there.
 */
export type RowFormulaJson = FormulaJson | readonly [shared: number, rows: number, columns: number];

/** What a cell holds: its value, or, with a formula, that and the value that the file has for it. */
export type RowCellJson = CellValue | { readonly f: RowFormulaJson; readonly v?: CellValue };

/**
 * A row that holds something: how many empty ones are before it, what it is itself (0: nothing), and for each cell three
 * values: column, format, content.
 */
export type RowJson = readonly [gap: number, line: Line | 0, ...cells: (number | RowCellJson)[]];

export type ItemsJson = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

export interface SheetJson {
  readonly id: string;
  readonly properties: SheetProperties;
  readonly columns?: readonly LineRun[];
  readonly rows?: readonly RowJson[];
  /** Formulas that cells share. */
  readonly shared?: readonly string[];
  /** By kind and id. */
  readonly items?: ItemsJson;
  readonly copyOf?: string;
}

export const WORKBOOK_FORMAT = 'quire-cell-document';

/** A workbook as editors download it. Formats and rows are counted from 0; formats keep their places. */
export interface WorkbookJson {
  readonly format: typeof WORKBOOK_FORMAT;
  readonly version: number;
  readonly properties?: WorkbookProperties;
  /** Those of the file in its order: the first is the normal one. */
  readonly formats: readonly CellFormat[];
  readonly sheets: readonly SheetJson[];
  readonly items?: ItemsJson;
  readonly volatile?: VolatileState;
  /** What of the file an editor should tell people that it cannot show or change: codes and counts. */
  readonly notes?: readonly { readonly code: string; readonly count: number }[];
}

const record = z.record(z.string(), z.unknown());
const runs = z.array(z.tuple([z.number(), z.number(), record]));
const itemsJson = z.record(z.string(), z.record(z.string(), z.unknown()));
const sheetJson = z.object({
  id: z.string().check(z.minLength(1), z.maxLength(200)),
  properties: z.looseObject({ name: z.string().check(z.minLength(1)) }),
  columns: z.optional(runs),
  rows: z.optional(z.array(z.unknown())),
  shared: z.optional(z.array(z.string())),
  items: z.optional(itemsJson),
  copyOf: z.optional(z.string()),
});
export const volatileJson = z.object({
  timeMs: z.number(),
  seed: z.number(),
  region: z.optional(z.string()),
});
const workbookJson = z.object({
  format: z.literal(WORKBOOK_FORMAT),
  version: z.literal(WORKBOOK_VERSION),
  properties: z.optional(record),
  formats: z.array(record),
  sheets: z.array(sheetJson).check(z.minLength(1)),
  items: z.optional(itemsJson),
  volatile: z.optional(volatileJson),
  notes: z.optional(z.array(z.object({ code: z.string(), count: z.number() }))),
});

/**
 * Reads a workbook from its JSON.
 * @throws ModelVersionError for a document of another version
 * @throws TypeError for what is no workbook
 */
export function parseWorkbook(value: unknown): Workbook {
  const given = (typeof value === 'object' && value !== null ? value : {}) as {
    format?: unknown;
    version?: unknown;
  };
  if (given.format === WORKBOOK_FORMAT && given.version !== WORKBOOK_VERSION) {
    throw new ModelVersionError(`a workbook of version ${String(given.version)}, not ${WORKBOOK_VERSION}`);
  }
  const parsed = workbookJson.safeParse(value);
  if (!parsed.success) throw new TypeError('not a workbook', { cause: parsed.error });
  const json = parsed.data as unknown as WorkbookJson;
  const formats = FormatTable.of(json.formats);
  const sheets = json.sheets.map((sheet) => readSheet(sheet, formats.count));
  if (new Set(sheets.map(({ id }) => id)).size !== sheets.length)
    throw new TypeError('two sheets with one id');
  return {
    sheets,
    properties: json.properties ?? {},
    formats,
    items: readItems(json.items ?? {}, isWorkbookItemKind),
    volatile: json.volatile ?? { timeMs: 0, seed: 0 },
    removed: new Map(),
    removedComments: new Map(),
  };
}

/** @throws TypeError for what is no sheet, or names a format beyond `formatCount` */
export function readSheet(json: SheetJson, formatCount: number): Sheet {
  const { id, properties, columns = [], rows = [], shared = [], items = {}, copyOf } = json;
  for (const [first, count] of columns) {
    if (!isColumn(first) || !isColumn(first + count - 1)) throw new TypeError('columns beyond the sheet');
  }
  return {
    id,
    properties,
    columns: Lines.of(columns),
    grid: Grid.of(
      readRows(
        rows,
        shared.map((text) => Formula.of(text)),
        formatCount,
      ),
    ),
    items: readItems(items, isSheetItemKind),
    ...(copyOf !== undefined && { copyOf }),
  };
}

export function* readRows(
  rows: readonly RowJson[],
  shared: readonly Formula[],
  formatCount: number,
): Generator<readonly [place: number, row: Row]> {
  const texts = new Map<string, string>();
  let place = -1;
  for (const row of rows) {
    const [gap, line, ...rest] = row;
    place += gap + 1;
    if (!isRow(place)) throw new TypeError('rows beyond the sheet');
    const columns: number[] = [];
    const cells: Cell[] = [];
    for (let at = 0; at < rest.length; at += 3) {
      const column = rest[at];
      const format = rest[at + 1];
      if (!isColumn(column) || column <= (columns.at(-1) ?? -1)) throw new TypeError('columns in disorder');
      if (!Number.isInteger(format) || (format as number) < 0 || (format as number) >= formatCount) {
        throw new TypeError('a format that is not there');
      }
      columns.push(column);
      cells.push(readCell(rest[at + 2] as RowCellJson, format as number, shared, texts));
    }
    yield [place, { line: line === 0 ? noLine : line, columns, cells }];
  }
}

/** Short texts come again and again: each is kept once. */
const sharedTextChars = 40;

function readCell(
  json: RowCellJson | undefined,
  format: number,
  shared: readonly Formula[],
  texts: Map<string, string>,
): Cell {
  if (json === undefined) throw new TypeError('a cell without content');
  if (typeof json === 'string' && json.length <= sharedTextChars) {
    const known = texts.get(json);
    if (known === undefined) texts.set(json, json);
    return { value: known ?? json, formula: null, format };
  }
  if (typeof json !== 'object' || json === null || !('f' in json))
    return { value: json, formula: null, format };
  return { value: json.v ?? null, formula: readFormula(json.f, shared), format };
}

function readFormula(json: RowFormulaJson, shared: readonly Formula[]): Formula {
  if (!Array.isArray(json)) return Formula.ofJson(json as FormulaJson);
  const [place, rows, columns] = json as unknown as [number, number, number];
  const formula = shared[place];
  if (!formula) throw new TypeError('a shared formula that is not there');
  return Formula.copied(formula, rows, columns);
}

function readItems<Kind extends ItemKind>(
  json: ItemsJson,
  isKind: (kind: string) => kind is Kind,
): Items<Kind> {
  const items: { [name: string]: ReadonlyMap<string, Item> } = {};
  for (const [kind, byId] of Object.entries(json)) {
    if (!isKind(kind)) throw new TypeError(`there are no items "${kind}"`);
    const entries = Object.entries(byId).map(([id, value]): [string, Item] => {
      const item = readItem(kind, value);
      if (!item) throw new TypeError(`not a ${kind}`);
      return [id, item];
    });
    if (entries.length > 0) items[kind] = new Map(entries);
  }
  return items as Items<Kind>;
}

/** The workbook as editors download it. */
export function workbookJsonOf(workbook: Workbook): WorkbookJson {
  return {
    format: WORKBOOK_FORMAT,
    version: WORKBOOK_VERSION,
    properties: workbook.properties,
    formats: workbook.formats.toJSON(),
    sheets: workbook.sheets.map(sheetJsonOf),
    items: itemsJsonOf(workbook.items, workbookItemKinds),
    volatile: workbook.volatile,
  };
}

export function sheetJsonOf({ id, properties, columns, grid, items, copyOf }: Sheet): SheetJson {
  return {
    id,
    properties,
    columns: columns.runs,
    rows: rowsJsonOf(grid.rows()),
    items: itemsJsonOf(items, sheetItemKinds),
    ...(copyOf !== undefined && { copyOf }),
  };
}

/** @param from the place that the first gap is counted from */
export function rowsJsonOf(rows: Iterable<readonly [place: number, row: Row]>, from = 0): RowJson[] {
  let next = from;
  const json: RowJson[] = [];
  for (const [place, { line, columns, cells }] of rows) {
    const flat: (number | RowCellJson)[] = [];
    for (const [at, column] of columns.entries()) {
      const { value, formula, format } = cells[at]!;
      flat.push(column, format, formula ? { f: formula.toJSON(), v: value } : value);
    }
    json.push([place - next, line === noLine ? 0 : line, ...flat]);
    next = place + 1;
  }
  return json;
}

export function itemsJsonOf(items: Items<string>, kinds: readonly string[]): ItemsJson {
  return Object.fromEntries(
    kinds.flatMap((kind) => {
      const byId = items[kind];
      return byId && byId.size > 0 ? [[kind, Object.fromEntries(byId)]] : [];
    }),
  );
}

/** A workbook with one empty sheet. */
export function blankWorkbook(sheetName = 'Sheet1'): WorkbookJson {
  return {
    format: WORKBOOK_FORMAT,
    version: WORKBOOK_VERSION,
    formats: [{}],
    sheets: [{ id: 's1', properties: { name: sheetName } }],
  };
}
