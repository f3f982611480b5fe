import { archiveChanges } from '../../converter/change-archive.ts';
import type { Documents } from '../../db/documents.ts';
import type { ForgottenRow } from '../../db/forgotten.ts';
import type { BlobStore } from '../ports/blob-store.ts';
import type { ChangeLog } from '../ports/change-log.ts';

export interface ForgottenFileDependencies {
  documents: Documents;
  log: ChangeLog;
  blobs: BlobStore;
}

/**
 * The file of a forgotten document: what was assembled, else an archive of the base file and the change log, since nobody
 * here could put them together.
 */
export async function forgottenFile(
  dependencies: ForgottenFileDependencies,
  row: ForgottenRow,
): Promise<{ hash: string; path: string }> {
  if (row.resultHash !== null) return { hash: row.resultHash, path: `output.${row.fileType}` };
  const { log, blobs, documents } = dependencies;
  const document = await documents.find(row.key);
  const base = await blobs.read(row.sourceHash);
  const changes = log.read(row.key, 0, document?.nextIndex ?? 0);
  const { bytes } = await archiveChanges(changes, row.sourceHash, { [`base.${row.fileType}`]: base });
  return { hash: (await blobs.put(bytes)).hash, path: 'recovery.zip' };
}
