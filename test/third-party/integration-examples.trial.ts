import { strFromU8, unzipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasBrowser } from '../support/browser.ts';
import { buildDocx } from '../support/docx-fixture.ts';
import { eventually } from '../support/eventually.ts';
import { realX2t } from '../support/x2t.ts';
import { ExampleScene } from './example-scene.ts';
import { ExampleVisitor, type PersonName } from './example-visitor.ts';
import { installedExamples } from './integration-example.ts';

const canRun = hasBrowser && installedExamples.length > 0;
const patience = { timeout: 60_000 };

/** What the tests say where no example is installed. */
const needsExamples = 'an integration example (skipped: set EXAMPLES_DIR to where examples are installed)';

const textOf = (docx: Uint8Array): string => {
  const xml = strFromU8(unzipSync(docx)['word/document.xml']!);
  return [...xml.matchAll(/<w:t(?: [^>]*)?>([^<]*)<\/w:t>/g)].map(([, text]) => text).join('');
};

/** The formulas and numbers of the cells of a workbook's sheets. */
const cellsOf = (xlsx: Uint8Array): string => {
  const parts = Object.entries(unzipSync(xlsx)).filter(([part]) => part.startsWith('xl/worksheets/sheet'));
  return parts.map(([, bytes]) => strFromU8(bytes)).join('');
};

const names = canRun ? installedExamples : [needsExamples];

