import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { unzipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { corpusFile, corpusNames, hasCorpus, needsCorpus } from '../../../test/support/corpus.ts';
import { buildDocx } from '../../../test/support/docx-fixture.ts';
import { paragraphsOf } from '../../../test/support/word-editor.ts';
import { needsX2t, realX2t, startX2t } from '../../../test/support/x2t.ts';
import { ConversionError, EngineEnded } from '../../errors.ts';
import type { BinaryDocument, X2tEngine } from './x2t-engine.ts';

const ofKind = (kind: string, count: number): string[] =>
  corpusNames(kind)
    .slice(0, count)
    .map((name) => `${kind}/${name}`);

const source = (name: string) => ({
  bytes: corpusFile(name)!,
  fileType: path.extname(name).slice(1),
});
const text = (bytes: Uint8Array) => Buffer.from(bytes).toString();
const start = (bytes: Uint8Array) => Buffer.from(bytes.subarray(0, 8)).toString('latin1');

describe.skipIf(!realX2t)(needsX2t, () => {
  let directory: string;
  let engine: X2tEngine;

  beforeAll(async () => {
    directory = await mkdtemp(path.join(os.tmpdir(), 'quire-real-x2t-'));
    engine = await startX2t(realX2t!, { dataDir: directory });
  });
  afterAll(() => rm(directory, { recursive: true, force: true }));

  const docx = { bytes: buildDocx({ paragraphs: ['First', 'Second'] }), fileType: 'docx' };

  it('[XT11] opens documents, tables and slides to the binary form', async () => {
    expect(start((await engine.open(docx)).document)).toMatch(/^DOCY;v/);
    const csv = {
      bytes: Buffer.from('a;b\n1;2\n'),
      fileType: 'csv',
      options: { encoding: 46, delimiter: 2 },
    };
    const table = await engine.open(csv);
    expect(start(table.document)).toMatch(/^XLSY;v/);
    const xlsx = await engine.convert(csv, 'xlsx');
    expect(start((await engine.open({ bytes: xlsx, fileType: 'xlsx' })).document)).toMatch(/^XLSY;v/);
    const back = await engine.convert(
      { bytes: xlsx, fileType: 'xlsx', options: { encoding: 46, delimiter: 4 } },
      'csv',
    );
    expect(text(back)).toMatch(/^\uFEFF?a,b\r?\n1,2/);
  });

  it('[XT11] writes the formats that it names', async () => {
    expect(start(await engine.convert(docx, 'pdf'))).toMatch(/^%PDF-/);
    expect(text(await engine.convert({ ...docx, options: { encoding: 46 } }, 'txt'))).toMatch(
      /First\r?\nSecond/,
    );
    const odt = { bytes: await engine.convert(docx, 'odt'), fileType: 'odt' };
    expect(paragraphsOf(await engine.convert(odt, 'docx'))).toEqual(['First', 'Second']);
    await expect(engine.convert(docx, 'xlsx')).rejects.toMatchObject({ serviceError: -82 });
  });

  it('[XT12] says what is wrong with a file', async () => {
    const garbage = { bytes: Buffer.from('this is no document'), fileType: 'docx' };
    await expect(engine.open(garbage)).rejects.toMatchObject({ serviceError: -86 });
    const cut = { ...docx, bytes: docx.bytes.subarray(0, 300) };
    await expect(engine.open(cut)).rejects.toMatchObject({ serviceError: -86 });
    const table = { bytes: Buffer.from('a;b\n'), fileType: 'csv' };
    await expect(engine.open(table)).rejects.toMatchObject({ serviceError: -89 });
    const unknown = { bytes: Buffer.from('x'), fileType: 'abc' };
    await expect(engine.open(unknown)).rejects.toMatchObject({ serviceError: -82 });
  });

  it('[XT13] writes a document whose log is empty, or holds what is no change', async () => {
    const opened = await engine.open(docx);
    for (const changes of [[], ['[]'], ['["garbage"]']]) {
      const file = await engine.assemble({ ...opened, changes, toType: 'docx' });
      expect(paragraphsOf(file)).toEqual(['First', 'Second']);
    }
    expect(start(await engine.assemble({ ...opened, changes: [], toType: 'odt' }))).toMatch(/^PK/);
  });

  it('[XT13] refuses a log whose changes do not fit the document', async () => {
    const opened = await engine.open(docx);
    const bytes = Buffer.alloc(24);
    bytes.set([6, 0, 0, 0, 0x33, 0, 0x35, 0, 0x38, 0, 1, 0, 1]);
    const changes = [JSON.stringify([`20;${bytes.toString('base64')}`])];
    await expect(engine.assemble({ ...opened, changes, toType: 'docx' })).rejects.toMatchObject({
      serviceError: -86,
    });
  });

  it('[XT25] writes the same bytes when it assembles the same again', async () => {
    const opened = await engine.open(docx);
    for (const toType of ['docx', 'odt']) {
      const first = await engine.assemble({ ...opened, changes: ['[]'], toType });
      // Zip files count time in steps of two seconds.
      await new Promise((resolve) => setTimeout(resolve, 2_100));
      expect(Buffer.compare(first, await engine.assemble({ ...opened, changes: ['[]'], toType }))).toBe(0);
    }
  });

  it('[XT14] fetches nothing from addresses that a document names', async () => {
    let asked = 0;
    const server = createServer((_request, response) => {
      asked += 1;
      response.end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/a.png`;
      const html = Buffer.from(`<html><body><p>Text</p><img src="${address}"></body></html>`);
      await engine.open({ bytes: html, fileType: 'html' });
      expect(asked).toBe(0);
    } finally {
      server.close();
    }
  });

  it('[XT7] is ended when it takes too long or asks for too much memory', async () => {
    const hasty = await startX2t(realX2t!, { dataDir: directory, timeoutMs: 1 });
    await expect(hasty.convert(docx, 'pdf')).rejects.toThrow(EngineEnded);
    const poor = await startX2t(realX2t!, { dataDir: directory, memoryMb: 64 });
    const failure = await poor.convert(docx, 'pdf').catch((error: unknown) => error);
    expect(failure instanceof EngineEnded || failure instanceof ConversionError).toBe(true);
  });

  describe.skipIf(!hasCorpus)(`and ${needsCorpus}`, () => {
    it('[XT12] opens a protected document with its password only', async () => {
      const locked = source('docx/bug53475-password-is-pass.docx');
      await expect(engine.open(locked)).rejects.toMatchObject({ serviceError: -90 });
      const wrong = { ...locked, options: { password: 'no' } };
      await expect(engine.open(wrong)).rejects.toMatchObject({ serviceError: -91 });
      const { document } = await engine.open({ ...locked, options: { password: 'pass' } });
      expect(start(document)).toMatch(/^DOCY/);
    });

    it('[XT11] gives pictures by the paths under which the document names them', async () => {
      const { media } = await engine.open(source('docx/WithGIF.docx'));
      expect(media.map(([name]) => name)).toEqual(['media/image1.gif']);
      const opened = await engine.open(source('docx/WithGIF.docx'));
      const file = await engine.assemble({ ...opened, changes: ['[]'], toType: 'docx' });
      expect(Object.keys(unzipSync(file)).filter((name) => name.startsWith('word/media/'))).toHaveLength(1);
    });

    it.each([...ofKind('docx', 8), ...ofKind('xlsx', 8), ...ofKind('pptx', 8), ...ofKind('legacy', 6)])(
      '[XT11] opens %s, or says why it cannot',
      async (name) => {
        const opened = await engine.open(source(name)).catch((error: unknown) => error);
        if (opened instanceof ConversionError) expect(opened.code).not.toBe('convert');
        else expect(start((opened as BinaryDocument).document)).toMatch(/^(DOC|XLS|PPT)Y;v/);
      },
    );

    it('[XT11] writes slides as PDF', async () => {
      expect(start(await engine.convert(source('pptx/sample.pptx'), 'pdf'))).toMatch(/^%PDF-/);
    });
  });
});
