import type { Documents } from '../../db/documents.ts';
import { areWork } from '../../model/change-work.ts';
import { kinds } from '../../model/kinds.ts';
import {
  forgetCheckpoint,
  keepCheckpoint,
  type LogTailDependencies,
  readTail,
} from '../document/log-tail.ts';
import type { EnginePool } from '../engines/engine-pool.ts';
import { baseOf } from '../formats/kind-formats.ts';

interface CheckpointDependencies extends LogTailDependencies {
  documents: Documents;
  engines: Pick<EnginePool, 'run'>;
}

/** What came of it. */
export interface CheckpointReport {
  /** `not-needed`: the changes since the last one are not so much work. `superseded`: the log was rewritten. */
  kind: 'made' | 'not-needed' | 'not-made' | 'superseded';
  changes: number;
}

/** Keeps the model of a document as it is now, so that neither files nor newcomers need the log before it. */
export async function makeCheckpoint(
  { key }: { key: string },
  dependencies: CheckpointDependencies,
): Promise<CheckpointReport> {
  const { documents, checkpointEvery, blobs, engines } = dependencies;
  const document = await documents.find(key);
  const model = kinds.ofModel(document?.model)?.model.name;
  if (!document?.sourceHash || document.state !== 'open' || model === undefined) {
    return { kind: 'not-needed', changes: 0 };
  }
  const endIndex = document.nextIndex;
  // Switched off, none is made.
  const least = checkpointEvery || Number.POSITIVE_INFINITY;
  for (const whole of [false, true]) {
    const tail = await readTail(document, endIndex, dependencies, whole);
    const { checkpoint, changes } = tail;
    if (!areWork(model, changes, least)) return { kind: 'not-needed', changes: changes.length };
    const source = await blobs.read(baseOf(document));
    const made = await engines.run({
      kind: 'checkpoint',
      ...{ model, source, checkpoint, changes, wantsCheckpoint: true },
    });
    if (made.kind === 'damaged-checkpoint') {
      await forgetCheckpoint(document, endIndex, dependencies);
      continue;
    }
    if (made.kind !== 'checkpointed' || made.checkpoint === null) break;
    const kept = await keepCheckpoint(document, endIndex, made.checkpoint, dependencies);
    return { kind: kept ? 'made' : 'superseded', changes: changes.length };
  }
  return { kind: 'not-made', changes: 0 };
}
