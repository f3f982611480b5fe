import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { unzipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { corpusFile } from '../../../test/support/corpus.ts';
import { buildDocx } from '../../../test/support/docx-fixture.ts';
import { hasPoppler } from '../../../test/support/poppler.ts';
import { needsX2t, realX2t, startX2t } from '../../../test/support/x2t.ts';
import { type ConversionOptions, editorForms, pictureTypes } from '../../formats/conversion.ts';
import { isCalled, kindOf } from '../../formats/file-kind.ts';
import type { ConversionEngine } from '../conversion-engine.ts';
import { x2tConversions } from './conversion.ts';
import { x2tPairs } from './formats.ts';

const run = promisify(execFile);

const marker = 'Zebra';
const docx = buildDocx({ paragraphs: [`${marker} crossing`, 'Second'] });
const utf8 = { codePage: 65_001 };
const comma = { ...utf8, delimiter: 4 };
const flat = (kind: string, body: string) =>
  Buffer.from(`<?xml version="1.0" encoding="UTF-8"?><office:document
  xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"
  xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0"
  xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0"
  xmlns:svg="urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0"
  xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" office:version="1.3"
  office:mimetype="application/vnd.oasis.opendocument.${kind}"><office:body><office:${kind}>${body}</office:${kind}>
  </office:body></office:document>`);

/** Sources that x2t does not write itself; those of other programs are from the corpus. */
const given: Readonly<Record<string, Uint8Array | undefined>> = {
  docx,
  csv: Buffer.from(`Name,Number\n${marker},42\n`),
  pptx: corpusFile('pptx/sample.pptx'),
  doc: corpusFile('legacy/61586.doc'),
  xls: corpusFile('legacy/SUBSTITUTE.xls'),
  ppt: corpusFile('legacy/38256.ppt'),
  mht: Buffer.from(`MIME-Version: 1.0\r\nContent-Type: text/html; charset="utf-8"\r\n\r\n<p>${marker}</p>`),
  // Nothing here writes one that is right.
  xlsb: undefined,
  fodt: flat('text', `<text:p>${marker}</text:p>`),
  fods: flat(
    'spreadsheet',
    `<table:table table:name="A"><table:table-row><table:table-cell office:value-type="string"><text:p>${marker}</text:p>
     </table:table-cell></table:table-row></table:table>`,
  ),
  fodp: flat(
    'presentation',
    `<draw:page draw:name="a"><draw:frame svg:x="1cm" svg:y="1cm" svg:width="9cm" svg:height="3cm"><draw:text-box>
     <text:p>${marker}</text:p></draw:text-box></draw:frame></draw:page>`,
  ),
};
const sameAs: Readonly<Record<string, string>> = {
  htm: 'html',
  dot: 'doc',
  xlt: 'xls',
  pps: 'ppt',
  pot: 'ppt',
};
const ofFamily = (type: string): string =>
  x2tPairs.get(type)!.has('xlsx') ? 'xlsx' : x2tPairs.get(type)!.has('pptx') ? 'pptx' : 'docx';
const isPlain = (type: string) => ['txt', 'csv', 'tsv'].includes(type);

/** A word across the page. */
const watermark = {
  type: 'rect',
  width: 100,
  height: 100,
  rotate: -45,
  transparent: 0.3,
  align: 1,
  paragraphs: [
    {
      align: 2,
      linespacing: 1,
      fill: [0, 0, 0],
      runs: [{ text: 'DRAFT', usedin: [0], 'font-family': 'Arial', 'font-size': 40, fill: [0, 0, 0] }],
    },
  ],
};

describe.skipIf(!realX2t || !hasPoppler)(`conversions ${needsX2t} and poppler-utils`, () => {
  let directory: string;
  let engine: ConversionEngine;

  beforeAll(async () => {
    directory = await mkdtemp(path.join(os.tmpdir(), 'quire-real-conversions-'));
    engine = x2tConversions(await startX2t(realX2t!, { dataDir: directory }));
  });
  afterAll(() => rm(directory, { recursive: true, force: true }));

  const convert = (source: Uint8Array, fromType: string, toType: string, options: ConversionOptions = {}) =>
    engine.convert(
      source,
      { fromType, toType, options: isPlain(fromType) ? { ...comma, ...options } : options },
      [],
    );

  /** A file of a type: given, or made from the main type of its family. */
  async function sourceOf(type: string): Promise<Uint8Array | undefined> {
    const same = sameAs[type] ?? type;
    if (same in given) return given[same];
    if (same === 'xlsx') return convert(given.csv!, 'csv', 'xlsx');
    if (same === 'docxf' || same === 'oform') return docx;
    const main = ofFamily(same);
    const source = await sourceOf(main);
    return source && convert(source, main, same);
  }

  /** The words of a file, as plain text that x2t makes of it. */
  async function textOf(bytes: Uint8Array, type: string): Promise<string> {
    if (isPlain(type)) return Buffer.from(bytes).toString();
    const plain = x2tPairs.get(type)?.has('txt') ? 'txt' : 'csv';
    return Buffer.from(await convert(bytes, type, plain)).toString();
  }

  const types = [...x2tPairs.keys()].filter((type) => !editorForms.includes(type));

  it.each(types)('[CV12] of %s give what they should in every format, with its words', async (type) => {
    const source = await sourceOf(type);
    if (!source) return;
    const text = await textOf(source, type);
    const word = text.includes(marker) ? marker : /\p{L}{4,}/u.exec(text)?.[0];
    expect(word).toBeDefined();
    // What x2t writes it writes in the same way for all types of a family: all of it is seen at the main type.
    const main = ofFamily(type);
    const all = [...x2tPairs.get(type)!].filter((target) => !pictureTypes.includes(target));
    const targets = type === main || type === 'pdf' ? all : [main, 'pdf'];
    await Promise.all(
      targets.map(async (target) => {
        const bytes = await convert(source, type, target);
        const fileType = target === 'pdfa' ? 'pdf' : target;
        expect([target, isCalled(kindOf(bytes), fileType)]).toEqual([target, true]);
        expect(await textOf(bytes, fileType), `${type} to ${target}`).toContain(word);
      }),
    );
  });

  it('[CV12] give pages as pictures of the wanted kind and size, all pages as a zip file', async () => {
    const starts: Record<string, string> = {
      bmp: 'BM',
      gif: 'GIF8',
      jpg: '\xff\xd8\xff',
      png: '\x89PNG',
    };
    for (const type of pictureTypes) {
      const picture = await convert(docx, 'docx', type);
      expect([type, Buffer.from(picture.subarray(0, starts[type]!.length)).toString('latin1')]).toEqual([
        type,
        starts[type],
      ]);
    }
    const thumbnail = { aspect: 0, width: 50, height: 60 };
    const small = Buffer.from(await convert(docx, 'docx', 'png', { thumbnail }));
    expect([small.readUInt32BE(16), small.readUInt32BE(20)]).toEqual([50, 60]);
    const pages = await convert(docx, 'docx', 'png', { thumbnail: { first: false } });
    const names = Object.keys(unzipSync(pages));
    expect(names).toHaveLength(1);
    expect(names[0]).toMatch(/\.png$/);
  });

  it('[CV13] write a PDF with its fonts in it, PDF/A where it is wanted, and a watermark', async () => {
    const pdf = await convert(docx, 'docx', 'pdf');
    const file = path.join(directory, 'fonts.pdf');
    await writeFile(file, pdf);
    expect((await run('pdftotext', [file, '-'])).stdout).toContain(`${marker} crossing`);
    const fonts = (await run('pdffonts', [file])).stdout.trim().split('\n').slice(2);
    expect(fonts.length).toBeGreaterThan(0);
    for (const font of fonts) expect(font).toMatch(/\syes\s+(yes|no)\s+(yes|no)\s+\d+\s+\d+$/);
    for (const options of [{ pdf: { pdfa: true } }, {}]) {
      const archived = await convert(docx, 'docx', options.pdf ? 'pdf' : 'pdfa', options);
      expect(Buffer.from(archived).toString('latin1')).toContain('pdfaid:part');
    }
    const marked = await convert(docx, 'docx', 'pdf', { watermark });
    expect(marked.length).toBeGreaterThan(pdf.length + 1_000);
  });

  it('[CV13] lay sheets out as is wanted', async () => {
    const xlsx = (await sourceOf('xlsx'))!;
    const box = async (options: ConversionOptions) => {
      const pdf = Buffer.from(await convert(xlsx, 'xlsx', 'pdf', options)).toString('latin1');
      const [width, height] = /MediaBox\s*\[\s*0\s+0\s+([\d.]+)\s+([\d.]+)/.exec(pdf)!.slice(1).map(Number);
      return width! > height! ? 'landscape' : 'portrait';
    };
    expect(await box({})).toBe('portrait');
    expect(await box({ spreadsheetLayout: { orientation: 'landscape' } })).toBe('landscape');
  });

  /** What a PDF shows: how many pages, how large, and where a word begins, points from the left and the top. */
  async function look(pdf: Uint8Array, word: string) {
    const file = path.join(directory, `${randomUUID()}.pdf`);
    await writeFile(file, pdf);
    const { stdout: info } = await run('pdfinfo', [file]);
    const { stdout: boxes } = await run('pdftotext', ['-bbox', file, '-']);
    const place = new RegExp(`<word xMin="([\\d.]+)" yMin="([\\d.]+)"[^>]*>${word}<`).exec(boxes);
    return {
      pages: Number(/Pages:\s+(\d+)/.exec(info)![1]),
      width: Math.round(Number(/Page size:\s+([\d.]+)/.exec(info)![1])),
      hasForm: /Form:\s+AcroForm/.test(info),
      left: place && Number(place[1]),
      top: place && Number(place[2]),
      text: boxes.replace(/<[^>]*>/g, ' '),
    };
  }
  it('[CV18] each setting of the layout of sheets has its effect, whatever of the others is said', async () => {
    const cells = Array.from({ length: 120 }, (_row, row) =>
      Array.from({ length: 14 }, (_cell, column) => `c${row}x${column}`).join(','),
    );
    const sheet = await convert(Buffer.from(cells.join('\n')), 'csv', 'xlsx');
    const layOut = async (spreadsheetLayout: ConversionOptions['spreadsheetLayout']) =>
      look(await convert(sheet, 'xlsx', 'pdf', { spreadsheetLayout }), 'c0x0');
    const usual = await look(await convert(sheet, 'xlsx', 'pdf'), 'c0x0');
    expect(usual.pages).toBeGreaterThan(2);
    for (const nothingNew of [{ gridLines: false }, { fitToWidth: 0, fitToHeight: 0 }, { scale: 100 }]) {
      expect((await layOut(nothingNew)).pages).toBe(usual.pages);
    }
    expect((await layOut({ fitToWidth: 1, fitToHeight: 1 })).pages).toBe(1);
    expect((await layOut({ scale: 50 })).pages).toBeLessThan(usual.pages);
    expect((await layOut({ pageSize: { width: '420mm' } })).width).toBe(Math.round((420 / 25.4) * 72));
    expect(usual.text).not.toMatch(/\sN\s/);
    expect((await layOut({ headings: true })).text).toMatch(/\sN\s/);
    expect((await layOut({ margins: { top: '60mm' } })).top).toBeGreaterThan(usual.top! + 100);
    const lefts = ['60mm', '6cm', '2.362in', '170.08pt'].map(
      async (left) => (await layOut({ margins: { left } })).left!,
    );
    for (const left of await Promise.all(lefts)) {
      expect(Math.abs(left - usual.left! - ((60 - 17.8) / 25.4) * 72)).toBeLessThan(3);
    }
  });

  it('[CV18] region says how numbers and dates are written', async () => {
    const sheet = await convert(Buffer.from('2024-03-05,1234.5\n'), 'csv', 'xlsx');
    const written = async (region: string) =>
      (await look(await convert(sheet, 'xlsx', 'pdf', { region }), '')).text;
    expect(await written('en-US')).toMatch(/3\/5\/2024\s+1234\.5/);
    expect(await written('de-DE')).toMatch(/05\.03\.2024\s+1234,5/);
  });

  it('[CV18] forms are fields, or are printed with or without what they show when they are empty', async () => {
    const field = `<w:p><w:sdt><w:sdtPr><w:tag w:val="T"/><w:id w:val="5"/><w:showingPlcHdr/><w:formPr w:key="A"/>
      <w:textFormPr/><w:text/></w:sdtPr><w:sdtContent><w:r><w:t>Fill</w:t></w:r></w:sdtContent></w:sdt></w:p>`;
    const form = buildDocx({ body: field });
    const shown = async (options: ConversionOptions) =>
      look(await convert(form, 'docx', 'pdf', options), 'Fill');
    expect((await shown({})).hasForm).toBe(true);
    expect((await shown({ pdf: { form: true } })).hasForm).toBe(true);
    expect(await shown({ documentLayout: { isPrint: true } })).toMatchObject({
      hasForm: false,
      left: null,
    });
    expect((await shown({ documentLayout: { drawPlaceHolders: false } })).left).toBeNull();
    const printed = { isPrint: true, drawPlaceHolders: true };
    expect((await shown({ documentLayout: printed })).left).not.toBeNull();
    const [plain, highlighted] = await Promise.all(
      [false, true].map((drawFormHighlight) =>
        convert(form, 'docx', 'pdf', { documentLayout: { ...printed, drawFormHighlight } }),
      ),
    );
    expect(Buffer.compare(plain!, highlighted!)).not.toBe(0);
  });

  it('[CV18] a watermark is on pages of every kind, and a thumbnail has the wanted form', async () => {
    const page = { thumbnail: { aspect: 2 } };
    for (const [source, from, to, options] of [
      [docx, 'docx', 'png', page],
      [docx, 'docx', 'pdfa', {}],
      [(await sourceOf('xlsx'))!, 'xlsx', 'pdf', {}],
    ] as const) {
      const plain = await convert(source, from, to, options);
      const marked = await convert(source, from, to, { ...options, watermark });
      expect([to, marked.length > plain.length + 1_000]).toEqual([to, true]);
    }
    const sizeOf = async (aspect: number) => {
      const picture = Buffer.from(
        await convert(docx, 'docx', 'png', { thumbnail: { aspect, width: 200, height: 50 } }),
      );
      return [picture.readUInt32BE(16), picture.readUInt32BE(20)];
    };
    expect(await sizeOf(0)).toEqual([200, 50]);
    const [fittedWidth, fittedHeight] = await sizeOf(1);
    expect([fittedWidth! < 50, fittedHeight]).toEqual([true, 50]);
    expect((await sizeOf(2))[0]).toBeGreaterThan(700);
  });

  it('[CV15] open protected files with their password only, and protect results', async () => {
    const sheet = (await sourceOf('xlsx'))!;
    const slides = given.pptx;
    for (const [source, type, target] of [
      [docx, 'docx', 'docx'],
      [docx, 'docx', 'odt'],
      [sheet, 'xlsx', 'xlsx'],
      [sheet, 'xlsx', 'ods'],
      [docx, 'docx', 'pdf'],
      ...(slides ? ([[slides, 'pptx', 'pptx']] as const) : []),
    ] as const) {
      const locked = await convert(source, type, target, { savePassword: 'größer' });
      const plain = x2tPairs.get(target)!.has('txt') ? 'txt' : 'csv';
      await expect(convert(locked, target, plain), target).rejects.toMatchObject({ serviceError: -90 });
      await expect(convert(locked, target, plain, { password: 'no' }), target).rejects.toMatchObject({
        serviceError: -91,
      });
      const text = Buffer.from(await convert(locked, target, plain, { password: 'größer' })).toString();
      if (source !== slides) expect([target, text]).toEqual([target, expect.stringContaining(marker)]);
    }
  });

  it('[CV12] read and write plain text in the wanted encoding and with the wanted delimiter', async () => {
    const latin = Buffer.from('Größe;1,5\n', 'latin1');
    const options = { codePage: 1_252, delimiter: 2 };
    const xlsx = await convert(latin, 'csv', 'xlsx', options);
    expect(Buffer.from(await convert(xlsx, 'xlsx', 'csv', options)).toString('latin1')).toMatch(/^Größe;/);
    expect(Buffer.from(await convert(xlsx, 'xlsx', 'tsv')).toString()).toMatch(/^\uFEFF?Größe\t/);
    await expect(
      engine.convert(latin, { fromType: 'csv', toType: 'xlsx', options: {} }, []),
    ).rejects.toMatchObject({
      serviceError: -89,
    });
  });
});
