import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import type { Sent } from '../support/raw-client.ts';
import { save } from '../support/saving.ts';
import { Scene, type SharedScene, type SignedIn } from '../support/scene.ts';
import { append, fetchFile, joinWord, paragraphsOf, wordBase, wordEditor } from '../support/word-editor.ts';

let scene: SharedScene;

beforeAll(async () => {
  scene = await Scene.openShared();
});
afterAll(() => scene?.close());

interface Asked {
  token?: string | undefined;
  cmd?: unknown;
  method?: 'GET' | 'POST';
  body?: string;
}

/** Asks for a copy of a document; without a method with GET. */
async function ask(key: string, { token, cmd, method = 'GET', body }: Asked) {
  const address = new URL(`${scene.quire.address}/downloadas/${key}`);
  if (cmd !== undefined) address.searchParams.set('cmd', typeof cmd === 'string' ? cmd : JSON.stringify(cmd));
  const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const response = await fetch(address, { method, headers, ...(body === undefined ? {} : { body }) });
  return { status: response.status, answer: (await response.json()) as Record<string, unknown> };
}

const tokenOf = ({ auth }: SignedIn) => auth.jwt;

async function opened(
  changes: Sent = {},
): Promise<{ key: string; ann: Awaited<ReturnType<typeof joinWord>> }> {
  const key = scene.newKey();
  return { key, ann: await joinWord(scene, key, 'ann', undefined, changes) };
}

