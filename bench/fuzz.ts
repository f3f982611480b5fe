/**
 * Converts damaged files, each made from one of a directory by a seed, with every engine of this machine, and checks that
 * each ends within its deadline with a result or an error that has a code, asks for no address, touches nothing beside its
 * directory, and that the engine converts good files afterwards. What did otherwise is appended to a file of seeds.
 *
 *     node dist/bench/fuzz.js --files DIR [--seed 1] [--minutes 10] [--deadline-seconds 20] [--seeds bench/fuzz-seeds.json]
 *                             [--only x2t,libreoffice,ooxml]
 *
 * Workbooks that our own engine opens are made hostile in what their parts say, too, and are then saved untouched and with a cell set.
 *
 * `TMPDIR` should be a directory of its own: what is left in it at the end is reported.
 */
import './support/help.ts';

import { readFile, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { randomFrom } from '../test/support/fault-random.ts';
import { type FuzzCase, FuzzRun, typeOf } from '../test/support/fuzzing/fuzz-run.ts';
import { progress } from './support/report.ts';

const { values } = parseArgs({
  options: {
    files: { type: 'string' },
    seed: { type: 'string', default: '1' },
    minutes: { type: 'string', default: '10' },
    'deadline-seconds': { type: 'string', default: '20' },
    seeds: { type: 'string', default: 'bench/fuzz-seeds.json' },
    only: { type: 'string' },
  },
});
if (values.files === undefined) throw new Error('--files names the directory of the files');

/** A good file is converted by each engine after so many. */
const checkEvery = 50;
const sayEvery = 100;
const fewMegabytes = 1_048_576;
/** Of what an engine writes, formats that cost it most or are asked for most. */
const targets = ['pdf', 'docx', 'odt', 'xlsx', 'ods', 'pptx', 'odp', 'txt', 'csv', 'html', 'png', 'model'];

let stopping = false;
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    stopping = true;
  });
}

await using run = await FuzzRun.start({
  corpus: values.files,
  timeoutMs: Number(values['deadline-seconds']) * 1_000,
  only: values.only?.split(','),
});
const { engines } = run;
const files = await run.files();
const end = Date.now() + Number(values.minutes) * 60_000;
const outcomes: Record<string, Record<string, number>> = {};
let count = 0;
let findings = 0;
for (let seed = Number(values.seed); Date.now() < end && !stopping; seed++) {
  const random = randomFrom(seed);
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)]!;
  const [file, other] = [pick(files), pick(files)];
  for (const engine of engines) {
    const written = engine.pairs.get(typeOf(file));
    const possible = targets.filter((type) => written?.has(type));
    if (possible.length === 0) continue;
    const fuzzCase: FuzzCase = { file, other, seed, engine: engine.name, toType: pick(possible) };
    const { outcome, finding, how, elapsedMs } = await run.convert(fuzzCase);
    count += 1;
    const counts = outcomes[engine.name] ?? {};
    outcomes[engine.name] = { ...counts, [outcome]: (counts[outcome] ?? 0) + 1 };
    if (finding !== undefined) await found(fuzzCase, `${how}, ${elapsedMs} ms: ${finding}`);
  }
  if (seed % checkEvery === 0) await checkGoodFiles();
  if (seed % sayEvery === 0) {
    const { rss } = process.memoryUsage();
    progress(
      `seed ${seed}: ${count} conversions, ${findings} findings, ${Math.round(rss / fewMegabytes)} MB`,
    );
  }
}
await run.closeEngines();
const left = await run.leftovers();
console.log(JSON.stringify({ count, findings, left, outcomes }, null, 2));
process.exitCode = findings > 0 ? 1 : 0;

async function checkGoodFiles(): Promise<void> {
  for (const { name, pairs } of engines) {
    const good = files.find((file) => pairs.has(typeOf(file)) && !/truncated|password|entity/i.test(file))!;
    const toType = targets.find((type) => pairs.get(typeOf(good))?.has(type))!;
    const problem = await run.stillConverts(name, good, toType);
    if (problem === undefined) continue;
    findings += 1;
    progress(`finding: ${problem}`);
  }
}

async function found(fuzzCase: FuzzCase, what: string): Promise<void> {
  findings += 1;
  progress(`finding: ${JSON.stringify(fuzzCase)} ${what}`);
  const known = JSON.parse(await readFile(values.seeds, 'utf8').catch(() => '[]')) as object[];
  const text = JSON.stringify([...known, { ...fuzzCase, what: what.split('\n')[0] }], null, 2);
  await writeFile(values.seeds, `${text}\n`);
}
