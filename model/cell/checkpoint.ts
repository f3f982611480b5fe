import * as z from 'zod/mini';
import { type CheckpointHeader, checkpointHeader } from '../log/checkpoint.ts';
import { type CellFormat, FormatTable } from './cell-format.ts';
import {
  type ItemsJson,
  itemsJsonOf,
  parseWorkbook,
  type RowJson,
  readRows,
  readSheet,
  rowsJsonOf,
  volatileJson,
  WORKBOOK_FORMAT,
} from './document.ts';
import { Grid } from './grid.ts';
import { sheetItemKinds, workbookItemKinds } from './items.ts';
import { type LineRun, Lines } from './lines.ts';
import type { Row } from './row.ts';
import { sameWorkbook } from './same-workbook.ts';
import { WORKBOOK_VERSION } from './version.ts';
import type { Items, Sheet, SheetProperties, Workbook } from './workbook.ts';

/** Rows of the base: the first of those that hold something, how many follow it, and how far down they stand now. */
type RowRun = readonly [first: number, count: number, down: number];

/** A sheet as its difference to the one of the same id in the base; what is absent is as there. */
interface SheetDifference {
  readonly id: string;
  readonly properties?: SheetProperties;
  readonly columns?: readonly LineRun[];
  readonly items?: ItemsJson;
  readonly copyOf?: string;
  /** Absent: all rows are as in the base. */
  readonly runs?: readonly RowRun[];
  /** Rows that are not in the base. */
  readonly rows?: readonly RowJson[];
}

const sheetDifference = z.looseObject({ id: z.string() });
const checkpointJson = z.extend(checkpointHeader, {
  format: z.literal('quire-cell-checkpoint'),
  version: z.literal(WORKBOOK_VERSION),
  /** Those that the base does not have. */
  formats: z.array(z.record(z.string(), z.unknown())),
  properties: z.optional(z.record(z.string(), z.unknown())),
  items: z.optional(z.record(z.string(), z.record(z.string(), z.unknown()))),
  volatile: volatileJson,
  sheets: z.array(sheetDifference),
  removed: z.array(
    z.object({ sheet: sheetDifference, index: z.number(), names: z.record(z.string(), z.unknown()) }),
  ),
  removedComments: z.record(z.string(), z.unknown()),
});

/** A workbook after the first changes of its log, told by its difference to the workbook that the log began with. */
export type CellCheckpoint = z.infer<typeof checkpointJson>;

/** The checkpoint of a workbook; null where reading it would not give an equal one. */
export function checkpointOf(base: Workbook, doc: Workbook, log: CheckpointHeader): CellCheckpoint | null {
  const bases = new Map(base.sheets.map((sheet) => [sheet.id, sheet]));
  const difference = (sheet: Sheet) => differenceOf(bases.get(sheet.id), sheet);
  const checkpoint = {
    format: 'quire-cell-checkpoint',
    version: WORKBOOK_VERSION,
    ...log,
    formats: doc.formats.toJSON().slice(base.formats.count),
    ...(doc.properties === base.properties ? {} : { properties: doc.properties }),
    ...(doc.items === base.items ? {} : { items: itemsJsonOf(doc.items, workbookItemKinds) }),
    volatile: doc.volatile,
    sheets: doc.sheets.map(difference),
    removed: [...doc.removed.values()].map(({ sheet, index, names }) => ({
      ...{ sheet: difference(sheet), index },
      names: Object.fromEntries(names),
    })),
    removedComments: Object.fromEntries(doc.removedComments),
  };
  try {
    const read = documentAt(base, JSON.parse(JSON.stringify(checkpoint)));
    return sameWorkbook(read.doc, doc) ? (checkpoint as CellCheckpoint) : null;
  } catch (error) {
    // A file is made without one.
    if (error instanceof TypeError) return null;
    throw error;
  }
}

function differenceOf(base: Sheet | undefined, sheet: Sheet): SheetDifference {
  const rows = base?.grid === sheet.grid ? {} : rowDifference(base?.grid ?? Grid.empty, sheet.grid);
  return {
    id: sheet.id,
    ...(base?.properties === sheet.properties ? {} : { properties: sheet.properties }),
    ...(base?.columns === sheet.columns ? {} : { columns: sheet.columns.runs }),
    ...(base?.items === sheet.items
      ? {}
      : { items: itemsJsonOf(sheet.items as Items<string>, sheetItemKinds) }),
    ...(sheet.copyOf !== undefined && { copyOf: sheet.copyOf }),
    ...rows,
  };
}