describe.skipIf(!canRun)('the integration examples', () => {
  describe.for(names)('%s against Quire', (name) => {
    let scene: ExampleScene;

    beforeAll(async () => {
      const x2t = process.env.X2T_DIR;
      scene = await ExampleScene.open(name, { CALLBACK_RETRY_FOR_MS: '1000', ...(x2t && { X2T_DIR: x2t }) });
    });
    afterAll(() => scene?.close());

    const visitor = (person: PersonName) => ExampleVisitor.come(scene.browser, scene.example.address, person);

    /** The file that the example's list offers for download. */
    async function stored(by: ExampleVisitor, file: string): Promise<Uint8Array> {
      const list = await by.list();
      const href = await by.rowOf(list, file).locator('a[href*="download"]').first().getAttribute('href');
      // The examples keep the files of each address apart: the browser must ask, not this process.
      const bytes = await list.evaluate(async (address) => {
        const response = await fetch(address);
        return response.ok ? [...new Uint8Array(await response.arrayBuffer())] : null;
      }, href!);
      if (bytes === null) throw new Error(`${href} is not there`);
      return new Uint8Array(bytes);
    }

    const fileOf = async (list: {
      locator(selector: string): { first(): { textContent(): Promise<string | null> } };
    }) => (await list.locator('tr.tableRow a.stored-edit').first().textContent())?.trim() ?? '';

    it('[IE1] a document is made, two people write in it, and what they wrote is stored with its history', async () => {
      const [john, mark] = [await visitor('john'), await visitor('mark')];
      const first = await john.create();
      const file = await fileOf(await john.list());
      expect(file).toMatch(/\.docx$/);
      const second = await mark.open(file);
      await first.write('Written by John. ');
      await second.shows('Written by John. ');
      await second.write('And by Mark.');
      await first.shows('And by Mark.');
      await Promise.all([first.saved(), second.saved()]);
      await first.page.close();
      await second.page.close();
      await eventually(async () =>
        expect(textOf(await stored(john, file))).toContain('Written by John. And by Mark.'),
      );

      await eventually(
        async () => {
          const again = await john.open(file);
          await again.choose('Version history');
          await again.frame.locator('.version').first().waitFor(patience);
          const count = await again.frame.locator('.version').count();
          if (count > 1) {
            await again.frame.locator('.version').first().click();
            await again.frame.locator('.version-inserted').first().waitFor(patience);
          }
          await again.page.close();
          return count;
        },
        (count) => count > 1,
      );
    });

    it('[IE2] a new name is told to everybody in the document', async () => {
      const [john, mark] = [await visitor('john'), await visitor('mark')];
      const first = await john.create();
      const second = await mark.open(await fileOf(await john.list()));
      await first.choose('Rename');
      await first.frame.locator('dialog input[name=name]').fill('Other name');
      await first.frame.locator('dialog').getByRole('button', { name: 'Rename' }).click();
      for (const { frame, page } of [first, second]) {
        await eventually(async () =>
          expect(await frame.locator('.title-bar h1').textContent()).toBe('Other name.docx'),
        );
        await eventually(async () => expect(await page.title()).toContain('Other name.docx'));
      }
      await first.page.close();
      await second.page.close();
    });

    it('[IE3] people are offered for mentions, and who is mentioned is told', async () => {
      const john = await visitor('john');
      const opened = await john.create();
      await opened.write('A sentence');
      await opened.page.keyboard.press('Shift+Home');
      await opened.frame
        .getByRole('button', { name: /^Comment$/ })
        .first()
        .click(patience);
      const field = opened.frame.getByLabel('New comment');
      // Not Hamish: some examples give him no address to tell him at.
      await field.pressSequentially('Look @Mark');
      await opened.frame.getByRole('option', { name: /Mark/ }).first().waitFor(patience);
      await field.press('Enter');
      await field.press('Control+Enter');
      await eventually(() => expect(opened.console.join('\n')).toContain('onRequestSendNotify'));
      await opened.page.close();
    });

    it('[IE4] files open for reading, for commenting and for reviewing as their icons say', async () => {
      const john = await visitor('john');
      const list = await john.upload('modes.docx', buildDocx({ paragraphs: ['As it was'] }));
      await (await john.editUploaded(list)).page.close();
      const view = await john.open('modes.docx', 'view');
      await view.shows('As it was');
      expect(await view.frame.locator('.ProseMirror[contenteditable="true"]').count()).toBe(0);
      await view.page.close();
      // The list of java-spring means to offer it, and does not.
      if (name !== 'java-spring') {
        const comment = await john.open('modes.docx', 'comment');
        await comment.write('not taken');
        expect((await comment.text.allTextContents()).join()).not.toContain('not taken');
        await comment.page.close();
      }
      // The configuration of php-laravel for reviewing gives no right to review.
      if (name !== 'php-laravel') {
        const review = await john.open('modes.docx', 'review');
        await review.write(' and more');
        await review.frame.locator('.ProseMirror ins, .ProseMirror .inserted').first().waitFor(patience);
        await review.page.close();
      }
    });

    it.skipIf(!realX2t)(
      '[IE5] an uploaded file of another kind is converted and edited (with x2t)',
      async () => {
        const john = await visitor('john');
        const rtf = Buffer.from('{\\rtf1\\ansi A letter of old}');
        const opened = await john.editUploaded(await john.upload('letter.rtf', rtf));
        await opened.shows('A letter of old');
        await opened.write(' and new');
        await opened.saved();
        await opened.page.close();
        await eventually(async () =>
          expect(textOf(await stored(john, 'letter.docx'))).toContain('A letter of old and new'),
        );
      },
    );

    it.skipIf(!realX2t)('[IE6] a file of the list is converted to PDF (with x2t)', async () => {
      const john = await visitor('john');
      const list = await john.upload('page.docx', buildDocx({ paragraphs: ['One page'] }));
      await (await john.editUploaded(list)).page.close();
      const again = await john.list();
      // The list asks what can be converted, and offers nothing before it knows.
      await again.waitForLoadState('networkidle', patience);
      await john.rowOf(again, 'page.docx').locator('.convert-file').click(patience);
      await again.locator('#convTypes [data="pdf"]').click(patience);
      await again.locator('#downloadConverted:not(.disable)').waitFor({ timeout: 90_000 });
      expect(strFromU8((await stored(john, 'page.pdf')).slice(0, 5))).toBe('%PDF-');
    });

    // The one in PHP takes everything, also for a file that was deleted.
    it.skipIf(name === 'php')(
      '[IE7] what an example does not take is forgotten storage, which its page lists, opens and empties',
      async () => {
        const john = await visitor('john');
        const list = await john.upload('lost.docx', buildDocx({ paragraphs: ['Nearly lost'] }));
        const opened = await john.editUploaded(list);
        await opened.write(' but kept');
        await opened.saved();
        const before = await john.list();
        await john.rowOf(before, 'lost.docx').locator('.delete-file').click(patience);
        await eventually(async () => expect(await john.rowOf(before, 'lost.docx').count()).toBe(0));
        await opened.page.close();
        const page = await john.list();
        await eventually(
          async () => {
            await page.goto(scene.example.forgottenPage);
            return page.locator('tr.tableRow').count();
          },
          (count) => count === 1,
        );
        const href = await page.locator('tr.tableRow a.stored-edit').first().getAttribute('href');
        const response = await fetch(href!);
        expect(textOf(new Uint8Array(await response.arrayBuffer()))).toBe('Nearly lost but kept');
        await page.locator('.delete-file').click(patience);
        await eventually(
          async () => {
            await page.goto(scene.example.forgottenPage);
            return page.locator('tr.tableRow').count();
          },
          (count) => count === 0,
        );
      },
    );

    it('[IE8] who was away until the document was stored goes on in the next version', async () => {
      const john = await visitor('john');
      const list = await john.upload('away.docx', buildDocx({ paragraphs: ['Before'] }));
      const opened = await john.editUploaded(list);
      await opened.write(', here');
      await opened.saved();
      const storedSoFar = () =>
        scene.quire.log.filter(
          ({ msg, status }) => msg === 'The integrator confirmed a callback' && status === 2,
        ).length;
      const before = storedSoFar();
      await john.cutOff();
      await eventually(async () => expect(await storedSoFar()).toBeGreaterThan(before));
      await opened.page.keyboard.type(', away');
      const asked = opened.page.waitForRequest(/[/=]config[?&]/, patience);
      john.comeBack();
      await asked;
      await opened.saved();
      await opened.shows('Before, here, away');
      await opened.page.close();
      await eventually(async () =>
        expect(textOf(await stored(john, 'away.docx'))).toBe('Before, here, away'),
      );
    });

    // The one in Go asks for no saves, and java-spring only when somebody comes who is not there.
    it.skipIf(name === 'go' || name === 'java-spring')(
      '[IE9] when one of two leaves, the example has the document saved for those who stay',
      async () => {
        const [john, mark] = [await visitor('john'), await visitor('mark')];
        const list = await john.upload('kept.docx', buildDocx({ paragraphs: ['Both'] }));
        const first = await john.editUploaded(list);
        const second = await mark.open('kept.docx');
        await first.write(', John');
        await second.shows('Both, John');
        await first.saved();
        await first.page.close();
        await eventually(async () => expect(textOf(await stored(mark, 'kept.docx'))).toBe('Both, John'));
        await second.write(', Mark');
        await second.saved();
        await second.page.close();
        await eventually(async () =>
          expect(textOf(await stored(mark, 'kept.docx'))).toBe('Both, John, Mark'),
        );
      },
    );

    // The history of php-laravel names the file as it is now for each version.
    it.skipIf(name === 'php-laravel')('[IE10] an earlier version is looked at and restored', async () => {
      const john = await visitor('john');
      const list = await john.upload('versions.docx', buildDocx({ paragraphs: ['Old'] }));
      const opened = await john.editUploaded(list);
      await opened.write(' and new');
      await opened.saved();
      await opened.page.close();
      await eventually(async () => expect(textOf(await stored(john, 'versions.docx'))).toBe('Old and new'));
      const again = await john.open('versions.docx');
      await again.choose('Version history');
      await again.frame.locator('.version').last().click(patience);
      await again.frame.getByRole('button', { name: 'Restore this version' }).click(patience);
      await again.frame
        .locator('dialog[open]')
        .getByRole('button', { name: 'Restore', exact: true })
        .click(patience);
      await eventually(async () => expect(textOf(await stored(john, 'versions.docx'))).toBe('Old'));
      await again.page.close();
      const restored = await john.open('versions.docx');
      await restored.shows('Old');
      expect((await restored.text.allTextContents()).join()).not.toContain('new');
      await restored.page.close();
    });

    it('[IE15] a spreadsheet is made, two people write in it, and what they wrote is stored', async () => {
      const [john, mark] = [await visitor('john'), await visitor('mark')];
      const first = await john.create('cell');
      const file = await fileOf(await john.list());
      expect(file).toMatch(/\.xlsx$/);
      const second = await mark.open(file);
      await first.put('B2', '41');
      await second.put('B4', '=B2+1');
      await first.cellShows('B4', '42');
      await Promise.all([first.saved(), second.saved()]);
      await first.page.close();
      await second.page.close();
      await eventually(async () => {
        const cells = cellsOf(await stored(john, file));
        expect(cells).toContain('<v>41</v>');
        expect(cells).toContain('<f>B2+1</f>');
      });
    });

    it.for([
      ['slide', 'pptx'],
      ['form', 'pdf'],
    ] as const)('[IE16] a new %s is shown, and is as it was', async ([kind, extension]) => {
      const john = await visitor('john');
      const opened = await john.create(kind);
      const file = await fileOf(await john.list());
      expect(file.endsWith(`.${extension}`)).toBe(true);
      const before = await stored(john, file);
      await opened.pages.first().waitFor(patience);
      await opened.page.close();
      const again = await john.open(file);
      await again.pages.first().waitFor(patience);
      await again.page.close();
      expect(await stored(john, file)).toEqual(before);
    });

    it('[IE17] the samples of an example open, and a change to them is stored', async () => {
      const john = await visitor('john');
      const text = await john.create('word', { withSample: true });
      const textFile = await fileOf(await john.list());
      await text.write('Written into the sample.');
      await text.saved();
      await text.page.close();
      const sheet = await john.create('cell', { withSample: true });
      const sheetFile = await fileOf(await john.list());
      await sheet.put('AA1', '4711');
      await sheet.saved();
      await sheet.page.close();
      for (const kind of ['slide', 'form'] as const) {
        const shown = await john.create(kind, { withSample: true });
        await shown.pages.first().waitFor(patience);
        await shown.page.close();
      }
      await eventually(async () =>
        expect(textOf(await stored(john, textFile))).toContain('Written into the sample.'),
      );
      await eventually(async () => expect(cellsOf(await stored(john, sheetFile))).toContain('<v>4711</v>'));
    });
  });
});
