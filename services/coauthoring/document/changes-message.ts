import type { ReleasedLock } from '../../../client/protocol/index.ts';
import type { StoredBatch } from '../../../platform/ports/change-log.ts';

/** JSON of the changes of a batch as clients get them; the strings are stored once and quoted here. */
export function changeObjects(key: string, batch: StoredBatch, changes: readonly string[]): string {
  const docid = JSON.stringify(key);
  const user = JSON.stringify(batch.author.uniqueId);
  const original = JSON.stringify(batch.author.userId);
  const { stamp } = batch.author;
  const author = stamp ? `,"quireAuthor":${JSON.stringify(stamp)}` : '';
  const tail = `,"time":${batch.savedAtMs},"user":${user},"useridoriginal":${original}${author}}`;
  return changes
    .map((change) => `{"docid":${docid},"change":${JSON.stringify(JSON.stringify(change))}${tail}`)
    .join(',');
}

/** JSON of the `saveChanges` broadcast of a batch (co-authoring protocol, section 12.5). */
export function changesMessage(
  key: string,
  batch: StoredBatch,
  changes: readonly string[],
  options: { isLast: boolean; locks: readonly ReleasedLock[]; excelAdditionalInfo: string | null },
): string {
  return (
    `{"type":"saveChanges","changes":[${changeObjects(key, batch, changes)}]` +
    `,"changesIndex":${batch.nextIndex},"syncChangesIndex":${batch.nextIndex}` +
    `,"endSaveChanges":${options.isLast},"locks":${JSON.stringify(options.locks)}` +
    `,"excelAdditionalInfo":${JSON.stringify(options.excelAdditionalInfo)}}`
  );
}

/** The part of a batch from `firstIndex` on, for a reader who has what comes before. */
export function batchFrom(batch: StoredBatch, firstIndex: number): { batch: StoredBatch; changes: string[] } {
  const changes = JSON.parse(batch.changes) as string[];
  const skip = Math.max(0, firstIndex - batch.firstIndex);
  return { batch, changes: skip > 0 ? changes.slice(skip) : changes };
}
