import type pg from 'pg';
import type { Logger } from 'pino';
import { removeAll, removedAtOnce } from '../../db/removal.ts';
import { Tidying } from '../../db/tidying.ts';
import type { ConversionQueue } from '../../jobs/jobs.ts';
import type { OwnedBlobStore } from '../../platform/ports/blob-store.ts';

/** What one round of tidying removed. */
export interface Tidied {
  documents: number;
  saves: number;
  sources: number;
  blobs: number;
  conversions: number;
  /** What was left of jobs that have ended. */
  jobs: number;
}

export interface TidierDependencies {
  pool: pg.Pool;
  blobs: Pick<OwnedBlobStore, 'prune'>;
  /** The job queue, which keeps what has ended for a while. */
  jobs: Pick<ConversionQueue, 'removeEnded'>;
  /** Whether somebody is attached to a document on this node. */
  isAttached: (key: string) => boolean | Promise<boolean>;
  /** What nobody has used this long is removed, milliseconds. */
  keepMs: number;
  /** Files that are named nowhere are kept this long, since links to them may have been given out, milliseconds. */
  keepFilesMs: number;
  /** What sources and results of conversions may take, bytes; 0: no limit. Those that links may lead to are kept. */
  conversions: { maxBytes: number; linkedForMs: number };
  everyMs: number;
  onTidied: (tidied: Tidied) => void;
  log: Logger;
}

/** What the queue keeps of jobs that have ended is for those who wait for them at that moment, milliseconds. */
const jobsKeptMs = 600_000;

const nothing = { count: 0, hashes: new Set<string>() };

/**
 * Removes from time to time what nobody needs any more: documents at rest, callbacks that were delivered, results of
 * opening, and the files that nothing names. Nothing with unsaved changes, nothing that waits to be delivered, nothing
 * forgotten and nothing that is open is ever touched.
 */
export class Tidier {
  readonly #deps: TidierDependencies;
  #timer: NodeJS.Timeout | null = null;
  #running: Promise<void> = Promise.resolve();
  #stopped = false;

  constructor(dependencies: TidierDependencies) {
    this.#deps = dependencies;
  }

  start(): void {
    this.#timer = setInterval(() => {
      this.#running = this.#running.then(() => this.#round());
    }, this.#deps.everyMs);
    this.#timer.unref();
  }

  /** Ends after the batch that is under way. */
  async stop(): Promise<void> {
    this.#stopped = true;
    if (this.#timer) clearInterval(this.#timer);
    await this.#running;
  }

  async #round(): Promise<void> {
    if (this.#stopped) return;
    try {
      await this.tidy();
    } catch (error) {
      this.#deps.log.error({ err: error }, 'What is not needed any more could not be removed');
    }
  }

  /** One round. Null when another node is at it. */
  async tidy(): Promise<Tidied | null> {
    const tidied: Tidied = { documents: 0, saves: 0, sources: 0, blobs: 0, conversions: 0, jobs: 0 };
    const done = await Tidying.run(this.#deps.pool, async (tidying) => {
      tidied.documents = await this.#documents(tidying);
      const { keepMs } = this.#deps;
      tidied.saves = await this.#repeated(() => tidying.removeSaves(keepMs, removedAtOnce));
      tidied.sources = await this.#repeated(() => tidying.removeOpenedSources(keepMs, removedAtOnce));
      const { maxBytes, linkedForMs } = this.#deps.conversions;
      const { count, hashes } =
        maxBytes === 0 ? nothing : await tidying.evictConversions(maxBytes, linkedForMs);
      tidied.conversions = count;
      tidied.blobs = await this.#blobs(tidying, hashes);
      tidied.jobs = await this.#jobs(tidying);
    });
    if (!done) return null;
    this.#deps.onTidied(tidied);
    const count = Object.values(tidied).reduce((sum, one) => sum + one, 0);
    if (count > 0) this.#deps.log.info({ ...tidied }, 'What was not needed any more was removed');
    return tidied;
  }

  async #documents(tidying: Tidying): Promise<number> {
    const { keepMs, isAttached } = this.#deps;
    let count = 0;
    let after: string | null = '';
    await removeAll(
      async () => {
        const { last, removed } = await tidying.removeDocuments(
          { olderThanMs: keepMs, after: after ?? '', limit: removedAtOnce },
          isAttached,
        );
        count += removed;
        after = last;
        // Those that were looked at, removed or not: there may be more of them.
        return last === null ? 0 : removedAtOnce;
      },
      () => this.#stopped,
    );
    return count;
  }

  #repeated(remove: () => Promise<number>): Promise<number> {
    return removeAll(remove, () => this.#stopped);
  }

  async #jobs(tidying: Tidying): Promise<number> {
    const keptMs = Math.min(this.#deps.keepMs, jobsKeptMs);
    // The removal of jobs is noted as well.
    const jobs = await this.#deps.jobs.removeEnded(keptMs);
    return jobs + (await tidying.removeJobEvents(keptMs));
  }

  /** What is named anywhere is noted first: a file that is stored again later is young, and young ones are kept. */
  async #blobs(tidying: Tidying, evicted: ReadonlySet<string>): Promise<number> {
    const { blobs, keepFilesMs, conversions } = this.#deps;
    await tidying.noteReferences();
    const isEnough = () => this.#stopped;
    const removed = await blobs.prune(keepFilesMs, (hashes) => tidying.unreferenced(hashes), isEnough);
    if (evicted.size === 0) return removed;
    // Files of conversions that had to go: no link leads to them any more, whatever their age.
    const ofThese = (hashes: readonly string[]) =>
      tidying.unreferenced(hashes.filter((hash) => evicted.has(hash)));
    return removed + (await blobs.prune(conversions.linkedForMs, ofThese, isEnough));
  }
}
