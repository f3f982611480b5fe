import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Area } from './area.ts';
import { type Region, regionOf, structureMapOf } from './structure-map.ts';
import { RandomOperations, randomOf } from './testing/random-operations.ts';
import { RandomWorkbook } from './testing/random-workbook.ts';

const cellsOf = (regions: readonly Region[]): string[] =>
  regions
    .flatMap(({ sheet, area: [r1, c1, r2, c2] }) => {
      const cells: string[] = [];
      for (let row = r1; row <= Math.min(r2, 60); row++)
        for (let column = c1; column <= Math.min(c2, 30); column++) cells.push(`${sheet}:${row},${column}`);
      return cells;
    })
    .sort();

it('[XE87] operations that are followed at once take cells where each of them does, and back', () => {
  fc.assert(
    fc.property(fc.nat(), fc.integer({ min: 2, max: 6 }), (seed, count) => {
      const random = new RandomOperations(randomOf(seed), 'a');
      const { workbook } = { workbook: new RandomWorkbook(random).workbook() };
      const maps = Array.from({ length: count }, () => random.structure(workbook)).flatMap((operation) => {
        const map = structureMapOf(operation);
        return map && !map.isSort ? [map] : [];
      });
      const [first, ...others] = maps;
      if (!first) return;
      const atOnce = others.reduce((map, next) => map.followedBy(next), first);
      const areas: Area[] = [
        [0, 0, 12, 9],
        [3, 2, 3, 2],
        [1_048_570, 0, 1_048_575, 16_383],
      ];
      for (const sheet of ['s1', 's2']) {
        for (const area of areas) {
          const forward = maps.reduce<readonly Region[]>(
            (regions, map) => regions.flatMap((region) => map.forward(region)),
            [regionOf(sheet, area)],
          );
          expect(cellsOf(atOnce.forward(regionOf(sheet, area)))).toEqual(cellsOf(forward));
          const back = maps.reduceRight<readonly Region[]>(
            (regions, map) => regions.flatMap((region) => map.backward(region).kept),
            [regionOf(sheet, area)],
          );
          expect(cellsOf(atOnce.backward(regionOf(sheet, area)).kept)).toEqual(cellsOf(back));
        }
      }
    }),
    { numRuns: Number(process.env.CELL_SEEDS ?? 40) },
  );
});
