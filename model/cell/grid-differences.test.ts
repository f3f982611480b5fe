import { describe, expect, test } from 'vitest';
import { Grid } from './grid.ts';
import type { Row } from './row.ts';

const row = (value: string): Row => ({
  line: {},
  columns: [0],
  cells: [{ value, formula: null, format: 0 }],
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
