import type { Area } from '../../../model/cell/area.ts';
import { quotedSheet } from '../../../model/cell/formula/formula-parts.ts';
import type { Item, ItemOf, SheetItemKind } from '../../../model/cell/items.ts';
import type { CellInput, CellOperation, OperationNamed } from '../../../model/cell/operations.ts';
import { itemsOf, type Sheet, type Workbook } from '../../../model/cell/workbook.ts';

/** What a deed may look at: a workbook, a sheet of it that has cells, and how far those reach. */
export interface Place {
  readonly workbook: Workbook;
  readonly sheet: Sheet;
  /** Rows and columns up to the last cell that holds something; at least 1. */
  readonly rows: number;
  readonly columns: number;
  /** In the middle of them. */
  readonly row: number;
  readonly column: number;
}

/** An act of LibreOffice: the name of the operation, the number of the sheet, and where. */
export type OfficeAct = readonly [act: string, sheet: number, ...numbers: number[]];

/** One thing that people do to a workbook. */
export interface Deed {
  readonly name: string;
  /** Null where the workbook has nothing that it could be done to. */
  operations(place: Place): readonly CellOperation[] | null;
  /** Cells that come to hold something else; absent: none. Other cells stay where they are and as they are. */
  touched?(place: Place): readonly Area[];
  /** It moves cells or renames what formulas name: other cells are not as they were, but as the model says. */
  readonly moves?: true;
  /** The same done by LibreOffice. */
  office?(place: Place, sheet: number): OfficeAct;
}

export const cellAt = ({ row, column }: Place): Area => [row, column, row, column];
/** Cells below all others. */
export const below = ({ rows }: Place, height: number, width: number): Area => [
  rows + 1,
  0,
  rows + height,
  width - 1,
];

export const setting = (name: string, input: CellInput, format?: OperationNamed<'set'>['formats']): Deed => ({
  name,
  operations: ({ sheet, row, column }) => [
    { op: 'set', sheet: sheet.id, cells: [[row, column, input]], ...(format && { formats: format }) },
  ],
  touched: (place) => [cellAt(place)],
});

export const onSheet = (name: string, patch: OperationNamed<'sheet'>['patch']): Deed => ({
  name,
  operations: ({ sheet }) => [{ op: 'sheet', sheet: sheet.id, patch }],
});

export const putting = <Kind extends SheetItemKind>(
  name: string,
  kind: Kind,
  item: (place: Place) => ItemOf<Kind>,
): Deed => ({
  name,
  operations: (place) => [
    { op: 'put', sheet: place.sheet.id, kind, id: 'bench.1', item: item(place) as Item },
  ],
});

/** Takes the first item of a kind out of the first sheet that has one. */
export const dropping = (kind: SheetItemKind): Deed => ({
  name: `drop ${kind}`,
  operations: ({ workbook }) => {
    for (const sheet of workbook.sheets)
      for (const id of itemsOf(sheet, kind).keys()) return [{ op: 'drop', sheet: sheet.id, kind, id }];
    return null;
  },
});

/** Changes the first item of a kind. */
export const changing = <Kind extends SheetItemKind>(
  name: string,
  kind: Kind,
  patchOf: (item: ItemOf<Kind>, sheet: Sheet) => Record<string, unknown> | null,
): Deed => ({
  name,
  operations: ({ workbook }) => {
    for (const sheet of workbook.sheets) {
      for (const [id, item] of itemsOf(sheet, kind)) {
        const patch = patchOf(item, sheet);
        if (patch) return [{ op: 'patch', sheet: sheet.id, kind, id, patch }];
      }
    }
    return null;
  },
});

/** The name of a sheet as it stands in formulas. */
export const quoted = ({ properties }: Sheet): string => quotedSheet(properties.name);
