import { describe, expect, it } from 'vitest';
import { applyOperation } from '../../../model/cell/change.ts';
import { blankWorkbook, parseWorkbook } from '../../../model/cell/document.ts';
import type { CellOperation } from '../../../model/cell/operations.ts';
import type { CellValue } from '../../../model/cell/values.ts';
import type { Workbook } from '../../../model/cell/workbook.ts';
import { cellName, rangeName, readRange } from '../grid/cell-areas.ts';
import { plainSheet } from '../testing/plain-sheet.ts';
import { placeAmong } from '../toolbar/tab-drag.ts';
import { borderOperations } from './borders.ts';
import { EntryRun } from './entry-run.ts';
import { draggedRange, rangeBesideFilled } from './filling.ts';
import { paintedRange, paintOperation } from './format-painter.ts';
import { plainPattern, withDecimals } from './number-patterns.ts';
import { fillOperations } from './repeated-cells.ts';
import { seenCells, unfilteredParts } from './selected-areas.ts';
import { linesToFill, seriesOf, stepOf } from './series-filling.ts';
import { copyName, freeSheetName, placeBefore } from './sheets.ts';
import { areMergedAlike, looksLikeHeadings, sortedOrder } from './sorting.ts';
import { numbersBefore, sumsIn } from './summing.ts';

describe('what fills the cells behind a selection', () => {
  const next = (values: CellValue[], pattern = 'General') => {
    const series = seriesOf(values, stepOf([pattern]));
    return series && [0, 1, 2].map(series);
  };

  it('[XS12] continues numbers, days, months, numbered words and names', () => {
    expect(next([1, 2])).toEqual([3, 4, 5]);
    expect(next([0.1, 0.2])).toEqual([0.3, 0.4, 0.5]);
    expect(next([5])).toBeNull();
    expect(next([45_293], 'yyyy-mm-dd')).toEqual([45_294, 45_295, 45_296]);
    // The ends of January, February … 2024.
    expect(next([45_322, 45_322 + 31 + 29], 'yyyy-mm-dd')).toEqual(
      [45_443, 45_504, 45_565].map((day) => day - 0),
    );
    expect(next(['Item 1'])).toEqual(['Item 2', 'Item 3', 'Item 4']);
    expect(next(['5 apples'])).toEqual(['6 apples', '7 apples', '8 apples']);
    expect(next(['08:x', '10:x'])).toEqual(['12:x', '14:x', '16:x']);
    expect(next(['2 of 3'])).toEqual(['2 of 4', '2 of 5', '2 of 6']);
    expect(next(['1 a', '2 b'])).toBeNull();
    expect(next(['Q01', 'Q03'])).toEqual(['Q05', 'Q07', 'Q09']);
    expect(next(['Monday'])).toEqual(['Tuesday', 'Wednesday', 'Thursday']);
    expect(next(['nov', 'dec'])).toEqual(['Jan', 'Feb', 'Mar']);
    expect(next([0.375], 'hh:mm')).toEqual([10, 11, 12].map((hour) => expect.closeTo(hour / 24, 12)));
    expect(next(['Q3'])).toEqual(['Q4', 'Q1', 'Q2']);
    expect(next(['Quarter 1', 'Quarter 3'])).toEqual(['Quarter 1', 'Quarter 3', 'Quarter 1']);
    expect(next(['10th'])).toEqual(['11th', '12th', '13th']);
    expect(next(['1st week', '11th week'])).toEqual(['21st week', '31st week', '41st week']);
    expect(next(['a', 'b'])).toBeNull();
    expect(next([1, 'a'])).toBeNull();
  });

  it('[XS12] goes the way in which the handle was dragged farthest', () => {
    const from = readRange('B2:C3')!;
    expect(draggedRange(from, 2, 2)).toBeNull();
    expect(rangeName(draggedRange(from, 6, 3)!)).toBe('B4:C7');
    expect(rangeName(draggedRange(from, 0, 2)!)).toBe('B1:C1');
    expect(rangeName(draggedRange(from, 3, 9)!)).toBe('D2:J3');
  });
});

