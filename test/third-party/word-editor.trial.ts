import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { strFromU8, unzipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildDocx } from '../support/docx-fixture.ts';
import { CuttableProxy } from '../support/e2e-proxy.ts';
import { eventually } from '../support/eventually.ts';
import { fetchFile, paragraphsOf } from '../support/word-editor.ts';
import { realX2t, startX2t } from '../support/x2t.ts';
import { hasEditors, needsEditors, type OfficePage, OfficeWorld } from './editor-driver.ts';
import { onePixel } from './pictures.ts';
import {
  goToEndOf,
  insertPicture,
  insertTable,
  lockedHere,
  paragraphsIn,
  picturesIn,
  sameIn,
  typeAtEndOf,
} from './word-document.ts';

const assembled = [2, 3];

/** A file that opens with a password only. */
async function protectedDocx(paragraphs: string[], savePassword: string): Promise<Uint8Array> {
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'quire-protected-'));
  try {
    const engine = await startX2t(realX2t!, { dataDir });
    const source = { bytes: buildDocx({ paragraphs }), fileType: 'docx', options: { savePassword } };
    return await engine.convert(source, 'docx');
  } finally {
    await rm(dataDir, { recursive: true });
  }
}

describe.skipIf(!hasEditors)(`a text document ${needsEditors}`, { timeout: 400_000 }, () => {
  let office: OfficeWorld;
  let keys = 0;

  beforeAll(async () => {
    office = await OfficeWorld.open({ CLOSING_GRACE_MS: '3000', RECONNECT_GRACE_MS: '20000' });
  });
  afterAll(() => office?.close());

  /** A document of its own for a test: what `visit` needs. */
  const newDocument = (paragraphs = ['First', 'Second']) => {
    const key = `word-${keys++}`;
    return { key, sourceUrl: office.serve(`${key}.docx`, buildDocx({ paragraphs })) };
  };

  /** The file that the integrator gets when everybody has left. */
  async function fileAfter(key: string, ...editors: readonly OfficePage[]): Promise<Uint8Array> {
    for (const editor of editors) await editor.leave();
    const { body } = await office.callback(key, assembled);
    expect(body.status).toBe(2);
    return fetchFile(body.url);
  }

  const xmlOf = (docx: Uint8Array, part = 'word/document.xml') => strFromU8(unzipSync(docx)[part]!);

  it("[TE1] opens in Quire's own editor for a page that takes its script", async () => {
    const { key, sourceUrl } = newDocument();
    const ann = await office.start({ key, user: 'ann', sourceUrl, own: true });
    await ann.event('onDocumentReady', 60_000);
    expect(ann.page.frames().some((frame) => frame.url().includes('/web-apps/apps/quire/word/'))).toBe(true);
    await ann.leave();
  });

  it('[TE10] is typed in, formatted, undone and redone; the file that is stored has what the editor shows', async () => {
    const { key, sourceUrl } = newDocument();
    const ann = await office.visit({ key, user: 'ann', sourceUrl });
    await goToEndOf(ann, 1);
    await ann.type(' line');
    await ann.saved();
    await goToEndOf(ann, 0);
    await ann.press('Shift+Home', 'Control+b');
    await ann.saved();
    await goToEndOf(ann, 1);
    await ann.type('XYZ');
    await ann.saved();
    // How many letters one step takes back is the editor's affair.
    const pressUntil = (keys: string, wanted: string) =>
      eventually(
        async () => {
          await ann.press(keys);
          return (await paragraphsIn(ann))[1];
        },
        (second) => second === wanted,
      );
    await pressUntil('Control+z', 'Second line');
    await pressUntil('Control+y', 'Second lineXYZ');
    await pressUntil('Control+z', 'Second line');
    await ann.saved();

    const shown = await paragraphsIn(ann);
    const file = await fileAfter(key, ann);
    expect(paragraphsOf(file)).toEqual(shown);
    expect(shown).toEqual(['First', 'Second line']);
    expect(xmlOf(file)).toMatch(/<w:b\/?[^>]*>.*<w:t[^>]*>First/);
  });

  it('[TE11] shows two people what the other types and where, in the same document to the end', async () => {
    const { key, sourceUrl } = newDocument();
    const ann = await office.visit({ key, user: 'ann', sourceUrl });
    const bob = await office.visit({ key, user: 'bob', sourceUrl });
    await goToEndOf(ann, 0);
    await goToEndOf(bob, 1);
    await ann.type(' by Ann');
    await sameIn([ann, bob], ([first]) => first === 'First by Ann');
    await bob.type(' by Bob');
    await sameIn([ann, bob], ([, second]) => second === 'Second by Bob');
    await ann.type(',');
    await eventually(async () =>
      expect(
        await bob.find('.username-tip, #id_target_cursor, [id*="foreign_cursor"], .foreign-cursor').count(),
      ).toBeGreaterThan(0),
    );

    await Promise.all([ann.type(' and more of it'), bob.type(' and more of that')]);
    await Promise.all([ann.saved(), bob.saved()]);
    const shown = await sameIn([ann, bob], ([first, second]) => /it$/.test(first!) && /that$/.test(second!));
    expect(paragraphsOf(await fileAfter(key, ann, bob))).toEqual(shown);
  });

  it('[TE12] takes tables, pictures and comments, and gives the other all of them', async () => {
    const { key, sourceUrl } = newDocument();
    const ann = await office.visit({ key, user: 'ann', sourceUrl });
    const bob = await office.visit({ key, user: 'bob', sourceUrl });
    const shows = (table: string) => sameIn([ann, bob], (paragraphs) => paragraphs.includes(table));
    await ann.press('Control+End', 'Enter');
    await insertTable(ann, { columns: 2, rows: 1 });
    await shows('[|]');
    await ann.type('1');
    await ann.press('Tab');
    await ann.type('2');
    await shows('[1|2]');
    await ann.press('Tab');
    await shows('[1|2][|]');
    await ann.type('3');
    await shows('[1|2][3|]');

    await goToEndOf(bob, 0);
    await insertPicture(bob, onePixel);
    await bob.saved();
    await bob.press('Escape');
    await eventually(
      () => picturesIn(ann),
      (pictures) => pictures === 1,
    );
    await goToEndOf(ann, 0);
    await ann.press('Shift+Home');
    await ann.addComment('A remark');
    await ann.saved();
    await sameIn([ann, bob], () => true);

    const file = await fileAfter(key, ann, bob);
    const xml = xmlOf(file);
    expect(xml.match(/<w:tr[ >]/g)).toHaveLength(2);
    expect(xml.match(/<w:drawing>/g)).toHaveLength(1);
    expect(Object.keys(unzipSync(file)).filter((name) => name.startsWith('word/media/'))).toHaveLength(1);
    expect(xmlOf(file, 'word/comments.xml')).toMatch(/w:author="Name of ann".*A remark/s);
  });

  it('[TE13] has a chat', async () => {
    const { key, sourceUrl } = newDocument();
    const ann = await office.visit({ key, user: 'ann', sourceUrl });
    const bob = await office.visit({ key, user: 'bob', sourceUrl });
    await ann.say('Hello Bob');
    await bob.find('#left-btn-chat').click();
    await eventually(async () =>
      expect(await bob.find('#chat-messages').textContent()).toContain('Hello Bob'),
    );
    await ann.leave();
    await bob.leave();
  });

  it('[TE14] in strict mode is locked by paragraph, and gives what was typed when it is saved', async () => {
    const { key, sourceUrl } = newDocument();
    const editorConfig = { coEditing: { mode: 'strict', change: false } };
    const ann = await office.visit({ key, user: 'ann', sourceUrl, editorConfig });
    const bob = await office.visit({ key, user: 'bob', sourceUrl, editorConfig });
    await typeAtEndOf(ann, 0, ' strict');
    await bob.press('Control+Home');
    await lockedHere(bob);
    await bob.type('No');
    expect(await paragraphsIn(bob)).toEqual(['First', 'Second']);
    await ann.press('Control+s');
    await ann.saved();
    await eventually(
      async () => {
        await bob.press('Control+s');
        return paragraphsIn(bob);
      },
      ([first]) => first === 'First strict',
    );
    const file = await fileAfter(key, ann, bob);
    expect(paragraphsOf(file)).toEqual(['First strict', 'Second']);
  });

  it('[TE15] is stored by the save button and Ctrl+S while people go on, and opens with all of it under the next key', async () => {
    const { key, sourceUrl } = newDocument();
    const editorConfig = { customization: { forcesave: true } };
    const ann = await office.visit({ key, user: 'ann', sourceUrl, editorConfig });
    await goToEndOf(ann, 1);
    await ann.type(' one');
    await ann.saved();
    await ann.press('Control+s');
    const { body } = await office.callback(key, [6]);
    expect(body.forcesavetype).toBe(1);
    expect(paragraphsOf(await fetchFile(body.url))).toEqual(['First', 'Second one']);
    await ann.type(' two');
    await ann.saved();
    const file = await fileAfter(key, ann);
    expect(paragraphsOf(file)).toEqual(['First', 'Second one two']);

    const next = `${key}-next`;
    const again = await office.visit({
      key: next,
      user: 'ann',
      sourceUrl: office.serve(`${next}.docx`, file),
    });
    expect(await paragraphsIn(again)).toEqual(['First', 'Second one two']);
    await again.leave();
  });

  it('[TE16] survives a cut of the network: those who come back in time go on with everything', async () => {
    const { key, sourceUrl } = newDocument();
    const proxy = await CuttableProxy.to(office.world.quire.address);
    try {
      const ann = await office.visit({ key, user: 'ann', sourceUrl, address: proxy.address });
      const bob = await office.visit({ key, user: 'bob', sourceUrl });
      await goToEndOf(bob, 1);
      await bob.type(' of Bob');
      await sameIn([ann, bob], ([, second]) => second === 'Second of Bob');
      await goToEndOf(ann, 0);
      await ann.type(' of Ann');
      await sameIn([ann, bob], ([first, second]) => first === 'First of Ann' && second === 'Second of Bob');
      await Promise.all([ann.saved(), bob.saved()]);

      await ann.comesBackAfter(async () => proxy.cut());
      await ann.type(' again');
      const shown = await sameIn([ann, bob], ([first]) => first === 'First of Ann again');
      await ann.saved();
      expect(paragraphsOf(await fileAfter(key, ann, bob))).toEqual(shown);
    } finally {
      await proxy.close();
    }
  });

  it('[TE22] tells who was away while others wrote to take the document anew, and that goes on in place', async () => {
    const { key, sourceUrl } = newDocument();
    const proxy = await CuttableProxy.to(office.world.quire.address);
    const { address } = proxy;
    const visit = { key, user: 'ann', sourceUrl, address };
    const ann = await office.visit(visit);
    const bob = await office.visit({ key, user: 'bob', sourceUrl });
    await proxy.close();
    await goToEndOf(bob, 1);
    await bob.type(' meanwhile');
    await bob.saved();
    const again = await CuttableProxy.to(office.world.quire.address, Number(new URL(address).port));
    try {
      await ann.event('onRequestRefreshFile', 90_000);
      await ann.call('refreshFile', await office.configOf(visit));
      const shown = await sameIn([ann, bob], ([, second]) => second === 'Second meanwhile', 90_000);
      expect(paragraphsOf(await fileAfter(key, ann, bob))).toEqual(shown);
    } finally {
      await again.close();
    }
  });

  it('[TE17] survives the end of the server while it is typed in, orderly or not', async () => {
    const { key, sourceUrl } = newDocument();
    const ann = await office.visit({ key, user: 'ann', sourceUrl });
    await goToEndOf(ann, 1);
    for (const [end, word] of [
      ['stop', ' one'],
      ['kill', ' two'],
    ] as const) {
      await ann.type(word);
      await ann.saved();
      await ann.type(',');
      await ann.comesBackAfter(async () => {
        await office.world.quire[end]();
        await office.world.quire.restart();
      });
    }
    await ann.type(' end');
    await ann.saved(60_000);
    const shown = await paragraphsIn(ann);
    expect(shown[1]).toBe('Second one, two, end');
    expect(paragraphsOf(await fileAfter(key, ann))).toEqual(shown);
  });

  it('[TE18] is followed by readers as it is written, and commented by those who may only comment', async () => {
    const { key, sourceUrl } = newDocument();
    const reader = await office.visit({ key, user: 'cat', sourceUrl, mode: 'view' });
    const ann = await office.visit({ key, user: 'ann', sourceUrl });
    await goToEndOf(ann, 1);
    await ann.type(' live');
    await sameIn([reader, ann], ([, second]) => second === 'Second live');
    await reader.press('Control+End');
    await reader.type('No');
    const commenter = await office.visit({
      key,
      user: 'dan',
      sourceUrl,
      permissions: { edit: false, comment: true },
    });
    await commenter.press('Control+Home');
    await commenter.type('No');
    await commenter.press('Shift+End');
    await commenter.addComment('Only a remark');
    await commenter.saved();
    expect(await sameIn([reader, ann, commenter], () => true)).toEqual(['First', 'Second live']);
    const file = await fileAfter(key, reader, ann, commenter);
    expect(xmlOf(file, 'word/comments.xml')).toMatch(/w:author="Name of dan".*Only a remark/s);
  });

  it('[TE19] protected by a password opens with it, and asks again after a wrong one', async () => {
    const key = `word-${keys++}`;
    const locked = await protectedDocx(['First', 'Second'], 'pass');
    const sourceUrl = office.serve(`${key}.docx`, locked);
    const ann = await office.start({ key, user: 'ann', sourceUrl });
    await ann.answerPassword('wrong');
    await ann.answerPassword('pass');
    await ann.ready();
    await ann.press('Control+End');
    await ann.type(' typed');
    await ann.saved();
    await ann.leave();
    expect((await office.callback(key, assembled)).body.status).toBe(2);
  });

  it('[TE20] of plain text is opened in the encoding that is chosen', async () => {
    const key = `word-${keys++}`;
    const sourceUrl = office.serve(`${key}.txt`, Buffer.from('caf\xe9 \xe0 la carte', 'latin1'));
    const ann = await office.start({ key, user: 'ann', sourceUrl, fileType: 'txt' });
    await ann.find('.asc-window:visible button:has-text("OK")').click({ timeout: 60_000 });
    await ann.ready();
    expect((await paragraphsIn(ann))[0]).toMatch(/^caf. . la carte$/);
    await ann.leave();
  });

  it('[TE21] is downloaded in other formats and printed', async () => {
    const { key, sourceUrl } = newDocument();
    const ann = await office.visit({ key, user: 'ann', sourceUrl });
    await goToEndOf(ann, 1);
    await ann.type(' on paper');
    await ann.saved();
    const pdf = await ann.downloadAs(513);
    expect(strFromU8(pdf.subarray(0, 5), true)).toBe('%PDF-');
    expect(xmlOf(await ann.downloadAs(65))).toContain('Second on paper');
    expect(strFromU8(unzipSync(await ann.downloadAs(67))['content.xml']!)).toContain('Second on paper');
    // A browser that shows no PDF itself, as one without a window, is given the pages as a file.
    const printed = ann.page.waitForEvent('download', { timeout: 60_000 });
    await ann.focus();
    await ann.press('Control+p');
    expect((await printed).suggestedFilename()).toBe(`${key}.pdf`);
    await ann.leave();
  });
});
