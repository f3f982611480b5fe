import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { Coordination } from '../../services/ports/coordination.ts';

const counter = { name: 'counter', empty: { value: 0 } };
const names = { name: 'names', empty: [] as readonly string[] };

/** What every coordination does. */
export function describeCoordination(name: string, open: () => Coordination): void {
  describe(`coordination: ${name}`, () => {
    const key = () => `d-${randomUUID()}`;

    test('[CO1] a step gets the value that the step before it left, and its result is returned', async () => {
      const coordination = open();
      const document = key();
      const add = (value: number) =>
        coordination.update(document, counter, (state) => [{ value: state.value + value }, state.value]);
      expect([await add(2), await add(3), await add(0)]).toEqual([0, 2, 5]);
    });

    test('[CO2] steps at the same time are made one after the other: none is lost', async () => {
      const coordination = open();
      const document = key();
      const before = await Promise.all(
        Array.from({ length: 50 }, () =>
          coordination.update(document, counter, ({ value }) => [{ value: value + 1 }, value]),
        ),
      );
      expect([...before].sort((a, b) => a - b)).toEqual(Array.from({ length: 50 }, (_, index) => index));
    });

    test('[CO3] cells and documents do not touch each other, and forgetting a document empties all its cells', async () => {
      const coordination = open();
      const [one, two] = [key(), key()];
      await coordination.update(one, counter, () => [{ value: 7 }, undefined]);
      await coordination.update(one, names, () => [['ann'], undefined]);
      const read = async (document: string) => [
        await coordination.update(document, counter, (state) => [state, state.value]),
        await coordination.update(document, names, (state) => [state, state]),
      ];
      expect(await read(one)).toEqual([7, ['ann']]);
      expect(await read(two)).toEqual([0, []]);
      await coordination.forget(one);
      expect(await read(one)).toEqual([0, []]);
    });

    test('[CO4] a step that throws changes nothing', async () => {
      const coordination = open();
      const document = key();
      await coordination.update(document, counter, () => [{ value: 1 }, undefined]);
      const failing = coordination.update(document, counter, () => {
        throw new Error('no');
      });
      await expect(failing).rejects.toThrow('no');
      expect(await coordination.update(document, counter, (state) => [state, state.value])).toBe(1);
    });
  });
}
