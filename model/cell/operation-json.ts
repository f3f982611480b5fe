import * as z from 'zod/mini';
import { sheetColumns, sheetRows } from '../cell-address.ts';
import { type Area, type Axis, isArea, isColumn, isRow, lastOf } from './area.ts';
import type { Color } from './cell-format.ts';
import { chartChangeShape } from './chart-change.ts';
import { isColor, isFont, isFormat, isFormatPatch } from './format-json.ts';
import type { FormulaJson } from './formula/formula.ts';
import { ID_CHARS, isSheetItemKind, isWorkbookItemKind, readItem } from './items.ts';
import { CELL_LIMITS } from './limits.ts';
import type { CellInput, CellOperation, Several } from './operations.ts';
import { sheetActs } from './workbook.ts';

const id = z.string().check(z.minLength(1), z.maxLength(ID_CHARS), z.regex(/^(?!__proto__$)/));
const axis = z.enum(['row', 'column']);
const place = z.number().check(z.int(), z.minimum(0), z.maximum(sheetRows));
const count = z.number().check(z.int(), z.minimum(1), z.maximum(sheetRows));
const band = z.tuple([place, place]);
const areas = z
  .array(z.custom<Area>(isArea))
  .check(z.minLength(1), z.maxLength(CELL_LIMITS.areasPerOperation));
const area = z.custom<Area>(isArea);
const part = z.enum(['content', 'format', 'all']);
const formats = z.optional(z.array(z.custom(isFormat)).check(z.maxLength(CELL_LIMITS.formats)));
const sheetName = z
  .string()
  .check(
    z.minLength(1),
    z.maxLength(CELL_LIMITS.sheetNameChars),
    z.regex(/^[^\\/?*[\]:\u0000-\u001f]+$/),
    z.regex(/^(?!')(?:.*[^'])?$/s),
  );

/** A time that calendars have: from 1900, where days of workbooks begin, to the end of 9999. */
const moment = z.number().check(z.minimum(Date.UTC(1900, 0, 1)), z.maximum(Date.UTC(9999, 11, 31)));

/** What every operation may say. */
const common = {
  when: z.optional(z.tuple([moment, z.number().check(z.int(), z.minimum(0), z.maximum(0xffffffff))])),
  // What is none takes nothing away from what the operation does.
  region: z.catch(
    z.optional(z.string().check(z.maxLength(35), z.regex(/^[a-z]{2,3}(?:-[a-z\d]{2,8})*$/i))),
    undefined,
  ),
  undo: z.optional(z.literal(true)),
};
const ofSheet = { ...common, sheet: id };
const orNull = <Schema extends z.ZodMiniType>(schema: Schema) => z.optional(z.nullable(schema));
const size = z.number().check(z.minimum(0), z.maximum(10_000));

const proof = z.optional(z.string().check(z.maxLength(200)));
const number = z.optional(z.number());
const flag = z.optional(z.boolean());
const text = z.optional(z.string());

/** What else it says is not looked at by anybody, and left out. */
const page = z.object({
  orientation: z.optional(z.enum(['portrait', 'landscape'])),
  paper: number,
  scalePercent: number,
  fitsTo: orNull(z.object({ width: z.number(), height: z.number() })),
  margins: z.optional(
    z.object({
      left: z.number(),
      right: z.number(),
      top: z.number(),
      bottom: z.number(),
      header: z.number(),
      footer: z.number(),
    }),
  ),
  gridlines: flag,
  headings: flag,
  centersHorizontally: flag,
  centersVertically: flag,
  header: text,
  footer: text,
});
const calculation = z.object({
  mode: z.optional(z.enum(['auto', 'autoExceptTables', 'manual'])),
  iterates: flag,
  iterations: number,
  maximumChange: number,
  precisionAsShown: flag,
});

const properties = z.strictObject({
  name: z.optional(sheetName),
  state: orNull(z.enum(['visible', 'hidden', 'veryHidden'])),
  color: orNull(z.custom<Color>(isColor)),
  frozen: orNull(z.object({ rows: place, columns: place })),
  hidesGridlines: orNull(z.boolean()),
  hidesHeadings: orNull(z.boolean()),
  showsFormulas: orNull(z.boolean()),
  hidesZeros: orNull(z.boolean()),
  rightToLeft: orNull(z.boolean()),
  zoomPercent: orNull(z.number().check(z.minimum(5), z.maximum(1_000))),
  rowHeight: orNull(size),
  columnWidth: orNull(size),
  summaryAbove: orNull(z.boolean()),
  summaryLeft: orNull(z.boolean()),
  protection: orNull(
    z.object({
      allows: z.array(z.enum(sheetActs)).check(z.maxLength(sheetActs.length)),
      extra: z.optional(z.record(z.string(), z.unknown())),
    }),
  ),
  page: orNull(page),
});
const workbook = z.strictObject({
  date1904: orNull(z.boolean()),
  calculation: orNull(calculation),
  theme: orNull(
    z.object({
      colors: z.array(z.string().check(z.regex(/^[0-9A-Fa-f]{6}$/))).check(z.maxLength(20)),
    }),
  ),
  protected: orNull(z.boolean()),
  structureKey: orNull(z.record(z.string(), z.unknown())),
});
const line = z.strictObject({
  size: orNull(size),
  custom: orNull(z.boolean()),
  hidden: orNull(z.boolean()),
  filtered: orNull(z.boolean()),
  level: orNull(z.number().check(z.int(), z.minimum(0), z.maximum(7))),
  collapsed: orNull(z.boolean()),
});

