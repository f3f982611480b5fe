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

    test('[CO3] cells and documents do not touch each other', async () => {
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

    test('[CO11] what several nodes append is one list in one order, and it is gone when one of them clears it', async () => {
      const [here, there] = await nodes();
      const [one, two] = [key(), key()];
      const notes = { name: 'notes', mostEntries: 100, mostBytes: 10_000 };
      const others = { ...notes, name: 'others' };
      const written = Array.from({ length: 40 }, (_, id) => ({ id, text: `é"\\\n:${id}` }));
      await Promise.all(written.map((entry) => (entry.id % 2 ? here : there).append(one, notes, entry)));
      await here.append(one, others, 'else');
      await here.append(two, notes, 'elsewhere');
      const seen = await here.entries<{ id: number }>(one, notes);
      expect([...seen].sort((a, b) => a.id - b.id)).toEqual(written);
      expect(await there.entries(one, notes)).toEqual(seen);
      await there.clear(one, notes);
      for (const node of [here, there]) {
        expect(await node.entries(one, notes)).toEqual([]);
        expect(await node.entries(one, others)).toEqual(['else']);
        expect(await node.entries(two, notes)).toEqual(['elsewhere']);
      }
    });

    test('[CO12] beyond its bounds a list drops its oldest entries, and its newest one stays', async () => {
      const both = await nodes();
      const bounds = { mostEntries: 5, mostBytes: 40 };
      const lengths = fc.array(fc.integer({ min: 0, max: 60 }), { minLength: 1, maxLength: 25 });
      await fc.assert(
        fc.asyncProperty(lengths, async (wanted) => {
          const document = key();
          const written = wanted.map((length, index) => String.fromCharCode(97 + index).repeat(length));
          let kept: string[] = [];
          for (const [index, entry] of written.entries()) {
            await both[index % 2]!.append(document, { name: 'bounded', ...bounds }, entry);
            kept.push(entry);
            const bytes = () => kept.reduce((sum, one) => sum + JSON.stringify(one).length, 0);
            while (kept.length > 1 && (kept.length > bounds.mostEntries || bytes() > bounds.mostBytes))
              kept = kept.slice(1);
          }
          expect(await both[0]!.entries(document, { name: 'bounded', ...bounds })).toEqual(kept);
        }),
        { numRuns: 25 },
      );
    });
  });
}
