import { existsSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildDocx, PIXEL_PNG } from '../support/docx-fixture.ts';
import { eventually } from '../support/eventually.ts';
import type { WopiPage } from '../support/wopi-page.ts';
import { textOfDocx, WopiScene } from '../support/wopi-scene.ts';

const hasX2t = existsSync(`${process.env.X2T_DIR}/x2t`);

let scene: WopiScene;
beforeAll(async () => {
  scene = await WopiScene.open(hasX2t ? { X2T_DIR: process.env.X2T_DIR! } : {});
});
afterAll(() => scene?.close());

const ask = async (
  path: string,
  body: object,
): Promise<{ status: number; body: Record<string, unknown> }> => {
  const response = await fetch(`${scene.quire.address}/hosting/wopi/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
};

describe('what a page asks for', () => {
  it('[WO29] a new name goes to the host with our lock, and to everybody inside', async () => {
    const file = scene.newFile();
    const page = await scene.page(file, scene.host.person('ann'));
    const ann = await scene.join(page);
    const titles: string[] = [];
    ann.client.on('meta', ({ title }) => titles.push(String(title)));
    const name = 'Jahresübersicht + 1 – 家';
    expect(await ask('rename', { token: page.token, name })).toEqual({ status: 200, body: { name } });
    expect(file.name).toBe(`${name}.docx`);
    await eventually(
      async () => titles,
      (all) => all.includes(`${name}.docx`),
    );
    expect(scene.host.seen(file.id, 'RENAME_FILE')[0]!.headers['x-wopi-lock']).toBe(file.id);
    const refused = await ask('rename', { token: page.token, name: 'a/b' });
    expect(refused).toEqual({ status: 409, body: { error: 'This name cannot be used' } });
    await ann.close();
  });

  it('[WO50] who may not rename has nothing renamed, whatever is asked with the token of the page', async () => {
    const file = scene.newFile();
    const looking = { UserCanWrite: false, SupportsUpdate: true, SupportsLocks: true, SupportsRename: true };
    for (const rights of [looking, { ...looking, UserCanWrite: true, UserCanRename: false }]) {
      const page = await scene.page(file, scene.host.person('reader', rights));
      const { status, body } = await ask('rename', { token: page.token, name: 'Taken' });
      expect([status, body.error]).toEqual([409, 'the storage does not let you rename this file']);
    }
    expect(scene.host.seen(file.id, 'RENAME_FILE')).toEqual([]);
  });

  it('[WO30] a copy under another name is put beside the file', async () => {
    const file = scene.newFile();
    const page = await scene.page(file, scene.host.person('ann'));
    const ann = await scene.join(page);
    const { url } = await ann.uploadPicture(new Blob([Buffer.from(PIXEL_PNG)]));
    const { status, body } = await ask('save-as', { token: page.token, url, title: 'Kopie von ä.png' });
    expect(status).toBe(200);
    expect(body).toMatchObject({ name: 'Kopie von ä.png', url: expect.stringContaining('/pages/') });
    const made = [...scene.host.files.values()].find((one) => one.name === 'Kopie von ä.png')!;
    expect(made.bytes.length).toBeGreaterThan(0);
    for (const wrong of [
      `${scene.quire.address}/cache/files/data/x/${'0'.repeat(64)}/a/a?md5=x&expires=1`,
      'https://elsewhere.test/x',
      5,
    ]) {
      expect((await ask('save-as', { token: page.token, url: wrong, title: 'x.docx' })).status).toBe(409);
    }
    await ann.close();
  });

  it.for([
    [409, 'Kopie (2).docx', 'Kopie (2).docx'],
    [400, '+AMQ-lter.docx', 'Älter.docx'],
    [409, Buffer.from('Älter (2).docx').toString('latin1'), 'Älter (2).docx'],
  ] as const)(
    '[WO92] status %i with the valid name %s is a name for another try',
    async ([status, named, made]) => {
      const file = scene.newFile();
      const page = await scene.page(file, scene.host.person('ann'));
      const ann = await scene.join(page);
      const { url } = await ann.uploadPicture(new Blob([Buffer.from(PIXEL_PNG)]));
      scene.host.fail('PUT_RELATIVE', { status, headers: { 'x-wopi-validrelativetarget': named } }, 1);
      const answer = await ask('save-as', { token: page.token, url, title: 'Kopie.docx' });
      expect(answer).toMatchObject({ status: 200, body: { name: made } });
      const sent = scene.host.seen(file.id, 'PUT_RELATIVE');
      expect(sent.map(({ headers, body }) => headers['x-wopi-size'] === String(body.length))).toEqual([
        true,
        true,
      ]);
      scene.host.fail('PUT_RELATIVE', { status, headers: { 'x-wopi-validrelativetarget': named } });
      expect((await ask('save-as', { token: page.token, url, title: 'Kopie.docx' })).status).toBe(409);
      expect(scene.host.seen(file.id, 'PUT_RELATIVE')).toHaveLength(4);
      scene.host.heal();
      await ann.close();
    },
  );

  it.for([true, 'true', 1, '1'])('[WO91] none is made where UserCanNotWriteRelative is %j', async (flag) => {
    const rights = { UserCanWrite: true, SupportsUpdate: true, UserCanNotWriteRelative: flag };
    const file = scene.newFile();
    const page = await scene.page(file, scene.host.person(`ann ${flag}`, rights));
    const ann = await scene.join(page);
    const { url } = await ann.uploadPicture(new Blob([Buffer.from(PIXEL_PNG)]));
    expect((await ask('save-as', { token: page.token, url, title: 'Kopie.png' })).status).toBe(409);
    expect(scene.host.seen(file.id, 'PUT_RELATIVE')).toEqual([]);
    await ann.close();
  });

  it('[WO31] is done for nobody without a token of such a page', async () => {
    const page = await scene.page(scene.newFile(), scene.host.person('ann'));
    for (const token of [undefined, '', 'x', `${page.token.slice(0, -2)}xx`]) {
      for (const path of ['rename', 'save-as'])
        expect((await ask(path, { token, name: 'x' })).status).toBe(403);
      const handler = await fetch(
        `${scene.quire.address}/hosting/wopi/convert-and-edit-handler?token=${token}`,
      );
      expect(handler.status).toBe(403);
    }
  });
});

const convertTo = (
  path: string,
  fields: Readonly<Record<string, string>>,
  file?: Blob,
  name = 'source.docx',
) => {
  const form = new FormData();
  for (const [field, value] of Object.entries(fields)) form.set(field, value);
  if (file) form.set('data', file, name);
  return fetch(`${scene.quire.address}${path}`, { method: 'POST', body: form });
};

describe('convert-to', () => {
  const source = new Blob([Buffer.from(buildDocx({ paragraphs: ['Convert me'] }))]);

  it('[WO32] answers with the file in the same format, under its name', async () => {
    const response = await convertTo('/cool/convert-to/docx', {}, source, 'Bericht ä.docx');
    expect(response.status).toBe(200);
    expect(response.headers.get('content-disposition')).toContain(encodeURIComponent('Bericht ä.docx'));
    expect(textOfDocx(new Uint8Array(await response.arrayBuffer()))).toBe('Convert me');
  });

  it.skipIf(!hasX2t)(
    '[WO32] converts by x2t (X2T_DIR), with the format in the path or in the form',
    async () => {
      for (const [path, fields] of [
        ['/lool/convert-to/pdf', {}],
        ['/cool/convert-to', { format: 'pdf' }],
      ] as const) {
        const response = await convertTo(path, fields, source);
        expect(response.headers.get('content-type')).toBe('application/pdf');
        expect(Buffer.from(await response.arrayBuffer()).toString('latin1', 0, 5)).toBe('%PDF-');
      }
    },
  );

  it('[WO33] says in words what is wrong, with status 400', async () => {
    for (const response of [
      await convertTo('/cool/convert-to/pdf', {}),
      await convertTo('/cool/convert-to/xyz', {}, source),
      await convertTo('/cool/convert-to', {}, source),
      await convertTo('/cool/convert-to/pdf', {}, new Blob([]), 'empty.docx'),
      await convertTo('/cool/convert-to/docx', {}, new Blob(['no docx']), 'broken.docx'),
      await fetch(`${scene.quire.address}/cool/convert-to/pdf`, { method: 'POST', body: 'text' }),
    ]) {
      expect(response.status).toBe(400);
      expect(await response.text()).toMatch(/\w+ \w+/);
    }
  });
});

describe.skipIf(!hasX2t)('a file of an old format (X2T_DIR)', () => {
  const open = async (
    name: string,
    bytes: Uint8Array,
    path: string,
  ): Promise<{ page: WopiPage; id: string }> => {
    const file = scene.newFile(bytes, name);
    return {
      page: await scene.page(file, scene.host.person('ann'), { kind: 'convert-and-edit', mode: path }),
      id: file.id,
    };
  };
  const progressOf = async (token: string): Promise<Record<string, unknown>> =>
    (
      await fetch(`${scene.quire.address}/hosting/wopi/convert-and-edit-handler?token=${token}`)
    ).json() as Promise<Record<string, unknown>>;

  it('[WO34] is converted and put beside the old one, whose page is then gone to', async () => {
    const { page, id } = await open('Alt.rtf', Buffer.from('{\\rtf1\\ansi Old text\\par}'), 'rtf/docx');
    expect(page.status).toBe(200);
    const done = await eventually(
      () => progressOf(page.token),
      ({ end }) => end === true,
    );
    expect(done.url).toContain('/pages/');
    const made = [...scene.host.files.values()].find(({ name }) => name === 'Alt.docx')!;
    expect(textOfDocx(made.bytes).trim()).toBe('Old text');
    const [request] = scene.host.seen(id, 'PUT_RELATIVE');
    expect(request!.headers).toMatchObject({
      'x-wopi-fileconversion': 'true',
      'x-wopi-suggestedtarget': '.docx',
    });
    expect((await progressOf(page.token)).url).toBe(done.url);
    expect(scene.host.seen(id, 'PUT_RELATIVE')).toHaveLength(1);
  });

  it('[WO34] that cannot be converted, or put there, says why', async () => {
    scene.host.fail('PUT_RELATIVE', { status: 501 });
    const { page } = await open('Alt.rtf', Buffer.from('{\\rtf1\\ansi Old text\\par}'), 'rtf/docx');
    const done = await eventually(
      () => progressOf(page.token),
      ({ end }) => end === true,
    );
    scene.host.heal();
    expect(done.error).toContain('501');
    const other = await open('New.docx', buildDocx({ paragraphs: ['x'] }), 'docx/docx');
    expect(other.page.status).toBe(415);
  });
});

describe('the bytes of a file', () => {
  const download = (key: string, token: unknown, headers: Record<string, string> = {}) =>
    fetch(`${scene.quire.address}/downloadfile/${key}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ token }),
    });

  it('[WO47] come through the server for the token of a page of that file, and for no other', async () => {
    const file = scene.newFile();
    const page = await scene.page(file, scene.host.person('ann'));
    const whole = await download(page.key, page.token);
    expect(whole.status).toBe(200);
    expect(Buffer.from(await whole.arrayBuffer()).equals(file.bytes)).toBe(true);
    expect(whole.headers.get('content-security-policy')).toContain('sandbox');
    const other = await scene.page(scene.newFile(), scene.host.person('ann'));
    for (const [key, token] of [
      [other.key, page.token],
      [page.key, undefined],
      [page.key, `${page.token.slice(0, -2)}xx`],
    ] as const) {
      expect((await download(key, token)).status).toBe(403);
    }
    scene.host.revoke(scene.host.person('ann'));
    expect((await download(page.key, page.token)).status).toBe(401);
  });

  it('[WO47] come from the direct address, from the host when that fails, and are blank for an empty file', async () => {
    const file = scene.newFile();
    scene.host.info = { FileUrl: `${scene.host.address}/nowhere` };
    const page = await scene.page(file, scene.host.person('ann'), { mode: 'view' });
    scene.host.info = {};
    const bytes = Buffer.from(await (await download(page.key, page.token)).arrayBuffer());
    expect(bytes.equals(file.bytes)).toBe(true);
    const empty = scene.newFile(new Uint8Array());
    const reader = scene.host.person('reader', { UserCanWrite: false });
    const shown = await scene.page(empty, reader, { mode: 'view' });
    const blank = new Uint8Array(await (await download(shown.key, shown.token)).arrayBuffer());
    expect(textOfDocx(blank)).toBe('');
  });
});

