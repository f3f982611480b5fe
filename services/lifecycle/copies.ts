import { ServiceError } from '../../client/protocol/index.ts';
import type { Exported } from '../../converter/jobs/export.ts';
import type { Documents } from '../../db/documents.ts';
import type { Outbox } from '../../db/outbox.ts';
import type { ConversionQueue } from '../../jobs/jobs.ts';

/** A document's file as a blob, or why there is none; the message is safe to show. */
export type Copy = { hash: string; fileType: string } | { errorCode: number; message: string };

export type CopyForm = 'own' | 'base';

/** A copy is worthless when changes are taken back meanwhile; another one is made up to so many times. */
const attempts = 5;

const none = (errorCode: number, message: string): Copy => ({ errorCode, message });

/**
 * Copies of documents as they are now. One is made at a time of each document, and all who ask meanwhile share the
 * next: many people who ask again and again cost no more than one.
 */
export class Copies {
  readonly #documents: Documents;
  readonly #outbox: Outbox;
  readonly #queue: Pick<ConversionQueue, 'ask'>;
  readonly #running = new Map<string, Promise<Copy>>();
  readonly #next = new Map<string, Promise<Copy>>();

  constructor(documents: Documents, outbox: Outbox, queue: Pick<ConversionQueue, 'ask'>) {
    this.#documents = documents;
    this.#outbox = outbox;
    this.#queue = queue;
  }

  /**
   * A copy with every change that was acknowledged before it was asked for. `base`: the docx that is edited in its place
   * will do, where there is one.
   */
  of(key: string, form: CopyForm = 'own'): Promise<Copy> {
    const name = `${form} ${key}`;
    const next = this.#next.get(name);
    if (next !== undefined) return next;
    const start = () => this.#start(name, () => this.#make(key, form));
    const running = this.#running.get(name);
    if (running === undefined) return start();
    const after = running
      .catch(() => undefined)
      .then(() => {
        this.#next.delete(name);
        return start();
      });
    this.#next.set(name, after);
    return after;
  }

  #start(name: string, make: () => Promise<Copy>): Promise<Copy> {
    const copy = make().finally(() => this.#running.delete(name));
    this.#running.set(name, copy);
    return copy;
  }

  async #make(key: string, form: CopyForm): Promise<Copy> {
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      const row = await this.#documents.find(key);
      if (!row?.sourceHash || row.state === 'opening' || row.state === 'failed') {
        return none(row?.errorCode ?? ServiceError.unknown, 'The document is not open');
      }
      const asItCame = { hash: row.sourceHash, fileType: row.fileType };
      if (row.state === 'closed') return (await this.#outbox.confirmedFile(key)) ?? asItCame;
      const mayBeOther = row.fromForgotten && row.baseHash !== null;
      if (row.nextIndex === 0 && !mayBeOther) return asItCame;
      if (row.model === 'opaque') {
        return none(ServiceError.convert, 'Only the editor that made the changes can read them');
      }
      const { logVersion, nextIndex: endIndex, openedAt } = row;
      const life = openedAt && { openedAtMs: openedAt.getTime() };
      const made = await this.#queue
        .ask({ name: 'export', data: { key, logVersion, endIndex, form, ...life } })
        .then(
          (result) => result as Exported,
          () => null,
        );
      if (!made) return none(ServiceError.convertTimeout, 'Making the file took too long');
      if (made.kind === 'made') return { hash: made.hash, fileType: made.fileType };
      if (made.kind === 'failed') return none(ServiceError.convert, 'The file could not be made');
    }
    return none(ServiceError.unknown, 'The document was changed all the time');
  }
}
