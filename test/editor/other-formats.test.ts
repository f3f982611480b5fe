import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasBrowser } from '../support/browser.ts';
import { inStep, typeAfter } from '../support/e2e-text.ts';
import { eventually } from '../support/eventually.ts';
import type { ReceivedCallback } from '../support/integrator.ts';
import { newName } from '../support/new-name.ts';
import { buildOdt, odtContent, odtParagraphs } from '../support/odt-fixture.ts';
import { needsOffice, realOffice } from '../support/office.ts';
import type { QuireProcess } from '../support/quire-process.ts';
import { fetchFile } from '../support/word-editor.ts';
import { EditorWorld } from './editor-world.ts';
import { drawn, manyPages, pagesOf, shownTo } from './viewer-page.ts';

const isFinal = ({ status }: ReceivedCallback) => status === 2 || status === 3;

describe.skipIf(!hasBrowser || !realOffice)(
  `files of other formats in the word processor, ${needsOffice}`,
  () => {
    let world: EditorWorld<QuireProcess>;
    beforeAll(async () => {
      world = await EditorWorld.openOwn({ LIBREOFFICE: 'auto' });
    });
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

    describe('what has no editor', () => {
      it('[PV9] [PV10] [PV11] [PV12] [PV14] a PDF is read, searched, gone through and enlarged, by hand and by key', async () => {
        const ann = await shownTo(world, 'ann', 'many-pages.pdf', manyPages);
        const { frame, page } = ann;
        expect((await ann.events()).map(({ name }) => name)).toEqual(
          expect.arrayContaining(['onAppReady', 'onDocumentReady', 'onInfo']),
        );
        await frame.locator('.textLayer', { hasText: 'This is page 1' }).first().waitFor();
        const links = frame.locator('.annotationLayer a');
        await links.first().waitFor();
        expect(
          await links.evaluateAll((all) =>
            all.map((one) => [
              one.getAttribute('href'),
              (one as HTMLAnchorElement).rel,
              (one as HTMLAnchorElement).target,
            ]),
          ),
        ).toEqual([
          ['https://example.com/a', 'noopener noreferrer nofollow', '_blank'],
          [null, '', ''],
        ]);
        const number = frame.getByRole('textbox', { name: 'Page' });
        await number.fill('41');
        await number.press('Enter');
        await frame
          .locator('.page[data-page-number="41"] .textLayer', { hasText: 'This is page 41' })
          .waitFor();
        await eventually(
          () => drawn(ann),
          (pages) => pages.includes(41) && pages.length <= 12,
        );
        for (const to of [1, 5, 10, 15, 20, 25, 30, 35, 50, 60]) {
          await number.fill(String(to));
          await number.press('Enter');
          await frame.locator(`.page[data-page-number="${to}"] canvas`).first().waitFor();
        }
        // As many are kept as are likely to be gone back to.
        await eventually(
          () => drawn(ann),
          (pages) => !pages.includes(41) && pages.length <= 12,
        );
        await pagesOf(ann).focus();
        await page.keyboard.press('Home');
        await eventually(
          () => number.inputValue(),
          (value) => value === '1',
        );
        await page.keyboard.press('Control+f');
        await frame.getByRole('searchbox').fill('NEEDLE');
        await frame.getByText('1 of 3', { exact: true }).waitFor();
        await page.keyboard.press('Enter');
        await frame.getByText('2 of 3', { exact: true }).waitFor();
        await frame.locator('.page[data-page-number="21"] .highlight.selected').waitFor();
        await frame.getByRole('button', { name: 'Previous match' }).click();
        await frame.getByText('1 of 3', { exact: true }).waitFor();
        await frame.getByRole('checkbox', { name: 'Match case' }).check();
        await frame.getByText('Nothing found').waitFor();
        await page.keyboard.press('Escape');
        await frame.getByRole('searchbox').waitFor({ state: 'detached' });
        const percent = () => frame.locator('.viewer-percent').textContent();
        expect(await percent()).toBe('100%');
        await page.keyboard.press('Control+=');
        await eventually(percent, (text) => text === '110%');
        await frame.getByRole('button', { name: 'Fit width' }).click();
        const width = () => frame.evaluate(() => document.querySelector('.page')!.clientWidth / innerWidth);
        await eventually(width, (share) => share > 0.9 && share <= 1);
        await pagesOf(ann).hover();
        await page.keyboard.down('Control');
        await page.mouse.wheel(0, 300);
        await page.keyboard.up('Control');
        await eventually(width, (share) => share < 0.9);
        expect(await frame.evaluate('document.documentElement.scrollHeight <= innerHeight')).toBe(true);
        await ann.call('requestClose');
        await ann.event('onRequestClose');
        expect(ann.problems).toEqual([]);
        await page.close();
      });
    });
  },
);
