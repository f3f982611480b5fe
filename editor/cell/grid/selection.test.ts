import { describe, expect, it } from 'vitest';
import type { Area } from '../../../model/cell/area.ts';
import { plainSheet } from '../testing/plain-sheet.ts';
import { withAllMerges } from '../together/followed-merges.ts';
import { cellName, rangeName, readRange } from './cell-areas.ts';
import {
  addTo,
  advance,
  currentRange,
  type Direction,
  extend,
  extendByJump,
  extendTo,
  jump,
  move,
  nextCorner,
  regionAround,
  type Selection,
  selectCell,
  selectRange,
  selectRows,
  type Terrain,
  wholeLines,
} from './selection.ts';

const range = (name: string): Area => readRange(name)!;
const corner = (name: string) => ({ row: range(name)[0], column: range(name)[1] });
const at = (sheet: Terrain, name: string): Selection => selectCell(sheet, corner(name));
const shown = (selection: Selection) => ({
  ranges: selection.ranges.map(rangeName).join(' '),
  active: cellName(selection.active),
});
const repeat = (times: number, selection: Selection, run: (selection: Selection) => Selection): Selection =>
  times === 0 ? selection : repeat(times - 1, run(selection), run);

const empty = plainSheet();
const filled = plainSheet({
  cells: { B2: 'a', B3: 'b', B4: 'c', B8: 'd', D2: 1, C3: 'x' },
  used: range('B2:D8'),
});
const merged = plainSheet({ merges: [range('B2:C3')] });
const hidden = plainSheet({
  rowRuns: [{ from: 2, to: 5, size: 0 }],
  columnRuns: [{ from: 1, to: 2, size: 0 }],
});

