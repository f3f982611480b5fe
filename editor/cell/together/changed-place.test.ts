import { expect, it } from 'vitest';
import type { CellOperation } from '../../../model/cell/operations.ts';
import { rangeName, readRange } from '../grid/cell-areas.ts';
import { changedPlace } from './changed-place.ts';

const sheet = 's1';
const area = (name: string) => readRange(name)!;
const set = (...names: string[]): CellOperation => ({
  ...{ op: 'set', sheet },
  cells: names.map((name) => [area(name)[0], area(name)[1], { v: 1 }]),
});
const shown = (...operations: CellOperation[]) => {
  const place = changedPlace(operations);
  return place && `${place.sheet} ${rangeName(place.area)}`;
};

it('[XS167] a change is where its cells are; lines that come and go count before these', () => {
  const width: CellOperation = { op: 'lines', sheet, axis: 'column', spans: [[1, 1]], patch: { size: 9 } };
  expect(shown(width, set('B2', 'B3', 'C2'))).toBe('s1 B2:C3');
  expect(shown(set('B2', 'H90'))).toBe('s1 B2');
  expect(shown(width)).toBeNull();
  const inserted: CellOperation = { op: 'insert', sheet, axis: 'row', at: 2, count: 2 };
  expect(shown(set('A9'), inserted)).toBe('s1 3:4');
  expect(shown({ ...inserted, band: [1, 2] })).toBe('s1 B3:C4');
  expect(shown({ op: 'sort', sheet, axis: 'row', band: [0, 2], order: [3, 1] })).toBe('s1 A2:C4');
  expect(shown({ op: 'moveCells', sheet, area: area('A1:B2'), toSheet: 's2', row: 4, column: 0 })).toBe(
    's2 A5:B6',
  );
  expect(shown({ op: 'clear', sheet, areas: [area('A1:B2'), area('A3:B3')], part: 'all' })).toBe('s1 A1:B3');
  expect(shown({ op: 'block', sheet, row: 1, column: 1, rows: [[1], [1, 2]] })).toBe('s1 B2:C3');
});

it('[XS167] what is in no cells leads nowhere', () => {
  expect(shown({ op: 'removeSheet', sheet })).toBeNull();
  expect(shown()).toBeNull();
});
