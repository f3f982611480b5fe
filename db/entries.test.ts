import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../test/support/postgres.ts';
import { Arrivals } from './arrivals.ts';
import { Documents } from './documents.ts';
import { DroppedUsers } from './dropped-users.ts';
import type { Entry } from './entries.ts';

let database: TestDatabase;
let documents: Documents;
beforeAll(async () => {
  database = await openTestDatabase();
  documents = new Documents(database.pool);
});
afterAll(() => database?.close());

const entry = (key: string, userId: string): Entry => ({
  ...{ key, editor: true, userId, userName: `Name of ${userId}`, callbackUrl: 'http://host.test/callback' },
  ...{ baseUrl: 'http://quire.test', fileType: 'docx', title: `Title of ${key}` },
  source: { url: `http://host.test/${key}`, vouched: true },
  ...{ storeWithinMs: 60_000, routing: { shardkey: 'a' }, tokenDigest: 'digest' },
});
const openingsOf = async (key: string) => {
  const { rows } = await database.pool.query(
    `SELECT user_index, user_id, unique_id, user_name, callback_url, token_digest FROM openings
     WHERE key = $1 ORDER BY user_index`,
    [key],
  );
  return rows as Record<string, unknown>[];
};

it('[OP13] entries that are made at once are as if each had been made alone, also where somebody was faster', async () => {
  await documents.enter(entry('known', 'ann'));
  const alone = await documents.enter(entry('alone', 'bob'));
  const keys = ['one', 'two', 'known', 'one'];
  const entered = await Promise.all(
    keys.map((key, at) => documents.enter(entry(key, `user${at}-`), { isUnknown: true })),
  );
  expect(entered.map(({ row, uniqueId }) => [row.key, row.userIndex, uniqueId])).toEqual([
    ['one', 1, 'user0-1'],
    ['two', 1, 'user1-1'],
    ['known', 2, 'user2-2'],
    ['one', 2, 'user3-2'],
  ]);
  const { stateSince: _since, ...like } = alone.row;
  expect({ ...entered[1]!.row, stateSince: undefined }).toEqual({
    ...like,
    ...{ key: 'two', title: 'Title of two', sourceUrl: 'http://host.test/two', stateSince: undefined },
  });
  expect(await openingsOf('two')).toEqual([
    {
      ...(await openingsOf('alone'))[0],
      user_id: 'user1-',
      unique_id: 'user1-1',
      user_name: 'Name of user1-',
    },
  ]);
  expect(await openingsOf('one')).toHaveLength(2);
});

it('[OP13] sources that are opened at once are recorded for those documents that wait for it', async () => {
  const result = { sourceHash: 'a'.repeat(64), model: 'word', fileType: 'docx', editorsPresent: true };
  await Promise.all(['three', 'four'].map((key) => documents.enter(entry(key, 'ann'), { isUnknown: true })));
  await documents.openingFailed('four', -81);
  const rows = await Promise.all([
    documents.opened('three', { ...result, version: { etag: '"7"', modified: null }, baseHash: 'b' }),
    documents.opened('four', result),
    documents.opened('absent', result),
  ]);
  expect(rows[0]).toMatchObject({ state: 'open', epoch: 2, model: 'word', sourceEtag: '"7"', baseHash: 'b' });
  expect(rows.slice(1)).toEqual([null, null]);
});

it('[OP13] people who come at once are each told of their own document', async () => {
  const arrivals = new Arrivals(database.pool);
  await documents.enter(entry('five', 'ann'));
  await new DroppedUsers(database.pool).add('five', ['bob']);
  const found = await Promise.all(['five', 'nobody-knows', 'five'].map((key) => arrivals.of(key)));
  expect(found.map(({ row }) => row?.key)).toEqual(['five', undefined, 'five']);
  expect(found[0]!.row).toEqual(await documents.find('five'));
  const early = { digest: null, signedAtS: 1 };
  expect(found.map((one) => one.keepsOut('bob', early))).toEqual([true, false, true]);
  expect(found[0]!.keepsOut('ann', early)).toBe(false);
});