function rowDifference(base: Grid, grid: Grid): Pick<SheetDifference, 'runs' | 'rows'> {
  const known = new Map<Row, readonly [ordinal: number, place: number]>();
  for (const [place, row] of base.rows()) known.set(row, [known.size, place]);
  const runs: RowRun[] = [];
  const others: (readonly [number, Row])[] = [];
  for (const [place, row] of grid.rows()) {
    const found = known.get(row);
    if (!found) {
      others.push([place, row]);
      continue;
    }
    const [ordinal, before] = found;
    const last = runs.at(-1);
    if (last && last[0] + last[1] === ordinal && last[2] === place - before) {
      runs[runs.length - 1] = [last[0], last[1] + 1, last[2]];
    } else runs.push([ordinal, 1, place - before]);
  }
  return { runs, rows: rowsJsonOf(others) };
}

/**
 * The workbook of a checkpoint, and what it says of the log.
 * @throws TypeError when it is none, or none of this base
 */
export function documentAt(base: Workbook, value: unknown): { doc: Workbook; log: CheckpointHeader } {
  const parsed = checkpointJson.safeParse(value);
  if (!parsed.success) throw new TypeError('not a checkpoint of a workbook', { cause: parsed.error });
  const checkpoint = parsed.data;
  const { index, digest, skipped, firstSkipped } = checkpoint;
  try {
    const added = checkpoint.formats as readonly CellFormat[];
    const formats = added.length === 0 ? base.formats : FormatTable.of([...base.formats.toJSON(), ...added]);
    const bases = new Map(base.sheets.map((sheet) => [sheet.id, sheet]));
    const read = (json: unknown) => sheetAt(bases, json as SheetDifference, formats.count);
    const readItems = (items: unknown) => workbookItems(items as ItemsJson);
    const doc: Workbook = {
      sheets: checkpoint.sheets.map(read),
      properties: checkpoint.properties ?? base.properties,
      formats,
      items: checkpoint.items ? readItems(checkpoint.items) : base.items,
      volatile: checkpoint.volatile,
      removed: new Map(
        checkpoint.removed.map(({ sheet: json, index: place, names }) => {
          const sheet = read(json);
          const scoped = readItems({ name: names }).name ?? new Map();
          return [sheet.id, { sheet, index: place, names: scoped }];
        }) as never,
      ),
      removedComments: new Map(Object.entries(checkpoint.removedComments)) as Workbook['removedComments'],
    };
    return { doc, log: { index, digest, skipped, firstSkipped } };
  } catch (error) {
    throw new TypeError('not a checkpoint of this workbook', { cause: error });
  }
}

/** Items of a workbook, checked as those of a document are. */
function workbookItems(items: ItemsJson): Workbook['items'] {
  const sheets = [{ id: 'any', properties: { name: 'any' } }];
  return parseWorkbook({ format: WORKBOOK_FORMAT, version: WORKBOOK_VERSION, formats: [], sheets, items })
    .items;
}

function sheetAt(bases: ReadonlyMap<string, Sheet>, json: SheetDifference, formatCount: number): Sheet {
  const base = bases.get(json.id);
  const { id, properties, columns, items, runs, rows, copyOf } = json;
  const given = readSheet(
    { id, properties: properties ?? base!.properties, ...(items ? { items } : {}) },
    formatCount,
  );
  return {
    id,
    properties: properties ? given.properties : base!.properties,
    columns: columns ? Lines.of(columns) : base!.columns,
    items: items ? given.items : base!.items,
    grid: runs ? gridAt(base?.grid ?? Grid.empty, runs, rows ?? [], formatCount) : base!.grid,
    ...(copyOf !== undefined && { copyOf }),
  };
}

function gridAt(base: Grid, runs: readonly RowRun[], rows: readonly RowJson[], formatCount: number): Grid {
  const old = [...base.rows()];
  const placed: (readonly [number, Row])[] = [...readRows(rows, [], formatCount)];
  for (const [first, count, down] of runs) {
    for (let ordinal = first; ordinal < first + count; ordinal++) {
      const [place, row] = old[ordinal]!;
      placed.push([place + down, row]);
    }
  }
  return Grid.of(placed.sort(([one], [other]) => one - other));
}
