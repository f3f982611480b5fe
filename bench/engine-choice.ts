/**
 * Which engine keeps more of a file, for each pair of formats that both LibreOffice and x2t convert: every file is converted by
 * each of them, and what is in source and result is compared, both as LibreOffice reads them (which so judges itself as
 * well); of a PDF and of plain text the words, a PDF's by pdftotext. A file that an engine does not convert counts as lost; one
 * that cannot be read for the comparison is left out.
 *
 *     X2T_DIR=… node dist/bench/engine-choice.js --files DIR [--files DIR …] [--from odt,doc] [--to docx,pdf] [--limit 20]
 *         [--write converter/formats/measured-engines.ts]
 *
 * `--limit`: at most so many files of each type, evenly taken; `--write`: puts what was measured into the table that chooses
 * engines, over what it has of the same pairs.
 */
import './support/help.ts';

import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { parseArgs, promisify } from 'node:util';
import type { ConversionEngine } from '../converter/engines/conversion-engine.ts';
import { findOffice } from '../converter/engines/libreoffice/installation.ts';
import { openOffice } from '../converter/engines/libreoffice/libreoffice-engine.ts';
import { x2tConversions } from '../converter/engines/x2t/conversion.ts';
import { findX2t } from '../converter/engines/x2t/installation.ts';
import { X2tEngine } from '../converter/engines/x2t/x2t-engine.ts';
import { withPlainSource } from '../converter/text/plain-text.ts';
import { decodeText, detectCodePage } from '../converter/text/text-encoding.ts';
import { loadConfig, processEnvironment } from '../platform/config.ts';
import { inParallel } from './support/bench-run.ts';
import {
  type Features,
  featuresOf,
  type Kept,
  keptFeatures,
  keptWords,
  nothingKept,
  scoreOf,
  sumOf,
} from './support/flat-features.ts';

import { percentile, progress, type Row, report, rounded } from './support/report.ts';

const { values } = parseArgs({
  options: {
    files: { type: 'string', multiple: true },
    from: { type: 'string', default: 'docx,odt,doc,rtf,html,fodt,fb2,txt,xlsx,ods,xls,csv,pptx,odp,ppt' },
    to: { type: 'string', default: 'docx,odt,rtf,html,txt,xlsx,ods,csv,pptx,odp,pdf' },
    limit: { type: 'string', default: '20' },
    write: { type: 'string' },
  },
});
if (!values.files) throw new Error('say where the files are: --files DIR');
const run = promisify(execFile);
/** Flat OpenDocument of the kind that a format is of, by which it is judged. */
const judgedAs: Readonly<Record<string, string>> = {
  ...Object.fromEntries('docx odt doc rtf html fodt fb2 txt'.split(' ').map((type) => [type, 'fodt'])),
  ...Object.fromEntries('xlsx ods xls csv'.split(' ').map((type) => [type, 'fods'])),
  ...Object.fromEntries('pptx odp ppt'.split(' ').map((type) => [type, 'fodp'])),
};

const config = { ...loadConfig(processEnvironment()), converterJobTimeoutMs: 60_000 };
const log = { info: () => undefined, warn: () => undefined };
const { office: installation, missing } = await findOffice(config);
if (!installation) throw new Error(`LibreOffice is needed: ${missing}`);
const x2t = await findX2t(config);
if (!x2t) throw new Error('x2t is not installed: set X2T_DIR');
const office = await openOffice(installation, config, { log });
const directory = await mkdtemp(path.join(os.tmpdir(), 'quire-engine-choice-'));

interface Outcome {
  kept: Kept;
  elapsedMs: number;
}

function convert(by: ConversionEngine, bytes: Uint8Array, fromType: string, toType: string) {
  const options = withPlainSource(bytes, fromType, {});
  return by.convert(bytes, { fromType, toType, options }, [], { lane: 'batch' });
}

async function read(bytes: Uint8Array, fileType: string): Promise<Features> {
  return featuresOf(await convert(office.engine, bytes, fileType, judgedAs[fileType]!));
}

async function textOf(pdf: Uint8Array): Promise<string> {
  const place = await mkdtemp(path.join(directory, 'pdf-'));
  const file = path.join(place, 'result.pdf');
  await writeFile(file, pdf);
  return (await run('pdftotext', ['-q', file, '-'], { maxBuffer: 2 ** 28 })).stdout;
}

/** What of a source is in a result. */
async function compared(source: Features, result: Uint8Array, toType: string): Promise<Kept> {
  if (toType === 'pdf') return keptWords(source, await textOf(result));
  if (toType === 'txt') return keptWords(source, decodeText(result, detectCodePage(result)));
  return keptFeatures(source, await read(result, toType));
}