const schemas = {
  set: z.object({ ...ofSheet, op: z.literal('set'), cells: z.array(z.unknown()), formats }),
  block: z.object({
    ...ofSheet,
    op: z.literal('block'),
    row: place,
    column: place,
    rows: z.array(z.array(z.unknown())),
    formats,
  }),
  clear: z.object({ ...ofSheet, op: z.literal('clear'), areas, part }),
  fill: z.object({ ...ofSheet, op: z.literal('fill'), from: area, to: area, part }),
  format: z.object({
    ...ofSheet,
    op: z.literal('format'),
    areas,
    patch: z.custom(isFormatPatch),
    format: z.optional(z.custom(isFormat)),
  }),
  insert: z.object({
    ...ofSheet,
    op: z.literal('insert'),
    axis,
    at: place,
    count,
    band: z.optional(band),
    like: z.optional(z.enum(['before', 'after'])),
  }),
  delete: z.object({ ...ofSheet, op: z.literal('delete'), axis, at: place, count, band: z.optional(band) }),
  move: z.object({ ...ofSheet, op: z.literal('move'), axis, at: place, count, to: place }),
  moveCells: z.object({
    ...ofSheet,
    op: z.literal('moveCells'),
    area,
    toSheet: id,
    row: place,
    column: place,
  }),
  sort: z.object({
    ...ofSheet,
    op: z.literal('sort'),
    axis,
    band,
    order: z.array(place).check(z.minLength(1)),
  }),
  lines: z.object({
    ...ofSheet,
    op: z.literal('lines'),
    axis,
    spans: z.array(band).check(z.minLength(1), z.maxLength(CELL_LIMITS.areasPerOperation)),
    patch: line,
    format: z.optional(z.nullable(z.custom(isFormat))),
  }),
  addSheet: z.object({
    ...ofSheet,
    op: z.literal('addSheet'),
    name: sheetName,
    at: place,
    copyOf: z.optional(id),
  }),
  removeSheet: z.object({ ...ofSheet, op: z.literal('removeSheet') }),
  restoreSheet: z.object({ ...ofSheet, op: z.literal('restoreSheet') }),
  moveSheet: z.object({ ...ofSheet, op: z.literal('moveSheet'), to: place }),
  sheet: z.object({ ...ofSheet, op: z.literal('sheet'), patch: properties, proof }),
  put: z.object({
    ...common,
    op: z.literal('put'),
    sheet: z.nullable(id),
    kind: z.string(),
    id,
    item: z.unknown(),
  }),
  patch: z.object({
    ...common,
    op: z.literal('patch'),
    sheet: z.nullable(id),
    kind: z.string(),
    id,
    patch: z.record(z.string(), z.unknown()),
  }),
  drop: z.object({ ...common, op: z.literal('drop'), sheet: z.nullable(id), kind: z.string(), id }),
  chart: z.object({ ...ofSheet, op: z.literal('chart'), id, ...chartChangeShape }),
  workbook: z.object({ ...common, op: z.literal('workbook'), patch: workbook, proof }),
  recalculate: z.object({ ...common, op: z.literal('recalculate') }),
  several: z.object({
    ...common,
    op: z.literal('several'),
    operations: z.array(z.unknown()).check(z.maxLength(CELL_LIMITS.areasPerOperation)),
  }),
  nothing: z.object({ ...common, op: z.literal('nothing') }),
} satisfies Record<CellOperation['op'], z.ZodMiniType>;

/** The operation that a value from JSON is; null where it is none, or says what no workbook can hold. */
export function readOperation(value: unknown): CellOperation | null {
  const op = (value as { op?: unknown } | null | undefined)?.op;
  if (typeof op !== 'string' || !Object.hasOwn(schemas, op)) return null;
  const parsed = schemas[op as CellOperation['op']].safeParse(value);
  if (!parsed.success) return null;
  const operation = parsed.data as CellOperation;
  if (operation.op === 'several') return readSeveral(operation);
  return isSound(operation) ? operation : null;
}

