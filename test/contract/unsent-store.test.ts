import { describe, expect, it } from 'vitest';
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
  it('[JR9] one of several tabs gets a lease, and another when the tab that has it is gone', async () => {
    const tabs = [new ChannelLeases(100), new ChannelLeases(100), new ChannelLeases(100)];
    const taken = await Promise.all(tabs.map((tab) => tab.take('record')));
    const winner = taken.findIndex((release) => release !== null);
    expect(taken.filter((release) => release !== null)).toHaveLength(1);
    const [next, other] = tabs.filter((_tab, at) => at !== winner);
    expect(await next!.take('record')).toBeNull();
    tabs[winner]!.close();
    const release = await next!.take('record');
    expect(release).not.toBeNull();
    release!();
    expect(await other!.take('record')).not.toBeNull();
    for (const tab of [next!, other!]) tab.close();
  });
});