describe('what is selected', () => {
  it('[XS4] moves by one, over hidden rows and columns, and stays at the edges', () => {
    expect(shown(move(empty, at(empty, 'B2'), 'right'))).toEqual({ ranges: 'C2', active: 'C2' });
    expect(shown(move(empty, at(empty, 'A1'), 'up'))).toEqual({ ranges: 'A1', active: 'A1' });
    expect(shown(move(empty, at(empty, 'XFD1048576'), 'down')).active).toBe('XFD1048576');
    expect(shown(move(hidden, at(hidden, 'A2'), 'down')).active).toBe('A6');
    expect(shown(move(hidden, at(hidden, 'C1'), 'left')).active).toBe('A1');
  });

  it('[XS247] grows to the cells that have been merged under it, and else is the same', () => {
    const under = addTo(selectRange(empty, range('C3:D9')), selectRange(empty, range('C3')));
    const grown = withAllMerges(merged, under);
    expect(shown(grown)).toEqual({ ranges: 'B2:D9 B2:C3', active: 'B2' });
    expect(withAllMerges(merged, grown)).toBe(grown);
    expect(withAllMerges(merged, selectRows(2, 2)).ranges.map(rangeName)).toEqual(['3:3']);
  });

  it('[XS4] takes merged cells as one, and leaves them at the other side', () => {
    expect(shown(move(merged, at(merged, 'B1'), 'down'))).toEqual({ ranges: 'B2:C3', active: 'B2' });
    expect(shown(move(merged, at(merged, 'B2'), 'down')).active).toBe('B4');
    expect(shown(move(merged, at(merged, 'B2'), 'right')).active).toBe('D2');
    expect(shown(extend(merged, at(merged, 'A2'), 'right')).ranges).toBe('A2:C3');
    const wide = repeat(2, at(merged, 'A2'), (selection) => extend(merged, selection, 'right'));
    expect(shown(wide).ranges).toBe('A2:D3');
    expect(shown(extend(merged, wide, 'left')).ranges).toBe('A2:C3');
  });

  it('[XS4] jumps to the end of what is filled, to the next that is, and to the edge', () => {
    const jumps = (from: string, direction: Direction) =>
      cellName(jump(filled, at(filled, from), direction).active);
    expect(jumps('B2', 'down')).toBe('B4');
    expect(jumps('B4', 'down')).toBe('B8');
    expect(jumps('B8', 'down')).toBe('B1048576');
    expect(jumps('B8', 'up')).toBe('B4');
    expect(jumps('A2', 'right')).toBe('B2');
    expect(jumps('B2', 'right')).toBe('D2');
    expect(jumps('D2', 'right')).toBe('XFD2');
    expect(jumps('F9', 'left')).toBe('A9');
    expect(jumps('F3', 'left')).toBe('C3');
  });

  it('[XS4] is extended from the active cell, by one and by jumps, and back again', () => {
    const one = extend(filled, at(filled, 'B2'), 'down');
    expect(shown(one)).toEqual({ ranges: 'B2:B3', active: 'B2' });
    expect(shown(extend(filled, one, 'up')).ranges).toBe('B2');
    expect(shown(extendByJump(filled, at(filled, 'B2'), 'down')).ranges).toBe('B2:B4');
    expect(shown(extendTo(filled, at(filled, 'C5'), corner('A1'))).ranges).toBe('A1:C5');
  });

  it('[XS4] Tab and Enter go round in what is selected, over several ranges', () => {
    const two = addTo(selectRange(empty, range('B2:C3')), selectRange(empty, range('E5')));
    const visited: string[] = [];
    repeat(5, { ...two, current: 0, active: corner('B2') }, (selection) => {
      const next = advance(empty, selection, 'right');
      visited.push(cellName(next.active));
      return next;
    });
    expect(visited).toEqual(['C2', 'B3', 'C3', 'E5', 'B2']);
    const down = advance(empty, selectRange(empty, range('B2:C3'), corner('B3')), 'down');
    expect(cellName(down.active)).toBe('C2');
    expect(shown(advance(empty, at(empty, 'B2'), 'down'))).toEqual({ ranges: 'B3', active: 'B3' });
    expect(shown(advance(merged, at(merged, 'B2'), 'right')).active).toBe('D2');
  });

  it('[XS4] has whole rows and columns', () => {
    expect(shown(selectRows(4, 2))).toEqual({ ranges: '3:5', active: 'A5' });
    expect(shown(wholeLines(selectRange(empty, range('B2:C3')), 'column')).ranges).toBe('B:C');
    expect(rangeName(currentRange(wholeLines(at(empty, 'B2'), 'row')))).toBe('2:2');
  });

  it('[XS163] has whole rows and columns stay whole when keys extend it, wherever the active cell is', () => {
    const column = wholeLines(at(filled, 'B3'), 'column');
    const two = extend(filled, column, 'right');
    expect(shown(two)).toEqual({ ranges: 'B:C', active: 'B3' });
    expect(shown(extend(filled, two, 'left')).ranges).toBe('B:B');
    expect(shown(extend(filled, two, 'up')).ranges).toBe('B:C');
    expect(shown(extendByJump(filled, column, 'right')).ranges).toBe('B:C');
    expect(shown(extendByJump(filled, column, 'down')).ranges).toBe('B:B');
    const row = wholeLines(at(filled, 'C3'), 'row');
    expect(shown(extend(filled, row, 'down'))).toEqual({ ranges: '3:4', active: 'C3' });
    expect(shown(extendByJump(filled, row, 'up')).ranges).toBe('1:3');
    const all = wholeLines(column, 'row');
    expect(extend(filled, all, 'down')).toBe(all);
  });

  it('[XS4] knows what hangs together with a cell', () => {
    expect(rangeName(regionAround(filled, corner('B2')))).toBe('B2:D4');
    expect(rangeName(regionAround(filled, corner('F9')))).toBe('F9');
    expect(rangeName(regionAround(empty, corner('A1')))).toBe('A1');
  });
});

describe('names of ranges', () => {
  it('[XS4] are read as they are written', () => {
    for (const name of ['A1', 'B2:C4', 'B:C', '2:4', 'XFD1048576', 'AA10:AB11']) {
      expect(rangeName(range(name))).toBe(name);
    }
    expect(rangeName(range('$c$4:a1'))).toBe('A1:C4');
    for (const wrong of ['', 'A', 'A0', 'XFE1', 'A1048577', '1', 'A:3', 'A1:B2:C3', 'hello']) {
      expect(readRange(wrong)).toBeNull();
    }
  });
});

it('[XC47] the active cell goes from corner to corner of what is selected', () => {
  const sheet = plainSheet({ merges: [range('C2:C3')] });
  const corners = (from: Selection) => {
    const passed: string[] = [];
    for (let now = from; passed.length < 5; passed.push(cellName(now.active))) now = nextCorner(sheet, now);
    return passed;
  };
  expect(corners(selectRange(sheet, range('A1:B4')))).toEqual(['B1', 'B4', 'A4', 'A1', 'B1']);
  expect(corners(selectRange(sheet, range('A1:B4'), corner('A3')))).toEqual(['A1', 'B1', 'B4', 'A4', 'A1']);
  expect(corners(at(sheet, 'D4'))).toEqual(Array(5).fill('D4'));
  const two = addTo(selectRange(sheet, range('A1:B4')), selectRange(sheet, range('B3:C3')));
  expect(shown(nextCorner(sheet, two))).toEqual({ ranges: 'A1:B4 B2:C3', active: 'B2' });
});
