import { strFromU8, unzipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildPptx } from '../support/pptx-fixture.ts';
import { fetchFile } from '../support/word-editor.ts';
import { hasEditors, needsEditors, OfficeWorld } from './editor-driver.ts';
import { onePixel } from './pictures.ts';
import { SlidePage } from './slide-page.ts';

const timeout = 240_000;

describe.skipIf(!hasEditors)(`a presentation ${needsEditors}`, { timeout }, () => {
  let office: OfficeWorld;

  beforeAll(async () => {
    office = await OfficeWorld.open({ RECONNECT_GRACE_MS: '5000' });
  }, timeout);
  afterAll(() => office?.close());

  const join = async (user: string, key: string, bytes: Uint8Array) => {
    const sourceUrl = office.serve(`${key}.pptx`, bytes);
    const visit = { key, user, sourceUrl, fileType: 'pptx', documentType: 'slide' } as const;
    return new SlidePage(await office.visit(visit));
  };

  it('[TS10] is worked on by two on different slides, and holds all of it when it is opened again', async () => {
    const key = 'slides';
    const source = buildPptx(['First', 'Second']);
    const ann = await join('ann', key, source);
    const bob = await join('bob', key, source);
    await ann.typeInTitle(0, ' by ann');
    await bob.shows('First by ann');
    await bob.typeInTitle(1, ' by bob');
    await ann.shows('Second by bob');
    await ann.addSlide(1);
    await bob.hasSlides(3);
    // Not behind the picture: what is put in while the editor loads one of somebody else's it leaves out.
    await bob.comment(0, 'A remark');
    await ann.picture(2, onePixel);
    await ann.office.saved();
    await bob.office.saved();
    for (const { office: page } of [ann, bob]) await page.leave();
    const { body } = await office.callback(key, [2]);
    const saved = await fetchFile(body.url);
    const parts = unzipSync(saved);
    const text = (name: string) => strFromU8(parts[name]!);
    const names = Object.keys(parts);
    expect(names.filter((name) => /^ppt\/slides\/slide\d+\.xml$/.test(name))).toHaveLength(3);
    expect(wordsOf(text('ppt/slides/slide1.xml'))).toBe('First by ann');
    expect(wordsOf(text('ppt/slides/slide2.xml'))).toBe('Second by bob');
    expect(text('ppt/slides/slide3.xml')).toContain('<p:pic>');
    expect(names.filter((name) => name.startsWith('ppt/media/'))).toHaveLength(1);
    const comments = names.filter((name) => /^ppt\/comments\/.*\.xml$/.test(name)).map(text);
    expect(comments.join()).toContain('A remark');
    const again = await join('cyd', 'slides-again', saved);
    await again.hasSlides(3);
    await again.shows('Second by bob');
  });
});

const wordsOf = (xml: string) => [...xml.matchAll(/<a:t>([^<]*)/g)].map(([, text]) => text).join('');
