/**
 * What a file of another format keeps when it is edited in the word processor: each file is made a docx, a word is added
 * to its first paragraph by a change of the model, the docx with the change is written back in the format of the file, and what
 * is in both files is compared. Both are read by LibreOffice, which so judges itself as well.
 *
 *     node dist/bench/round-trips.js --files DIR [--engine libreoffice|x2t] [--limit 100] [--lost 0]
 *
 * `--limit`: at most so many files of each type; `--lost`: so many examples of what was lost are shown of each kind.
 */
import './support/help.ts';

import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import type { Node } from 'prosemirror-model';
import { Transform } from 'prosemirror-transform';
import type { ConversionEngine } from '../converter/engines/conversion-engine.ts';
import { findOffice } from '../converter/engines/libreoffice/installation.ts';
import { openOffice } from '../converter/engines/libreoffice/libreoffice-engine.ts';
import { openDocx } from '../converter/engines/ooxml/docx/docx-engine.ts';
import { assembleDocx } from '../converter/engines/ooxml/docx/testing/assemble-docx.ts';
import { x2tConversions } from '../converter/engines/x2t/conversion.ts';
import { findX2t } from '../converter/engines/x2t/installation.ts';
import { X2tEngine } from '../converter/engines/x2t/x2t-engine.ts';
import { isWrittenAs, opensAs } from '../converter/formats/kind-formats.ts';
import { statedCodePage } from '../converter/text/text-encoding.ts';
import { nativeTypeOf, wordKind } from '../model/kinds.ts';
import { encodeChange } from '../model/word/change.ts';
import { loadConfig, processEnvironment } from '../platform/config.ts';
import { inParallel } from './support/bench-run.ts';
import { type FeatureName, featureNames, featuresOf, keptOf } from './support/flat-features.ts';
import { percentile, progress, type Row, report, rounded } from './support/report.ts';

/** Files are edited in this type. */
const baseType = nativeTypeOf(wordKind);
const { values } = parseArgs({
  options: {
    files: { type: 'string' },
    engine: { type: 'string', default: 'libreoffice' },
    limit: { type: 'string', default: '100' },
    lost: { type: 'string', default: '0' },
  },
});
if (!values.files) throw new Error('say where the files are: --files DIR');
const added = ' quirkily';
const westernCodePage = 1_252;

/** What came of one file. */
interface Trip {
  fileType: string;
  /** The step that failed; null when there is a result. */
  failed: 'open' | 'write' | 'compare' | null;
  elapsedMs: number;
  arrived: boolean;
  counts: Partial<Record<FeatureName, readonly [kept: number, of: number]>>;
}

/** The change that adds a word at the end of the first paragraph with text; null where there is none. */
function changeOf(doc: Node): string | null {
  let end: number | null = null;
  doc.descendants((node, position) => {
    if (end === null && node.type.name === 'paragraph' && node.textContent.trim() !== '') {
      end = position + node.nodeSize - 1;
    }
    return end === null;
  });
  if (end === null) return null;
  const { steps } = new Transform(doc).insert(end, doc.type.schema.text(added));
  return encodeChange('bench', steps[0]!);
}

async function travel(file: string, engine: ConversionEngine, judge: ConversionEngine): Promise<Trip> {
  const source = await readFile(file);
  const fileType = path.extname(file).slice(1).toLowerCase();
  const isText = fileType === 'txt';
  const codePage = isText ? (statedCodePage(source) ?? westernCodePage) : undefined;
  const convert = (by: ConversionEngine, bytes: Uint8Array, fromType: string, toType: string) => {
    const options = fromType === 'txt' || toType === 'txt' ? { codePage } : {};
    return by.convert(bytes, { fromType, toType, options }, [], { lane: 'batch' });
  };
  const trip: Trip = { fileType, failed: 'open', elapsedMs: 0, arrived: false, counts: {} };
  const startedAt = performance.now();
  try {
    const base = await convert(engine, source, fileType, baseType);
    const change = changeOf(openDocx(base).doc);
    trip.failed = 'write';
    const { bytes } = assembleDocx(base, change === null ? [] : [change]);
    const result = await convert(engine, bytes, baseType, fileType);
    trip.elapsedMs = performance.now() - startedAt;
    trip.failed = 'compare';
    const [before, after] = await Promise.all(
      [source, result].map(async (one) => featuresOf(await convert(judge, one, fileType, 'fodt'))),
    );
    const clean = (text: string) => text.replaceAll(added, '').replaceAll(added.trim(), '');
    trip.arrived = change === null || after!.paragraphs.some((text) => text.includes(added.trim()));
    for (const name of featureNames) {
      const kept = after![name].map(clean);
      trip.counts[name] = [keptOf(before![name], kept), before![name].length];
      tellLost(file, name, before![name], kept);
    }
    trip.failed = null;
  } catch (error) {
    progress(`${path.basename(file)}: ${trip.failed} failed: ${String(error)}`);
  }
  return trip;
}