describe('a double press on the handle', () => {
  it('[XH1] fills down as far as the cells before it go on, else those behind it', () => {
    const cells = { A1: 1, A2: 2, A3: 3, A5: 5, D1: 'x', D2: 'y' };
    const filled = (name: string) => {
      const range = rangeBesideFilled(plainSheet({ cells }), readRange(name)!);
      return range && rangeName(range);
    };
    expect(filled('B1')).toBe('B2:B3');
    expect(filled('B1:C1')).toBe('B2:C3');
    expect(filled('C1')).toBe('C2');
    expect(filled('B3')).toBeNull();
    expect(filled('G1')).toBeNull();
  });
});

describe('a sum', () => {
  it('[XH6] is of the numbers right above its cell, else of those before it', () => {
    const cells = { A1: 'Price', A2: 1, A3: 2, B3: 4, C1: 7, C3: 'x' };
    const sheet = plainSheet({ cells, used: [0, 0, 2, 2] });
    const numbers = (name: string) => {
      const [top, left] = readRange(name)!;
      const range = numbersBefore(sheet, { row: top, column: left });
      return range && rangeName(range);
    };
    expect(numbers('A4')).toBe('A2:A3');
    expect(numbers('C2')).toBe('C1');
    expect(numbers('B2')).toBe('A2');
    expect(numbers('D3')).toBeNull();
    expect(numbers('A1')).toBeNull();
  });

  it('[XS209] goes over empty cells to the nearest ones, if none are right beside it', () => {
    const sheet = plainSheet({
      cells: { A1: 1, A2: 2, A4: 3, B1: 'In', B2: 5, B3: 6, D1: 4, D5: 'x', E4: 7, A7: 8, A8: 9 },
      used: [0, 0, 7, 4],
    });
    const numbers = (name: string) => {
      const [row, column] = readRange(name)!;
      const range = numbersBefore(sheet, { row, column });
      return range && rangeName(range);
    };
    expect(numbers('A6')).toBe('A4:A5');
    expect(numbers('B6')).toBe('B2:B5');
    expect(numbers('B8')).toBe('A8');
    expect(numbers('D7')).toBe('A7:C7');
    expect(numbers('F4')).toBe('E4');
    expect(numbers('E900')).toBe('E4:E899');
    expect(numbers('D6')).toBeNull();
  });
});

describe('sums of what is selected', () => {
  const sheet = plainSheet({
    cells: { A2: 'Nails', B2: 1, C2: 2, A3: 'Glue', B3: 3, C3: 4, B5: 5, C5: 6 },
    used: [1, 0, 4, 2],
  });
  const sums = (name: string) =>
    sumsIn(sheet, readRange(name)!).map(({ at, of }) => `${cellName(at)} = ${rangeName(of)}`);

  it('[XS153] stand in its empty cells, for what is above or before them', () => {
    expect(sums('B4:C4')).toEqual(['B4 = B2:B3', 'C4 = C2:C3']);
    expect(sums('D2:D3')).toEqual(['D2 = B2:C2', 'D3 = B3:C3']);
    expect(sums('D2:E2')).toEqual(['D2 = B2:C2']);
    expect(sums('F8:G9')).toEqual([]);
  });

  it('[XS153] stand in its last row and column, or beside it, where these have something', () => {
    expect(sums('A2:C3')).toEqual(['B4 = B2:B3', 'C4 = C2:C3']);
    expect(sums('A2:C4')).toEqual(['B4 = B2:B3', 'C4 = C2:C3']);
    expect(sums('B2:D3')).toEqual(['D2 = B2:C2', 'D3 = B3:C3']);
    expect(sums('B2:D4')).toEqual(['D2 = B2:C2', 'D3 = B3:C3', 'B4 = B2:B3', 'C4 = C2:C3', 'D4 = D2:D3']);
    expect(sums('B2:C2')).toEqual(['D2 = B2:C2']);
    expect(sums('B5:D5')).toEqual(['D5 = B5:C5']);
    // What stands there already stays.
    expect(sums('A2:B2')).toEqual([]);
  });
});

