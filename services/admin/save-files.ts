import type { Readable } from 'node:stream';
import { archiveChanges } from '../../converter/document/change-archive.ts';
import { baseTypeOf } from '../../converter/formats/kind-formats.ts';
import type { Documents } from '../../db/documents.ts';
import type { SaveOverview } from '../../db/save-overview.ts';
import type { BlobStore } from '../../platform/ports/blob-store.ts';
import type { ChangeLog } from '../../platform/ports/change-log.ts';
import type { SaveAnswer, SavePart, Wire } from './api.ts';
import type { PartialAnswer } from './partial-answer.ts';
import { hostOf } from './request-reading.ts';

/** A file to download. */
interface PartFile {
  content: Readable | Uint8Array;
  sizeBytes: number;
  name: string;
}

/** The log of a document is still there while its save is in one of these phases. */
const phasesWithLog: readonly SaveOverview['phase'][] = [
  'making',
  'delivering',
  'waiting',
  'forgotten',
  'abandoned',
];

/** What is kept of saves, to be downloaded. */
export class SaveFiles {
  readonly #blobs: BlobStore;
  readonly #documents: Documents;
  readonly #log: ChangeLog;

  constructor(blobs: BlobStore, documents: Documents, log: ChangeLog) {
    this.#blobs = blobs;
    this.#documents = documents;
    this.#log = log;
  }

  /** A save as it is answered, with what is kept of it. */
  async describe(save: SaveOverview): Promise<SaveAnswer> {
    const { resultHash, changesHash, sourceHash, baseHash } = save;
    const blobs = { file: resultHash, base: baseHash ?? sourceHash, changes: changesHash };
    const kept = await Promise.all(
      Object.entries(blobs).map(async ([part, hash]) => {
        const sizeBytes = hash === null ? undefined : await this.#blobs.sizeOf(hash);
        return sizeBytes === undefined
          ? null
          : { part: part as SavePart, where: 'files' as const, sizeBytes };
      }),
    );
    const copies: SaveAnswer['copies'] = kept.filter((copy) => copy !== null);
    if (changesHash === null && phasesWithLog.includes(save.phase)) {
      copies.push({ part: 'changes', where: 'log', sizeBytes: null });
    }
    return answerOf(save, copies);
  }

  /** Saves as they are answered; without what is kept of them while the files do not answer. */
  async describeAll(saves: readonly SaveOverview[], gathered: PartialAnswer): Promise<SaveAnswer[]> {
    const known = await gathered.of('files', Promise.all(saves.map((save) => this.describe(save))));
    return known ?? saves.map((save) => answerOf(save, []));
  }

  /** A part of a save; null when it is not kept. */
  async open(save: SaveOverview, part: SavePart): Promise<PartFile | null> {
    const name = safeName(save.key);
    switch (part) {
      case 'file':
        return this.#blob(save.resultHash, `${name}.${save.fileType ?? 'bin'}`);
      case 'base':
        return save.baseHash === null
          ? this.#blob(save.sourceHash, `${name}-base.${save.fileType ?? 'bin'}`)
          : this.#blob(save.baseHash, `${name}-base.${baseTypeOf({ fileType: save.fileType ?? '' })}`);
      case 'changes':
        return (await this.#blob(save.changesHash, `${name}-changes.zip`)) ?? this.#fromLog(save, name);
    }
  }

  async #blob(hash: string | null, name: string): Promise<PartFile | null> {
    if (hash === null) return null;
    const sizeBytes = await this.#blobs.sizeOf(hash);
    const content = await this.#blobs.open(hash);
    return sizeBytes === undefined || !content ? null : { content, sizeBytes, name };
  }

  async #fromLog(save: SaveOverview, name: string): Promise<PartFile | null> {
    if (!phasesWithLog.includes(save.phase)) return null;
    const document = await this.#documents.find(save.key);
    if (!document || document.nextIndex === 0) return null;
    const changes = this.#log.read(save.key, 0, document.nextIndex);
    const { bytes } = await archiveChanges(changes, save.sourceHash ?? '');
    return { content: bytes, sizeBytes: bytes.byteLength, name: `${name}-changes.zip` };
  }
}

function answerOf(save: SaveOverview, copies: SaveAnswer['copies']): SaveAnswer {
  const { callbackUrl, resultHash, changesHash, sourceHash, baseHash, ...shown } = save;
  return { ...(shown as unknown as Wire<typeof shown>), callbackHost: hostOf(callbackUrl), copies };
}

/** A file name that every system accepts. */
const safeName = (key: string): string => key.replace(/[^\w.=-]+/g, '_').slice(0, 100) || 'document';
