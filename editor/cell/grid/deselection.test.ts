import { describe, expect, it } from 'vitest';
import { plainSheet } from '../testing/plain-sheet.ts';
import { cellName, rangeName, readRange } from './cell-areas.ts';
import { takeOut } from './deselection.ts';
import { addTo, extend, selectRange } from './selection.ts';

const sheet = plainSheet();
const range = (name: string) => readRange(name)!;
const select = (first: string, ...others: string[]) =>
  others.reduce(
    (selection, name) => addTo(selection, selectRange(sheet, range(name))),
    selectRange(sheet, range(first)),
  );
const left = (selection: ReturnType<typeof select>, taken: string) => {
  const found = takeOut(selection, range(taken));
  return found && [found.ranges.map(rangeName).join(' '), cellName(found.active), found.current].join(', ');
};

describe('[XS170] what is taken out of a selection', () => {
  it('leaves the rest around it, and the active cell if that is there still', () => {
    expect(left(select('B2:D4'), 'C3')).toBe('B2:D2 B3 D3 B4:D4, B2, 0');
    expect(left(select('B2:D4'), 'B2')).toBe('C2:D2 B3:D4, B3, 1');
    expect(left(select('A1', 'C3'), 'C3')).toBe('A1, A1, 0');
    expect(left(select('A1:B2', 'B2:C3'), 'B2')).toBe('A1:B1 A2 C2 B3:C3, B3, 3');
    expect(left(select('B:D'), 'C:C')).toBe('B:B D:D, B1, 0');
    expect(left(select('A1:B2'), 'F9')).toBe('A1:B2, A1, 0');
  });

  it('is not all of it', () => {
    expect(left(select('B2'), 'B2')).toBe(null);
    expect(left(select('A1', 'B2:C3'), 'A1:C3')).toBe(null);
  });

  it('is extended from its active cell', () => {
    const rest = takeOut(select('B2:D4'), range('B4:D4'))!;
    expect(extend(sheet, rest, 'right').ranges.map(rangeName)).toEqual(['B2:E3']);
  });
});
