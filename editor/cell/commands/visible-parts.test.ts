import { expect, it } from 'vitest';
import { rangeName, readRange } from '../grid/cell-areas.ts';
import { plainSheet } from '../testing/plain-sheet.ts';
import { visibleParts } from './visible-parts.ts';

const hidden = (from: number, to: number) => ({ from, to, size: 0 });

it('[XS221] what of ranges is shown is the rows and columns that nothing hides', () => {
  const sheet = plainSheet({ rowRuns: [hidden(2, 4), hidden(6, 7)], columnRuns: [hidden(1, 2)] });
  const parts = (...names: string[]) =>
    visibleParts(
      sheet,
      names.map((name) => readRange(name)!),
    ).map(rangeName);
  expect(parts('A1:A2')).toEqual(['A1:A2']);
  expect(parts('A1:A9')).toEqual(['A1:A2', 'A5:A6', 'A8:A9']);
  expect(parts('A2:D5', 'F3:F4')).toEqual(['A2', 'C2:D2', 'A5', 'C5:D5']);
  expect(parts('3:4')).toEqual([]);
  expect(parts('C:C')).toEqual(['C1:C2', 'C5:C6', 'C8:C1048576']);
  expect(visibleParts(plainSheet(), [readRange('C:C')!]).map(rangeName)).toEqual(['C:C']);
});
