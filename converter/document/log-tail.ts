import type { Checkpoint, Checkpoints } from '../../db/checkpoints.ts';
import type { DocumentRow } from '../../db/document-row.ts';
import { areWork } from '../../model/change-work.ts';
import { kinds } from '../../model/kinds.ts';
import type { LogEntry } from '../../model/log/change-author.ts';
import type { LogTail } from '../../model/log/log-tail.ts';
import { BlobDamagedError, BlobMissingError, type BlobStore } from '../../platform/ports/blob-store.ts';
import type { ChangeLog, StoredBatch } from '../../platform/ports/change-log.ts';

export interface LogTailDependencies {
  log: ChangeLog;
  checkpoints: Checkpoints;
  blobs: BlobStore;
  /** After so much work of changes a document gets a checkpoint, see `workOfChange`; 0: none are made or used. */
  checkpointEvery: number;
}

/** Where a file is made anyway, a checkpoint costs little: it is kept after this part of the changes. */
const shareWithFile = 1 / 5;

/** The part of a log that is still to be applied, and where it begins. */
export interface ReadTail extends LogTail {
  /** The batches that hold the changes. */
  batches: readonly StoredBatch[];
  /** Where the changes begin. */
  firstIndex: number;
}

/** Reads a log up to an index, from the newest checkpoint that can be had; `whole`: from its beginning. */
export async function readTail(
  document: DocumentRow,
  endIndex: number,
  dependencies: LogTailDependencies,
  whole = false,
): Promise<ReadTail> {
  const { log, checkpointEvery } = dependencies;
  // Documents of a model of ours have checkpoints.
  const model = kinds.ofModel(document.model)?.model.name;
  const mayHave = model !== undefined && checkpointEvery > 0;
  const found = mayHave && !whole ? await readCheckpoint(document, endIndex, dependencies) : null;
  const firstIndex = found?.endIndex ?? 0;
  const batches: StoredBatch[] = [];
  const changes: LogEntry[] = [];
  for await (const page of log.read(document.key, firstIndex, endIndex)) {
    for (const batch of page) {
      const wanted = partOf(batch, firstIndex, endIndex);
      batches.push(wanted);
      const { stamp } = wanted.author;
      const texts = JSON.parse(wanted.changes) as string[];
      for (const change of texts) changes.push(stamp ? { change, author: stamp } : change);
    }
  }
  return {
    batches,
    firstIndex,
    changes,
    checkpoint: found?.text ?? null,
    wantsCheckpoint: mayHave && areWork(model, changes, checkpointEvery * shareWithFile),
  };
}

/** The whole log up to the end of a tail that was read. */
export async function* wholeLog(
  log: ChangeLog,
  key: string,
  { firstIndex, batches }: Pick<ReadTail, 'firstIndex' | 'batches'>,
): AsyncGenerator<readonly StoredBatch[]> {
  if (firstIndex > 0) {
    for await (const page of log.read(key, 0, firstIndex)) {
      yield page.map((batch) => partOf(batch, 0, firstIndex));
    }
  }
  yield batches;
}

/** What a batch holds of the changes `[firstIndex, endIndex)`. */
function partOf(batch: StoredBatch, firstIndex: number, endIndex: number): StoredBatch {
  if (batch.firstIndex >= firstIndex && batch.nextIndex <= endIndex) return batch;
  const from = Math.max(firstIndex, batch.firstIndex);
  const to = Math.min(endIndex, batch.nextIndex);
  const changes = (JSON.parse(batch.changes) as string[]).slice(
    from - batch.firstIndex,
    to - batch.firstIndex,
  );
  return { ...batch, firstIndex: from, nextIndex: to, changes: JSON.stringify(changes) };
}

/** Keeps the checkpoint that was made at an index, if the log is still what it was made of. */
export async function keepCheckpoint(
  document: DocumentRow,
  endIndex: number,
  text: string | null,
  { blobs, checkpoints }: Pick<LogTailDependencies, 'blobs' | 'checkpoints'>,
): Promise<boolean> {
  if (text === null) return false;
  const { hash } = await blobs.put(Buffer.from(text));
  return checkpoints.record(document, { endIndex, hash });
}

/** The next one reads the whole log and makes another. */
export async function forgetCheckpoint(
  document: DocumentRow,
  endIndex: number,
  { checkpoints }: Pick<LogTailDependencies, 'checkpoints'>,
): Promise<void> {
  const found = await checkpoints.find(document, endIndex);
  if (found) await checkpoints.forget(document.key, found.hash);
}

async function readCheckpoint(
  document: DocumentRow,
  endIndex: number,
  { checkpoints, blobs }: LogTailDependencies,
): Promise<(Checkpoint & { text: string }) | null> {
  const found = await checkpoints.find(document, endIndex);
  if (!found) return null;
  try {
    return { ...found, text: (await blobs.read(found.hash)).toString() };
  } catch (error) {
    if (!(error instanceof BlobMissingError) && !(error instanceof BlobDamagedError)) throw error;
    await checkpoints.forget(document.key, found.hash);
    return null;
  }
}
