import * as z from 'zod/mini';
import { type Area, isArea, isColumn, isRow } from './area.ts';
import type { Color, FormatPatch } from './cell-format.ts';
import { chart, stroke } from './chart.ts';
import { isColor, isFormatPatch } from './format-json.ts';
import { CELL_LIMITS } from './limits.ts';
import { isLinkedSheets, type LinkedSheet } from './linked-sheet.ts';

/**
 * What a sheet or a workbook has besides cells, as items of several kinds. Every item has an id that no other of its kind in
 * its sheet has; of the file's items the engine makes it, of new ones the client (its client id, a dot, a number). An item is
 * plain JSON. Its places follow cells as references in formulas do: `itemPlaces` says where they are.
 */

const area = z.custom<Area>(isArea);
const areas = z.array(area).check(z.minLength(1), z.maxLength(CELL_LIMITS.areasPerOperation));
/** The longest id of an item, and the longest name of cells or of a table. */
export const ID_CHARS = 200;
export const NAME_CHARS = 255;

const id = z.string().check(z.minLength(1), z.maxLength(ID_CHARS));
const formula = z.string().check(z.maxLength(CELL_LIMITS.formulaChars));
const text = z.string().check(z.maxLength(CELL_LIMITS.textChars));
const cell = z.tuple([z.custom<number>(isRow), z.custom<number>(isColumn)]);
const color = z.custom<Color>(isColor);
const format = z.custom<FormatPatch>(isFormatPatch);
/** Any further words of the file that only the engine reads. */
const extra = z.optional(z.record(z.string(), z.unknown()));

const merge = z.object({ area });

/** By which columns rows were sorted last, from the one that counts first on; counted from the first column of the area. */
const sorted = z.optional(
  z
    .array(z.object({ column: z.number(), falling: z.optional(z.boolean()) }))
    .check(z.minLength(1), z.maxLength(64)),
);

/** An automatic filter: which rows it hides is written into the rows. */
const filter = z.object({
  area,
  columns: z.array(
    z.object({
      /** Counted from the first column of the area. */
      column: z.number(),
      /** Texts that are shown, as cells show them; `blanks` with them. */
      values: z.optional(z.array(text)),
      blanks: z.optional(z.boolean()),
      /** Stretches of time that are shown: a year, a month of it, a day, … down to a second (18.3.2.4). */
      dates: z.optional(z.array(z.array(z.number()).check(z.minLength(1), z.maxLength(6)))),
      conditions: z.optional(z.array(z.object({ operator: z.string(), value: text }))),
      all: z.optional(z.boolean()),
      top: z.optional(z.object({ count: z.number(), percent: z.boolean(), bottom: z.boolean() })),
      /** `aboveAverage`, `thisMonth`, … as xlsx names them. */
      dynamic: z.optional(z.string()),
      /** A colour that is `auto` is that of cells without a fill, and of texts without a colour. */
      color: z.optional(z.object({ color, ofFont: z.boolean() })),
      hidesButton: z.optional(z.boolean()),
      extra,
    }),
  ),
  sorted,
});

/** One rule of a conditional format. */
const condition = z.object({
  areas,
  /** As xlsx names them: `cellIs`, `expression`, `colorScale`, `dataBar`, `iconSet`, `top10`, `duplicateValues`, … */
  type: z.string(),
  /** 1 comes first. */
  priority: z.number(),
  /** For the first cell of the areas: relative references are seen from there. */
  formulas: z.array(formula),
  operator: z.optional(z.string()),
  text: z.optional(text),
  stops: z.optional(z.boolean()),
  format: z.optional(format),
  /** Points of a scale, bar or set of icons. */
  points: z.optional(
    z.array(
      z.object({
        type: z.string(),
        value: z.optional(text),
        color: z.optional(color),
        inclusive: z.optional(z.boolean()),
        /** Of an icon that is chosen for itself: its set and its place there. The set `NoIcons` has none. */
        icon: z.optional(z.tuple([z.string(), z.number()])),
      }),
    ),
  ),
  color: z.optional(color),
  /** Of a bar: one colour from end to end. */
  solid: z.optional(z.boolean()),
  icons: z.optional(z.string()),
  reversed: z.optional(z.boolean()),
  showsValue: z.optional(z.boolean()),
  rank: z.optional(z.number()),
  percent: z.optional(z.boolean()),
  bottom: z.optional(z.boolean()),
  aboveAverage: z.optional(z.boolean()),
  equalAverage: z.optional(z.boolean()),
  deviations: z.optional(z.number()),
  period: z.optional(z.string()),
  extra,
});

