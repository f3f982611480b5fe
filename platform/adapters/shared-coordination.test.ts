import { expect, test } from 'vitest';
import { listsOf } from '../../test/support/lists-of.ts';
import { MemorySharedValues } from './memory-coordination.ts';
import { SharedCoordination } from './shared-coordination.ts';

const document = 'document';
const counter = { name: 'counter', empty: 0 };

test('[CO10] a step is not lost for ever against another node that makes one in each turn of the loop', async () => {
  const values = new MemorySharedValues();
  let puts = 0;
  const rivalPuts = async () => {
    const found = await values.compareAndPut(document, counter.name, 'unknown', null);
    puts += 1;
    const state = Number(found?.[1] ?? 0) + 1_000;
    await values.compareAndPut(document, counter.name, found?.[0] ?? '', [`rival ${puts}`, String(state)]);
  };
  let isOver = false;
  const goOn = () => {
    if (!isOver) void rivalPuts().then(() => setImmediate(goOn));
  };
  // The first attempts lose in any case.
  let losing = 3;
  const coordination = new SharedCoordination({
    async compareAndPut(key, name, expected, content) {
      if (content && losing > 0) {
        losing -= 1;
        await rivalPuts();
      }
      return values.compareAndPut(key, name, expected, content);
    },
    ...listsOf(values),
  });
  try {
    goOn();
    for (let step = 1; step <= 5; step += 1) {
      losing = 3;
      const made = await coordination.update(document, counter, (before) => [before + 1, before + 1]);
      expect(made % 1_000).toBe(step);
    }
  } finally {
    isOver = true;
  }
});
