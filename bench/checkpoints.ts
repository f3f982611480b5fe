/**
 * Forced saves of a long document in which a whole day's changes are: with the whole log, and from a checkpoint.
 *
 *     node dist/bench/checkpoints.js [--pages 400] [--small 10000] [--large 100000] [--tail 200] [--runs 3]
 *
 * The work is that of a converter process, on an embedded PostgreSQL with files on disk. `tail` changes are made between
 * two saves. Times are until the save is in the outbox; every row's file is compared with that of the whole log.
 */
import './support/help.ts';

import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { LaneLimit } from '../converter/engines/concurrency-limits.ts';
import { ConversionEngines } from '../converter/engines/conversion-engines.ts';
import { EnginePool } from '../converter/engines/engine-pool.ts';
import { openDocx } from '../converter/engines/ooxml/docx/docx-engine.ts';
import { makeForcedSaves } from '../converter/jobs/forced-save.ts';
import { sourceLimits } from '../converter/source-checks/source-limits.ts';
import { PostgresChangeLog } from '../db/change-log.ts';
import { Checkpoints } from '../db/checkpoints.ts';
import { Documents } from '../db/documents.ts';
import { startEmbeddedPostgres } from '../db/embedded-postgres.ts';
import { ForcedSaves } from '../db/forced-saves.ts';
import { GroupCommit } from '../db/group-commit.ts';
import { Media } from '../db/media.ts';
import { migrate } from '../db/migrate.ts';
import { OpenedSources } from '../db/opened-sources.ts';
import { openPool } from '../db/pool.ts';
import { kinds } from '../model/kinds.ts';
import { FileBlobStore } from '../platform/adapters/file-blob-store.ts';
import { loadConfig } from '../platform/config.ts';
import { Sealing } from '../platform/secrets/sealing.ts';
import { loadSecrets } from '../platform/secrets/secrets.ts';
import { numbersFrom } from './support/bench-run.ts';
import { longDocument } from './support/long-document.ts';
import { progress, type Row, report, rounded } from './support/report.ts';
import { Typist } from './support/typist.ts';

const options = numbersFrom({ pages: 400, small: 10_000, large: 100_000, tail: 200, runs: 3 });
const changesPerBatch = 25;
const silent = { info: () => {}, warn: () => {}, error: console.error };

const directory = await mkdtemp(path.join(os.tmpdir(), 'quire-bench-'));
const postgres = await startEmbeddedPostgres({ directory: path.join(directory, 'postgres'), log: silent });
const pool = openPool({ url: postgres.url, max: 4, statementTimeoutMs: 0, log: silent });
const engines = new EnginePool({
  ...{ threads: 1, memoryMb: 2_048, timeoutMs: 600_000, log: silent },
  onRun: () => {},
});
try {
  await migrate({ url: postgres.url });
  const config = loadConfig({ DATA_DIR: directory });
  const blobs = new FileBlobStore(path.join(directory, 'blobs'));
  const log = new PostgresChangeLog(pool, new GroupCommit(pool, 0));
  const documents = new Documents(pool);
  const forcedSaves = new ForcedSaves(pool);
  const parts = {
    ...{
      blobs,
      log,
      engines,
      forcedSaves,
      x2t: null,
      sourceLimits: sourceLimits(loadConfig({})),
      faultPoint: () => {},
    },
    ...{
      conversionEngines: new ConversionEngines([]),
      assemblyFormatAsOrigin: true,
      making: new LaneLimit(1),
      lane: 'saving' as const,
    },
    media: new Media(pool),
    openedSources: new OpenedSources(pool),
    checkpoints: new Checkpoints(pool, kinds.models),
    sealing: new Sealing(await loadSecrets(config)),
  };
  const base = longDocument(options.pages);
  const sourceHash = (await blobs.put(base)).hash;

  const append = async (key: string, changes: readonly string[]) => {
    const { nextIndex } = (await documents.find(key))!;
    for (let at = 0; at < changes.length; at += changesPerBatch) {
      const some = changes.slice(at, at + changesPerBatch);
      await log.append({
        key,
        batch: {
          firstIndex: nextIndex + at,
          nextIndex: nextIndex + at + some.length,
          author: { uniqueId: 'u1', userId: 'u', name: 'U' },
          savedAtMs: Date.now(),
          changes: JSON.stringify(some),
        },
      });
    }
  };
  /** Milliseconds until the save is in the outbox, and the file. */
  const save = async (key: string, checkpointEvery: number): Promise<{ ms: number; hash: string }> => {
    await forcedSaves.request({ key, type: 0, initiator: null, userData: '{}' });
    const startedAt = performance.now();
    const { saves } = await makeForcedSaves({ key }, { ...parts, checkpointEvery });
    const ms = performance.now() - startedAt;
    if (saves[0]?.kind !== 'assembled') throw new Error(`no save was made: ${JSON.stringify(saves)}`);
    const { rows } = await pool.query<{ hash: string }>(
      `UPDATE saves SET state = 'delivered', ended_at = now() WHERE key = $1 AND state = 'pending'
       RETURNING result_hash AS hash`,
      [key],
    );
    return { ms, hash: rows[0]!.hash };
  };

  const table: Row[] = [];
  for (const count of [options.small, options.large]) {
    const key = `long-${count}`;
    await documents.enter({
      ...{ key, editor: true, userId: 'u', userName: 'U', callbackUrl: 'http://host.test/', title: 'a' },
      ...{ baseUrl: 'http://quire.test', fileType: 'docx', source: { url: null, vouched: false } },
    });
    await documents.opened(key, { sourceHash, model: 'word', fileType: 'docx', editorsPresent: true });
    progress(`${count} changes are made`);
    const typist = new Typist(openDocx(base).doc);
    for (let made = 0; made < count; made += 5_000) {
      await append(key, typist.next(Math.min(5_000, count - made)));
      await new Promise((resolve) => setImmediate(resolve));
    }
    progress('saves');
    const first = await save(key, 1);
    for (let run = 0; run < options.runs; run += 1) {
      await append(key, typist.next(options.tail));
      const whole = await save(key, 0);
      const fromCheckpoint = await save(key, 1_000_000);
      if (whole.hash !== fromCheckpoint.hash) throw new Error('the files differ');
      table.push({
        changes: count + (run + 1) * options.tail,
        'first save, keeps one, ms': run === 0 ? rounded(first.ms, 0) : '',
        'whole log, ms': rounded(whole.ms, 0),
        'from checkpoint, ms': rounded(fromCheckpoint.ms, 0),
        ratio: rounded(whole.ms / fromCheckpoint.ms, 1),
      });
    }
    const { rows } = await pool.query('SELECT hash FROM checkpoints WHERE key = $1', [key]);
    progress(`checkpoint: ${await blobs.sizeOf(rows[0].hash)} bytes`);
  }
  report('checkpoints', options, table);
} finally {
  await engines.close();
  await pool.end();
  await postgres.stop();
  await rm(directory, { recursive: true, force: true });
}