const validation = z.object({
  areas,
  type: z.enum(['any', 'whole', 'decimal', 'list', 'date', 'time', 'textLength', 'custom']),
  operator: z.optional(z.string()),
  /** For the first cell of the areas, as in conditional formats. A list of words is `"a,b"`. */
  formulas: z.array(formula),
  allowsBlank: z.optional(z.boolean()),
  hidesArrow: z.optional(z.boolean()),
  style: z.optional(z.enum(['stop', 'warning', 'information'])),
  showsError: z.optional(z.boolean()),
  errorTitle: z.optional(text),
  error: z.optional(text),
  showsPrompt: z.optional(z.boolean()),
  promptTitle: z.optional(text),
  prompt: z.optional(text),
  extra,
});

const table = z.object({
  area,
  name: z.string().check(z.minLength(1), z.maxLength(NAME_CHARS)),
  hasHeader: z.boolean(),
  hasTotals: z.optional(z.boolean()),
  /** One for each column of the area. */
  columns: z.array(
    z.object({
      name: text,
      formula: z.optional(formula),
      totalsFunction: z.optional(z.string()),
      totalsLabel: z.optional(text),
      totalsFormula: z.optional(formula),
      extra,
    }),
  ),
  style: z.optional(z.string()),
  rowStripes: z.optional(z.boolean()),
  columnStripes: z.optional(z.boolean()),
  firstColumn: z.optional(z.boolean()),
  lastColumn: z.optional(z.boolean()),
  hidesButtons: z.optional(z.boolean()),
  filter: z.optional(filter.shape.columns),
  sorted,
});

/** A link of cells: to an address, or to a place in the workbook, written as a reference in a formula is. */
const link = z.object({
  area,
  address: z.optional(z.string().check(z.maxLength(8_000))),
  location: z.optional(formula),
  tooltip: z.optional(text),
  display: z.optional(text),
});

/** A comment, or an answer to one: then `parent` names the first of the thread, which is where its `cell` counts. */
const comment = z.object({
  cell,
  author: z.string(),
  /** ISO 8601; null where the file says none. */
  date: z.nullable(z.string()),
  text,
  parent: z.optional(z.string()),
  /** Of the first of a thread: resolved. */
  done: z.optional(z.boolean()),
  mentions: z.optional(
    z.array(z.object({ user: z.string(), name: z.string(), at: z.number(), chars: z.number() })),
  ),
  /** A note of old, which has no answers. */
  isNote: z.optional(z.boolean()),
  extra,
});

/** A place in a cell: row, column, and EMU from its left and its top. */
const spot = z.tuple([z.custom<number>(isRow), z.custom<number>(isColumn), z.number(), z.number()]);
const anchor = z.object({
  from: spot,
  /** Absent: `size` says how large it is. */
  to: z.optional(spot),
  /** Width and height, EMU. */
  size: z.optional(z.tuple([z.number(), z.number()])),
  /** What cells do to it: `both` move and size (`twoCell`), `move` (`oneCell`), `none` (`absolute`). */
  follows: z.enum(['both', 'move', 'none']),
});

/** A picture, a chart, or a shape that is shown and moved as a whole. */
const drawing = z.object({
  kind: z.enum(['picture', 'chart', 'shape', 'opaque']),
  anchor,
  /** From the back to the front. */
  order: z.number(),
  name: z.optional(text),
  description: z.optional(text),
  /** Not to be seen. */
  hidden: z.optional(z.boolean()),
  /** `media/<name>`, see the conventions for pictures of text documents. */
  src: z.optional(z.string()),
  /** Degrees clockwise. */
  rotation: z.optional(z.number()),
  chart: z.optional(chart),
  /** Of a picture: what is cut off, as parts of it: left, top, right, bottom. Below zero there is a margin. */
  crop: z.optional(z.tuple([z.number(), z.number(), z.number(), z.number()])),
  /** Of a picture: how its colours are other than in its file. All are parts of one, below zero darker and of less contrast. */
  recolored: z.optional(
    z.object({
      isGray: z.optional(z.boolean()),
      /** Lighter is white, darker is black. */
      threshold: z.optional(z.number()),
      /** What dark and what light becomes. */
      duotone: z.optional(z.tuple([color, color])),
      brightness: z.optional(z.number()),
      contrast: z.optional(z.number()),
      opacity: z.optional(z.number()),
    }),
  ),
  /** Turned to its mirror image, before it is rotated. */
  mirrored: z.optional(z.enum(['across', 'down', 'both'])),
  /** The drawing of which this one is a copy: its sheet and its id. What only its file holds of it is in the copy, too. */
  copyOf: z.optional(z.tuple([id, id])),
  /** Of a shape. */
  text: z.optional(text),
  /** Of a shape: how it looks. `shape` is its name in DrawingML (`rect`, `ellipse`, …), `fill` null for none. */
  look: z.optional(
    z.object({
      shape: z.optional(z.string()),
      fill: z.optional(z.nullable(color)),
      stroke: z.optional(stroke),
      textColor: z.optional(color),
      /** Points. */
      textSize: z.optional(z.number()),
      bold: z.optional(z.boolean()),
      align: z.optional(z.enum(['left', 'center', 'right'])),
      vertical: z.optional(z.enum(['top', 'center', 'bottom'])),
    }),
  ),
  extra,
});