const shown = new Map<string, number>();
function tellLost(
  file: string,
  name: FeatureName,
  before: readonly string[],
  after: readonly string[],
): void {
  const key = `${path.extname(file)} ${name}`;
  const count = shown.get(key) ?? 0;
  const lost = before.find((text) => keptOf([text], after) === 0);
  if (lost === undefined || count >= Number(values.lost)) return;
  shown.set(key, count + 1);
  progress(`${path.basename(file)}: ${name}: ${lost.slice(0, 200)}`);
}

function rowOf(fileType: string, trips: readonly Trip[]): Row {
  const failed = (step: Trip['failed']) => trips.filter((trip) => trip.failed === step).length;
  const done = trips.filter((trip) => trip.failed === null);
  const shares = featureNames.map((name) => {
    const sum = (at: 0 | 1) => done.reduce((total, { counts }) => total + (counts[name]?.[at] ?? 0), 0);
    return [name, sum(1) === 0 ? '–' : `${rounded((100 * sum(0)) / sum(1), 1)} % of ${sum(1)}`] as const;
  });
  return {
    type: fileType,
    files: trips.length,
    'not opened': failed('open'),
    'not written': failed('write'),
    'not compared': failed('compare'),
    'change arrived': done.filter(({ arrived }) => arrived).length,
    ...Object.fromEntries(shares),
    'p50 ms': rounded(
      percentile(
        done.map(({ elapsedMs }) => elapsedMs),
        0.5,
      ),
      0,
    ),
  };
}

const config = loadConfig(processEnvironment());
const log = { info: () => undefined, warn: () => undefined };
const { office: installation, missing } = await findOffice(config);
if (!installation) throw new Error(`LibreOffice is needed: ${missing}`);
const office = await openOffice(installation, config, { log });
const directory = await mkdtemp(path.join(os.tmpdir(), 'quire-round-trips-'));
try {
  const x2t = values.engine === 'x2t' ? await findX2t(config) : null;
  if (values.engine === 'x2t' && !x2t) throw new Error('x2t is not installed: set X2T_DIR');
  const engine = x2t
    ? x2tConversions(
        await X2tEngine.start(x2t, { dataDir: directory, timeoutMs: 120_000, memoryMb: 1_024, log }),
      )
    : office.engine;
  const table = { handles: (from: string, to: string) => engine.ability.pairs.get(from)?.has(to) ?? false };
  const names = (await readdir(values.files, { recursive: true })).sort();
  const typeOf = (name: string) => path.extname(name).slice(1).toLowerCase();
  const rows: Row[] = [];
  for (const fileType of [...new Set(names.map(typeOf))].sort()) {
    if (
      fileType === baseType ||
      !opensAs(wordKind, fileType, table) ||
      !isWrittenAs(wordKind, fileType, table)
    )
      continue;
    const some = names.filter((name) => typeOf(name) === fileType).slice(0, Number(values.limit));
    progress(`${fileType}: ${some.length} files`);
    const trips: Trip[] = [];
    await inParallel(some.length, os.availableParallelism(), async (at) => {
      trips.push(await travel(path.join(values.files!, some[at]!), engine, office.engine));
    });
    rows.push(rowOf(fileType, trips));
  }
  report('round-trips', { ...values, version: engine.ability.version }, rows);
} finally {
  await office.pool.close();
  await rm(directory, { recursive: true, force: true });
}
