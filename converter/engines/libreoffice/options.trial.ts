import { strToU8, unzipSync, zipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { corpusFile, hasCorpus, needsCorpus } from '../../../test/support/corpus.ts';
import { needsOffice, realOffice, startOffice } from '../../../test/support/office.ts';
import { contentOf, pictureSize } from '../../../test/support/office-results.ts';
import { flatSeed, seedWords } from '../../../test/support/office-seeds.ts';
import { look } from '../../../test/support/pdf-look.ts';
import { hasPoppler } from '../../../test/support/poppler.ts';
import type { ConversionOptions } from '../../formats/conversion.ts';
import { kindOf } from '../../formats/file-kind.ts';
import { decodeText, encodeText } from '../../text/text-encoding.ts';
import type { ConversionEngine } from '../conversion-engine.ts';
import { libreofficeEngine } from './libreoffice-engine.ts';
import type { OfficePool } from './office-pool.ts';

const text = flatSeed('fodt');
const sheet = flatSeed('fods');
const slides = flatSeed('fodp');
/** A sheet of an OpenDocument file with a text and a number. */
const oneCell = (name: string, words: string, number: number) =>
  `<table:table table:name="${name}"><table:table-row><table:table-cell office:value-type="string"><text:p>${words}</text:p></table:table-cell><table:table-cell office:value-type="float" office:value="${number}"/></table:table-row></table:table>`;
const pointsOfMm = (mm: number) => (mm / 25.4) * 72;

describe.skipIf(!realOffice || !hasPoppler)(
  `options of conversions, ${needsOffice} and poppler-utils`,
  () => {
    let pool: OfficePool;
    let engine: ConversionEngine;

    beforeAll(async () => {
      pool = await startOffice();
      engine = libreofficeEngine(pool, { version: realOffice!.version });
    });
    afterAll(() => pool.close());

    const convert = (source: Uint8Array, fromType: string, toType: string, options: ConversionOptions = {}) =>
      engine.convert(source, { fromType, toType, options }, []);
    const textOf = async (bytes: Uint8Array, fromType: string, toType: string, options?: ConversionOptions) =>
      decodeText(await convert(bytes, fromType, toType, options), 65_001);

    const seeds = { fodt: text, fods: sheet, fodp: slides };
    it.each([
      ['fodt', 'docx', 'txt'],
      ['fodt', 'doc', 'txt'],
      ['fodt', 'odt', 'txt'],
      ['fods', 'xlsx', 'csv'],
      ['fods', 'xls', 'csv'],
      ['fodp', 'pptx', 'txt'],
    ] as const)(
      '[LF2] a password protects what becomes of %s, and opens it: %s',
      async (from, type, plain) => {
        const source = seeds[from];
        const locked = await convert(source, from, type, { savePassword: 'größer' });
        expect(Buffer.from(locked).includes(seedWords.first)).toBe(false);
        await expect(convert(locked, type, plain)).rejects.toMatchObject({ serviceError: -90 });
        await expect(convert(locked, type, plain, { password: 'no' })).rejects.toMatchObject({
          serviceError: -91,
        });
        expect(await textOf(locked, type, plain, { password: 'größer' })).toContain(seedWords.first);
      },
    );

    it('[CV20] a workbook that is encrypted in a way that LibreOffice does not know is protected, not damaged', async () => {
      const locked = Buffer.from(await convert(sheet, 'fods', 'xls', { savePassword: 'p' }));
      // The record that says how: its type, its length, then the kind of encryption.
      const record = locked.indexOf(Buffer.from('2f0036000100010001', 'hex'));
      expect(record).toBeGreaterThan(0);
      locked.writeUInt16LE(0, record + 4);
      await expect(convert(locked, 'xls', 'csv')).rejects.toMatchObject({ serviceError: -90 });
      await expect(convert(locked, 'xls', 'csv', { password: 'p' })).rejects.toMatchObject({
        serviceError: -85,
      });
      const open = Buffer.from(await convert(sheet, 'fods', 'xls'));
      const damaged = open.fill(0xff, open.indexOf(Buffer.from('09081000', 'hex')) + 4);
      await expect(convert(damaged, 'xls', 'csv')).rejects.toMatchObject({ serviceError: -86 });
    });

    it('[LF2] a PDF is protected', async () => {
      const locked = Buffer.from(await convert(text, 'fodt', 'pdf', { savePassword: 'größer' }));
      expect(locked.toString('latin1')).toContain('/Encrypt');
      await expect(look(locked)).rejects.toThrow('password');
      expect((await look(locked, Buffer.from('größer', 'latin1'))).text).toContain(seedWords.first);
    });

    it.skipIf(!hasCorpus)(`[LF2] what it cannot open with any password is -85, ${needsCorpus}`, async () => {
      const slides = corpusFile('legacy/Password_Protected-hello.ppt')!;
      await expect(convert(slides, 'ppt', 'pdf')).rejects.toMatchObject({ serviceError: -90 });
      await expect(convert(slides, 'ppt', 'pdf', { password: 'hello' })).rejects.toMatchObject({
        serviceError: -85,
      });
      const old = corpusFile('docx/bug53475-password-is-pass.docx')!;
      await expect(convert(old, 'docx', 'pdf')).rejects.toMatchObject({ serviceError: -90 });
      await expect(convert(old, 'docx', 'pdf', { password: 'pass' })).rejects.toMatchObject({
        serviceError: -85,
      });
    });

    it('[LF3] reads plain text in the encoding that is said or found, and writes the one that is wanted', async () => {
      const words = 'Größe naïve\n';
      for (const codePage of [1_252, 65_001, 1_200]) {
        const source = encodeText(words, codePage);
        expect(await textOf(source, 'txt', 'fodt')).toContain('Größe naïve');
        expect(await textOf(source, 'txt', 'html', { codePage })).toMatch(/Größe|Gr&ouml;&szlig;e/);
      }
      const russian = encodeText('Съешь же ещё этих мягких французских булок\n', 20_866);
      expect(await textOf(russian, 'txt', 'fodt')).toContain('Съешь же ещё');
      const written = await convert(text, 'fodt', 'txt', { codePage: 850 });
      expect(decodeText(written, 850)).toContain(seedWords.last);
      expect(Buffer.from(written).toString('utf8')).not.toContain(seedWords.last);
    });

    it('[LF3] reads and writes tables with the delimiter that is said or found', async () => {
      const rows = (delimiter: string) => Buffer.from(`a${delimiter}"x${delimiter}y"\n7${delimiter}2\n`);
      const read = (bytes: Uint8Array, options: ConversionOptions = {}) =>
        textOf(bytes, 'csv', 'tsv', options).then((table) =>
          table
            .trim()
            .split('\n')
            .map((line) => line.split('\t')),
        );
      for (const delimiter of [',', ';', '\t', '|']) {
        expect(await read(rows(delimiter))).toEqual([
          [
            'a',
            `x${delimiter}y`.includes('\t') ? '"x' : `x${delimiter}y`,
            ...(delimiter === '\t' ? ['y"'] : []),
          ],
          ['7', '2'],
        ]);
      }
      expect(await read(Buffer.from('a:b,c\n'), { delimiter: 3 })).toEqual([['a', 'b,c']]);
      expect(await read(Buffer.from('a~b,c\n'), { delimiterChar: '~' })).toEqual([['a', 'b,c']]);
      expect(await read(Buffer.from('a,b\n'), { delimiter: 0 })).toEqual([['a,b']]);
      const first = async (options: ConversionOptions) =>
        (await textOf(sheet, 'fods', 'csv', options)).split('\n')[0];
      expect(await first({})).toBe(`${seedWords.first},42,84`);
      expect(await first({ delimiter: 2 })).toBe(`${seedWords.first};42;84`);
      expect(await first({ delimiterChar: '|' })).toBe(`${seedWords.first}|42|84`);
    });

    it('[LF4] writes PDF/A where it is wanted, and a watermark on PDFs and pictures', async () => {
      const archived = await convert(text, 'fodt', 'pdf', { pdf: { pdfa: true } });
      expect(Buffer.from(archived).toString('latin1')).toContain('<pdfaid:part>2</pdfaid:part>');
      const runs = [
        { text: 'DRAFT', fill: [255, 0, 0], 'font-family': 'Arial', 'font-size': '60px', bold: false },
      ];
      const watermark = { type: 'rect', transparent: 0.5, rotate: -45, paragraphs: [{ align: 2, runs }] };
      const marked = await convert(text, 'fodt', 'pdf', { watermark });
      expect((await look(marked)).text.replaceAll(/\s/g, '')).toContain('DRAFT');
      const thumbnail = { aspect: 2 };
      const plain = await convert(text, 'fodt', 'png', { thumbnail });
      const picture = await convert(text, 'fodt', 'png', { thumbnail, watermark });
      expect(Buffer.compare(picture, plain)).not.toBe(0);
    });

    it('[LF5] gives pages as pictures of the wanted size: stretched, fitted or as large as they are', async () => {
      const box = { width: 200, height: 100 };
      const sizes = async (source: Uint8Array, from: string, aspect: number) =>
        pictureSize(await convert(source, from, 'png', { thumbnail: { aspect, ...box } }), 'png');
      expect(await sizes(text, 'fodt', 0)).toEqual([200, 100]);
      const [width, height] = (await sizes(text, 'fodt', 1))!;
      expect([height, width! < 100]).toEqual([100, true]);
      const [own, high] = (await sizes(text, 'fodt', 2))!;
      expect(own! / high!).toBeCloseTo(width! / height!, 1);
      expect(own).toBeGreaterThan(700);
      const all = await convert(sheet, 'fods', 'jpg', { thumbnail: { first: false } });
      expect(Object.keys(unzipSync(all))).toEqual(['0001.jpg', '0002.jpg']);
    });

    it('[LF6] lays sheets out as is wanted; what is not said is as documented', async () => {
      const cells = Array.from({ length: 70 }, (_row, row) =>
        Array.from({ length: 10 }, (_cell, column) => `c${row}x${column}`).join(','),
      );
      const ods = await convert(Buffer.from(cells.join('\n')), 'csv', 'ods');
      const layOut = async (spreadsheetLayout: ConversionOptions['spreadsheetLayout']) =>
        look(await convert(ods, 'ods', 'pdf', { spreadsheetLayout }), undefined, 'c0x0');
      const usual = await layOut({});
      expect(usual.pages).toBeGreaterThan(1);
      expect([usual.width, usual.height]).toEqual([595, 842]);
      expect(usual.left! - pointsOfMm(17.8)).toBeLessThan(5);
      expect((await layOut({ orientation: 'landscape' })).width).toBe(842);
      expect((await layOut({ fitToWidth: 1, fitToHeight: 1 })).pages).toBe(1);
      expect((await layOut({ scale: 50 })).pages).toBeLessThan(usual.pages);
      expect((await layOut({ pageSize: { width: '420mm' } })).width).toBe(Math.round(pointsOfMm(420)));
      expect(usual.text).not.toMatch(/\sJ\s/);
      expect((await layOut({ headings: true })).text).toMatch(/\sJ\s/);
      expect((await layOut({ margins: { top: '6cm' } })).top! - usual.top!).toBeGreaterThan(100);
      const moved = (await layOut({ margins: { left: '2in' } })).left! - usual.left!;
      expect(Math.abs(moved - (144 - pointsOfMm(17.8)))).toBeLessThan(3);
      const lines = async (gridLines: boolean) =>
        (await convert(ods, 'ods', 'pdf', { spreadsheetLayout: { gridLines, scale: 20 } })).length;
      expect(await lines(true)).toBeGreaterThan(await lines(false));
    });

    it('[LF6] prints beside the print area, or what is in it', async () => {
      const flat = Buffer.from(sheet).toString();
      const area = Buffer.from(
        flat.replace('table:name="First"', 'table:name="First" table:print-ranges="$First.$A$1:$First.$A$1"'),
      );
      const shown = async (ignorePrintArea: boolean) =>
        (await look(await convert(area, 'fods', 'pdf', { spreadsheetLayout: { ignorePrintArea } }))).text;
      expect(await shown(false)).not.toContain(seedWords.cell);
      expect(await shown(true)).toContain(seedWords.cell);
    });

    it('[LF7] writes numbers of sheets as it is usual in a region', async () => {
      const csv = Buffer.from('1234.5;x\n');
      const written = async (region: string) =>
        (await look(await convert(csv, 'csv', 'pdf', { region }))).text;
      expect(await written('en-US')).toContain('1234.5');
      expect(await written('de-DE')).toContain('1234,5');
      await expect(written('de-GL')).rejects.toMatchObject({ serviceError: -88 });
    });

    it('[SU63] makes a table, or pages, of one sheet, and writes numbers of a table as it is usual in a region', async () => {
      const workbook = Buffer.from(
        Buffer.from(sheet)
          .toString()
          .replace(
            /<table:table table:name="First"/,
            (start) => `${oneCell('Before', 'Begin', 1.5)}${start}`,
          ),
      );
      const table = (options: ConversionOptions) => textOf(workbook, 'fods', 'csv', options);
      expect(await table({ sheet: 1, region: 'de-DE', delimiterChar: ';' })).toBe('Begin;1,5\n');
      expect((await table({ sheet: 2 })).split('\n')[0]).toBe(`${seedWords.first},42,84`);
      const pages = async (number: number) =>
        (await look(await convert(workbook, 'fods', 'pdf', { sheet: number }))).text;
      expect(await pages(1)).not.toContain(seedWords.first);
      const second = await pages(2);
      expect([second.includes(seedWords.first), second.includes('Begin')]).toEqual([true, false]);
      await expect(table({ sheet: 9 })).rejects.toMatchObject({ serviceError: -88 });
    });

    it('[LF12] lays files that name no paper out on A4, or on that of the region', async () => {
      const paperOf = async (content: string, fromType: string, region?: string) => {
        const { width, height } = await look(
          await convert(Buffer.from(content), fromType, 'pdf', { region }),
        );
        return [width, height];
      };
      const page = '<style>@page { size: 5in 7in }</style>';
      expect(await paperOf('some words', 'txt')).toEqual([595, 842]);
      expect(await paperOf('some words', 'txt', 'en-US')).toEqual([612, 792]);
      expect(await paperOf('some words', 'txt', 'de-AT')).toEqual([595, 842]);
      expect(await paperOf('a;b', 'csv')).toEqual([595, 842]);
      expect(await paperOf('<p>some words</p>', 'html')).toEqual([595, 842]);
      expect(await paperOf(`${page}<p>some words</p>`, 'html')).toEqual([360, 504]);
    });

    it.skipIf(!hasCorpus)(`[LF9] keeps macros in the formats that have them, ${needsCorpus}`, async () => {
      const xls = corpusFile('legacy/SquareMacro.xls')!;
      const macrosIn = (bytes: Uint8Array) =>
        Object.entries(unzipSync(bytes)).find(([name]) => name.endsWith('/vbaProject.bin'))?.[1];
      const xlsm = await convert(xls, 'xls', 'xlsm');
      const macros = macrosIn(xlsm)!;
      expect(Buffer.from(macros).toString('latin1')).toContain('UserDefinedFunctions');
      const types = ['docm', 'pptm'] as const;
      for (const [type, seed, folder, main] of [
        [types[0], text, 'word', 'document.xml'],
        [types[1], slides, 'ppt', 'presentation.xml'],
      ] as const) {
        const without = await convert(
          seed,
          type === 'docm' ? 'fodt' : 'fodp',
          type === 'docm' ? 'docx' : 'pptx',
        );
        const source = withMacros(without, folder, main, macros);
        for (const target of [type, type === 'docm' ? 'dotm' : 'potm']) {
          const kept = macrosIn(await convert(source, type, target));
          expect([target, kept && Buffer.from(kept).includes('UserDefinedFunctions')]).toEqual([
            target,
            true,
          ]);
        }
      }
    });

    it('[LF11] [XS218] shows nobody where the file lay during a conversion, and the name that is wished', async () => {
      const field = '<text:file-name text:display="full">C:\\a.odt</text:file-name>';
      const withField = Buffer.from(Buffer.from(text).toString().replace(' crossing', field));
      for (const [type, plain] of [
        ['docx', 'docx'],
        ['pdf', 'pdf'],
        ['fodt', 'fodt'],
      ] as const) {
        const found = (await contentOf(await convert(withField, 'fodt', type), plain)).text;
        expect(found).toContain('source.fodt');
        expect(found).not.toMatch(/jobs?\/|file:\/\/\/|quire-/);
      }
      const header = `<office:automatic-styles><style:page-layout style:name="pl"><style:header-style>
        <style:header-footer-properties fo:min-height="0.8cm"/></style:header-style>
        </style:page-layout><style:style style:name="ta" style:family="table" style:master-page-name="Default"/>
        </office:automatic-styles><office:master-styles><style:master-page style:name="Default"
        style:page-layout-name="pl"><style:header><text:p>${field}</text:p></style:header></style:master-page>
        </office:master-styles><office:body>`;
      const sheetWithField = Buffer.from(
        Buffer.from(sheet)
          .toString()
          .replace('<office:body>', header)
          .replace('table:name="First"', 'table:name="First" table:style-name="ta"'),
      );
      const shown = (await contentOf(await convert(sheetWithField, 'fods', 'pdf'), 'pdf')).text;
      expect(shown).toContain('source.fods');
      expect(shown).not.toMatch(/\/source/);
      // What the directory cannot have as a name, or has already, is no way out of it.
      for (const [fileName, word] of [
        ['Größe.fods', 'Größe.fods'],
        ['Größe.ods', 'Größe.ods'],
        ['Größe.csv', 'Größe.csv'],
        ['../../a\u0000b.fods', '_.._a_b.fods'],
        [`${'ß'.repeat(300)}.fods`, `${'ß'.repeat(30)}`],
        ['result.pdf', 'source.fods'],
      ] as const) {
        const named = await look(await convert(sheetWithField, 'fods', 'pdf', { fileName }));
        expect(named.text.replaceAll(/\s/g, '')).toContain(word);
      }
      const xlsx = await convert(sheetWithField, 'fods', 'xlsx');
      expect((await look(await convert(xlsx, 'xlsx', 'pdf', { fileName: 'Months.ods' }))).text).toContain(
        'Months.ods',
      );
    });

    it.skipIf(!hasCorpus)(`[LF1] reads what Word 95 wrote, ${needsCorpus}`, async () => {
      const old = corpusFile('legacy/Bug51944.doc')!;
      expect(await textOf(old, 'doc', 'txt')).toContain('By Post and Fax');
    });

    it('[LF1] refuses what is not of its type', async () => {
      await expect(convert(Buffer.from('words'), 'docx', 'pdf')).rejects.toMatchObject({ serviceError: -86 });
      await expect(convert(text.subarray(0, 300), 'fodt', 'pdf')).rejects.toMatchObject({
        serviceError: -86,
      });
    });

    it.skipIf(!hasCorpus)(`[LF1] finds what others wrote, ${needsCorpus}`, async () => {
      const doc = corpusFile('legacy/61586.doc')!;
      const docx = await convert(doc, 'doc', 'docx');
      expect(kindOf(docx)).toBe('docx');
      expect((await contentOf(docx, 'docx')).text).toMatch(/\p{L}{4,}/u);
    });
  },
);

function withMacros(file: Uint8Array, folder: string, main: string, macros: Uint8Array): Uint8Array {
  const files = unzipSync(file);
  const add = (name: string, before: string, piece: string) => {
    files[name] = strToU8(
      Buffer.from(files[name]!)
        .toString('utf8')
        .replace(before, piece + before),
    );
  };
  const part = `/${folder}/vbaProject.bin`;
  add(
    `${folder}/_rels/${main}.rels`,
    '</Relationships>',
    `<Relationship Id="rIdVba"
    Type="http://schemas.microsoft.com/office/2006/relationships/vbaProject" Target="vbaProject.bin"/>`,
  );
  add(
    '[Content_Types].xml',
    '</Types>',
    `<Override PartName="${part}" ContentType="application/vnd.ms-office.vbaProject"/>`,
  );
  return zipSync({ ...files, [part.slice(1)]: macros });
}
