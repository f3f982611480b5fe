import type { UnsentRecord, UnsentStore } from '../../client/replica/unsent-store.ts';

/** A rule of the port, and what to do to see whether a store keeps it. Runs in Node and in pages. */
export interface UnsentStoreRule {
  readonly title: string;
  /** `open` gives the same store as another session of the tab would open it. @throws Error when the rule is broken */
  readonly check: (open: () => UnsentStore) => Promise<void>;
}

const record = (id: string, more: Partial<UnsentRecord> = {}): UnsentRecord => ({
  id,
  key: 'key-1',
  file: 'file-1',
  clientId: 'client-1',
  userId: 'ann',
  title: 'Report.docx',
  changedAtMs: 1_000,
  index: 7,
  digest: 'abc',
  changes: ['a', 'b'],
  sentCount: 0,
  unplaced: null,
  ...more,
});

function same(actual: unknown, expected: unknown): void {
  const [one, other] = [actual, expected].map((value) => JSON.stringify(sorted(value)));
  if (one !== other) throw new Error(`expected ${other}, got ${one}`);
}

/** Members of objects in one order. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, member]) => [name, sorted(member)]),
  );
}

export const unsentStoreContract: readonly UnsentStoreRule[] = [
  {
    title: '[JR3] what was put and appended is listed as it was, in order, also by another session',
    async check(open) {
      const store = open();
      await store.put(record('r1', { unplaced: { count: 1, text: 'ä\u2028🙂' } }));
      await Promise.all([store.append('r1', ['c'], 2_000), store.append('r1', ['d', 'e'], 3_000)]);
      const expected = record('r1', {
        changes: ['a', 'b', 'c', 'd', 'e'],
        changedAtMs: 3_000,
        unplaced: { count: 1, text: 'ä\u2028🙂' },
      });
      same(await open().list('ann', 'key-1', null), [expected]);
    },
  },
  {
    title: '[JR4] records are found by key or by file, of one user only',
    async check(open) {
      const store = open();
      await store.put(record('r1'));
      await store.put(record('r2', { key: 'key-2' }));
      await store.put(record('r3', { key: 'key-2', file: null }));
      await store.put(record('r4', { userId: 'bob' }));
      const found = async (key: string, file: string | null) =>
        (await store.list('ann', key, file)).map(({ id }) => id).sort();
      same(await found('key-1', null), ['r1']);
      same(await found('key-1', 'file-1'), ['r1', 'r2']);
      same(await found('key-2', null), ['r2', 'r3']);
      same(await found('key-3', null), []);
    },
  },
  {
    title: '[JR5] putting replaces the record, and with it others, in one step; their snapshots go with them',
    async check(open) {
      const store = open();
      await store.put(record('r1'));
      await store.put(record('r2'));
      const snapshot = { index: 7, digest: 'abc', blocks: ['[1]', '[2]'] };
      await store.keepSnapshot('r1', snapshot);
      await store.keepSnapshot('r2', snapshot);
      same(await open().snapshot('r1'), snapshot);
      await store.put(record('r1', { changes: ['x'] }), ['r2']);
      same(await store.list('ann', 'key-1', null), [record('r1', { changes: ['x'] })]);
      same([await store.snapshot('r1'), await store.snapshot('r2')], [null, null]);
    },
  },
  {
    title: '[JR6] a record that is gone stays gone, whatever is added to it',
    async check(open) {
      const store = open();
      await store.put(record('r1'));
      await store.remove('r1');
      await store.append('r1', ['c'], 2_000);
      await store.markSent('r1', 1);
      await store.keepSnapshot('r1', { index: 7, digest: 'abc', blocks: [] });
      await store.remove('r1');
      same(await store.list('ann', 'key-1', null), []);
      same(await store.snapshot('r1'), null);
    },
  },
  {
    title:
      '[JR17] what a page writes as it goes counts until more is written, which is added to what was before',
    async check(open) {
      const store = open();
      const listed = async () => open().list('ann', 'key-1', null);
      await store.put(record('r1'));
      const going = record('r1', { changes: ['a', 'b', 'c'], changedAtMs: 2_000 });
      same(store.putNow(going), true);
      same(store.putNow(record('r2')), true);
      same(await listed(), [going, record('r2')]);
      same(await open().list('bob', 'key-1', null), []);
      await store.append('r1', ['c', 'd'], 3_000);
      const longer = record('r1', { changes: ['a', 'b', 'c', 'd'], changedAtMs: 3_000 });
      await store.append('r2', ['c'], 3_000);
      same(await listed(), [longer, record('r2')]);
      store.putNow(going);
      same(await listed(), [longer, record('r2')]);
      await store.put(record('r3'), ['r1', 'r2']);
      same(await listed(), [record('r3')]);
      store.putNow(record('r3', { changedAtMs: 4_000 }));
      await store.remove('r3');
      same(await listed(), []);
    },
  },
  {
    title: '[JR7] how many changes were sent is kept with the record',
    async check(open) {
      const store = open();
      await store.put(record('r1'));
      await store.markSent('r1', 2);
      same(await open().list('ann', 'key-1', null), [record('r1', { sentCount: 2 })]);
    },
  },
  {
    title: '[JR8] of several who claim a record one gets it, and another when it is released',
    async check(open) {
      const [one, other] = [open(), open()];
      const claims = await Promise.all([
        one.claim('r1'),
        other.claim('r1'),
        one.claim('r1'),
        other.claim('r2'),
      ]);
      const [first, ...rest] = claims.slice(0, 3).filter((claim) => claim !== null);
      same([rest.length, first !== undefined, claims[3] !== null], [0, true, true]);
      same(await other.claim('r1'), null);
      first!();
      let again = await other.claim('r1');
      // A release is a word to the browser, which takes it when it gets to it.
      for (let turn = 0; turn < 100 && !again; turn++) {
        await new Promise((resolve) => setTimeout(resolve, 10));
        again = await other.claim('r1');
      }
      same(again !== null, true);
    },
  },
];
