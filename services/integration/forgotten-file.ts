import { archiveChanges } from '../../converter/document/change-archive.ts';
import { baseOf, baseTypeOf } from '../../converter/formats/kind-formats.ts';
import type { Documents } from '../../db/documents.ts';
import type { ForgottenRow } from '../../db/forgotten.ts';
import type { BlobStore } from '../../platform/ports/blob-store.ts';
import type { ChangeLog } from '../../platform/ports/change-log.ts';

export interface ForgottenFileDependencies {
  documents: Documents;
  log: ChangeLog;
  blobs: BlobStore;
}

/**
 * The file of a forgotten document: what was assembled, else an archive of the base file and the change log, since nobody
 * here could put them together; where the changes are based on a file that was made of the source, both are in it.
 */
export async function forgottenFile(
  dependencies: ForgottenFileDependencies,
  row: ForgottenRow,
): Promise<{ hash: string; path: string }> {
  if (row.resultHash !== null) return { hash: row.resultHash, path: `output.${row.fileType}` };
  const { log, blobs, documents } = dependencies;
  const document = await documents.find(row.key);
  const source = await blobs.read(row.sourceHash);
  const isBase = !document?.baseHash;
  const files = isBase
    ? { [`base.${row.fileType}`]: source }
    : {
        [`base.${baseTypeOf(document)}`]: await blobs.read(baseOf(document)),
        [`source.${row.fileType}`]: source,
      };
  const changes = log.read(row.key, 0, document?.nextIndex ?? 0);
  const { bytes } = await archiveChanges(changes, row.sourceHash, files);
  return { hash: (await blobs.put(bytes)).hash, path: 'recovery.zip' };
}
