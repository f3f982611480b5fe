import type { Documents } from '../../db/documents.ts';
import { type DocumentFileDependencies, type FileForm, makeDocumentFile } from '../document/document-file.ts';
import { keepCheckpoint } from '../document/log-tail.ts';

interface ExportDependencies extends DocumentFileDependencies {
  documents: Documents;
}

/** What came of making a copy. `changed`: the log is not the one that was meant; ask for the present one. */
export type Exported =
  | { kind: 'made'; hash: string; fileType: string }
  | { kind: 'changed' }
  | { kind: 'failed'; reason: string };

/** Makes a copy of a document as it was at an index of its log, for somebody to download. Nothing is recorded. */
export async function exportDocument(
  job: { key: string; logVersion: number; endIndex: number; form?: FileForm },
  { documents, ...dependencies }: ExportDependencies,
): Promise<Exported> {
  const document = await documents.find(job.key);
  if (document?.logVersion !== job.logVersion || document.sourceHash === null) return { kind: 'changed' };
  const {
    bytes,
    fileType,
    checkpoint,
    reason = 'no file was made',
  } = await makeDocumentFile({ document, endIndex: job.endIndex, form: job.form ?? 'own' }, dependencies);
  await keepCheckpoint(document, job.endIndex, checkpoint, dependencies);
  if ((await documents.find(job.key))?.logVersion !== job.logVersion) return { kind: 'changed' };
  if (!bytes) return { kind: 'failed', reason };
  return { kind: 'made', hash: (await dependencies.blobs.put(bytes)).hash, fileType };
}
