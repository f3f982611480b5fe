import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { XlsxSource } from '../../../converter/engines/ooxml/xlsx/xlsx-source.ts';
import type { Environment } from '../../../platform/config.ts';
import { buildDocx } from '../../../test/support/docx-fixture.ts';
import { eventually } from '../../../test/support/eventually.ts';
import { needsOffice, officeProcesses, realOffice } from '../../../test/support/office.ts';
import { optionsOfFlags, passwordOf } from './arguments.ts';
import { UsageError } from './exit-codes.ts';
import { FileThereError, writeNewFile } from './new-file.ts';
import { type ConvertFlags, runConvert } from './run-convert.ts';

const docx = buildDocx({ paragraphs: ['Remember the milk'] });
let directory: string;

beforeEach(async () => {
  directory = await mkdtemp(path.join(os.tmpdir(), 'quire-convert-'));
  await writeFile(at('a.docx'), docx);
});
afterEach(() => rm(directory, { recursive: true, force: true }));

const at = (name: string): string => path.join(directory, name);

interface Ran {
  code: number;
  output: string;
  errors: string;
}

/** Calls the command as a shell does. */
async function run(
  names: readonly string[],
  flags: ConvertFlags = {},
  {
    environment = { LIBREOFFICE: 'off' },
    isTTY = false,
    signal = new AbortController().signal,
  }: { environment?: Environment; isTTY?: boolean; signal?: AbortSignal } = {},
): Promise<Ran> {
  const said = { output: '', errors: '' };
  const write = (to: keyof typeof said) => (text: unknown) => {
    said[to] += String(text);
    return true;
  };
  const code = await runConvert(names.map(at), flags, {
    environment: { DATA_DIR: at('data'), ...environment },
    signal,
    output: { write: write('output') },
    errors: { write: write('errors'), isTTY, columns: 80 },
  });
  return { code, ...said };
}

