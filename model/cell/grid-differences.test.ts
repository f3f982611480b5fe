import { describe, expect, test } from 'vitest';
import { Grid } from './grid.ts';
import type { Row } from './row.ts';

const row = (value: string): Row => ({
  line: {},
  columns: [0],
  cells: [{ value, formula: null, format: 0 }],
});

describe('the last row of a grid', () => {
  test('[XH25] is the last one that holds something, wherever its rows end', () => {
    expect(Grid.empty.lastRow).toBe(-1);
    const grid = Grid.of([
      [1, row('first')],
      [6_000, row('last')],
    ]);
    expect(grid.lastRow).toBe(6_000);
    expect(grid.deleteRows(6_000, 1).lastRow).toBe(1);
    expect(grid.insertRows(6_001, 5).lastRow).toBe(6_000);
    expect(grid.deleteRows(6_000, 1).deleteRows(1, 1).lastRow).toBe(-1);
  });
});

describe('the differences of two grids', () => {
  test('[XE5] are seen where rows stay together and the empty ones before them have become more', () => {
    const grid = Grid.of([
      [1, row('near')],
      [6_000, row('far')],
    ]);
    const after = grid.insertRows(3_000, 1);
    const places = [...Grid.differences(grid, after)].flatMap(([from, to]) =>
      [6_000, 6_001].map((at) => at >= from && at <= to),
    );
    expect(places).toEqual([true, true]);
  });
});