it('[OP14] an open document that nobody was sent away from is entered at once; any other counts nothing', async () => {
  const enterTwo = (key: string) => documents.enterOpen({ ...entry(key, 'bob'), storeWithinMs: 30_000 });
  await documents.enter({ ...entry('six', 'ann'), source: { url: null, vouched: false } });
  expect([await enterTwo('six'), await enterTwo('nobody-knows-it')]).toEqual([null, null]);
  expect(await documents.find('nobody-knows-it')).toBeNull();
  const result = { sourceHash: 'a'.repeat(64), model: 'word', fileType: 'docx', editorsPresent: true };
  await documents.opened('six', result);
  const entered = await enterTwo('six');
  expect(entered).toMatchObject({ uniqueId: 'bob2', media: {}, row: { userIndex: 2 } });
  const wanted = await database.pool.query(`SELECT store_within_ms FROM documents WHERE key = 'six'`);
  expect(wanted.rows).toEqual([{ store_within_ms: 30_000 }]);
  expect(entered!.row).toEqual(await documents.find('six'));
  expect(entered!.row).toMatchObject({ sourceUrl: 'http://host.test/six', sourceVouched: true });
  expect(await openingsOf('six')).toHaveLength(2);
  // The unique ids of user `1` with index 12 and user `11` with index 2 would be the same.
  await database.pool.query(`UPDATE openings SET unique_id = 'bob3' WHERE key = 'six' AND user_index = 1`);
  expect(await enterTwo('six')).toBeNull();
  await database.pool.query(`UPDATE openings SET unique_id = 'ann1' WHERE key = 'six' AND user_index = 1`);
  await new DroppedUsers(database.pool).add('six', ['carl']);
  expect(await enterTwo('six')).toBeNull();
  expect(await documents.find('six')).toMatchObject({ userIndex: 2 });
});

it('[NC11] people who come to open documents at once are each counted as if alone, also beside one that is not open', async () => {
  const result = { sourceHash: 'a'.repeat(64), model: 'word', fileType: 'docx', editorsPresent: true };
  const keys = ['eight', 'seven', 'nine', 'ten'];
  for (const key of keys) await documents.enter(entry(key, 'ann'));
  for (const key of ['seven', 'eight', 'ten']) await documents.opened(key, result);
  await new DroppedUsers(database.pool).add('ten', ['carl']);
  await database.pool.query(`INSERT INTO media (key, path, hash) VALUES ('seven', 'media/1.png', 'b')`);
  const entered = await Promise.all(
    [...keys, 'seven'].map((key, at) => documents.enterOpen(entry(key, `user${at}-`))),
  );
  expect(entered.map((one) => one && [one.row.key, one.row.userIndex, one.uniqueId, one.media])).toEqual([
    ['eight', 2, 'user0-2', {}],
    ['seven', 2, 'user1-2', { 'media/1.png': 'b' }],
    null,
    null,
    ['seven', 3, 'user4-3', { 'media/1.png': 'b' }],
  ]);
  expect(entered[4]!.row).toEqual(await documents.find('seven'));
  const opening = {
    user_name: 'Name of user0-',
    callback_url: 'http://host.test/callback',
    token_digest: 'digest',
  };
  expect((await openingsOf('eight')).at(-1)).toEqual({
    ...{ user_index: 2, user_id: 'user0-', unique_id: 'user0-2' },
    ...opening,
  });
  // The unique id that the next one of `seven` would get is somebody else's; others who come with them are let in.
  await database.pool.query(`UPDATE openings SET unique_id = 'bob4' WHERE key = 'seven' AND user_index = 1`);
  const again = await Promise.all(['eight', 'seven'].map((key) => documents.enterOpen(entry(key, 'bob'))));
  expect(again.map((one) => one?.uniqueId)).toEqual(['bob3', undefined]);
});