/** Each of several is what was read of it: what it says besides is of no operation, and is not applied. */
function readSeveral(several: Several): CellOperation | null {
  const operations: CellOperation[] = [];
  for (const given of several.operations) {
    const operation = readOperation(given);
    if (!operation || operation.op === 'several') return null;
    operations.push(operation);
  }
  return { ...several, operations };
}

/** What the schemas do not say: that places lie in the sheet, and values are such. */
function isSound(operation: CellOperation): boolean {
  switch (operation.op) {
    case 'set': {
      const formatCount = operation.formats?.length ?? 0;
      return operation.cells.every(
        (cell) =>
          Array.isArray(cell) &&
          isRow(cell[0]) &&
          isColumn(cell[1]) &&
          isCellInput(cell[2], formatCount) &&
          isRoomFor(cell[2].f, cell[0], cell[1]),
      );
    }
    case 'block': {
      const { row, column, rows } = operation;
      const formatCount = operation.formats?.length ?? 0;
      if (row + rows.length > sheetRows) return false;
      return rows.every(
        (inputs, down) =>
          column + inputs.length <= sheetColumns &&
          inputs.every(
            (input, right) =>
              input === null ||
              (typeof input === 'object'
                ? isCellInput(input, formatCount) && isRoomFor(input.f, row + down, column + right)
                : isValue(input)),
          ),
      );
    }
    case 'insert':
    case 'delete':
      return (
        operation.at + operation.count - 1 <= lastOf(operation.axis) &&
        (!operation.band || isBand(operation.axis, operation.band))
      );
    case 'move':
      return (
        operation.at + operation.count - 1 <= lastOf(operation.axis) &&
        operation.to <= lastOf(operation.axis) + 1
      );
    case 'moveCells': {
      const [r1, c1, r2, c2] = operation.area;
      return isRow(operation.row + r2 - r1) && isColumn(operation.column + c2 - c1);
    }
    case 'sort':
      return (
        isBand(operation.axis, operation.band) &&
        operation.order.every((place) => place <= lastOf(operation.axis)) &&
        new Set(operation.order).size === operation.order.length
      );
    case 'format':
      return operation.format === undefined || Object.keys(operation.patch).length === 0;
    case 'lines':
      return operation.spans.every(([from, to]) => from <= to && to <= lastOf(operation.axis));
    case 'put':
    case 'patch':
    case 'drop': {
      const isKnown =
        operation.sheet === null ? isWorkbookItemKind(operation.kind) : isSheetItemKind(operation.kind);
      return isKnown && (operation.op !== 'put' || readItem(operation.kind, operation.item) !== null);
    }
    default:
      return true;
  }
}

/** Lines across an axis. */
function isBand(along: Axis, [first, last]: readonly [number, number]): boolean {
  return first <= last && last <= lastOf(along === 'row' ? 'column' : 'row');
}

function isCellInput(value: unknown, formatCount: number): value is CellInput {
  if (typeof value !== 'object' || value === null) return false;
  const { v, f, s } = value as CellInput;
  if (v !== undefined && !isValue(v)) return false;
  if (f !== undefined && !isFormula(f)) return false;
  return s === undefined || (Number.isInteger(s) && s >= 0 && s < formatCount);
}

/** Whether what a formula fills beside its own cell is in the sheet. */
function isRoomFor(formula: FormulaJson | undefined, row: number, column: number): boolean {
  if (typeof formula !== 'object') return true;
  const [, rows, columns] = formula.a;
  return row + rows <= sheetRows && column + columns <= sheetColumns;
}

function isFormula(value: unknown): boolean {
  if (typeof value === 'string') return value !== '' && value.length <= CELL_LIMITS.formulaChars;
  if (typeof value !== 'object' || value === null) return false;
  const { t, a } = value as { t?: unknown; a?: unknown };
  if (typeof t !== 'string' || t === '' || t.length > CELL_LIMITS.formulaChars || !Array.isArray(a))
    return false;
  const [kind, rows, columns] = a as unknown[];
  return (
    a.length === 3 &&
    (kind === 'array' || kind === 'dynamic' || kind === 'data') &&
    isRow((rows as number) - 1) &&
    isColumn((columns as number) - 1)
  );
}

/** Whether a value from JSON can be in a cell. */
function isValue(value: unknown): boolean {
  if (value === null || typeof value === 'boolean') return true;
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value === 'string') return value.length <= CELL_LIMITS.textChars;
  if (typeof value !== 'object') return false;
  if ('e' in value) return typeof value.e === 'string' && value.e.length <= 20;
  if (!('r' in value) || !Array.isArray(value.r)) return false;
  let chars = 0;
  for (const run of value.r as unknown[]) {
    const { t, font } = (run ?? {}) as { t?: unknown; font?: unknown };
    if (typeof t !== 'string' || (font !== undefined && !isFont(font))) return false;
    chars += t.length;
  }
  return chars <= CELL_LIMITS.textChars;
}
