import { expect, test } from 'vitest';
import { KeyedMutex } from './keyed-mutex.ts';

test('[WO46] tasks of one key run one after the other, also when one fails; others do not wait; idle keys are forgotten', async () => {
  const mutex = new KeyedMutex();
  const done: string[] = [];
  let release: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => {
    release = resolve;
  });
  const first = mutex.run('a', async () => {
    await gate;
    done.push('a1');
    throw new Error('failed');
  });
  const second = mutex.run('a', async () => done.push('a2'));
  await mutex.run('b', async () => done.push('b'));
  expect(done).toEqual(['b']);
  expect(mutex.size).toBe(1);
  release();
  await expect(first).rejects.toThrow('failed');
  await second;
  await Promise.resolve();
  expect(mutex.size).toBe(0);
  expect(done).toEqual(['b', 'a1', 'a2']);
});