/** Cells that stay open in a protected sheet. */
const openRange = z.object({ areas, name: text, extra });
/** A pivot table: shown as its cells, kept by the engine. */
const pivot = z.object({ area, name: text, extra });
const pageBreak = z.object({ axis: z.enum(['row', 'column']), cell });

/** A name for a formula. `scope` is the id of the sheet in which alone it counts. */
const name = z.object({
  name: z.string().check(z.minLength(1), z.maxLength(NAME_CHARS)),
  formula,
  scope: z.optional(z.nullable(z.string())),
  comment: z.optional(text),
  hidden: z.optional(z.boolean()),
  extra,
});

/** Another workbook that formulas read as `[1]Sheet1!A1`; its id is that number. */
const book = z.object({
  /** Where it is, as the file says: a path or an address. */
  address: z.string().check(z.maxLength(8_000)),
  /** What its storage calls it (`document.referenceData` of the integration API), where somebody has said. */
  source: z.optional(
    z.nullable(
      z.object({
        fileKey: z.string().check(z.maxLength(1_000)),
        instanceId: z.string().check(z.maxLength(1_000)),
      }),
    ),
  ),
  sheets: z.custom<readonly LinkedSheet[]>(isLinkedSheets),
  /** Its names, for what they stand there: mostly a reference with a sheet of its own. */
  names: z.optional(
    z
      .array(z.object({ name: z.string().check(z.maxLength(255)), formula }))
      .check(z.maxLength(CELL_LIMITS.areasPerOperation)),
  ),
});

/**
 * References that stand in one part of the file beside everything that the model has (sparklines, sources of pivot tables, cells of
 * form controls, …), in the order in which the part has them. They only follow cells. `scope` is the id of the sheet that those
 * without a sheet are of.
 */
const held = z.object({ formulas: z.array(formula), scope: z.nullable(z.string()) });

/** The id of what a copy of a sheet has of an item that the workbook has for the sheet alone. */
export const scopedCopyId = (sheet: string, id: string): string => `${sheet}/${id}`;

/** The items of sheets, by kind. */
const sheetItemSchemas = {
  merge,
  filter,
  condition,
  validation,
  table,
  link,
  comment,
  drawing,
  openRange,
  pivot,
  pageBreak,
} as const;
/** The items of a workbook, by kind. */
const workbookItemSchemas = { name, book, held } as const;
export const itemSchemas = { ...sheetItemSchemas, ...workbookItemSchemas } as const;

export type SheetItemKind = keyof typeof sheetItemSchemas;
export type WorkbookItemKind = keyof typeof workbookItemSchemas;
export type ItemKind = keyof typeof itemSchemas;
/** An item of a kind, without its id. */
export type ItemOf<Kind extends ItemKind> = z.infer<(typeof itemSchemas)[Kind]>;
export type Item = ItemOf<ItemKind>;
export type Anchor = z.infer<typeof anchor>;
export type Drawing = z.infer<typeof drawing>;

export const sheetItemKinds = Object.keys(sheetItemSchemas) as readonly SheetItemKind[];
export const workbookItemKinds = Object.keys(workbookItemSchemas) as readonly WorkbookItemKind[];
export const isSheetItemKind = (kind: string): kind is SheetItemKind => Object.hasOwn(sheetItemSchemas, kind);
export const isWorkbookItemKind = (kind: string): kind is WorkbookItemKind =>
  Object.hasOwn(workbookItemSchemas, kind);

/** An item as it is when it is one of its kind; null when it is none. */
export function readItem(kind: ItemKind, value: unknown): Item | null {
  const parsed = itemSchemas[kind].safeParse(value);
  return parsed.success ? (parsed.data as Item) : null;
}
