import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inStep, typeAfter } from '../support/e2e-text.ts';
import type { ReceivedCallback } from '../support/integrator.ts';
import { newName } from '../support/new-name.ts';
import { buildOdt, odtContent, odtParagraphs } from '../support/odt-fixture.ts';
import { needsOffice, realOffice, startOffice } from '../support/office.ts';
import { fetchFile } from '../support/word-editor.ts';
import { EditorWorld, hasBrowser } from './editor-world.ts';

const isFinal = ({ status }: ReceivedCallback) => status === 2 || status === 3;

/** A line of text as an odt that LibreOffice has protected by the password `right`. */
async function protectedOdt(text: string): Promise<Uint8Array> {
  const pool = await startOffice();
  try {
    return await pool.run({
      lane: 'interactive',
      async prepare(directory) {
        await writeFile(path.join(directory, 'source.txt'), text);
        return {
          source: { file: 'source.txt', filter: 'Text (encoded)', filterOptions: 'UTF8' },
          steps: [],
          outputs: [{ file: 'result.odt', filter: 'writer8', password: 'right' }],
        };
      },
      collect: (directory) => readFile(path.join(directory, 'result.odt')),
    });
  } finally {
    await pool.close();
  }
}

describe.skipIf(!hasBrowser || !realOffice)(
  `files of other formats in the word processor, ${needsOffice}`,
  { timeout: 120_000 },
  () => {
    let world: EditorWorld;
    beforeAll(async () => {
      world = await EditorWorld.open({ LIBREOFFICE: 'auto' });
    }, 120_000);
    afterAll(() => world?.close());

    it('[BO14] an odt is typed into in the page and by others, and comes back as odt with everything else in it', async () => {
      const key = newName('together-in-odt');
      const table =
        '<table:table><table:table-column/><table:table-row><table:table-cell><text:p>In a cell</text:p></table:table-cell></table:table-row></table:table>';
      const body = `<text:h text:outline-level="2">A heading</text:h><text:p>Of Ann:</text:p>${table}<text:p>Of Bob:</text:p>`;
      const sourceUrl = world.world.integrator.serve(`${key}.odt`, { bytes: buildOdt({ body }) });
      const visit = { key, sourceUrl, document: { fileType: 'odt', title: `${key}.odt` } };
      const ann = await world.visit({ ...visit, user: 'ann' });
      const bob = await world.world.join({ ...visit, user: 'bob', fileType: 'odt' });
      await ann.typeAfter('Of Ann:', ' typed');
      await typeAfter(bob, 'Of Bob:', ' too');
      await ann.saved();
      await inStep(bob);
      await ann.showsText(/Of Ann: typed[\s\S]*Of Bob: too/);
      expect(ann.problems).toEqual([]);
      await ann.page.close();
      await bob.close();
      const { body: told } = await world.world.integrator.waitForCallback(key, isFinal);
      expect(told).toMatchObject({ status: 2, filetype: 'odt' });
      const odt = await fetchFile(told.url);
      expect(odtParagraphs(odt)).toEqual(['A heading', 'Of Ann: typed', 'In a cell', 'Of Bob: too']);
      expect(odtContent(odt)).toMatch(/<text:h [^>]*text:outline-level="2"/);
      expect(odtContent(odt)).toContain('<table:table-cell');
    });

    it('[CP4] the page says how far an opening is that takes a while', async () => {
      const key = newName('long-odt');
      const paragraphs = Array.from({ length: 40_000 }, (_, at) => `Paragraph ${at} of a long document`);
      let send = (): void => undefined;
      const until = new Promise<void>((resolve) => {
        send = resolve;
      });
      const file = { bytes: buildOdt({ paragraphs }), until };
      const sourceUrl = world.world.integrator.serve(`${key}.odt`, file);
      const ann = await world.start({
        ...{ key, sourceUrl, user: 'ann', document: { fileType: 'odt', title: `${key}.odt` } },
      });
      const status = (text: string) => ann.frame.locator('.screen').getByRole('status').getByText(text);
      await status('Fetching the file').waitFor();
      send();
      await status('Converting the file').waitFor();
      await ann.frame.getByRole('progressbar').waitFor();
      await ann.page.close();
    });

    it('[BO15] a protected odt asks for its password until it is right', async () => {
      const key = newName('protected-odt');
      const sourceUrl = world.world.integrator.serve(`${key}.odt`, { bytes: await protectedOdt('Secret') });
      const ann = await world.start({
        ...{ key, sourceUrl, user: 'ann', document: { fileType: 'odt', title: `${key}.odt` } },
      });
      await ann.event('onAppReady');
      const question = () => ann.frame.locator('.question');
      await question().getByText('The document is protected by a password.').waitFor();
      await question().getByLabel('Password').fill('wrong');
      await question().getByLabel('Password').press('Enter');
      await question().getByText('The password is not right.').waitFor();
      await question().getByLabel('Password').fill('right');
      await question().getByRole('button', { name: 'Open' }).click();
      await ann.settled();
      await ann.showsText('Secret');
      expect(ann.problems).toEqual([]);
      await ann.page.close();
    });

    it('[BO15] a text whose encoding nothing says is shown in the one that is chosen, and keeps it', async () => {
      const key = newName('old-text');
      const bytes = Buffer.from('\xcf\xf0\xe8\xe2\xe5\xf2:\r\nmore\r\n', 'latin1');
      const sourceUrl = world.world.integrator.serve(`${key}.txt`, { bytes });
      const ann = await world.start({
        ...{ key, sourceUrl, user: 'ann', document: { fileType: 'txt', title: `${key}.txt` } },
      });
      const question = () => ann.frame.locator('.question');
      await ann.event('onAppReady');
      await question().getByRole('combobox').selectOption('windows-1251');
      await question().locator('.question-preview', { hasText: 'Привет' }).waitFor();
      await question().getByRole('button', { name: 'Open' }).click();
      await ann.settled();
      await ann.typeAfter('Привет:', ' да');
      await ann.saved();
      await ann.page.close();
      const { body } = await world.world.integrator.waitForCallback(key, isFinal);
      expect(body).toMatchObject({ status: 2, filetype: 'txt' });
      const text = Buffer.from(await fetchFile(body.url)).toString('latin1');
      expect(text).toBe('\xcf\xf0\xe8\xe2\xe5\xf2: \xe4\xe0\r\nmore\r\n');
    });
  },
);