describe('quire convert', () => {
  it('[QC1] makes a file of a name, or any number of a type beside their sources or elsewhere; quietly', async () => {
    await writeFile(at('b.docx'), docx);
    expect(await run(['a.docx', 'copy.docx'])).toEqual({ code: 0, output: '', errors: '' });
    expect(await readFile(at('copy.docx'))).toEqual(Buffer.from(docx));
    const outDir = await mkdtemp(at('made-'));
    expect(await run(['a.docx', 'b.docx'], { to: 'ooxml', outDir })).toMatchObject({ code: 0 });
    expect((await readdir(outDir)).sort()).toEqual(['a.docx', 'b.docx']);
  });

  it('[CV29] makes a workbook of text that is called xls', async () => {
    await writeFile(at('list.xls'), 'Name\tPrice\r\nMüller\t1,50\r\n');
    expect(await run(['list.xls', 'list.xlsx'])).toEqual({ code: 0, output: '', errors: '' });
    const { workbook } = XlsxSource.open(await readFile(at('list.xlsx')));
    expect([workbook.sheets[0]!.grid.cell(1, 0).value, workbook.sheets[0]!.grid.cell(1, 1).value]).toEqual([
      'Müller',
      1.5,
    ]);
  });

  it('[QC2] does nothing when it is not called as it must be', async () => {
    for (const [names, flags] of [
      [['a.docx'], {}],
      [['a.docx', 'b', 'c'], {}],
      [['a.docx', 'b.exe'], {}],
      [['a.docx', 'nameless'], {}],
      [['a.docx'], { to: 'docx' }],
      [['a.docx', 'b.pdf'], { outDir: directory }],
      [['a.docx', 'b.pdf'], { codePage: 'x' }],
      [['a.docx', 'b.pdf'], { options: '{"nothing":1}' }],
      [['a.docx', 'b.pdf'], { passwordFile: at('none') }],
    ] as const) {
      await expect(run(names, flags), JSON.stringify([names, flags])).rejects.toThrow(UsageError);
    }
    expect(await readdir(directory)).toEqual(['a.docx']);
  });

  it('[CV21] makes the folder of the results, and names one that cannot be made or is not there', async () => {
    const outDir = at('made/here');
    expect(await run(['a.docx'], { to: 'docx', outDir })).toEqual({ code: 0, output: '', errors: '' });
    expect(await readdir(outDir)).toEqual(['a.docx']);
    const blocked = at('a.docx/here');
    await expect(run(['a.docx'], { to: 'docx', outDir: blocked })).rejects.toThrow(UsageError);
    await expect(run(['a.docx'], { to: 'docx', outDir: blocked })).rejects.toThrow(blocked);
    const { code, errors } = await run(['a.docx', 'none/b.docx']);
    expect(code).toBe(1);
    expect(errors).toContain(`there is no directory ${at('none')}`);
  });

  it('[QC3] replaces a file only with --force, and leaves none that is half written', async () => {
    await writeFile(at('b.docx'), 'mine');
    const refused = await run(['a.docx', 'b.docx']);
    expect(refused).toMatchObject({ code: 1, errors: expect.stringContaining('--force') });
    expect(await readFile(at('b.docx'), 'utf8')).toBe('mine');
    // One that came while the work was done.
    await expect(writeNewFile(at('b.docx'), docx, false)).rejects.toThrow(FileThereError);
    expect((await readdir(directory)).sort()).toEqual(['a.docx', 'b.docx']);
    expect(await run(['a.docx', 'b.docx'], { force: true })).toMatchObject({ code: 0 });
    expect(await readFile(at('b.docx'))).toEqual(Buffer.from(docx));
    expect((await readdir(directory)).sort()).toEqual(['a.docx', 'b.docx']);
  });

  it('[QC4] says by its code whether all, some or none for want of an engine were made, and goes on after failures', async () => {
    await writeFile(at('bad.docx'), 'no document');
    const outDir = await mkdtemp(at('made-'));
    const some = await run(['bad.docx', 'gone.docx', 'a.docx'], { to: 'docx', outDir });
    expect(some.code).toBe(1);
    expect(some.errors).toMatch(/bad\.docx: .+\(-8[26]\)/);
    expect(some.errors).toContain(`gone.docx: there is no such file or directory`);
    expect(await readdir(outDir)).toEqual(['a.docx']);
    const missing = await run(['a.docx', 'a.pdf']);
    expect(missing).toMatchObject({ code: 3, errors: expect.stringContaining('LIBREOFFICE is off') });
    expect(await run(['a.docx', 'a.xlsx'])).toMatchObject({ code: 1 });
  });

  it('[QC5] reports to programs in JSON, and to people on a terminal, what became of each file', async () => {
    const { output, errors } = await run(['a.docx', 'b.docx'], { json: true });
    expect(errors).toBe('');
    expect(JSON.parse(output)).toEqual({
      files: [
        {
          ...{ ok: true, source: at('a.docx'), result: at('b.docx'), fileType: 'docx' },
          ...{ bytes: docx.byteLength, elapsedMs: expect.any(Number) },
        },
      ],
    });
    const shown = await run(['a.docx', 'c.docx'], {}, { isTTY: true });
    expect(shown.output).toBe('');
    expect(shown.errors).toContain(`${at('a.docx')} → ${at('c.docx')}`);
    expect(shown.errors).toContain('0/1  a.docx');
  });

  it('[QC6] takes passwords from files and variables, one of them, and the options of the API as flags', async () => {
    await writeFile(at('password'), 'open sesame\n');
    const environment = { SECRET: 'from the environment' };
    expect(await passwordOf({ file: at('password') }, 'x', environment)).toBe('open sesame');
    expect(await passwordOf({ variable: 'SECRET' }, 'x', environment)).toBe('from the environment');
    expect(await passwordOf({}, 'x', environment)).toBeUndefined();
    for (const flags of [{ variable: 'NONE' }, { variable: 'SECRET', file: at('password') }]) {
      await expect(passwordOf(flags, 'x', environment)).rejects.toThrow(UsageError);
    }
    expect(
      optionsOfFlags({
        ...{ codePage: '1252', delimiter: 'semicolon', region: 'de-DE', pdfa: true, thumbnail: '200x100' },
        ...{ allPages: true, options: '{"spreadsheetLayout":{"scale":50}}' },
      }),
    ).toEqual({
      ...{ codePage: 1252, delimiter: 2, region: 'de-DE', pdf: { pdfa: true } },
      thumbnail: { aspect: 1, width: 200, height: 100, first: false },
      spreadsheetLayout: { scale: 50 },
    });
    expect(optionsOfFlags({ delimiter: '|' })).toEqual({ delimiterChar: '|' });
  });
});

describe.skipIf(!realOffice)(`quire convert, ${needsOffice}`, () => {
  const environment = { LIBREOFFICE: 'auto', CONVERTER_UNCONFINED: 'true', LIBREOFFICE_PROCESSES: '1' };

  it('[QC7] makes files of other formats by itself, and leaves no process', async () => {
    const outDir = await mkdtemp(at('made-'));
    await writeFile(at('b.txt'), 'Nothing but words');
    const made = await run(['a.docx', 'b.txt'], { to: 'odt', outDir }, { environment });
    expect(made).toEqual({ code: 0, output: '', errors: '' });
    expect((await readdir(outDir)).sort()).toEqual(['a.odt', 'b.odt']);
    expect((await readFile(path.join(outDir, 'a.odt'))).subarray(0, 2).toString()).toBe('PK');
    expect(await officeProcesses()).toEqual([]);
  });

  it('[QC8] ends what runs when it is interrupted, and leaves nothing behind', async () => {
    const interruption = new AbortController();
    const running = run(['a.docx', 'a.pdf'], {}, { environment, signal: interruption.signal });
    await eventually(officeProcesses, (found) => found.length > 0);
    interruption.abort(new Error('interrupted'));
    expect(await running).toMatchObject({ code: 130 });
    expect(await readdir(directory)).toEqual(['a.docx']);
    expect(await officeProcesses()).toEqual([]);
  });
});