describe('headings', () => {
  it('[XH24] are text over something else, or bold over what is not', () => {
    const sheet = plainSheet({
      cells: { A1: 'Name', B1: 'Price', A2: 'Nails', B2: 3, D1: 'Ann', D2: 'Bob', E1: 'Kim' },
    });
    const bold = (row: number, column: number) => {
      const cell = sheet.cellAt(row, column);
      return cell && row === 0
        ? { ...cell, look: { ...cell.look, text: { ...cell.look.text, bold: true } } }
        : cell;
    };
    const has = (name: string, view: Pick<typeof sheet, 'cellAt'> = sheet) =>
      looksLikeHeadings(view, readRange(name)!);
    expect(has('A1:B2')).toBe(true);
    expect(has('A2:B3')).toBe(false);
    expect(has('D1:D2')).toBe(false);
    expect(has('D1:D2', { cellAt: bold })).toBe(true);
    expect(has('E1:E2')).toBe(false);
    expect(has('A1:B1')).toBe(false);
  });
});

describe('formats that are painted', () => {
  it('[XS55] repeat over what is selected, and a plain one takes others away', () => {
    const formats = [[{ font: { bold: true } }, {}]];
    const range = (name: string) => rangeName(paintedRange(formats, readRange(name)!, null));
    expect([range('B2'), range('B2:D4'), range('XFD9')]).toEqual(['B2:C2', 'B2:D4', 'XFD9']);
    expect(paintOperation('s1', formats, readRange('B2:D3')!)).toEqual({
      ...{ op: 'block', sheet: 's1', row: 1, column: 1, formats: [{ font: { bold: true } }, {}] },
      rows: [
        [{ s: 0 }, { s: 1 }, { s: 0 }],
        [{ s: 0 }, { s: 1 }, { s: 0 }],
      ],
    });
  });
});

describe('filling in a table by keys', () => {
  it('[XH2] Enter behind cells that were passed by Tab goes to where that began; anything between ends it', () => {
    const at = (column: number, row = 0) => ({ row, column });
    const run = new EntryRun();
    run.passed(at(1), at(2));
    run.passed(at(2), at(3));
    expect(run.startOf(at(3))).toEqual(at(1));
    expect(run.startOf(at(3))).toEqual(at(3));
    run.passed(at(1), at(2));
    run.passed(at(5), at(6));
    expect(run.startOf(at(6))).toEqual(at(5));
    run.passed(at(1), at(2));
    expect(run.startOf(at(2, 4))).toEqual(at(2, 4));
  });
});

