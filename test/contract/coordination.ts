import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Coordination } from '../../platform/ports/coordination.ts';

// Each node may keep them to itself, which nobody notices.
const isOwn = () => true;
const counter = { name: 'counter', empty: { value: 0 }, isOwn };
const names = { name: 'names', empty: [] as readonly string[], isOwn };
const list = { name: 'list', empty: [] as readonly number[], isOwn };

/** What every coordination does. `nodes` are two nodes' own that share one store. */
export function describeCoordination(
  name: string,
  nodes: () => Promise<readonly [Coordination, Coordination]>,
): void {
  describe(`coordination: ${name}`, () => {
    const key = () => `d-${randomUUID()}`;

    test('[CO1] a step gets the value that the step before it left, and its result is returned', async () => {
      const [one, other] = await nodes();
      const document = key();
      const add = (coordination: Coordination, value: number) =>
        coordination.update(document, counter, (state) => [{ value: state.value + value }, state.value]);
      expect([await add(one, 2), await add(other, 3), await add(one, 4), await add(other, 0)]).toEqual([
        0, 2, 5, 9,
      ]);
    });

    test('[CO2] steps at the same time are made one after the other: none is lost', async () => {
      const both = await nodes();
      const document = key();
      const before = await Promise.all(
        Array.from({ length: 100 }, (_, index) =>
          both[index % 2]!.update(document, counter, ({ value }) => [{ value: value + 1 }, value]),
        ),
      );
      expect([...before].sort((a, b) => a - b)).toEqual(Array.from({ length: 100 }, (_, index) => index));
    });

    test('[CO3] cells and documents do not touch each other, and forgetting a document empties all its cells', async () => {
      const [here, there] = await nodes();
      const [one, two] = [key(), key()];
      await here.update(one, counter, () => [{ value: 7 }, undefined]);
      await here.update(one, names, () => [['ann'], undefined]);
      const read = async (coordination: Coordination, document: string) => [
        await coordination.update(document, counter, (state) => [state, state.value]),
        await coordination.update(document, names, (state) => [state, state]),
      ];
      expect(await read(there, one)).toEqual([7, ['ann']]);
      expect(await read(there, two)).toEqual([0, []]);
      await there.forget(one);
      expect(await read(here, one)).toEqual([0, []]);
      expect(await read(there, one)).toEqual([0, []]);
    });

    test('[CO4] a step that throws changes nothing, and those that wait behind it are made', async () => {
      const [coordination] = await nodes();
      const document = key();
      await coordination.update(document, counter, () => [{ value: 1 }, undefined]);
      const failing = coordination.update(document, counter, () => {
        throw new Error('no');
      });
      const behind = coordination.update(document, counter, ({ value }) => [{ value: value + 1 }, value]);
      await expect(failing).rejects.toThrow('no');
      expect(await behind).toBe(1);
      expect(await coordination.update(document, counter, (state) => [state, state.value])).toBe(2);
    });

    test('[CO5] what several nodes do in any order at the same time is one history that all of them saw', async () => {
      const both = await nodes();
      const steps = fc.array(fc.record({ node: fc.nat(1), reads: fc.boolean() }), {
        minLength: 1,
        maxLength: 20,
      });
      await fc.assert(
        fc.asyncProperty(steps, async (wanted) => {
          const document = key();
          const seen = await Promise.all(
            wanted.map(({ node, reads }, id) =>
              both[node]!.update(document, list, (state) => [reads ? state : [...state, id], state]),
            ),
          );
          const history = await both[0]!.update(document, list, (state) => [state, state]);
          const written = wanted.flatMap(({ reads }, id) => (reads ? [] : [id]));
          expect([...history].sort((a, b) => a - b)).toEqual(written);
          for (const [id, before] of seen.entries()) {
            expect(before).toEqual(history.slice(0, before.length));
            if (!wanted[id]!.reads) expect(history[before.length]).toBe(id);
          }
        }),
        { numRuns: 25 },
      );
    });
  });
}
