import type { Clock } from '../clock.ts';
import { encodeLocal, type LocalStep } from '../word/local-steps.ts';
import type { LogPlace } from './confirmed-log.ts';
import type { UnsentRecord, UnsentStore } from './unsent-store.ts';

/** What a record says of its session, whatever changes it has. */
export type RecordAbout = Pick<UnsentRecord, 'id' | 'key' | 'file' | 'clientId' | 'userId' | 'title'>;

/** The local steps now, and where they stand. */
export interface UnsentState {
  readonly place: LogPlace;
  readonly local: readonly LocalStep[];
  readonly sentCount: number;
}

export interface JournalOptions {
  readonly store: UnsentStore;
  readonly about: RecordAbout;
  readonly clock: Clock;
  readonly unsent: () => UnsentState;
  /** `settled` or `error` has changed. */
  readonly changed: () => void;
}

/** The record of everything that is unsent now. */
export function recordOf(
  about: RecordAbout,
  { place, local, sentCount }: UnsentState,
  changedAtMs: number,
): UnsentRecord {
  const { index, digest } = place;
  const changes = local.map(encodeLocal);
  return { ...about, changedAtMs, index, digest, changes, sentCount, unplaced: null };
}

/** Changes that are acknowledged within this time are never written. */
const writeDelayMs = 30;
/** Changes that stay unsent for as long get a snapshot of what they stand on. */
const snapshotDelayMs = 2_000;
/** Blocks of a snapshot that are made to JSON in one go. */
const snapshotBlocks = 100;

/**
 * Writes the local steps of one session to the store: soon after they were made, one write at a time, and as little
 * as possible. Steps that were added to what is written are appended; anything else writes the record anew.
 */
export class Journal {
  readonly #options: JournalOptions;
  /** What the record holds; null when that is not known, after an error. */
  #written: readonly LocalStep[] | null = [];
  #writtenIndex = -1;
  #writtenSent = 0;
  #replaced: readonly string[] = [];
  #snapshotOf: LogPlace | null = null;
  /** It is in the store, not only being made. */
  #snapshotKept = false;
  #dirty = false;
  #writing: Promise<void> | null = null;
  #cancelWrite: (() => void) | null = null;
  #cancelSnapshot: (() => void) | null = null;
  #stopped = false;
  #error: unknown = null;

  constructor(options: JournalOptions) {
    this.#options = options;
  }

  /** Everything that is unsent is written. */
  get settled(): boolean {
    return !this.#dirty && this.#writing === null && this.#error === null;
  }

  /** Why the last write failed, or null. */
  get error(): unknown {
    return this.#error;
  }

  /** The unsent steps have changed. */
  note(): void {
    if (this.#stopped) return;
    this.#dirty = true;
    if (this.#writing !== null) return;
    // A record of what is stored would be taken for unsent by who opens the next version of the file.
    if (this.#written?.length !== 0 && this.#options.unsent().local.length === 0) void this.flush();
    if (this.#writing !== null || this.#cancelWrite) return;
    this.#cancelWrite = this.#options.clock.after(writeDelayMs, () => {
      this.#cancelWrite = null;
      void this.flush();
    });
  }

  /** The steps of other records are local steps now: the next write takes their place. */
  replace(ids: readonly string[]): void {
    this.#replaced = [...this.#replaced, ...ids];
    this.note();
  }

  /** Writes what is not written yet. Never rejects, see `error`. */
  flush(): Promise<void> {
    this.#cancelWrite?.();
    this.#cancelWrite = null;
    this.#writing ??= this.#writeAll().finally(() => {
      this.#writing = null;
      this.#options.changed();
    });
    return this.#writing;
  }

