import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasBrowser } from '../support/browser.ts';
import { buildDocx, PIXEL_PNG } from '../support/docx-fixture.ts';
import { eventually } from '../support/eventually.ts';
import { newName } from '../support/new-name.ts';
import { type EditorPage, type EditorVisit, EditorWorld } from './editor-world.ts';

let world: EditorWorld;
let source = '';

beforeAll(async () => {
  if (!hasBrowser) return;
  world = await EditorWorld.open();
  const { integrator } = world.world;
  source = integrator.serve('pictures.docx', { bytes: buildDocx({ paragraphs: ['Here'] }) });
});
afterAll(() => world?.close());

const visit = (more: Partial<EditorVisit> = {}): Promise<EditorPage> =>
  world.visit({ key: newName('pictures'), user: 'ann', sourceUrl: source, ...more });
const events = ['onRequestInsertImage'];
const picture = (name: string, bytes: Uint8Array = PIXEL_PNG) =>
  world.world.integrator.serve(name, { bytes, contentType: 'image/png' });
const shown = (editor: EditorPage, count: number) =>
  eventually(
    () =>
      editor.frame.evaluate(
        () =>
          [...document.querySelectorAll<HTMLImageElement>('.ProseMirror img')].filter(
            (one) => one.naturalWidth > 0,
          ).length,
      ),
    (found) => found === count,
  );

describe.skipIf(!hasBrowser)('pictures of the page’s storage', () => {
  it('[EH19] are asked for by menu, fetched by the server and seen by everybody; the browser never goes there', async () => {
    const key = newName('pictures');
    const ann = await visit({ key, events });
    const bob = await visit({ key, user: 'bob' });
    const requests: string[] = [];
    ann.page.on('request', (request) => requests.push(request.url()));
    await ann.placeCursor('Here');
    await ann.choose('Insert', 'Picture from storage');
    const { data } = await ann.event('onRequestInsertImage');
    expect(data).toEqual({ c: 'add' });
    const [one, two] = [`${key}-one.png`, `${key}-two.png`];
    const images = [
      { fileType: 'png', url: picture(one) },
      { fileType: 'png', url: picture(two, Buffer.concat([PIXEL_PNG, Buffer.from('x')])) },
    ];
    const token = await world.world.sign({ c: 'add', images });
    await ann.call('insertImage', { c: 'add', images, token });
    await Promise.all([shown(ann, 2), shown(bob, 2)]);
    await ann.saved();
    expect(world.world.integrator.downloadsOf(one)).toBe(1);
    expect(requests.filter((url) => url.includes(one) || url.includes(two))).toEqual([]);
    await ann.page.close();
    await bob.page.close();
    const { body } = await world.world.integrator.waitForCallback(key, ({ status }) => status === 2);
    const file = Buffer.from(await (await fetch(String(body.url))).arrayBuffer()).toString('latin1');
    expect(file.match(/word\/media\/[^/]+?\.png/g)?.length).toBeGreaterThanOrEqual(2);
  });

  it('[EH19] each that cannot be had says why, and the others are inserted', async () => {
    const editor = await visit({ events });
    await editor.placeCursor('Here');
    const images = [
      { fileType: 'png', url: `${world.world.integrator.address}/files/missing.png` },
      { fileType: 'png', url: picture('text.png', Buffer.from('no picture at all')) },
      { fileType: 'png', url: picture('good.png') },
    ];
    await editor.call('insertImage', { c: 'add', images, token: await world.world.sign({ images }) });
    await shown(editor, 1);
    const codes = async () =>
      (await editor.events())
        .filter(({ name }) => name === 'onWarning')
        .map(({ data }) => (data as { warningCode: number }).warningCode);
    await eventually(codes, (all) => all.length === 2);
    expect(await codes()).toEqual([-13, -10]);
    expect((await editor.notices()).length).toBeGreaterThan(0);
  });

  it('[EH19] an address of the server’s own network needs a right token; a wrong one refuses all', async () => {
    const editor = await visit({ events });
    await editor.placeCursor('Here');
    const images = [{ fileType: 'png', url: picture('private.png') }];
    const warnings = async () =>
      (await editor.events()).filter(({ name }) => name === 'onWarning' || name === 'onError').length;
    const elsewhere = await world.world.sign({ images: [{ url: 'https://other.test/x.png' }] });
    const attempts = [{ images }, { images, token: `${elsewhere}x` }, { images, token: elsewhere }];
    for (const [index, given] of attempts.entries()) {
      await editor.call('insertImage', { c: 'add', ...given });
      await eventually(warnings, (count) => count === index + 1);
    }
    expect(world.world.integrator.downloadsOf('private.png')).toBe(0);
    await shown(editor, 0);
  });

  it('[EH19] a reader gets none', async () => {
    const editor = await visit({ editorConfig: { mode: 'view' }, events });
    const images = [{ fileType: 'png', url: picture('reader.png') }];
    await editor.call('insertImage', { images, token: await world.world.sign({ images }) });
    await editor.call('showMessage', 'after');
    await editor.showsNotice(/after/);
    expect(world.world.integrator.downloadsOf('reader.png')).toBe(0);
  });
});
