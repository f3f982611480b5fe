import { lastColumn, lastRow } from '../../../../../model/cell/area.ts';
import type { Formula } from '../../../../../model/cell/formula/formula.ts';
import {
  addressOf,
  isReference,
  type Reference,
  textOfParts,
} from '../../../../../model/cell/formula/formula-parts.ts';

/** What is left of a reference that a copy takes off the sheet. */
const BROKEN = '#REF!';

/** How long the address of a reference is, in parts. */
interface Address {
  /** All but the sides that move with a copy. */
  readonly fixed: number;
  readonly rows: readonly number[];
  readonly columns: readonly number[];
}

/** How long the copies of a formula are, without making them: very many cells may share one. */
export class CopiedLength {
  /** All but the addresses. */
  readonly #between: number;
  readonly #addresses: readonly Address[];

  constructor({ parts }: Formula) {
    const references = parts.flatMap((part) => {
      if (typeof part === 'string') return [];
      if (part.type === 'linked') return [part.reference];
      return isReference(part) ? [part] : [];
    });
    const addresses = references.reduce((sum, reference) => sum + addressOf(reference).length, 0);
    this.#between = textOfParts(parts).length - addresses;
    this.#addresses = references.map(partsOfAddress);
  }

  /** How long the copy is that lies so many rows down and columns to the right. */
  at(rows: number, columns: number): number {
    let chars = this.#between;
    for (const address of this.#addresses) chars += charsOf(address, rows, columns);
    return chars;
  }
}

function partsOfAddress(reference: Reference): Address {
  const { type, area, absolute } = reference;
  const [r1, c1, r2, c2] = area;
  const isOne = type === 'cell';
  const moving = (side: number, bit: number) => (absolute & bit ? [] : [side]);
  const rows = type === 'columns' ? [] : [...moving(r1, 1), ...(isOne ? [] : moving(r2, 4))];
  const columns = type === 'rows' ? [] : [...moving(c1, 2), ...(isOne ? [] : moving(c2, 8))];
  let fixed = addressOf(reference).length;
  for (const row of rows) fixed -= rowChars(row);
  for (const column of columns) fixed -= columnChars(column);
  return { fixed, rows, columns };
}

function charsOf({ fixed, rows, columns }: Address, down: number, right: number): number {
  let chars = fixed;
  for (const row of rows) {
    const moved = row + down;
    if (moved < 0 || moved > lastRow) return BROKEN.length;
    chars += rowChars(moved);
  }
  for (const column of columns) {
    const moved = column + right;
    if (moved < 0 || moved > lastColumn) return BROKEN.length;
    chars += columnChars(moved);
  }
  return chars;
}

const columnChars = (column: number): number => (column < 26 ? 1 : column < 702 ? 2 : 3);

function rowChars(row: number): number {
  let chars = 1;
  for (let number = row + 1; number >= 10; number /= 10) chars += 1;
  return chars;
}
