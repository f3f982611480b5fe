import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildDocx } from '../support/docx-fixture.ts';
import { eventually } from '../support/eventually.ts';
import { save } from '../support/saving.ts';
import { Scene, type SharedScene, type SignedIn } from '../support/scene.ts';
import { append, openedDocument } from '../support/word-editor.ts';

let scene: SharedScene;
beforeAll(async () => {
  scene = await Scene.openShared();
});
afterAll(() => scene?.close());

const file = (text: string) => buildDocx({ paragraphs: [text] });
const nameOf = (key: string) => `${key}.docx`;

/** Somebody opens a document whose file has its key's name; `url` takes the place of that. */
async function join(
  key: string,
  user: string,
  more: { mode?: string; url?: string } = {},
): Promise<SignedIn> {
  const url = more.url ?? `${scene.integrator.address}/files/${nameOf(key)}`;
  const openCmd = { c: 'open', id: key, format: 'docx', url, title: nameOf(key), model: 'word' };
  return scene.join(key, user, { openCmd, mode: more.mode ?? 'edit' });
}
const textOf = async (one: SignedIn) => (await openedDocument(one.client)).textContent;
const stateOf = async (key: string): Promise<string> =>
  (await scene.database.pool.query('SELECT state FROM documents WHERE key = $1', [key])).rows[0].state;

/** A document that has been opened from a file, changed by nobody, and left. */
async function cached(text: string, etag: string | undefined, ignoresConditions = false): Promise<string> {
  const key = scene.newKey();
  scene.integrator.serve(nameOf(key), { bytes: file(text), etag, ignoresConditions });
  const ann = await join(key, 'ann');
  expect(await textOf(ann)).toBe(text);
  await ann.client.leave();
  await eventually(
    () => stateOf(key),
    (state) => state === 'idle',
  );
  return key;
}

describe('a file that changes behind the editor', () => {
  it('[SD13] is not fetched again when its host says that it is the same', async () => {
    const key = await cached('Same', '"1"');
    expect(await textOf(await join(key, 'bob'))).toBe('Same');
    expect(scene.integrator.unchangedOf(nameOf(key))).toBe(1);
    expect(scene.integrator.downloadsOf(nameOf(key))).toBe(1);
    const other = await cached('Same', '"1"', true);
    expect(await textOf(await join(other, 'bob'))).toBe('Same');
    expect(await stateOf(other)).toBe('open');
  });

  it.for([false, true])(
    '[SD14] is opened as it is now by who opens an idle key',
    async (ignoresConditions) => {
      const key = await cached('Old', '"1"', ignoresConditions);
      scene.integrator.serve(nameOf(key), { bytes: file('New'), etag: '"2"', ignoresConditions });
      const bob = await join(key, 'bob');
      const doc = await openedDocument(bob.client);
      expect(doc.textContent).toBe('New');
      expect(bob.auth.quireSyncIndex).toBe(0);
      await save(bob.client, [append('b', doc, 0, ' and typed').change]);
      expect(await textOf(await join(key, 'viewer', { mode: 'view' }))).toBe('New');
    },
  );

  it('[SD14] sends away who looks at the old one, to open the new one', async () => {
    const key = await cached('Old', '"1"');
    const viewer = await join(key, 'viewer', { mode: 'view' });
    expect(await textOf(viewer)).toBe('Old');
    scene.integrator.serve(nameOf(key), { bytes: file('New'), etag: '"2"' });
    await eventually(
      async () => {
        const late = await join(key, 'late', { mode: 'view' });
        const text = await textOf(late);
        await late.client.leave();
        return text;
      },
      (text) => text === 'New',
    );
    expect(await viewer.client.next('disconnectReason')).toMatchObject({ code: 4008 });
  });

  it('[SD15] is left alone while somebody edits it, and its changes are never dropped', async () => {
    const key = scene.newKey();
    scene.integrator.serve(nameOf(key), { bytes: file('Old'), etag: '"1"' });
    const ann = await join(key, 'ann');
    await save(ann.client, [append('a', await openedDocument(ann.client), 0, ' typed').change]);
    scene.integrator.serve(nameOf(key), { bytes: file('New'), etag: '"2"' });
    expect(await textOf(await join(key, 'viewer', { mode: 'view' }))).toBe('Old');
    expect(await scene.storedChanges(key)).toHaveLength(1);
    expect(scene.integrator.downloadsOf(nameOf(key))).toBe(1);
  });

  it('[SD16] that its host does not name, or cannot be asked for, is served as it was fetched', async () => {
    const unnamed = await cached('Unnamed', undefined);
    scene.integrator.serve(nameOf(unnamed), { bytes: file('Other') });
    expect(await textOf(await join(unnamed, 'bob'))).toBe('Unnamed');
    expect(scene.integrator.downloadsOf(nameOf(unnamed))).toBe(1);
    const gone = await cached('Gone', '"1"');
    scene.integrator.serve(nameOf(gone), { status: 500 });
    expect(await textOf(await join(gone, 'bob'))).toBe('Gone');
    const nowhere = await cached('Nowhere', '"1"');
    expect(await textOf(await join(nowhere, 'bob', { url: 'http://127.0.0.1:9/none' }))).toBe('Nowhere');
  });

  it('[SD14] is found under the address that its opener gives, when that is another one by then', async () => {
    const key = await cached('Old', '"1"');
    const url = scene.integrator.serve(`moved-${key}.docx`, { bytes: file('Moved'), etag: '"9"' });
    expect(await textOf(await join(key, 'bob', { url }))).toBe('Moved');
  });
});