  /** The page is going away and may not come back: everything is written that still can be. */
  hide(): void {
    if (!this.settled) this.#putNow();
    if (this.#dirty) void this.flush();
    void this.#keepSnapshotNow();
  }

  /** Writes the rest, and nothing afterwards: whoever takes up the changes may be somebody who finds no place for them. */
  async stop(): Promise<void> {
    this.#cancelSnapshot?.();
    this.#cancelSnapshot = null;
    if (this.#dirty || this.#writing !== null) await this.flush();
    if (!this.#stopped) await this.#keepSnapshotNow();
    this.#stopped = true;
  }

  /** Everything unsent, beside what is being written and may not be finished. */
  #putNow(): void {
    const { store, about, clock, unsent } = this.#options;
    const state = unsent();
    if (!this.#stopped && state.local.length > 0) store.putNow(recordOf(about, state, clock.now()));
  }

  /** Does not wait for one that is being made at leisure. */
  #keepSnapshotNow(): Promise<void> {
    if (!this.#snapshotKept) this.#snapshotOf = null;
    return this.#keepSnapshot(() => Promise.resolve());
  }

  async #writeAll(): Promise<void> {
    while (this.#dirty) {
      this.#dirty = false;
      const state = this.#options.unsent();
      try {
        await this.#write(state);
        this.#error = null;
        this.#written = state.local;
        this.#writtenIndex = state.place.index;
        this.#writtenSent = state.sentCount;
      } catch (error) {
        this.#written = null;
        this.#error = error;
        return;
      }
      this.#planSnapshot();
    }
  }

  async #write(state: UnsentState): Promise<void> {
    const { place, local, sentCount } = state;
    const { store, about, clock } = this.#options;
    const replaced = this.#replaced;
    if (local.length === 0) {
      if (this.#written?.length !== 0) await store.remove(about.id);
      for (const id of replaced) await store.remove(id);
    } else if (replaced.length === 0 && this.#continues(place, local)) {
      const added = local.slice(this.#written!.length);
      if (added.length > 0) await store.append(about.id, added.map(encodeLocal), clock.now());
      if (sentCount !== this.#writtenSent) await store.markSent(about.id, sentCount);
    } else {
      this.#snapshotOf = null;
      await store.put(recordOf(about, state, clock.now()), replaced);
    }
    this.#replaced = this.#replaced.slice(replaced.length);
  }

  /** What is written is the beginning of the local steps. */
  #continues(place: LogPlace, local: readonly LocalStep[]): boolean {
    const written = this.#written;
    if (!written || written.length === 0 || this.#writtenIndex !== place.index) return false;
    return written[0] === local[0] && written.at(-1) === local[written.length - 1];
  }

  #planSnapshot(): void {
    const { place, local } = this.#options.unsent();
    if (local.length === 0) {
      this.#cancelSnapshot?.();
      this.#cancelSnapshot = null;
      this.#snapshotOf = null;
    } else if (!this.#cancelSnapshot && this.#snapshotOf?.index !== place.index) {
      this.#cancelSnapshot = this.#options.clock.after(snapshotDelayMs, () => {
        this.#cancelSnapshot = null;
        void this.#keepSnapshot(idle);
      });
    }
  }

  /** The blocks never change, so making them to JSON may pause as often as it likes. */
  async #keepSnapshot(pause: () => Promise<void>): Promise<void> {
    const { place, local } = this.#options.unsent();
    const current = () => !this.#stopped && this.#options.unsent().place.index === place.index;
    if (local.length === 0 || this.#snapshotOf?.index === place.index) return;
    this.#snapshotOf = place;
    this.#snapshotKept = false;
    const blocks: string[] = [];
    const { children } = place.doc;
    for (let at = 0; at < children.length; at += snapshotBlocks) {
      await pause();
      if (!current()) return;
      blocks.push(JSON.stringify(children.slice(at, at + snapshotBlocks)));
    }
    try {
      await this.#options.store.keepSnapshot(this.#options.about.id, {
        index: place.index,
        digest: place.digest,
        blocks,
      });
      this.#snapshotKept = true;
    } catch {
      // The changes are written; only where they stood is not. It is tried again with the next of them.
      this.#snapshotOf = null;
    }
  }
}

/** Resolves when a browser has nothing better to do, or at once elsewhere. */
function idle(): Promise<void> {
  const { requestIdleCallback } = globalThis as {
    requestIdleCallback?: (run: () => void, options: { timeout: number }) => void;
  };
  return new Promise((resolve) => {
    if (requestIdleCallback) requestIdleCallback(() => resolve(), { timeout: 1_000 });
    else resolve();
  });
}
