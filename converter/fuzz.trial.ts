import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { corpusDirectory, hasCorpus, needsCorpus } from '../test/support/corpus.ts';
import { buildDocx } from '../test/support/docx-fixture.ts';
import { type FuzzCase, FuzzRun, typeOf } from '../test/support/fuzzing/fuzz-run.ts';

const root = path.join(import.meta.dirname, '..');

let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(path.join(os.tmpdir(), 'quire-fuzzed-'));
  await writeFile(path.join(directory, 'text.docx'), buildDocx({ paragraphs: ['One', 'Two', 'Three'] }));
  await writeFile(path.join(directory, 'text.txt'), 'Text\n'.repeat(100));
});
afterAll(() => rm(directory, { recursive: true, force: true }));

describe('damaged files', () => {
  it('[CN10] end in our own engine with a result or an error with a code', async () => {
    await using run = await FuzzRun.start({ corpus: directory, timeoutMs: 20_000, only: ['ooxml'] });
    for (let seed = 1; seed <= 150; seed++) {
      const damaged = { file: 'text.docx', other: 'text.txt', seed, engine: 'ooxml', toType: 'model' };
      const { finding } = await run.convert(damaged);
      expect({ seed, finding }).toEqual({ seed, finding: undefined });
    }
    expect(await run.stillConverts('ooxml', 'text.docx', 'model')).toBeUndefined();
    await run.closeEngines();
  });

  it.skipIf(!hasCorpus)(
    `[CN10] of earlier runs do no harm, ${needsCorpus}`,
    { timeout: 240_000 },
    async () => {
      const seeds = JSON.parse(
        await readFile(path.join(root, 'bench/fuzz-seeds.json'), 'utf8'),
      ) as FuzzCase[];
      await using run = await FuzzRun.start({ corpus: corpusDirectory, timeoutMs: 60_000 });
      for (const damaged of seeds) {
        const engine = run.engines.find(({ name }) => name === damaged.engine);
        if (!engine?.pairs.get(typeOf(damaged.file))?.has(damaged.toType)) continue;
        const { finding } = await run.convert(damaged);
        expect({ damaged, finding }).toEqual({ damaged, finding: undefined });
      }
      await run.closeEngines();
      expect(await run.leftovers()).toEqual([]);
    },
  );
});