describe('what is selected where a filter hides rows', () => {
  const begun = parseWorkbook(blankWorkbook());
  const lines = (from: number, to: number, patch: object): CellOperation => ({
    op: 'lines',
    sheet: begun.sheets[0]!.id,
    axis: 'row',
    spans: [[from, to]],
    patch,
  });
  const filtered = [
    lines(2, 3, { filtered: true }),
    lines(5, 5, { hidden: true }),
    lines(8, 8, { filtered: true }),
  ];
  const workbook = filtered.reduce<Workbook>(
    (now, operation) => applyOperation(now, operation) as Workbook,
    begun,
  );
  const view = { sheet: workbook.sheets[0]! };
  const at = (name: string) => readRange(name)!;

  it('[XH3] is the rows that are seen, and those that somebody has hidden', () => {
    const parts = (name: string) => unfilteredParts(view, at(name)).map(rangeName);
    expect(parts('B1:C9')).toEqual(['B1:C2', 'B5:C8']);
    expect(parts('A3:A4')).toEqual([]);
    expect(parts('A10:A12')).toEqual(['A10:A12']);
  });

  it('[XS151] each cell that is seen gets what is typed for all, and of merged cells the first', () => {
    const merge = at('B1:C2');
    const mergeAt = (row: number, column: number) => (row < 2 && column > 0 && column < 3 ? merge : null);
    const seen = (name: string) => seenCells({ ...view, mergeAt }, at(name)).map(cellName);
    expect(seen('A1:A5')).toEqual(['A1', 'A2', 'A5']);
    expect(seen('B1:C2')).toEqual(['B1']);
    expect(seen('A2:D2')).toEqual(['A2', 'D2']);
  });

  it('[XS152] is filled without the rows that are not seen, by what is seen', () => {
    const filled = (from: string, to: string) =>
      fillOperations(view, at(from), at(to)).map(
        (one) => one.op === 'fill' && `${rangeName(one.from)} > ${rangeName(one.to)}`,
      );
    expect(filled('A1', 'A2:A9')).toEqual(['A1 > A2', 'A1 > A5:A8']);
    expect(filled('B1:B2', 'C1:D2')).toEqual(['B1:B2 > C1:D2']);
    expect(filled('B1:B5', 'C1:C5')).toEqual(['B1:B2 > C1:C2', 'B5 > C5']);
    expect(filled('A5:A6', 'A7:A8')).toEqual(['A5:A6 > A7:A8']);
    expect(filled('A1:A2', 'A3:A6')).toEqual(['A1 > A5', 'A2 > A6']);
    expect(filled('A5:A6', 'A1:A4')).toEqual(['A6 > A2', 'A5 > A1']);
    const line = (from: string, to: string) =>
      linesToFill(view, at(from), at(to)).map(({ begun, further }) =>
        [begun, further].map((cells) => cells.map(cellName).join(' ')).join(' > '),
      );
    expect(line('A1:A3', 'A4:A6')).toEqual(['A1 A2 > A5 A6']);
    expect(line('A5', 'A1:A4')).toEqual(['A5 > A2 A1']);
    expect(line('B2:C3', 'D2:E3')).toEqual(['B2 C2 > D2 E2']);
    expect(line('C2', 'A2:B2')).toEqual(['C2 > B2 A2']);
  });
});

describe('sorting', () => {
  it('[XS13] puts numbers before text, empty cells last in either direction, and keeps equal ones in their order', () => {
    const values: CellValue[] = ['b', 10, null, 'B', 2, true, { e: '#N/A' }, 'a10', 'a9'];
    const places = [...values.keys()];
    const order = (direction: 1 | -1) =>
      sortedOrder(places, (at) => values[at]!, 'en', direction).map((at) => values[at]);
    expect(order(1)).toEqual([2, 10, 'a9', 'a10', 'b', 'B', true, { e: '#N/A' }, null]);
    expect(order(-1).at(-1)).toBeNull();
    expect(order(-1)[0]).toEqual({ e: '#N/A' });
    expect(sortedOrder([5, 3, 4], () => 1, 'en', 1)).toEqual([3, 4, 5]);
  });
});

describe('rows with merged cells', () => {
  it('[XS164] are sorted where all of them are merged alike', () => {
    const alike = (...merges: string[]) =>
      areMergedAlike(
        plainSheet({ merges: merges.map((name) => readRange(name)!) }),
        [1, 2, 4],
        readRange('A2:D5')!,
      );
    expect(alike()).toBe(true);
    expect(alike('B2:C2', 'B3:C3', 'B5:C5')).toBe(true);
    expect(alike('B2:C2')).toBe(false);
    expect(alike('B2:C2', 'B3:C3', 'B5:D5')).toBe(false);
    expect(alike('A2:A3')).toBe(false);
    expect(alike('D2:E2', 'D3:E3', 'D5:E5')).toBe(false);
    // What is hidden between them stays.
    expect(alike('A4:B4')).toBe(true);
    expect(alike('A1:B1', 'E2:F9')).toBe(true);
  });
});

