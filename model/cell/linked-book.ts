import type { ItemOf } from './items.ts';
import { noItems, type Workbook } from './workbook.ts';

export type { LinkedCell, LinkedSheet } from './linked-sheet.ts';

/** Another workbook that formulas read: the number in their brackets (`[1]Sheet1!A1`) is its id. */
export type LinkedBook = ItemOf<'book'>;

/** The ids that linked workbooks may have. */
export const isBookId = (id: string): boolean => /^[1-9]\d{0,4}$/.test(id);

/** The other workbooks that formulas read, by their numbers. */
export const booksOf = ({ items }: Pick<Workbook, 'items'>): ReadonlyMap<string, LinkedBook> =>
  (items.book ?? noItems) as unknown as ReadonlyMap<string, LinkedBook>;

/** Characters of a text that weigh as much as a cell. */
const charsOfWeight = 100;

/** What linked workbooks cost every replica: their cells and names, longer texts as several. */
export function weightOfBooks(books: Iterable<LinkedBook>): number {
  let weight = 0;
  for (const { sheets, names = [] } of books) {
    weight += 1 + sheets.length + names.length;
    for (const { cells } of sheets) {
      for (const [, , value] of cells)
        weight += 1 + (typeof value === 'string' ? Math.floor(value.length / charsOfWeight) : 0);
    }
  }
  return weight;
}
