import { afterEach, describe, expect, it, vi } from 'vitest';
import { MemoryUnsentStore } from '../../client/replica/memory-unsent-store.ts';
import { ChannelLeases } from '../../client/replica/tab-leases.ts';
import { unsentStoreContract } from './unsent-store.ts';

describe('unsent changes in memory', () => {
  for (const { title, check } of unsentStoreContract) {
    it(title, async () => {
      const store = new MemoryUnsentStore();
      await check(() => store);
    });
  }
});

describe('leases of tabs that ask around', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it('[JR9] one of several tabs gets a lease, and another when the tab that has it is gone', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    const tabs = [new ChannelLeases(), new ChannelLeases(), new ChannelLeases()];
    let refused = 0;
    const asked = tabs.map(async (tab) => {
      const release = await tab.take('record');
      if (release === null) refused += 1;
      return release;
    });
    await expect.poll(() => refused).toBe(2);
    const taken = await answersOf(Promise.all(asked));
    const winner = taken.findIndex((release) => release !== null);
    const [next, other] = tabs.filter((_tab, at) => at !== winner);
    expect(await next!.take('record')).toBeNull();
    tabs[winner]!.close();
    const release = await answersOf(next!.take('record'));
    expect(release).not.toBeNull();
    release!();
    expect(await answersOf(other!.take('record'))).not.toBeNull();
    for (const tab of [next!, other!]) tab.close();
  });
});

/** What is known once all who hear the question have had their turn, and its time is over. */
async function answersOf<T>(question: Promise<T>): Promise<T> {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  vi.advanceTimersByTime(10_000);
  return question;
}