describe('an editor whose file is outdated', () => {
  it('[WO48] is told by `wopi_RefreshFile` what the host has now, with a token that enters it', async () => {
    const file = scene.newFile();
    const page = await scene.page(file, scene.host.person('ann'), { query: { usid: 'u-1' } });
    const ann = await scene.join(page);
    scene.host.change(file.id, buildDocx({ paragraphs: ['Changed elsewhere'] }));
    const fresh = (await ann.client.rpc({ type: 'wopi_RefreshFile' })) as {
      key: string;
      token: string;
      userAuth: WopiPage['userAuth'];
      fileInfo: Record<string, unknown>;
    };
    expect(fresh).toMatchObject({
      key: page.key,
      userAuth: { mode: 'edit', wopiSrc: scene.host.sourceOf(file.id) },
      fileInfo: { BaseFileName: file.name, Version: '2' },
    });
    expect(JSON.stringify(fresh)).not.toContain('token of ann');
    expect(page.config.editorConfig.wopi).toMatchObject({ Version: '1', UserSessionId: 'u-1' });
    await ann.close();
    await eventually(
      async () => file.lock,
      (lock) => lock === null,
    );
    const again = await scene.join({ ...page, token: fresh.token });
    expect(again.state.doc.textContent).toBe('Changed elsewhere');
    scene.host.revoke(scene.host.person('ann'));
    expect(await again.client.rpc({ type: 'wopi_RefreshFile' })).toBeNull();
    await again.close();
  });
});
