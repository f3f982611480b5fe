import type { CellContent } from '../../../model/calculation/calculation.ts';

/** A blank cell. */
const _ = null;
const text = (formula: string): CellContent => ({ formula, kind: 'single' });

/**
 * The cells that random formulas read, by column: A small whole numbers, B numbers of both signs, C numbers among texts, D texts, E
 * days, F shares of a whole, G almost nothing, H errors among others, I truths, J payments, K days that rise, L to N a table of
 * people, P to Q criteria for it.
 */
const columns: Readonly<Record<string, readonly CellContent[]>> = {
  A: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15],
  B: [2.5, -1.5, 0, 3.75, -100, 0.001, 1e10, 7, -7, 2.5, 1e-9, 33.3],
  C: [1, 'apple', 12.5, _, '3', 0, text('""'), -2, '2020-01-15', 7, 'date', 'Apple'],
  D: ['apple', 'Banana', 'cherry', 'a,b,c', 'x', 'apple pie', '12', _, 'ÄÖü', ' pad  ded ', 'a*c', 'date'],
  E: [43831, 43862, 43890, 43921, 44196, 41183, 39000, 61, 44000.75, 45658, 36526, 40000.5],
  F: [0.1, 0.2, 0.3, 0.4, 0, 0.05, 0.95, 1, 0.5, 0.25, 0.75, 0.6],
  G: [_, _, _, _, _, 5],
  H: [1, { error: '#DIV/0!' }, 3, 'x', { error: '#N/A' }, 5],
  I: [true, false, true, true, false],
  J: [-1000, 200, 300, 400, 500, 100],
  K: [43831, 43891, 44013, 44197, 44562, 44927],
  L: ['Name', 'Ann', 'Bob', 'Cid', 'Dora', 'Ann'],
  M: ['Age', 30, 25, 41, _, 52],
  N: ['Sum', 10, 20.5, -3, 7, 'none'],
  P: ['Name', 'Ann'],
  Q: ['Age', '>26', '<50'],
};

export interface DataCell {
  readonly row: number;
  /** In letters. */
  readonly column: string;
  readonly content: CellContent;
}

export const dataCells: readonly DataCell[] = Object.entries(columns).flatMap(([column, contents]) =>
  contents.flatMap((content, index) => (content === null ? [] : [{ row: index + 1, column, content }])),
);

/** Names that random formulas use. */
export const dataNames: Readonly<Record<string, string>> = {
  Numbers: 'Sheet1!$A$1:$A$12',
  Mixed: 'Sheet1!$C$1:$C$12',
  One: 'Sheet1!$B$4',
  Rate: '0.05',
};
