import type { Clock } from '../clock.ts';
import type { LogPlace } from './confirmed-log.ts';
import type { KindTypes, NamedOperation, UnsentKind } from './kind-replica.ts';
import type { UnsentRecord, UnsentStore } from './unsent-store.ts';

/** What a record says of its session, whatever changes it has. */
export type RecordAbout = Pick<UnsentRecord, 'id' | 'key' | 'file' | 'clientId' | 'userId' | 'title'>;

/** The local operations now, and where they stand. */
export interface UnsentState<Kind extends KindTypes> {
  readonly place: LogPlace<Kind>;
  readonly local: readonly NamedOperation<Kind>[];
  readonly sentCount: number;
}

export interface JournalOptions<Kind extends KindTypes> {
  readonly kind: Pick<UnsentKind<Kind>, 'encode' | 'snapshot'>;
  readonly store: UnsentStore;
  readonly about: RecordAbout;
  readonly clock: Clock;
  readonly unsent: () => UnsentState<Kind>;
  /** `settled` or `error` has changed. */
  readonly changed: () => void;
}

/** The record of everything that is unsent now. */
export function recordOf<Kind extends KindTypes>(
  kind: Pick<UnsentKind<Kind>, 'encode'>,
  about: RecordAbout,
  { place, local, sentCount }: UnsentState<Kind>,
  changedAtMs: number,
): UnsentRecord {
  const { index, digest } = place;
  const changes = local.map((one) => kind.encode(one));
  return { ...about, changedAtMs, index, digest, changes, sentCount, unplaced: null };
}

/** Changes that are acknowledged within this time are never written. */
const writeDelayMs = 30;
/** Changes that stay unsent for as long get a snapshot of what they stand on. */
const snapshotDelayMs = 2_000;

/**
 * Writes the local operations of one session to the store: soon after they were made, one write at a time, and as little
 * as possible. Operations that were added to what is written are appended; anything else writes the record anew.
 */
export class Journal<Kind extends KindTypes> {
  readonly #options: JournalOptions<Kind>;
  /** What the record holds; null when that is not known, after an error. */
  #written: readonly NamedOperation<Kind>[] | null = [];
  #writtenIndex = -1;
  #writtenSent = 0;
  #replaced: readonly string[] = [];
  #snapshotOf: LogPlace<Kind> | null = null;
  /** It is in the store, not only being made. */
  #snapshotKept = false;
  #dirty = false;
  #writing: Promise<void> | null = null;
  #cancelWrite: (() => void) | null = null;
  #cancelSnapshot: (() => void) | null = null;
  #stopped = false;
  #error: unknown = null;

  constructor(options: JournalOptions<Kind>) {
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

  /** The unsent operations have changed. */
  note(): void {
    if (this.#stopped) return;
    this.#dirty = true;
    if (this.#writing !== null) return;
    // When the next version of the file is opened, a record of what is stored would be taken for unsent.
    if (this.#written?.length !== 0 && this.#options.unsent().local.length === 0) void this.flush();
    if (this.#writing !== null || this.#cancelWrite) return;
    this.#cancelWrite = this.#options.clock.after(writeDelayMs, () => {
      this.#cancelWrite = null;
      void this.flush();
    });
  }

  /** The operations of other records are local now: the next write takes their place. */
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

  /** Writes the rest, and nothing afterwards: the session that takes up the changes may find no place for them. */
  async stop(): Promise<void> {
    this.#cancelSnapshot?.();
    this.#cancelSnapshot = null;
    if (this.#dirty || this.#writing !== null) await this.flush();
    if (!this.#stopped) await this.#keepSnapshotNow();
    this.#stopped = true;
  }

  /** Everything unsent, beside what is being written and may not be finished. */
  #putNow(): void {
    const { kind, store, about, clock, unsent } = this.#options;
    const state = unsent();
    if (!this.#stopped && state.local.length > 0) store.putNow(recordOf(kind, about, state, clock.now()));
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

  async #write(state: UnsentState<Kind>): Promise<void> {
    const { place, local, sentCount } = state;
    const { kind, store, about, clock } = this.#options;
    const replaced = this.#replaced;
    if (local.length === 0) {
      if (this.#written?.length !== 0) await store.remove(about.id);
      for (const id of replaced) await store.remove(id);
    } else if (replaced.length === 0 && this.#continues(place, local)) {
      const added = local.slice(this.#written!.length);
      const changes = added.map((one) => kind.encode(one));
      if (changes.length > 0) await store.append(about.id, changes, clock.now());
      if (sentCount !== this.#writtenSent) await store.markSent(about.id, sentCount);
    } else {
      this.#snapshotOf = null;
      await store.put(recordOf(kind, about, state, clock.now()), replaced);
    }
    this.#replaced = this.#replaced.slice(replaced.length);
  }

  /** What is written is the beginning of the local operations. */
  #continues(place: LogPlace<Kind>, local: readonly NamedOperation<Kind>[]): boolean {
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

  /** The document never changes, so writing it may pause as often as it likes. */
  async #keepSnapshot(pause: () => Promise<void>): Promise<void> {
    const { place, local } = this.#options.unsent();
    const current = () => !this.#stopped && this.#options.unsent().place.index === place.index;
    if (local.length === 0 || this.#snapshotOf?.index === place.index) return;
    this.#snapshotOf = place;
    this.#snapshotKept = false;
    const blocks: string[] = [];
    for (const write of this.#options.kind.snapshot(place.document)) {
      await pause();
      if (!current()) return;
      blocks.push(write());
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
