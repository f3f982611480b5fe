import { expect, test } from 'vitest';
import { FairScheduler } from './fair-scheduler.ts';

test('[GW25] after a task that took long others have the event loop before the next', async () => {
  const scheduler = new FairScheduler();
  const order: string[] = [];
  const waiting = ['first', 'second', 'third'].map((name) =>
    scheduler.next().then(() => {
      order.push(name);
      if (name !== 'first') return;
      setTimeout(() => order.push('other'), 1);
      const until = performance.now() + 20;
      while (performance.now() < until);
    }),
  );
  await Promise.all(waiting);
  expect(order).toEqual(['first', 'other', 'second', 'third']);
  // Who comes when all had theirs need not wait for anybody.
  await scheduler.next();
});