async function outcomeOf(
  engine: ConversionEngine,
  file: { name: string; bytes: Uint8Array; features: Features },
  fromType: string,
  toType: string,
): Promise<Outcome> {
  const startedAt = performance.now();
  try {
    const result = await convert(engine, file.bytes, fromType, toType);
    const elapsedMs = performance.now() - startedAt;
    return { kept: await compared(file.features, result, toType), elapsedMs };
  } catch (error) {
    progress(`${file.name} to ${toType} by ${engine.ability.name}: ${String(error)}`);
    const isText = toType === 'pdf' || toType === 'txt';
    const kept = isText ? keptWords(file.features, '') : keptFeatures(file.features, file.features);
    return { kept: nothingKept(kept), elapsedMs: performance.now() - startedAt };
  }
}

function columnsOf(name: string, outcomes: readonly Outcome[]): Row {
  const kept = outcomes.map((outcome) => outcome.kept);
  const sum = sumOf(kept);
  const share = (kind: keyof Kept) => {
    const [left, of] = sum[kind] ?? [0, 0];
    return of === 0 ? '–' : `${rounded((100 * left) / of, 1)} % of ${of}`;
  };
  const times = outcomes.map(({ elapsedMs }) => elapsedMs);
  return {
    [`${name} %`]: rounded(100 * scoreOf(kept), 1),
    [`${name} text`]: sum.words ? share('words') : share('paragraphs'),
    [`${name} headings`]: share('headings'),
    [`${name} tables`]: share('tables'),
    [`${name} pictures`]: share('pictures'),
    [`${name} p50 ms`]: rounded(percentile(times, 0.5), 0),
  };
}

/** The table as a file of code, with the pairs that were measured now in place of the same ones. */
async function write(file: string, rows: readonly Row[]): Promise<void> {
  const before = await readFile(file, 'utf8');
  const line = /^ {2}\['(\w+)', '(\w+)', ([\d.]+), ([\d.]+), (\d+)\],$/gm;
  const pairs = new Map([...before.matchAll(line)].map(([whole, from, to]) => [`${from} ${to}`, whole]));
  for (const row of rows) {
    const { from, to, files } = row;
    const shares = ['x2t %', 'libreoffice %'].map((name) => row[name]);
    if (shares.some((share) => Number.isNaN(share))) continue;
    pairs.set(`${from} ${to}`, `  ['${from}', '${to}', ${shares.join(', ')}, ${files}],`);
  }
  const [head] = before.split('= [\n');
  const body = [...pairs].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, text]) => text);
  await writeFile(file, `${head}= [\n${body.join('\n')}\n];\n`);
}

try {
  const engine = await X2tEngine.start(x2t, { dataDir: directory, timeoutMs: 60_000, memoryMb: 1_024, log });
  const engines = [x2tConversions(engine), office.engine];
  const known: string[] = [];
  for (const place of values.files) {
    const names = await readdir(place, { recursive: true });
    known.push(...names.sort().map((name) => path.join(place, name)));
  }
  const rows: Row[] = [];
  for (const fromType of values.from.split(',')) {
    const all = known.filter((name) => path.extname(name).toLowerCase() === `.${fromType}`);
    const count = Math.min(all.length, Number(values.limit));
    const files: { name: string; bytes: Uint8Array; features: Features }[] = [];
    await inParallel(count, os.availableParallelism(), async (at) => {
      const name = all[Math.floor((at * all.length) / count)]!;
      const bytes = await readFile(name);
      const features = await read(bytes, fromType).catch(() => null);
      if (features) files.push({ name: path.basename(name), bytes, features });
    });
    for (const toType of values.to.split(',')) {
      const handles = ({ ability }: ConversionEngine) => ability.pairs.get(fromType)?.has(toType) === true;
      if (toType === fromType || !engines.every(handles) || files.length === 0) continue;
      progress(`${fromType} to ${toType}: ${files.length} files`);
      const row: Row[] = [{ from: fromType, to: toType, files: files.length }];
      for (const one of engines) {
        const outcomes: Outcome[] = [];
        await inParallel(files.length, os.availableParallelism(), async (at) => {
          outcomes.push(await outcomeOf(one, files[at]!, fromType, toType));
        });
        row.push(columnsOf(one.ability.name, outcomes));
      }
      rows.push(Object.assign({}, ...row));
      progress(JSON.stringify(rows.at(-1)));
      if (values.write) await write(values.write, rows);
    }
  }
  const versions = Object.fromEntries(engines.map(({ ability }) => [ability.name, ability.version]));
  report(
    'engine-choice',
    { ...values, files: values.files.map((one) => path.basename(one)), versions },
    rows,
  );
} finally {
  await office.pool.close();
  await rm(directory, { recursive: true, force: true });
}
