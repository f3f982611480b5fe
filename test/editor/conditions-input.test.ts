import { strToU8, zipSync } from 'fflate';
import { SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildDocx } from '../support/docx-fixture.ts';
import type { ServedFile } from '../support/integrator.ts';
import { newName } from '../support/new-name.ts';
import { eventually } from '../support/scene.ts';
import { type EditorPage, EditorWorld, hasBrowser } from './editor-world.ts';

const maxSizeBytes = 50_000;
const good = buildDocx({ paragraphs: ['First line:'] });
const big = buildDocx({ paragraphs: ['x'.repeat(2 * maxSizeBytes)], stored: true });

/** The head of a compound file that holds an encrypted package ([MS-OFFCRYPTO], 2.3.4.4). */
function encrypted(): Uint8Array {
  const bytes = new Uint8Array(4_096);
  bytes.set([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]);
  const name = new Uint8Array(
    new Uint16Array([...'EncryptedPackage'].map((one) => one.charCodeAt(0))).buffer,
  );
  bytes.set(name, 1_024);
  // The entry's length field: the name and a zero, bytes ([MS-CFB], 2.6.1).
  bytes[1_024 + 64] = name.length + 2;
  return bytes;
}

const openDocument = zipSync({
  mimetype: [strToU8('application/vnd.oasis.opendocument.text'), { level: 0 }],
  'content.xml': strToU8('<office:document-content/>'),
});

describe.skipIf(!hasBrowser)('documents that cannot be opened', { timeout: 180_000 }, () => {
  let world: EditorWorld;
  beforeAll(async () => {
    world = await EditorWorld.open({ MAX_DOWNLOAD_SIZE_BYTES: String(maxSizeBytes) });
  }, 120_000);
  afterAll(() => world?.close());

  const sentenceOf = async ({ frame }: EditorPage): Promise<string> =>
    (await frame.locator('.notice-sentence').textContent()) ?? '';
  const tryAgain = ({ frame }: EditorPage) => frame.getByRole('button', { name: 'Try again' }).click();
  /** Errors of the console are no surprise where something failed, errors of scripts are. */
  const scriptErrors = ({ problems }: EditorPage) => problems.filter((one) => /TypeError|Uncaught/.test(one));

  it.for([
    [
      'corrupt',
      'docx',
      { bytes: strToU8('this is no document') },
      'The document is damaged or cannot be read.',
      -82,
    ],
    [
      'cut',
      'docx',
      { bytes: good.slice(0, good.length / 2) },
      'The document is damaged or cannot be read.',
      -82,
    ],
    ['encrypted', 'docx', { bytes: encrypted() }, 'The document is encrypted and cannot be opened.', -20],
    ['oversized', 'docx', { bytes: big }, 'The document is too big to be opened.', -84],
    ['missing', 'docx', { status: 404 }, 'The document could not be downloaded from its storage.', -4],
    ['failing', 'docx', { status: 500 }, 'The document could not be downloaded from its storage.', -4],
    ['other', 'odt', { bytes: openDocument }, 'Documents of this kind cannot be opened.', -85],
  ] satisfies [string, string, ServedFile, string, number][])(
    '[EW17] a document that is %s (%s): a sentence, an event, and a second try',
    async ([key, fileType, file, sentence, errorCode]) => {
      const { integrator } = world.world;
      const sourceUrl = integrator.serve(`${key}.${fileType}`, file);
      const document = { title: `Report ${key}.${fileType}`, fileType };
      const ann = await world.visit({ key, user: 'ann', sourceUrl, document });
      expect(await sentenceOf(ann)).toBe(sentence);
      expect(await ann.frame.locator('h1').textContent()).toBe(`Report ${key}.${fileType}`);
      expect(await ann.frame.getByRole('link', { name: 'Download' }).getAttribute('href')).toBe(sourceUrl);
      expect((await ann.event('onError')).data).toEqual({ errorCode, errorDescription: sentence });
      await tryAgain(ann);
      await ann.frame.locator('.notice-sentence').waitFor();
      integrator.serve(`${key}.${fileType}`, { bytes: good });
      await tryAgain(ann);
      await ann.event('onDocumentReady');
      await ann.showsText('First line:');
      await ann.typeAfter('First line:', ' works');
      await ann.saved();
      expect(scriptErrors(ann)).toEqual([]);
    },
  );

  it.for([
    [
      'expired',
      'The permission to open this document has expired. Open it again from where you found it.',
      -21,
    ],
    ['forged', 'The document was opened with a token that is not valid.', -8],
  ] as const)(
    '[EW18] a token that is %s: a sentence, and the page is asked for another',
    async ([key, sentence, errorCode]) => {
      const sourceUrl = world.world.integrator.serve(`${key}.docx`, { bytes: good });
      const visit = { key, user: 'ann', sourceUrl };
      const config = await world.configOf(visit);
      const token =
        key === 'expired'
          ? await world.world.sign({
              ...config,
              token: undefined,
              exp: Math.floor(Date.now() / 1_000) - 3_600,
            })
          : await new SignJWT({ ...config, token: undefined })
              .setProtectedHeader({ alg: 'HS256' })
              .sign(strToU8('the secret of somebody else, long enough'));
      const ann = await world.visit({ ...visit, token });
      expect(await sentenceOf(ann)).toBe(sentence);
      expect((await ann.event('onError')).data).toEqual({ errorCode, errorDescription: sentence });
      await tryAgain(ann);
      await ann.event('onRequestRefreshFile');
      await ann.refresh(config);
      await ann.event('onDocumentReady');
      await ann.showsText('First line:');
      expect(scriptErrors(ann)).toEqual([]);
    },
  );

  it('[EW19] a key whose version was stored is opened for reading, and the page is asked for the newer one', async () => {
    const { integrator } = world.world;
    const sourceUrl = integrator.serve('used.docx', { bytes: good });
    const key = newName('used');
    const visit = { key, user: 'ann', sourceUrl };
    const first = await world.visit(visit);
    await first.typeAfter('First line:', ' stored');
    await first.saved();
    await first.page.close({ runBeforeUnload: true });
    const { body } = await integrator.waitForCallback(key, ({ status }) => status === 2, 30_000);
    await eventually(
      () =>
        world.world.database.pool.query<{ state: string }>('SELECT state FROM documents WHERE key = $1', [
          key,
        ]),
      ({ rows }) => rows[0]?.state === 'closed',
    );
    const again = await world.visit(visit);
    await again.showsNotice(/^There is a newer version of this document\. This one can only be read/);
    expect((await again.event('onWarning')).data).toMatchObject({ warningCode: -102 });
    expect((await again.event('onInfo')).data).toEqual({ mode: 'view' });
    await again.event('onRequestRefreshFile');
    const stored = integrator.serve('used-2.docx', {
      bytes: new Uint8Array(await (await fetch(String(body.url))).arrayBuffer()),
    });
    await again.refresh(await world.configOf({ ...visit, key: `${key}-2`, sourceUrl: stored }));
    await again.showsText('First line: stored');
    await again.typeAfter('stored', ' again');
    await again.saved();
    expect(await again.notices()).toEqual([]);
    expect(scriptErrors(again)).toEqual([]);
  });
});
