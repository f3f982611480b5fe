import { expect, it } from 'vitest';
import { MemoryUnsentStore } from '../replica/memory-unsent-store.ts';
import { TabStore } from '../testing/session-world.ts';
import { texts, type } from '../testing/word-typing.ts';
import { WordWorld } from '../testing/word-world.ts';

const file = 'file-7';
const promises = () => new Promise((resolve) => setImmediate(resolve));

it('[JR7][JR24] what was sent is marked in a record that is written already, so that only the rest is made again', async () => {
  const store = new MemoryUnsentStore();
  const record = async () => (await store.list('ann', 'doc', file))[0];
  const world = new WordWorld(['One', 'Two']);
  const tab = new TabStore(store);
  const ann = await world.open('ann', { store: tab, file, transport: world.dialOnce() });
  type(ann, 0, ' more');
  world.clock.advance(100);
  await promises();
  expect(await record()).toMatchObject({ sentCount: 0, changes: { length: 5 } });

  while (ann.savingStatus.unacknowledgedCount === 0) await world.step();
  await promises();
  world.clock.advance(100);
  await promises();
  expect(await record()).toMatchObject({ sentCount: 5, changes: { length: 5 } });

  world.network.links[0]!.cut();
  type(ann, 0, '!');
  await world.pass(100);
  await world.pass(3_000);
  expect(await record()).toMatchObject({ sentCount: 5, changes: { length: 6 } });
  tab.crash();
  ann.client.abort();

  // The server had stored what was sent, and the document was closed and saved with it.
  const next = new WordWorld(['One more', 'Two']);
  const again = await next.open('ann', { key: 'doc-2', file, store });
  await next.pass(200);
  expect(texts(again)).toEqual(['One more!', 'Two']);
});

it('[JR1] changes that two records hold, as a page was left in the middle of a write, are made once', async () => {
  const store = new MemoryUnsentStore();
  const world = new WordWorld(['One', 'Two']);
  const tab = new TabStore(store);
  const ann = await world.open('ann', { store: tab, transport: world.dialOnce() });
  world.network.links[0]!.cut();
  type(ann, 0, ' more');
  await world.pass(100);
  tab.crash();
  ann.client.abort();
  const [record] = await store.list('ann', 'doc', null);
  await store.put({ ...record!, id: 'the same again', changedAtMs: record!.changedAtMs + 1 }, []);

  const again = await world.open('ann', { store });
  await world.pass(200);
  expect(texts(again)).toEqual(['One more', 'Two']);
  await again.saved();
  expect(world.changes).toHaveLength(5);
  expect(await store.list('ann', 'doc', null)).toEqual([]);
});
