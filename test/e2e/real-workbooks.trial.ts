import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { inspect } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WorkbookReaders } from '../../bench/support/workbook-readers.ts';
import type { CellSession } from '../../client/cell/cell-session.ts';
import { DocumentClientError, DocumentOpenError } from '../../client/client-error.ts';
import { CONVERSION_ERROR } from '../../converter/errors.ts';
import { ownWorkbooks } from '../corpus/workbooks.ts';
import { corpusFile, corpusNames, type NamedDocument, needsCorpus } from '../support/corpus.ts';
import { EndToEndWorld } from '../support/e2e-world.ts';
import { hasLibreOffice } from '../support/libreoffice.ts';
import { newName } from '../support/new-name.ts';
import { fetchFile } from '../support/word-editor.ts';
import { workbookEdit } from '../support/workbook-edit.ts';
import { faultsOf } from '../support/workbook-result.ts';
import { storedValues } from '../support/workbook-values.ts';

/**
 * `WORKBOOKS_DIR`: a folder of files to take instead; `WORKBOOKS_PYTHON`: a Python with openpyxl, which reads them too;
 * `WORKBOOKS_PART`: only one of so many parts of them, as `1/4`.
 */
const { WORKBOOKS_DIR: folder, WORKBOOKS_PYTHON: python, WORKBOOKS_PART: part = '1/1' } = process.env;
/** Those that are larger are for runs with a folder. */
const MOST_BYTES = 40_000;
const AT_ONCE = 4;
const [one = 1, of = 1] = part.split('/').map(Number);

const isWorkbook = (name: string): boolean => /\.xl[st][xm]$/i.test(name);

function* workbooks(): Generator<NamedDocument> {
  if (folder === undefined) {
    for (const [name, bytes] of ownWorkbooks) yield [`${name}.xlsx`, bytes];
    for (const name of corpusNames('xlsx').filter(isWorkbook)) {
      const bytes = corpusFile(`xlsx/${name}`)!;
      if (bytes.length <= MOST_BYTES) yield [name, bytes];
    }
    return;
  }
  const names = readdirSync(folder).filter(isWorkbook).sort();
  for (const name of names.filter((_, index) => index % of === one - 1))
    yield [name, readFileSync(path.join(folder, name))];
}

/** What a file may be refused with, beside damage: each is told in a sentence. */
const refusals: ReadonlySet<number> = new Set(Object.values(CONVERSION_ERROR));

describe(`workbooks of other programs through a server, ${needsCorpus}`, { timeout: 7_200_000 }, () => {
  let world: EndToEndWorld;
  let readers: WorkbookReaders;
  const faults: string[] = [];
  const counts = new Map<string, number>();
  const say = (fault: string) => {
    faults.push(fault);
    console.log(fault);
  };
  const count = (what: string, by = 1) => counts.set(what, (counts.get(what) ?? 0) + by);
  beforeAll(async () => {
    world = await EndToEndWorld.open();
    readers = await WorkbookReaders.start({ office: hasLibreOffice, python });
  });
  afterAll(async () => {
    await readers?.close();
    await world?.close();
  });

  async function open(name: string, key: string, bytes: Uint8Array): Promise<CellSession | null> {
    const fileType = path.extname(name).slice(1).toLowerCase();
    const sourceUrl = world.integrator.serve(`${key}.${fileType}`, { bytes });
    try {
      return await world.joinWorkbook({ key, user: 'ann', sourceUrl, fileType });
    } catch (error) {
      if (!(error instanceof DocumentOpenError || error instanceof DocumentClientError)) throw error;
      const number = error instanceof DocumentOpenError ? Number(error.data) : Number.NaN;
      count(`refused: ${error.message} ${number}`);
      if (folder !== undefined) console.log(`${name}: refused ${number}`);
      if (!refusals.has(number)) say(`${name}: refused with ${number}`);
      return null;
    }
  }

  async function visit(name: string, before: Uint8Array): Promise<void> {
    const key = newName(`workbook-${name.replace(/[^A-Za-z0-9]/g, '-').slice(0, 60)}`);
    const session = await open(name, key, before);
    if (!session) return;
    count('opened');
    const opened = session.workbook;
    const edit = workbookEdit(opened);
    if (edit) session.dispatch({ operations: [edit.operation] });
    await session.saved();
    const left = session.workbook;
    await session.close();
    const { body, status } = await world.integrator.waitForCallback(key, (one) => one.status !== 1);
    if (!edit) {
      count('protected throughout');
      if (status !== 4) say(`${name}: not changed, and delivered with ${status}`);
      return;
    }
    if (status !== 2) {
      say(`${name}: delivered with ${status}`);
      return;
    }
    const values = storedValues(opened);
    count('formulas', values.all);
    count('formulas with another value', values.other.length);
    for (const other of values.other.slice(0, 3)) console.log(`value: ${name} ${other}`);
    const after = await fetchFile(body.url);
    const found = await faultsOf({ before, after, edit, opened, left }, readers);
    if (found.length === 0) count('came back right');
    for (const fault of found.slice(0, 4)) say(`${name}: ${fault}`);
  }

  it('[XE61] come back with one cell set, and nothing else is other than before', async () => {
    const waiting = workbooks();
    const worker = async () => {
      for (const [name, bytes] of waiting)
        await visit(name, bytes).catch((error: unknown) => say(`${name}: ${inspect(error)}`));
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
    console.log([...counts].map(([what, number]) => `${number} ${what}`).join('\n'));
    expect(faults).toEqual([]);
    const all = counts.get('formulas') ?? 0;
    expect(counts.get('formulas with another value') ?? 0).toBeLessThanOrEqual(all / 100);
  });
});
