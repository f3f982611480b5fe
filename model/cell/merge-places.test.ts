import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Area, touches } from './area.ts';
import { applyOperation } from './change.ts';
import { blankWorkbook, parseWorkbook } from './document.ts';
import type { Item, ItemOf } from './items.ts';
import { mergesTouching } from './merge-places.ts';
import type { CellOperation } from './operations.ts';
import { RandomOperations, randomOf } from './testing/random-operations.ts';
import { itemsOf, type Workbook } from './workbook.ts';

const sheet = 's1';
const mergesIn = (workbook: Workbook) => itemsOf(workbook.sheets[0]!, 'merge');
const merge = (id: string, area: Area): CellOperation => ({
  ...{ op: 'put', sheet, kind: 'merge', id },
  item: { area },
});

/** An area of any size: mostly a small one, now and then whole columns or rows. */
function anyArea(random: RandomOperations): Area {
  const [row, column] = [random.below(200), random.below(40)];
  switch (random.below(20)) {
    case 0:
      return [0, column, 1_048_575, column + random.below(2)];
    case 1:
      return [row, 0, row + random.below(3), 16_383];
    case 2:
      return [row, column, row + random.below(90), column + random.below(20)];
    default:
      return [row, column, row + random.below(3), column + random.below(3)];
  }
}

const byComparing = (workbook: Workbook, area: Area): string[] =>
  [...mergesIn(workbook)].filter(([, item]) => touches(item.area, area)).map(([id]) => id);

/** What the list is where a merged cell comes that is compared with all. */
function afterComparing(workbook: Workbook, id: string, area: Area): [string, Area][] {
  const gone = new Set([id, ...byComparing(workbook, area)]);
  const left = [...mergesIn(workbook)].filter(([one]) => !gone.has(one));
  return [...left.map(([one, item]): [string, Area] => [one, item.area]), [id, area]];
}

describe('merged cells that come', () => {
  it('[XE94] take the place of all that they have a part of, whatever versions there are of the list', () => {
    fc.assert(
      fc.property(fc.nat(), (seed) => {
        const random = new RandomOperations(randomOf(seed), 'a');
        const versions = [parseWorkbook(blankWorkbook())];
        for (let step = 0; step < 400; step++) {
          // Mostly the last version goes on, now and then an earlier one.
          const from = random.below(8) === 0 ? random.pick(versions) : versions.at(-1)!;
          const ids = [...mergesIn(from).keys()];
          const line = {
            sheet,
            axis: random.pick(['row', 'column'] as const),
            at: random.below(60),
            count: 1,
          };
          const id = random.below(5) === 0 && ids.length > 0 ? random.pick(ids) : random.id();
          const area = step < 250 ? ([step, 50, step, 51] as const) : anyArea(random);
          const expected = afterComparing(from, id, area);
          const [what, operation] = random.pick<readonly [string, CellOperation]>([
            ...Array.from({ length: 12 }, () => ['put', merge(id, area)] as const),
            ['drop', { op: 'drop', sheet, kind: 'merge', id }],
            ['line', { op: random.pick(['insert', 'delete'] as const), ...line }],
          ]);
          const after = applyOperation(from, operation);
          if (typeof after === 'string') continue;
          versions.push(after);
          const asked = anyArea(random);
          const found = [...mergesTouching(mergesIn(after), asked)].sort();
          if (found.join() !== byComparing(after, asked).sort().join()) return false;
          const all = [...mergesIn(after)].map(([one, item]) => [one, item.area]);
          if (what === 'put' && JSON.stringify(all) !== JSON.stringify(expected)) return false;
        }
        return true;
      }),
      { numRuns: 12 },
    );
  });

  it('[XE94] are compared with those near them, however many there are', () => {
    let looks = 0;
    class CountedMerges extends Map<string, Item> {
      override get(id: string): Item | undefined {
        looks++;
        return super.get(id);
      }
    }
    const merges = new CountedMerges();
    for (let at = 0; at < 5_000; at++)
      merges.set(`m${at}`, { area: [at * 2, 0, at * 2 + 1, at % 7] } as ItemOf<'merge'> as Item);
    expect([...mergesTouching(merges, [1_000, 0, 1_009, 3])].sort()).toEqual(
      [500, 501, 502, 503, 504].map((at) => `m${at}`),
    );
    expect(looks).toBeLessThan(40);
  });
});
