import { afterAll, beforeAll, expect, it } from 'vitest';
import { Documents } from '../../db/documents.ts';
import { openTestDatabase, type TestDatabase } from '../../test/support/postgres.ts';
import { DocumentTenants } from './document-tenants.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database?.close());

it('[NC15] after a start it is known whose the documents are that were being edited', async () => {
  const documents = new Documents(database.pool);
  const open = { sourceHash: 'a'.repeat(64), model: 'word', fileType: 'docx', editorsPresent: true };
  const enter = (key: string, callbackUrl: string | null) =>
    documents.enter({
      ...{ key, editor: true, userId: 'u', userName: 'U', callbackUrl, baseUrl: 'http://quire.test' },
      ...{ fileType: 'docx', title: 't', source: { url: 'http://host.test/a', vouched: true } },
    });
  for (const key of ['one', 'two', 'idle']) await enter(key, 'http://old.test/callback');
  await enter('one', 'http://first.test/callback?key=one');
  await enter('one', null);
  await enter('nowhere', null);
  for (const key of ['one', 'two', 'nowhere']) await documents.opened(key, open);
  await documents.opened('idle', { ...open, editorsPresent: false });

  const tenants = new DocumentTenants();
  await tenants.recall(documents);
  const keys = ['one', 'two', 'idle', 'nowhere', 'unknown'];
  expect(keys.map((key) => tenants.of(key))).toEqual(['first.test', 'old.test', '', '', '']);
  expect(tenants.learned('two', 'https://second.test/callback?key=two')).toBe('second.test');
  expect(tenants.learned('one', null)).toBe('');
  expect(keys.map((key) => tenants.of(key))).toEqual(['first.test', 'second.test', '', '', '']);
  expect(await documents.callbacksOfOpen(1)).toEqual([
    { key: 'two', callbackUrl: 'http://old.test/callback' },
  ]);
});
