import type { Closing } from '../../db/closing.ts';
import {
  type DocumentFile,
  type DocumentFileDependencies,
  makeDocumentFile,
  storeDocumentFile,
} from '../document/document-file.ts';
import type { LaneLimit } from '../engines/concurrency-limits.ts';

interface AssemblyDependencies extends DocumentFileDependencies {
  closing: Closing;
  /** For how many saves a file is made at once. */
  making: LaneLimit;
  faultPoint: (name: string) => void;
}

/** What an assembly came to, for the worker's log. */
export interface AssemblyReport extends Omit<DocumentFile, 'bytes' | 'tail' | 'checkpoint' | 'fileType'> {
  kind: 'assembled' | 'not-assembled' | 'superseded';
}

const superseded: AssemblyReport = { kind: 'superseded', applied: 0, skipped: 0 };

/**
 * Makes the final file of a document from its base and its log, and records it and the callback in one transaction.
 * A second worker, and one that ends after an editor has returned, changes nothing. A base that cannot be read, or an engine
 * that gives up, is not the end of the users' work: base and log go to forgotten storage and status 3 says so.
 */
export async function assembleDocument(
  job: { key: string; epoch: number },
  { closing, making, faultPoint, ...dependencies }: AssemblyDependencies,
): Promise<AssemblyReport> {
  const document = await closing.assembling(job.key, job.epoch);
  if (!document?.sourceHash) return superseded;
  faultPoint('assembly:started');
  const wanted = { document, endIndex: document.nextIndex };
  const file = await making.run(() => makeDocumentFile(wanted, dependencies));
  const assembly = await storeDocumentFile(wanted, file, dependencies);
  faultPoint('assembly:result-stored');
  const recorded = await closing.finishAssembly(document, assembly);
  faultPoint('assembly:recorded');
  return recorded ? reportOf(file) : superseded;
}

/** What is said of a file in the log. */
export function reportOf({
  bytes,
  tail: _tail,
  checkpoint: _checkpoint,
  fileType: _fileType,
  ...report
}: DocumentFile): AssemblyReport {
  return { kind: bytes ? 'assembled' : 'not-assembled', ...report };
}
