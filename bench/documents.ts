/**
 * What becomes of documents of other programs when people work on them: each file is opened, saved untouched, and changed by
 * the commands of the editor in a session's plugins without a page; the log of that is applied as every replica does, and the
 * document is written. Counted are the files, and the deeds, after which a check of `bench/support/document-checks.ts` finds what
 * it did not find in the file before.
 *
 *     node dist/bench/documents.js --files DIR [--files DIR …] [--paragraphs 40] [--commands 50] [--every 10] [--seed 1]
 *                                  [--client plain] [--show 3] [--limit 0] [--only NAME]
 *
 * `--paragraphs`: deletes so many paragraphs of each file, evenly spread and one at a time, without their breaks and with them as by
 * shift and the down key; 0: none; `--commands`: gives so many random commands one after the other, tracked and untracked, and
 * accepts every change at the end; 0: none; `--every`: looks at the document after so many of them; `--client plain`: deletes as a
 * client does that knows nothing of fields, so that the writer alone is judged; `--show`: so many faults of each check are shown;
 * `--limit`: at most so many files; `--only`: files with this in their name. The same file in several places is taken once. Ends
 * with code 1 when anything is found.
 */
import './support/help.ts';

import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { crc32 } from 'node:zlib';
import { commands, deletions, type Finding, savedUntouched } from './support/document-deeds.ts';
import { DocumentRun } from './support/document-run.ts';
import { loadRandomEditor } from './support/random-editor.ts';
import { progress, type Row, report } from './support/report.ts';

const { values } = parseArgs({
  options: {
    files: { type: 'string', multiple: true },
    paragraphs: { type: 'string', default: '40' },
    commands: { type: 'string', default: '50' },
    every: { type: 'string', default: '10' },
    seed: { type: 'string', default: '1' },
    client: { type: 'string', default: 'ours' },
    show: { type: 'string', default: '3' },
    limit: { type: 'string', default: '0' },
    only: { type: 'string', default: '' },
  },
});
if (!values.files) throw new Error('say where the files are: --files DIR');
const mostFiles = Number(values.limit) || Number.POSITIVE_INFINITY;

const Editor = await loadRandomEditor();

/** What was found in one directory, by the names of the checks. */
interface Tally {
  files: number;
  refused: number;
  withFields: number;
  deeds: number;
  readonly faultyFiles: Map<string, number>;
  readonly faultyDeeds: Map<string, number>;
}

const shown = new Map<string, number>();
function printFaults(file: string, name: string, deed: string, faults: readonly string[]): void {
  const count = shown.get(name) ?? 0;
  if (count >= Number(values.show)) return;
  shown.set(name, count + 1);
  progress(`${file}: ${name} after ${deed}: ${faults[0]} (${faults.length})`);
}

function* deedsOf(run: DocumentRun): Generator<Finding> {
  yield* savedUntouched(run);
  if (values.paragraphs !== '0') yield* deletions(run, Number(values.paragraphs), values.client !== 'plain');
  const count = Number(values.commands);
  // Every file has commands of its own.
  const seed = Number(values.seed) + crc32(run.bytes);
  if (count > 0) yield* commands(run, Editor, { count, seed, every: Number(values.every) });
}

function judge(run: DocumentRun, tally: Tally): void {
  if (run.hasFields) tally.withFields += 1;
  const found = new Set<string>();
  for (const { deed, faults } of deedsOf(run)) {
    tally.deeds += 1;
    for (const [name, texts] of faults) {
      found.add(name);
      tally.faultyDeeds.set(name, (tally.faultyDeeds.get(name) ?? 0) + 1);
      printFaults(run.file, name, deed, texts);
    }
  }
  for (const name of found) tally.faultyFiles.set(name, (tally.faultyFiles.get(name) ?? 0) + 1);
}

const seen = new Set<string>();

async function judgeDirectory(directory: string): Promise<Tally> {
  const tally: Tally = {
    files: 0,
    refused: 0,
    withFields: 0,
    deeds: 0,
    faultyFiles: new Map(),
    faultyDeeds: new Map(),
  };
  const names = (await readdir(directory, { recursive: true }))
    .filter((name) => /\.doc[xm]$/i.test(name) && name.includes(values.only))
    .sort();
  for (const name of names) {
    if (tally.files >= mostFiles) break;
    const bytes = await readFile(path.join(directory, name));
    const hash = createHash('sha256').update(bytes).digest('hex');
    if (seen.has(hash)) continue;
    seen.add(hash);
    let run: DocumentRun;
    try {
      run = new DocumentRun(name, bytes);
    } catch {
      tally.refused += 1;
      continue;
    }
    tally.files += 1;
    judge(run, tally);
  }
  return tally;
}

const rows: Row[] = [];
let faulty = 0;
for (const directory of values.files) {
  progress(directory);
  const { faultyFiles, faultyDeeds, ...tally } = await judgeDirectory(directory);
  const counts = [...faultyFiles].map(([name, files]) => {
    const deeds = faultyDeeds.get(name) ?? 0;
    faulty += deeds;
    return [name, `${files} files, ${deeds}`] as const;
  });
  rows.push({
    directory: path.basename(directory),
    files: tally.files,
    refused: tally.refused,
    'with fields': tally.withFields,
    deeds: tally.deeds,
    ...Object.fromEntries(counts),
  });
}
report('documents', { ...values, files: values.files.map((one) => path.basename(one)) }, rows);
process.exitCode = faulty > 0 ? 1 : 0;
