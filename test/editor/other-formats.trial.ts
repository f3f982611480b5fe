import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { detectOffice } from '../../converter/engines/ooxml/package/office-kind.ts';
import { downloaded, hasBrowser } from '../support/browser.ts';
import { buildDocx } from '../support/docx-fixture.ts';
import { eventually } from '../support/eventually.ts';
import type { ReceivedCallback } from '../support/integrator.ts';
import { newName } from '../support/new-name.ts';
import { buildOdt } from '../support/odt-fixture.ts';
import { needsOffice, realOffice, startOffice } from '../support/office.ts';
import { buildPdf } from '../support/pdf-fixture.ts';
import { look } from '../support/pdf-look.ts';
import { hasPoppler } from '../support/poppler.ts';
import { buildPptx } from '../support/pptx-fixture.ts';
import type { QuireProcess } from '../support/quire-process.ts';
import { fetchFile } from '../support/word-editor.ts';
import { buildXlsx, overlongXlsx } from '../support/xlsx-fixture.ts';
import { violations } from './axe.ts';
import { type EditorPage, EditorWorld } from './editor-world.ts';
import { plain } from './person.ts';
import { lookAt, manyPages, shownTo } from './viewer-page.ts';

const isFinal = ({ status }: ReceivedCallback) => status === 2 || status === 3;

/** Has the page print, and returns the address of the PDF that it gives to the browser's dialog. */
async function printed({ page, frame }: EditorPage, print: () => Promise<void>): Promise<string> {
  // A browser without a screen neither shows a PDF nor has a dialog for printing: it gets a page and a note in their stead.
  await page.route('**/printfile/**', (route) => route.fulfill({ contentType: 'text/html', body: '' }));
  await frame.evaluate(() => {
    Object.defineProperty(navigator, 'pdfViewerEnabled', { value: true, configurable: true });
    const contentWindow = { focus() {}, print: () => Object.assign(globalThis, { isPrinted: true }) };
    Object.defineProperty(HTMLIFrameElement.prototype, 'contentWindow', { value: contentWindow });
  });
  const answered = page.waitForResponse((one) => one.url().includes('/downloadas/'));
  await print();
  const { url } = (await (await answered).json()) as { url: string };
  expect(url).toContain('/printfile/');
  await eventually(
    () => frame.evaluate(() => 'isPrinted' in globalThis),
    (isPrinted) => isPrinted,
  );
  return url;
}

const text = { type: 'txt', filter: 'Text (encoded)', filterOptions: 'UTF8' } as const;
/** What LibreOffice makes of which source, and by which filter. */
const written = {
  odt: { from: text, filter: 'writer8' },
  pdf: { from: text, filter: 'writer_pdf_Export' },
  odp: { from: { type: 'pptx', filter: 'Impress MS PowerPoint 2007 XML' }, filter: 'impress8' },
  xlsx: { from: { type: 'xlsx', filter: 'Calc MS Excel 2007 XML' }, filter: 'Calc MS Excel 2007 XML' },
} as const;

/** A file that LibreOffice has protected by the password `right`. */
async function protectedOffice(
  content: string | Uint8Array,
  type: keyof typeof written,
): Promise<Uint8Array> {
  const { from, filter } = written[type];
  const { type: sourceType, ...source } = from;
  const pool = await startOffice();
  try {
    return await pool.run({
      lane: 'interactive',
      async prepare(directory) {
        const file = `source.${sourceType}`;
        await writeFile(path.join(directory, file), content);
        return {
          source: { file, ...source },
          steps: [],
          outputs: [
            {
              ...{ file: `result.${type}`, filter },
              ...(type === 'pdf'
                ? { filterData: { EncryptFile: true, DocumentOpenPassword: 'right' } }
                : { password: 'right' }),
            },
          ],
        };
      },
      collect: (directory) => readFile(path.join(directory, `result.${type}`)),
    });
  } finally {
    await pool.close();
  }
}

