import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WordSession } from '../../client/word/word-session.ts';
import { buildDocx, PIXEL_PNG } from '../support/docx-fixture.ts';
import { inStep, paragraphWith, typeAfter } from '../support/e2e-text.ts';
import { EndToEndWorld } from '../support/e2e-world.ts';
import { eventually } from '../support/eventually.ts';
import { newName } from '../support/new-name.ts';

let world: EndToEndWorld;
beforeAll(async () => {
  world = await EndToEndWorld.open();
});
afterAll(() => world?.close());

const serve = (key: string, paragraphs: string[]) =>
  world.integrator.serve(`${key}.docx`, { bytes: buildDocx({ paragraphs }) });

describe('word sessions on a server', () => {
  it('[WS2] a picture that one uploads is found by the other when it asks', async () => {
    const key = newName('session-pictures');
    const sourceUrl = serve(key, ['A picture: ']);
    const ann = await world.join({ key, user: 'ann', sourceUrl });
    const heard: string[] = [];
    const bob = new WordSession({
      ...(await world.optionsOf({ key, user: 'bob', sourceUrl })),
      onMedia: () => heard.push('media'),
    });
    await bob.open();
    const { path, url } = await ann.uploadPicture(new Blob([Buffer.from(PIXEL_PNG)]));
    expect(ann.mediaUrl(path)).toBe(url);
    expect(bob.mediaUrl(path)).toBeNull();
    await bob.loadMedia([path, 'media/unknown.png']);
    expect(heard).toEqual(['media']);
    expect(bob.mediaUrl('media/unknown.png')).toBeNull();
    const shown = new Uint8Array(await (await fetch(bob.mediaUrl(path)!)).arrayBuffer());
    expect(Buffer.compare(shown, PIXEL_PNG)).toBe(0);
    await expect(ann.uploadPicture(new Blob(['<svg/>']))).rejects.toMatchObject({ code: 'not-a-picture' });
    await expect(ann.uploadPicture(new Blob([Buffer.alloc(26_214_401, 0x89)]))).rejects.toMatchObject({
      code: 'too-large',
    });
    await ann.close();
    await bob.close();
  });

  it('[WS3] a viewer sees what happens, may change nothing, and is told so', async () => {
    const key = newName('session-viewer');
    const sourceUrl = serve(key, ['Watch this:']);
    const ann = await world.join({ key, user: 'ann', sourceUrl });
    const vera = await world.join({ key, user: 'vera', sourceUrl, mode: 'view' });
    await typeAfter(ann, 'Watch this', ' typed');
    await inStep(ann, vera);
    const before = vera.state;
    expect(() => vera.dispatch(vera.state.tr.insertText('x', 1))).toThrow(/may not change/);
    expect(vera.state).toBe(before);
    vera.dispatch(vera.state.tr.setMeta('selection', 1));
    vera.setMode('strict');
    await typeAfter(ann, 'Watch this', ' more');
    await ann.saved();
    await eventually(
      async () => vera.client.status.acknowledgedIndex,
      (index) => index === ann.client.status.acknowledgedIndex,
    );
    expect(paragraphWith(vera.state.doc, 'Watch this').text).toBe('Watch this: typed');
    await vera.save();
    expect(paragraphWith(vera.state.doc, 'Watch this').text).toBe('Watch this: typed more');
    await ann.close();
    await vera.close();
  });

  it('[SM7] strict and fast people work in one document of a real server', async () => {
    const key = newName('session-strict');
    const sourceUrl = serve(key, ['Of Ann:', 'Of Bob:']);
    const ann = await world.join({ key, user: 'ann', sourceUrl });
    const bob = await world.join({ key, user: 'bob', sourceUrl });
    ann.setMode('strict');
    await typeAfter(ann, 'Of Ann', ' mine');
    await eventually(
      async () => bob.locks.size,
      (size) => size === 1,
    );
    expect([...bob.locks.keys()]).toEqual([paragraphWith(ann.state.doc, 'Of Ann').id]);
    await typeAfter(bob, 'Of Ann', ' not mine');
    await typeAfter(bob, 'Of Bob', ' his');
    await bob.saved();
    expect(bob.state.doc.textContent).toBe('Of Ann:Of Bob: his');
    expect(ann.state.doc.textContent).toBe('Of Ann: mineOf Bob:');
    await ann.save();
    await inStep(ann, bob);
    expect(ann.state.doc.textContent).toBe('Of Ann: mineOf Bob: his');
    await eventually(
      async () => bob.locks.size,
      (size) => size === 0,
    );
    await ann.close();
    await bob.close();
  });

  it('[JR32] a document that was closed and handed over under somebody’s feet is reopened without loss', async () => {
    const key = newName('session-reopened');
    const sourceUrl = serve(key, ['Text:']);
    const ann = await world.join({ key, user: 'ann', sourceUrl });
    await typeAfter(ann, 'Text', ' stored');
    await ann.saved();
    // Gone without a word, with something unsent: the server closes the document and hands it over.
    ann.client.abort();
    await typeAfter(ann, 'Text', ' unsent');
    const { body } = await world.integrator.waitForCallback(key, ({ status }) => status === 2);
    const saved = new Uint8Array(await (await fetch(String(body.url))).arrayBuffer());
    const nextUrl = world.integrator.serve('session-reopened-2.docx', { bytes: saved });
    const nextKey = newName('session-reopened-2');
    const options = await world.optionsOf({ key: nextKey, user: 'ann', sourceUrl: nextUrl });
    const again = ann.reopen(options);
    await again.open();
    expect(again.state.doc.textContent).toBe('Text: stored unsent');
    expect(again.savingStatus.connection).toBe('online');
    await again.close();
    const second = await world.integrator.waitForCallback(nextKey, ({ status }) => status === 2);
    expect(second.body).toMatchObject({ status: 2 });
  });
});
