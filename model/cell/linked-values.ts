import * as z from 'zod/mini';
import { type Area, isArea, lastRow } from './area.ts';
import { isReference, partsOf } from './formula/formula-parts.ts';
import { CELL_LIMITS } from './limits.ts';
import { type LinkedCell, type LinkedSheet, weightOfBooks } from './linked-book.ts';
import { type CellValue, isRichText, textOfValue } from './values.ts';
import { namesOf, sameName, sheetNamed, type Workbook } from './workbook.ts';

const wish = z.object({
  /** Cells by the name of their sheet. */
  sheets: z
    .array(
      z.object({
        name: z.string().check(z.maxLength(CELL_LIMITS.linkedNameChars)),
        areas: z.array(z.custom<Area>(isArea)).check(z.maxLength(CELL_LIMITS.areasPerOperation)),
      }),
    )
    .check(z.maxLength(CELL_LIMITS.sheets)),
  /** Names of the whole workbook, with the cells that they stand for. */
  names: z.array(z.string().check(z.maxLength(255))).check(z.maxLength(CELL_LIMITS.areasPerOperation)),
});

/** What somebody wants to know of another workbook. */
export type LinkedWish = z.infer<typeof wish>;

/** What is known of it. */
export interface LinkedValues {
  /** Those that are there, under the names by which they were asked for. */
  readonly sheets: readonly LinkedSheet[];
  /** Names that stand for cells, and the references that they are. */
  readonly names: readonly { readonly name: string; readonly formula: string }[];
}

/** A wish from JSON; null for what is none, or asks for more than a workbook keeps. */
export function readWish(value: unknown): LinkedWish | null {
  const parsed = wish.safeParse(value);
  if (!parsed.success) return null;
  const areas = parsed.data.sheets.reduce((sum, sheet) => sum + sheet.areas.length, 0);
  return areas <= CELL_LIMITS.areasPerOperation ? parsed.data : null;
}

/** It asks for more values than a workbook keeps of others. */
export class TooManyLinkedValues extends RangeError {}

/**
 * The values that a workbook has stored in cells; of an area without any its first cell is told to be empty.
 * @throws TooManyLinkedValues
 */
export function linkedValuesOf(workbook: Workbook, { sheets, names }: LinkedWish): LinkedValues {
  const wanted = new Map(sheets.map(({ name, areas }) => [name.toLowerCase(), { name, areas: [...areas] }]));
  const found: { name: string; formula: string }[] = [];
  for (const name of names) {
    const item = [...namesOf(workbook).values()].find(
      (one) => sameName(one.name, name) && (one.scope ?? null) === null,
    );
    const [reference, ...others] = partsOf(item?.formula.replace(/^=/, '') ?? '');
    if (!item || !reference || others.length > 0 || typeof reference === 'string') continue;
    if (!isReference(reference) || reference.sheet === null || reference.toSheet !== null) continue;
    found.push({ name, formula: item.formula.replace(/^=/, '') });
    const key = reference.sheet.toLowerCase();
    const sheet = wanted.get(key) ?? { name: reference.sheet, areas: [] };
    sheet.areas.push(reference.area);
    wanted.set(key, sheet);
  }
  const values: LinkedSheet[] = [];
  let room: number = CELL_LIMITS.linkedWeight;
  for (const { name, areas } of wanted.values()) {
    const sheet = sheetNamed(workbook, name);
    if (!sheet) continue;
    const cells = new Map<string, LinkedCell>();
    const put = (row: number, column: number, value: CellValue) => {
      cells.set(`${row} ${column}`, [row, column, plain(value)]);
      if (cells.size > room) throw new TooManyLinkedValues();
    };
    for (const [top, left, bottom, right] of areas) {
      let isEmpty = true;
      for (const [row, { columns, cells: inRow }] of sheet.grid.rows(top, Math.min(bottom, lastRow))) {
        for (const [at, column] of columns.entries()) {
          const { value } = inRow[at]!;
          if (column < left || column > right || value === null) continue;
          put(row, column, value);
          isEmpty = false;
        }
      }
      if (isEmpty) put(top, left, null);
    }
    const sorted = [...cells.values()].sort((one, other) => one[0] - other[0] || one[1] - other[1]);
    const picked = { name, cells: sorted };
    room -= weightOfBooks([{ address: '', sheets: [picked] }]);
    if (room < 0) throw new TooManyLinkedValues();
    values.push(picked);
  }
  return { sheets: values, names: found };
}

const plain = (value: CellValue): CellValue =>
  value !== null && typeof value === 'object' && isRichText(value) ? textOfValue(value) : value;
