import type { ForcedSaves, WantedSave } from '../../db/forced-saves.ts';
import {
  type DocumentFileDependencies,
  makeDocumentFile,
  storeDocumentFile,
} from '../document/document-file.ts';
import type { LaneLimit } from '../engines/concurrency-limits.ts';
import { type AssemblyReport, reportOf } from './assembly.ts';

interface ForcedSaveDependencies extends DocumentFileDependencies {
  forcedSaves: ForcedSaves;
  /** For how many saves a file is made at once. */
  making: LaneLimit;
  faultPoint: (name: string) => void;
}

/** People who take changes back all the time may do so this often before a save is put off. */
const maxRewritings = 20;

/**
 * Makes the forced saves of a document that wait, one after the other, while people go on editing it. Each holds the
 * log up to the index that was asked for. Nothing of the document is changed: a worker that dies here leaves the
 * request, and a second worker records nothing.
 */
export async function makeForcedSaves(
  { key }: { key: string },
  dependencies: ForcedSaveDependencies,
): Promise<{ saves: AssemblyReport[] }> {
  const { forcedSaves, faultPoint } = dependencies;
  const saves: AssemblyReport[] = [];
  let rewritings = 0;
  for (let save = await forcedSaves.begin(key); save; save = await forcedSaves.begin(key)) {
    faultPoint('forced:started');
    const report = isCurrent(save) ? await makeForcedSave(save, dependencies) : null;
    if (report) {
      saves.push(report);
      continue;
    }
    rewritings += 1;
    if (rewritings > maxRewritings) throw new Error('the log is being rewritten all the time');
    await forcedSaves.renew(save);
  }
  return { saves };
}

const isCurrent = ({ document, logVersion }: WantedSave) =>
  document.logVersion === logVersion && document.sourceHash !== null;

/** Null when the log was rewritten meanwhile, or somebody else has dealt with the save. */
async function makeForcedSave(
  save: WantedSave,
  { forcedSaves, making, faultPoint, ...dependencies }: ForcedSaveDependencies,
): Promise<AssemblyReport | null> {
  const file = await making.run(() => makeDocumentFile(save, dependencies));
  const assembly = await storeDocumentFile(save, file, dependencies);
  faultPoint('forced:result-stored');
  const recorded = await forcedSaves.finish(save, assembly);
  faultPoint('forced:recorded');
  return recorded ? reportOf(file) : null;
}