describe.skipIf(!hasBrowser || !realOffice)(
  `files of other formats in the word processor, ${needsOffice}`,
  () => {
    let world: EditorWorld<QuireProcess>;
    beforeAll(async () => {
      world = await EditorWorld.openOwn({ LIBREOFFICE: 'auto' });
    });
    afterAll(() => world?.close());

    it('[EW45, EW46] what is written now is downloaded and printed as the pages that an engine makes', async () => {
      const key = newName('pages');
      const page = '<w:p><w:r><w:br w:type="page"/></w:r><w:r><w:t>Second page:</w:t></w:r></w:p>';
      const bytes = buildDocx({ body: `${plain('First page:')}${page}` });
      const sourceUrl = world.world.integrator.serve(`${key}.docx`, { bytes });
      const ann = await world.visit({ key, sourceUrl, user: 'ann' });
      await ann.typeAfter('Second page:', ' typed');
      await ann.choose('File', 'Download as…');
      const dialog = ann.frame.getByRole('dialog', { name: 'Download as' });
      for (const name of ['Word document', 'OpenDocument text', 'Rich text']) {
        await dialog.getByRole('radio', { name }).waitFor();
      }
      expect(await dialog.getByRole('radio').first().isChecked()).toBe(true);
      await dialog.getByRole('radio', { name: 'PDF' }).check();
      const download = ann.page.waitForEvent('download');
      await ann.page.keyboard.press('Enter');
      const saved = await downloaded(await download);
      await dialog.waitFor({ state: 'detached' });
      const isPages = async (pdf: Uint8Array, text: RegExp) => {
        expect(Buffer.from(pdf.subarray(0, 5)).toString()).toBe('%PDF-');
        if (!hasPoppler) return;
        const { pages, text: shown } = await look(pdf);
        expect(pages).toBe(2);
        expect(shown.replaceAll(/\s+/g, ' ')).toMatch(text);
      };
      await isPages(saved, /First page: .*Second page: typed/);
      await ann.typeAfter('First page:', ' more');
      const url = await printed(ann, async () => {
        await ann.frame.locator('.ProseMirror').focus();
        await ann.page.keyboard.press('Control+p');
      });
      expect(await ann.notices()).toEqual([]);
      const pdf = await fetch(url);
      expect(pdf.headers.get('content-disposition')).toBe('inline');
      await isPages(new Uint8Array(await pdf.arrayBuffer()), /First page: more .*Second page: typed/);
      await ann.frame.evaluate(() => {
        Object.defineProperty(navigator, 'pdfViewerEnabled', { value: false });
      });
      await ann.choose('File', 'Print');
      await ann.showsNotice(/ready to be printed/);
      expect(ann.problems).toEqual([]);
      await ann.page.close();
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

    it('[BO15] a protected odt or xlsx asks for its password until it is right', async () => {
      for (const [type, documentType, content, shown] of [
        ['odt', 'word', 'Secret', '.ProseMirror'],
        ['xlsx', 'cell', buildXlsx([['Secret']]), '[role="gridcell"][data-cell="A1"]'],
      ] as const) {
        const key = newName(`protected-${type}`);
        const sourceUrl = world.world.integrator.serve(`${key}.${type}`, {
          bytes: await protectedOffice(content, type),
        });
        const document = { fileType: type, title: `${key}.${type}` };
        const ann = await world.start({ key, sourceUrl, user: 'ann', documentType, document });
        await ann.event('onAppReady');
        const question = () => ann.frame.locator('.question');
        await question().getByText('The document is protected by a password.').waitFor();
        await question().getByLabel('Password').fill('wrong');
        await question().getByLabel('Password').press('Enter');
        await question().getByText('The password is not right.').waitFor();
        await question().getByLabel('Password').fill('right');
        await question().getByRole('button', { name: 'Open' }).click();
        await ann.settled();
        await ann.frame.locator(shown, { hasText: 'Secret' }).waitFor();
        expect(ann.problems).toEqual([]);
        await ann.page.close();
      }
    });

    it('[BO15] a text whose encoding nothing says is shown in the one that is chosen, and keeps it', async () => {
      const key = newName('old-text');
      const bytes = Buffer.from('\xcf\xf0\xe8\xe2\xe5\xf2:\r\nmore\r\n', 'latin1');
      const sourceUrl = world.world.integrator.serve(`${key}.txt`, { bytes });
      // Whoever chooses before the text has come keeps what they chose.
      const context = await world.newContext();
      let goOn = () => undefined as unknown;
      const chosen = new Promise<void>((resolve) => {
        goOn = resolve;
      });
      await context.route('**/*origin.txt*', async (route) => {
        await chosen;
        await route.continue();
      });
      const ann = await world.start({
        ...{ key, sourceUrl, user: 'ann', context },
        document: { fileType: 'txt', title: `${key}.txt` },
      });
      const question = () => ann.frame.locator('.question');
      await ann.event('onAppReady');
      await question().getByLabel('Encoding').selectOption({ label: 'Cyrillic – windows-1251' });
      goOn();
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

    it('[BO15] a csv is edited with the encoding and separator that are chosen, and keeps them', async () => {
      const key = newName('table');
      const bytes = Buffer.from('Caf\xe9;Price\r\n"a;b";7\r\n', 'latin1');
      const sourceUrl = world.world.integrator.serve(`${key}.csv`, { bytes });
      const document = { fileType: 'csv', title: `${key}.csv` };
      const ann = await world.start({ key, sourceUrl, user: 'ann', documentType: 'cell', document });
      const question = () => ann.frame.locator('.question');
      await ann.event('onAppReady');
      await question().getByRole('cell', { name: 'Café', exact: true }).waitFor();
      expect(await question().getByLabel('Separator').inputValue()).toBe(';');
      await question().getByLabel('Separator').selectOption({ label: 'Comma' });
      await question().getByRole('cell', { name: 'Café;Price', exact: true }).waitFor();
      await question().getByLabel('Separator').selectOption({ label: 'Semicolon' });
      await question().getByRole('button', { name: 'Open' }).click();
      await ann.settled();
      await ann.frame.locator('[role="gridcell"][data-cell="A2"]', { hasText: 'a;b' }).waitFor();
      await ann.frame.locator('.name-box').fill('B3');
      await ann.page.keyboard.press('Enter');
      await ann.page.keyboard.type('Süß');
      await ann.page.keyboard.press('Enter');
      await ann.saved();
      expect(ann.problems).toEqual([]);
      await ann.page.close();
      const { body } = await world.world.integrator.waitForCallback(key, isFinal);
      expect(body).toMatchObject({ status: 2, filetype: 'csv' });
      const text = Buffer.from(await fetchFile(body.url)).toString('latin1');
      expect(text).toBe('Caf\xe9;Price\r\n"a;b";7\r\n;S\xfc\xdf\r\n');
    });

    it('[XU10] a tsv is edited, and keeps the signs of what nobody changed', async () => {
      const key = newName('table');
      const bytes = Buffer.from('Maß\t24"\t1,50\r\n"x"\t007\t\r\n');
      const sourceUrl = world.world.integrator.serve(`${key}.tsv`, { bytes });
      const document = { fileType: 'tsv', title: `${key}.tsv` };
      const ann = await world.start({ key, sourceUrl, user: 'ann', documentType: 'cell', document });
      await ann.settled();
      await ann.frame.locator('[role="gridcell"][data-cell="B1"]', { hasText: '24"' }).waitFor();
      await ann.frame.locator('.name-box').fill('A3');
      await ann.page.keyboard.press('Enter');
      await ann.page.keyboard.type('new');
      await ann.page.keyboard.press('Enter');
      await ann.saved();
      await ann.page.close();
      const { body } = await world.world.integrator.waitForCallback(key, isFinal);
      expect(body).toMatchObject({ status: 2, filetype: 'tsv' });
      const text = Buffer.from(await fetchFile(body.url)).toString();
      expect(text).toBe('Maß\t24"\t1,50\r\n"x"\t007\t\r\nnew\t\t\r\n');
    });

    it('[CV29] an xls that is a web page is edited, and comes back as a binary workbook', async () => {
      const key = newName('table');
      const bytes = Buffer.from(
        '<table><tr><th colspan="2">Sales<tr><td>02.05.2026<td>1.234,50 &euro;</table>',
      );
      const sourceUrl = world.world.integrator.serve(`${key}.xls`, { bytes });
      const document = { fileType: 'xls', title: `${key}.xls` };
      const ann = await world.start({ key, sourceUrl, user: 'ann', documentType: 'cell', document });
      await ann.settled();
      await ann.frame.locator('[role="gridcell"][data-cell="B2"]', { hasText: /€/ }).waitFor();
      await ann.frame.locator('[role="gridcell"][data-cell="A2"]', { hasText: '02.05.2026' }).waitFor();
      await ann.frame.locator('.name-box').fill('A3');
      await ann.page.keyboard.press('Enter');
      await ann.page.keyboard.type('new');
      await ann.page.keyboard.press('Enter');
      await ann.saved();
      expect(ann.problems).toEqual([]);
      await ann.page.close();
      const { body } = await world.world.integrator.waitForCallback(key, isFinal);
      expect(body).toMatchObject({ status: 2, filetype: 'xls' });
      expect(detectOffice(await fetchFile(body.url))).toBe('xls');
    });

    describe('what has no editor', () => {
      it('[PV1] [PV15] a presentation is shown by what the engine makes of it, to several who see each other', async () => {
        const key = newName('slides');
        const bytes = buildPptx(['Apples and pears']);
        const slides = { key, documentType: 'slide', document: { title: 'Fruit 2027.pptx' } };
        const ann = await shownTo(world, 'ann', `${key}.pptx`, bytes, slides);
        await ann.frame.locator('.textLayer', { hasText: 'Apples and pears' }).first().waitFor();
        await ann.frame.getByRole('heading', { name: 'Fruit 2027.pptx' }).waitFor();
        const bob = await shownTo(world, 'bob', `${key}.pptx`, bytes, slides);
        await ann.frame.getByRole('button', { name: 'People' }).click();
        await ann.frame.locator('.people li', { hasText: 'bob' }).getByLabel('is viewing').waitFor();
        expect(await violations(ann.frame)).toEqual([]);
        await bob.page.close();
        await eventually(
          () => ann.frame.locator('.people li').count(),
          (count) => count === 1,
        );
        const [download] = await Promise.all([
          ann.page.waitForEvent('download'),
          ann.frame.getByRole('button', { name: 'Download' }).click(),
        ]);
        expect(download.suggestedFilename()).toBe('Fruit 2027.pptx');
        await printed(ann, () => ann.frame.getByRole('button', { name: 'Print' }).click());
        expect(ann.problems).toEqual([]);
        await ann.page.close();
        expect(world.world.integrator.callbacks.filter(({ body }) => body.key === key)).toEqual([]);
      });

      it('[PV6] [PV13] who may neither download nor print is offered neither, on a phone, in Arabic and dark', async () => {
        const ann = await shownTo(world, 'ann', 'kept.pdf', manyPages, {
          permissions: { edit: false, download: false, copy: false },
          ...{ type: 'mobile', viewport: { width: 360, height: 640 } },
          editorConfig: { lang: 'ar', mode: 'view', customization: { uiTheme: 'theme-dark' } },
        });
        const { frame } = ann;
        expect(
          await frame.evaluate('document.documentElement.dir + document.documentElement.dataset.theme'),
        ).toBe('rtldark');
        expect(await frame.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
        await frame.getByRole('button', { name: 'بحث' }).first().waitFor();
        for (const name of ['تنزيل', 'طباعة'])
          expect(await frame.getByRole('button', { name }).count()).toBe(0);
        const [inside, outside] = await frame.evaluate(() => [
          document.querySelector('.page')!.clientWidth,
          document.querySelector('.viewer-pages')!.clientWidth,
        ]);
        expect(inside!).toBeLessThanOrEqual(outside!);
        expect(await violations(ann.frame)).toEqual([]);
        await ann.page.close();
      });

      it('[PV5] a protected presentation asks for its password, as a protected PDF does in the browser', async () => {
        for (const [name, bytes] of [
          ['locked.odp', await protectedOffice(buildPptx(['One']), 'odp')],
          ['locked.pdf', await protectedOffice('One page', 'pdf')],
        ] as const) {
          const ann = await lookAt(world, 'ann', name, bytes);
          const question = ann.page.frameLocator('iframe').locator('.question');
          await question.getByLabel('Password').fill('wrong');
          await question.getByLabel('Password').press('Enter');
          await question.getByText('The password is not right.').waitFor();
          await question.getByLabel('Password').fill('right');
          await question.getByRole('button', { name: 'Open' }).click();
          await ann.settled();
          await ann.frame.locator('.textLayer', { hasText: 'One' }).first().waitFor();
          await ann.page.close();
        }
      });

      it('[PV7] a file that the word processor does not open is handed over to the viewer', async () => {
        const ann = await shownTo(world, 'ann', 'really-a.docx', manyPages, {
          document: { fileType: 'docx' },
        });
        await ann.frame.locator('.textLayer', { hasText: 'This is page 1' }).first().waitFor();
        await ann.page.close();
      });

      it('[PV16] a workbook that is larger than can be edited is shown for reading, and says why', async () => {
        const ann = await shownTo(world, 'ann', 'large.xlsx', overlongXlsx(), {
          documentType: 'cell',
          document: { fileType: 'xlsx' },
        });
        await ann.frame.locator('.textLayer', { hasText: 'Item' }).first().waitFor();
        await ann.showsNotice(/^The document is too large to be edited here\. It is shown for reading\.$/);
        expect((await ann.events()).filter(({ name }) => name === 'onError')).toEqual([]);
        await ann.page.close();
      });

      it('[RA26] [PV7] [HB16] the addresses of the editors of the family lead to ours of their kind or to the viewer, which by itself says what it is for', async () => {
        const { address } = world.world.quire;
        for (const [app, ours] of [
          ['spreadsheeteditor', 'cell'],
          ...['presentationeditor', 'pdfeditor', 'visioeditor'].map((name) => [name, 'viewer'] as const),
        ] as const) {
          const page = await fetch(`${address}/web-apps/apps/${app}/main/index.html?lang=de`);
          expect(page.status).toBe(200);
          expect(new URL(page.url).pathname).toBe(`/web-apps/apps/quire/${ours}/index.html`);
          const policy = page.headers.get('content-security-policy')!;
          expect(policy).toContain("script-src 'self';");
          expect(policy).not.toMatch(/unsafe-eval|blob: *;? *script/);
        }
        const page = await world.browser.newPage();
        await page.goto(`${address}/web-apps/apps/pdfeditor/main/index.html?lang=de`);
        await page.getByText('kann nicht für sich geöffnet werden').waitFor();
        await page.close();
      });

      it('[PV9] [PV12] of a large PDF the parts are fetched that are shown; the worker has a policy of its own', async () => {
        const hay = Array.from({ length: 2_000 }, (_, at) => `hay ${at} ${'x'.repeat(90)}`);
        const large = buildPdf(
          Array.from({ length: 40 }, (_, at) => ({ lines: [`Leaf ${at + 1}`, ...hay] })),
        );
        expect(large.byteLength).toBeGreaterThan(6_000_000);
        const ann = await shownTo(world, 'ann', 'large.pdf', large);
        await ann.frame.locator('.textLayer', { hasText: 'Leaf 1' }).first().waitFor();
        const loaded = await ann.frame.evaluate(() =>
          (performance.getEntriesByType('resource') as PerformanceResourceTiming[]).map(
            ({ name, transferSize }) => ({
              name,
              transferSize,
            }),
          ),
        );
        const parts = loaded.filter(({ name }) => name.includes('/cache/files/'));
        expect(parts.length).toBeGreaterThan(1);
        expect(parts.reduce((sum, { transferSize }) => sum + transferSize, 0)).toBeLessThan(
          large.byteLength / 2,
        );
        const number = ann.frame.getByRole('textbox', { name: 'Page' });
        await number.fill('40');
        await number.press('Enter');
        await ann.frame.locator('.page[data-page-number="40"] .textLayer', { hasText: 'Leaf 40' }).waitFor();
        const worker = await fetch(ann.page.workers()[0]!.url());
        expect(worker.headers.get('content-security-policy')).toBe(
          "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; font-src 'self'",
        );
        expect(worker.headers.get('content-type')).toMatch(/javascript/);
        expect(ann.problems).toEqual([]);
        await ann.page.close();
      });

      it('[HB17] is named where it cannot be shown, with a way to download it, and an error for the page', async () => {
        const title = 'Scan 2027.djvu';
        const directUrl = 'https://cdn.test/scan.djvu';
        const ann = await lookAt(world, 'ann', 'scan.djvu', Buffer.from('AT&TFORM'), {
          document: { title, directUrl },
        });
        expect((await ann.event('onError')).data).toMatchObject({ errorCode: -85 });
        await ann.frame.getByRole('heading', { name: title }).waitFor();
        await ann.frame.getByText('Documents of this kind cannot be opened.').waitFor();
        const link = ann.frame.getByRole('link', { name: 'Download' });
        expect(await link.getAttribute('href')).toBe(directUrl);
        expect(await link.getAttribute('target')).toBe('_blank');
        await ann.call('requestClose');
        await ann.event('onRequestClose');
        const bob = await lookAt(world, 'bob', 'scan.djvu', Buffer.from('AT&TFORM'), {
          permissions: { download: false },
        });
        await bob.event('onError');
        await bob.frame.getByText('You are not allowed to download this file.').waitFor();
        expect(await bob.frame.getByRole('link').count()).toBe(0);
        for (const { page } of [ann, bob]) await page.close();
      });

      it('[HB18] in the language, direction and theme that the page asks for, on a phone', async () => {
        const ann = await lookAt(world, 'ann', 'scan.djvu', Buffer.from('AT&TFORM'), {
          document: { title: `${'A-very-long-name-without-spaces-'.repeat(4)}.djvu` },
          editorConfig: { lang: 'ar', mode: 'view', customization: { uiTheme: 'theme-dark' } },
          viewport: { width: 360, height: 640 },
        });
        await ann.event('onError');
        const { frame } = ann;
        expect(
          await frame.evaluate('document.documentElement.dir + document.documentElement.dataset.theme'),
        ).toBe('rtldark');
        await frame.locator('.notice-card').waitFor();
        expect(await frame.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
        expect(await violations(ann.frame)).toEqual([]);
        await ann.page.close();
      });
    });
  },
);
