import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SharedMap } from './shared-map.ts';

describe('maps that share what is equal', () => {
  it('[XC44] are at every version what a plain map would be, in the same order', () => {
    const step = fc.tuple(fc.nat(700), fc.option(fc.nat(), { freq: 2 }));
    fc.assert(
      fc.property(fc.array(step, { minLength: 400, maxLength: 1_200 }), (steps) => {
        let map: ReadonlyMap<string, number> = new Map(
          Array.from({ length: 500 }, (_, at) => [`k${at}`, at]),
        );
        const plain = new Map(map);
        const versions: [ReadonlyMap<string, number>, [string, number][]][] = [];
        for (const [index, [key, value]] of steps.entries()) {
          if (value === null) plain.delete(`k${key}`);
          else plain.set(`k${key}`, value);
          map = SharedMap.with(map, `k${key}`, value);
          if (map.size !== plain.size || map.get(`k${key}`) !== plain.get(`k${key}`)) return false;
          if (index % 97 === 0) versions.push([map, [...plain]]);
        }
        versions.push([map, [...plain]]);
        for (const [version, entries] of versions) {
          expect([...version]).toEqual(entries);
          expect([...version.keys()]).toEqual(entries.map(([name]) => name));
          expect([...version.values()]).toEqual(entries.map(([, held]) => held));
          const seen: unknown[] = [];
          version.forEach((held, name) => {
            seen.push([name, held]);
          });
          expect(seen).toEqual(entries);
        }
        return true;
      }),
      { numRuns: 15 },
    );
  });
});