describe('looks of cells', () => {
  it('[XS156] of a general number a decimal more is one more than it has', () => {
    const shown = (value: CellValue, by: 1 | -1) => withDecimals(plainPattern('General', value), by);
    expect([shown(3.14, 1), shown(3.14, -1), shown(3, 1), shown(-0.5, -1)]).toEqual([
      ...['0.000', '0.0', '0.0', '0'],
    ]);
    expect([shown('x', 1), shown(1e-20, 1)]).toEqual(['0.0', '0.0']);
    expect(plainPattern('0.00 "m"', Math.PI)).toBe('0.00 "m"');
  });

  it('[XS14] have a decimal more or less in every kind of number', () => {
    expect(withDecimals('General', 1)).toBe('0.0');
    expect(withDecimals('0', 1)).toBe('0.0');
    expect(withDecimals('#,##0.00 "€";[Red]-#,##0.00 "€"', -1)).toBe('#,##0.0 "€";[Red]-#,##0.0 "€"');
    expect(withDecimals('0.0%', -1)).toBe('0%');
    expect(withDecimals('0', -1)).toBe('0');
    expect(withDecimals('0.00E+00', 1)).toBe('0.000E+00');
    expect(withDecimals('[$-407]#,##0.0,"0k";[Color10][>100]0.0', -1)).toBe(
      '[$-407]#,##0,"0k";[Color10][>100]0',
    );
    expect(withDecimals('_($* #,##0.00_);_($* "-"??_);_(@_)', 1)).toBe(
      '_($* #,##0.000_);_($* "-"???_);_(@_)',
    );
    for (const pattern of ['# ?/?', 'hh:mm:ss.0', 'yyyy-mm-dd', '@'])
      expect(withDecimals(pattern, 1)).toBe(pattern);
  });

  it('[XS14] [XU9] have lines around and between cells, and lose them also where cells beside name them', () => {
    const range = readRange('B2:C3')!;
    const areas = (choice: Parameters<typeof borderOperations>[2]) =>
      borderOperations('s', range, choice).map((operation) =>
        operation.op === 'format' ? [operation.areas[0], operation.patch.border] : [],
      );
    const thin = { style: 'thin' };
    expect(areas('outer')).toEqual([
      [[1, 1, 1, 2], { top: thin }],
      [[1, 2, 2, 2], { right: thin }],
      [[2, 1, 2, 2], { bottom: thin }],
      [[1, 1, 2, 1], { left: thin }],
    ]);
    expect(areas('none')).toHaveLength(5);
    const line = { style: 'double', color: { rgb: 'FF0000' } };
    const drawn = (choice: Parameters<typeof borderOperations>[2]) =>
      borderOperations('s', range, choice, line).map((one) =>
        one.op === 'format' ? one.patch.border : null,
      );
    expect(drawn('all')).toEqual([{ top: line, right: line, bottom: line, left: line }]);
    expect(drawn('inner')).toEqual([{ bottom: line }, { top: line }, { right: line }, { left: line }]);
    expect(drawn('diagonalUp')).toEqual([{ diagonal: line, diagonalUp: true }]);
    expect(borderOperations('s', readRange('A1')!, 'none')).toHaveLength(3);
  });

  it('[XH7] a tab that is dragged comes where the pointer is, in either direction of writing', () => {
    expect([5, 35, 95].map((x) => placeAmong([20, 50, 80], x, false))).toEqual([0, 1, 3]);
    expect([95, 65, 5].map((x) => placeAmong([80, 50, 20], x, true))).toEqual([0, 1, 3]);
    expect(placeBefore(['a', 'b', 'c'], 'c', 'a')).toBe(0);
    expect(placeBefore(['a', 'b', 'c'], 'a', 'c')).toBe(1);
    expect(placeBefore(['a', 'b', 'c'], 'a', null)).toBe(2);
    expect(placeBefore(['a', 'b', 'c'], 'a', 'b')).toBe(-1);
  });

  it('[XS15] new sheets have a name that none has yet', () => {
    expect(freeSheetName(['Sheet1', 'SHEET2'], 'Sheet')).toBe('Sheet3');
  });

  it('[XS137] a copy of a sheet is named as in Excel', () => {
    expect(copyName(['Plan'], 'Plan')).toBe('Plan (2)');
    expect(copyName(['Plan', 'Plan (2)'], 'Plan (2)')).toBe('Plan (3)');
    expect(copyName(['Plan', 'Plan (2)', 'PLAN (3)'], 'Plan')).toBe('Plan (4)');
    expect(copyName([], `${'a'.repeat(26)}😀bc`)).toBe(`${'a'.repeat(26)} (2)`);
  });
});
