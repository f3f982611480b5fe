import { describe, expect, it } from 'vitest';
import { blankWorkbook, parseWorkbook } from '../../../model/cell/document.ts';
import type { Workbook } from '../../../model/cell/workbook.ts';
import { rangeName } from '../grid/cell-areas.ts';
import { placeOf } from './names.ts';

describe('what a name stands for', () => {
  const blank = parseWorkbook(blankWorkbook());
  const [first] = blank.sheets;
  const second = { ...first!, id: 'other', properties: { ...first!.properties, name: "Ann's plan" } };
  const workbook: Workbook = { ...blank, sheets: [first!, second] };
  const placed = (formula: string) => {
    const place = placeOf(workbook, 'other', formula);
    return place && `${place.sheet} ${place.ranges.map(rangeName).join(' ')}`;
  };

  it('[XS149] is cells of one sheet, several ranges of it too', () => {
    const name = first!.properties.name;
    expect(placed('$B$2:$C$3')).toBe('other B2:C3');
    expect(placed(`${name}!$A$1:$A$3,${name}!$C$1`)).toBe(`${first!.id} A1:A3 C1`);
    expect(placed("('Ann''s plan'!$A:$A,'Ann''s plan'!$5:$6)")).toBe('other A:A 5:6');
    expect(placed('A1:A3; C1')).toBe('other A1:A3 C1');
  });

  it('[XS149] is no place where it is something else, or of several sheets', () => {
    const other = [
      ...[`${first!.properties.name}!A1,A2`, 'A1+A2', 'A1,', ',A1', 'A1 A2', 'A1,B', 'SUM(A1,A2)', '', '5'],
      'Nowhere!A1',
    ];
    expect(other.map(placed)).toEqual(other.map(() => null));
  });
});
