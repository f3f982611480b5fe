import type { Clock } from '../clock.ts';
import { Journal, type RecordAbout, recordOf, type UnsentState } from './journal.ts';
import type { KindTypes, UnsentKind } from './kind-replica.ts';
import { type MergedRecord, Recovery, type TakenRecord } from './recovery.ts';
import type { Release, UnsentRecord, UnsentSnapshot, UnsentStore } from './unsent-store.ts';

/** What became of changes that an earlier session left. */
export interface Recovered {
  /** Changes that are in the document now. */
  readonly applied: number;
  /** Changes that have no place in it any more. */
  readonly lost: number;
  /** The text of those, to be shown to the person who wrote it. */
  readonly text: string;
  /** Forgets the text. Until then it comes back at every opening. */
  discard(): Promise<void>;
}

/** What a session that ended gives to the one that goes on. */
export interface Handover<Kind extends KindTypes> {
  readonly taken: readonly TakenRecord<Kind>[];
  readonly claims: ReadonlyMap<string, Release>;
}

export interface UnsentChangesOptions<Kind extends KindTypes> {
  readonly kind: UnsentKind<Kind>;
  readonly store: UnsentStore;
  readonly about: RecordAbout;
  readonly clock: Clock;
  /** Null before the document is loaded. */
  readonly unsent: () => UnsentState<Kind> | null;
  readonly changed: () => void;
}

/** The unsent changes of one session in the store, and those of earlier sessions that it takes up. */
export class UnsentChanges<Kind extends KindTypes> {
  readonly #options: UnsentChangesOptions<Kind>;
  readonly #journal: Journal<Kind>;
  readonly #claims = new Map<string, Release>();
  #taken: readonly TakenRecord<Kind>[] = [];
  #storeFailed = false;

  constructor(options: UnsentChangesOptions<Kind>) {
    this.#options = options;
    this.#journal = new Journal({ ...options, unsent: () => options.unsent()! });
  }

  /** Everything unsent is in the store. */
  get journaled(): boolean {
    return this.#journal.settled && !this.#storeFailed;
  }

  /** Takes up what earlier sessions left and no other tab has. A store that fails leaves nothing to take up. */
  async takeUp(from: Handover<Kind> | null): Promise<Recovery<Kind>> {
    const { kind, store, about } = this.#options;
    for (const [id, release] of from?.claims ?? []) this.#claims.set(id, release);
    const taken = [...(from?.taken ?? [])];
    try {
      // Nobody else knows this id yet, so there is nobody to wait for; where tabs ask around that takes seconds.
      void this.#claim(about.id).catch(() => {
        this.#storeFailed = true;
      });
      for (const record of await store.list(about.userId, about.key, about.file)) {
        if (taken.some((one) => one.record.id === record.id)) continue;
        if (await this.#claim(record.id)) taken.push(await this.#read(record));
      }
    } catch {
      this.#storeFailed = true;
    }
    this.#taken = taken;
    return new Recovery(kind, about.key, taken);
  }

  note(): void {
    this.#journal.note();
  }

  /** The operations of the merged records are local now. Null if there was nothing to merge. */
  async merged(records: readonly MergedRecord<Kind>[]): Promise<Recovered | null> {
    const { store } = this.#options;
    this.#taken = [];
    const placed = records.filter(({ unplaced }) => unplaced === null).map(({ record }) => record.id);
    const unplaced = records.filter((one) => one.unplaced !== null);
    if (records.length > 0) {
      this.#journal.replace(placed);
      await this.#journal.flush();
    }
    if (this.#journal.settled) for (const id of placed) this.#release(id);
    for (const { record, unplaced: left } of unplaced) {
      // Changes that are local now are known by their names, so a record that stays as it is does no harm.
      await store.put({ ...record, changes: [], sentCount: 0, unplaced: left }).catch(() => undefined);
    }
    const applied = records.reduce((count, { operations }) => count + operations.length, 0);
    const lost = unplaced.reduce((count, one) => count + one.unplaced!.count, 0);
    if (applied === 0 && lost === 0) return null;
    const text = unplaced.map((one) => one.unplaced!.text).filter((one) => one !== '');
    return { applied, lost, text: text.join('\n'), discard: () => this.#discard(unplaced) };
  }

  /** The page is going away. */
  hide(): void {
    if (this.#options.unsent()) this.#journal.hide();
  }

  /** Writes the rest and gives everything to a session that goes on in this tab. */
  async handOver(): Promise<Handover<Kind>> {
    if (this.#options.unsent()) await this.#journal.stop();
    const own = this.#ownRecord();
    return { taken: own ? [...this.#taken, own] : this.#taken, claims: this.#claims };
  }

  /** Ends: what is unsent stays in the store unless it is discarded. */
  async end({ discard = false } = {}): Promise<void> {
    if (this.#options.unsent()) await this.#journal.stop();
    if (discard) await this.#options.store.remove(this.#options.about.id).catch(() => undefined);
    for (const id of [...this.#claims.keys()]) this.#release(id);
  }

  #ownRecord(): TakenRecord<Kind> | null {
    const { kind, about, clock, unsent } = this.#options;
    const state = unsent();
    if (!state || state.local.length === 0) return null;
    const { document } = state.place;
    return { record: recordOf(kind, about, state, clock.now()), base: () => document };
  }

  async #read(record: UnsentRecord): Promise<TakenRecord<Kind>> {
    const snapshot = await this.#options.store.snapshot(record.id);
    return { record, base: () => this.#readSnapshot(record, snapshot) };
  }

  /** The document of a snapshot that is of this record and can be read, or null. */
  #readSnapshot(record: UnsentRecord, snapshot: UnsentSnapshot | null): Kind['document'] | null {
    if (!snapshot || snapshot.index !== record.index || snapshot.digest !== record.digest) return null;
    try {
      return this.#options.kind.readSnapshot(snapshot.blocks);
    } catch {
      return null;
    }
  }

  async #claim(id: string): Promise<boolean> {
    if (this.#claims.has(id)) return false;
    const release = await this.#options.store.claim(id);
    if (release) this.#claims.set(id, release);
    return release !== null;
  }

  #release(id: string): void {
    this.#claims.get(id)?.();
    this.#claims.delete(id);
  }

  async #discard(records: readonly MergedRecord<Kind>[]): Promise<void> {
    for (const { record } of records) {
      await this.#options.store.remove(record.id);
      this.#release(record.id);
    }
  }
}