describe('a copy of a document', () => {
  it('[DN1] has every acknowledged change of everybody, under the document’s title', async () => {
    const key = scene.newKey();
    const title = 'Plan “Zürich” 50%.docx';
    const { openCmd } = wordEditor(scene, key) as { openCmd: object };
    const ann = await joinWord(scene, key, 'ann', undefined, { openCmd: { ...openCmd, title } });
    const bob = await joinWord(scene, key, 'bob', ann.client);
    const first = append('a', ann.doc, 0, ' by Ann');
    await save(ann.client, [first.change]);
    await save(bob.client, [append('b', first.doc, 1, ' by Bob').change], {}, 1);
    for (const how of [
      { method: 'GET' },
      { method: 'POST' },
      { method: 'POST', body: 'PK not JSON', cmd: { c: 'save', id: key, outputformat: 65, title: 'x' } },
      { cmd: { outputformat: 'DOCX' } },
    ] as const) {
      const { status, answer } = await ask(key, { token: tokenOf(ann), ...how });
      expect([status, answer]).toEqual([
        200,
        { type: 'save', status: 'ok', data: answer.url, url: expect.any(String), filetype: 'docx' },
      ]);
      expect(paragraphsOf(await fetchFile(answer.url))).toEqual(['First by Ann', 'Second by Bob']);
      const file = await fetch(String(answer.url));
      expect(file.headers.get('content-disposition')).toContain(encodeURIComponent(title));
      await file.body?.cancel();
    }
    expect(await scene.storedChanges(key)).toHaveLength(2);
    expect(scene.integrator.callbacksOf(key)).toEqual([]);
  });

  it('[DN2] of a document nobody has changed is the source, byte for byte, and gets the missing extension', async () => {
    const key = scene.newKey();
    const { openCmd } = wordEditor(scene, key) as { openCmd: object };
    const ann = await joinWord(scene, key, 'ann', undefined, { openCmd: { ...openCmd, title: 'a/b' } });
    const { answer } = await ask(key, { token: tokenOf(ann) });
    expect(Buffer.compare(await fetchFile(answer.url), wordBase)).toBe(0);
    expect(new URL(String(answer.url)).searchParams.get('filename')).toBe('a_b.docx');
    const opaque = scene.newKey();
    const other = await scene.join(opaque, 'ann');
    expect((await ask(opaque, { token: tokenOf(other) })).answer).toMatchObject({ status: 'ok' });
  });

  it('[DN3] is for viewers too, in any of the places for the token', async () => {
    const { key, ann } = await opened();
    await save(ann.client, [append('a', ann.doc, 0, '!').change]);
    const permissions = { edit: false, download: true };
    const viewer = await scene.join(key, 'viewer', { mode: 'view', permissions });
    const token = tokenOf(viewer)!;
    const address = `${scene.quire.address}/downloadas/${key}`;
    const answers = [
      (await ask(key, { token })).answer,
      (await ask(key, { cmd: { tokenSession: token } })).answer,
      (await (await fetch(`${address}?token=${token}`)).json()) as Record<string, unknown>,
    ];
    for (const { url } of answers) expect(paragraphsOf(await fetchFile(url))[0]).toBe('First!');
  });

  it('[DN4] is refused to whoever may not download, has no token, or is not connected with the document', async () => {
    const { key, ann } = await opened();
    const other = await opened();
    const limited = await joinWord(scene, key, 'limited', ann.client, {
      permissions: { edit: true, download: false },
    });
    const gone = await scene.join(key, 'gone', { mode: 'view' });
    await gone.client.leave();
    await eventually(
      () => ask(key, { token: tokenOf(gone) }),
      ({ status }) => status === 403,
    );
    for (const token of [
      undefined,
      '',
      'x',
      tokenOf(limited),
      tokenOf(other.ann),
      await scene.sign({ key }),
    ]) {
      expect([token, (await ask(key, { token })).status]).toEqual([token, 403]);
    }
    expect((await ask('nowhere', { token: tokenOf(ann) })).status).toBe(403);
    expect((await ask(key, { token: tokenOf(ann), cmd: '[]' })).status).toBe(400);
    expect((await ask(key, { token: tokenOf(ann), cmd: '{' })).status).toBe(400);
    expect((await ask(key, { token: tokenOf(ann) })).status).toBe(200);
  });

  it('[DN5] in another format, or of changes nobody here can read, is an error with its number and no file', async () => {
    const { key, ann } = await opened();
    for (const outputformat of [513, '513', 'pdf', 66, 'odt', -1, {}]) {
      const { answer } = await ask(key, { token: tokenOf(ann), cmd: { c: 'save', outputformat } });
      expect([outputformat, answer]).toEqual([
        outputformat,
        { type: 'save', status: 'err', data: -82, message: expect.any(String) },
      ]);
    }
    const opaque = scene.newKey();
    const other = await scene.join(opaque, 'ann');
    await save(other.client, ['1;a']);
    expect((await ask(opaque, { token: tokenOf(other) })).answer).toEqual({
      type: 'save',
      status: 'err',
      data: -80,
      message: expect.any(String),
    });
  });

  it('[EW45] what it can be had as is told to those who may have it, and to those who may only print', async () => {
    const { key, ann } = await opened();
    const formats = { c: 'formats' };
    const { status, answer } = await ask(key, { token: tokenOf(ann), cmd: formats, method: 'POST' });
    expect([status, answer]).toMatchObject([200, { type: 'formats', status: 'ok' }]);
    const types = answer.data as string[];
    expect(types[0]).toBe('docx');
    for (const type of types) {
      const made = await ask(key, { token: tokenOf(ann), cmd: { c: 'save', outputformat: type } });
      expect([type, made.answer.status, made.answer.filetype]).toEqual([type, 'ok', type]);
    }
    expect((await ask(key, { cmd: formats })).status).toBe(403);
    const tied = await opened({ permissions: { edit: true, download: false, print: true } });
    expect((await ask(tied.key, { token: tokenOf(tied.ann), cmd: formats })).status).toBe(403);
    const printing = { ...formats, inline: true, outputformat: 'pdf' };
    const printed = await ask(tied.key, { token: tokenOf(tied.ann), cmd: printing });
    expect([printed.status, printed.answer.data]).toEqual([200, types.filter((type) => type === 'pdf')]);
  });

  it('[DN6] after the hand-over is the file that was handed over', async () => {
    const { key, ann } = await opened();
    const viewer = await scene.join(key, 'viewer', { mode: 'view' });
    await save(ann.client, [append('a', ann.doc, 0, ' final').change]);
    await ann.client.leave();
    await viewer.client.next('updateVersion');
    const { answer } = await ask(key, { token: tokenOf(viewer) });
    expect(paragraphsOf(await fetchFile(answer.url))[0]).toBe('First final');
  });

  it('[DN7] of a document that could not be opened is an error', async () => {
    const key = scene.newKey();
    const openCmd = { c: 'open', id: key, format: 'docx', url: `${scene.integrator.address}/files/nowhere` };
    const ann = await scene.join(key, 'ann', { openCmd });
    expect((await ask(key, { token: tokenOf(ann) })).answer).toMatchObject({ status: 'err', data: -81 });
  });
});
