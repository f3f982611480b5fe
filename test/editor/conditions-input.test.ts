import { strToU8 } from 'fflate';
import { SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasBrowser } from '../support/browser.ts';
import { eventually } from '../support/eventually.ts';
import { newName } from '../support/new-name.ts';
import { EditorWorld } from './editor-world.ts';
import {
  good,
  openInVain,
  scriptErrors,
  sentenceOf,
  tryAgain,
  type UnopenedDocument,
} from './unopened-document.ts';

const damaged: UnopenedDocument = [
  'corrupt',
  'docx',
  { bytes: strToU8('this is no document') },
  'The document is damaged or cannot be read.',
  -82,
];

describe.skipIf(!hasBrowser)('documents that cannot be opened', () => {
  let world: EditorWorld;
  beforeAll(async () => {
    world = await EditorWorld.open();
  });
  afterAll(() => world?.close());

  it('[EW17] a document that is damaged: a sentence, an event, and a second try', () =>
    openInVain(world, damaged));

  it.for([
    [
      'expired',
      'The permission to open this document has expired. Open it again from where you found it.',
      -21,
    ],
    ['forged', 'The document was opened with a token that is not valid.', -8],
  ] as const)(
    '[EW18] a token that is %s: a sentence, and the page is asked for another',
    async ([name, sentence, errorCode]) => {
      const key = newName(name);
      const sourceUrl = world.world.integrator.serve(`${key}.docx`, { bytes: good });
      const visit = { key, user: 'ann', sourceUrl };
      const config = await world.configOf(visit);
      const token =
        name === 'expired'
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
    const { body } = await integrator.waitForCallback(key, ({ status }) => status === 2);
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
