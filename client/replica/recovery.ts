import { SeenNames } from './change-names.ts';
import type { LogPlace } from './confirmed-log.ts';
import type {
  AppliedChange,
  KindTypes,
  LoggedOperation,
  MadeOperations,
  NamedOperation,
  PlacedOperations,
  PlacingTarget,
  UnsentKind,
} from './kind-replica.ts';
import type { UnplacedText, UnsentRecord } from './unsent-store.ts';

/** A record that is being taken up. */
export interface TakenRecord<Kind extends KindTypes> {
  readonly record: UnsentRecord;
  /** The document it stands on, or null if its session left none that can be read. */
  readonly base: () => Kind['document'] | null;
}

/** What has become of one record. */
export interface MergedRecord<Kind extends KindTypes> {
  readonly record: UnsentRecord;
  readonly operations: readonly NamedOperation<Kind>[];
  /** Null when everything has a place. */
  readonly unplaced: UnplacedText | null;
}

/** What has become of the changes of a record, and the document with those that have a place; null where none was sought. */
interface Merging<Kind extends KindTypes> {
  readonly placed: PlacedOperations<Kind> | null;
  readonly unplaced: UnplacedText | null;
}

/**
 * Merges the unsent changes of earlier sessions into a document that is being opened. It watches the log go by, and
 * places each record's changes at the index they stand on, or by content when the record is of another version of the
 * file. What the log has already is not placed again.
 */
export class Recovery<Kind extends KindTypes> {
  readonly #kind: UnsentKind<Kind>;
  readonly #key: string;
  readonly #taken: readonly TakenRecord<Kind>[];
  /** The documents that records stand on, by the ids of the records. */
  readonly #stands = new Map<string, Kind['document']>();
  readonly #seen = new SeenNames();
  /** Of the log, from the first place on that a record stands on. */
  readonly #log: LoggedOperation<Kind>[] = [];
  readonly #firstIndex: number;
  #base: Kind['document'] | null = null;

  constructor(kind: UnsentKind<Kind>, key: string, taken: readonly TakenRecord<Kind>[]) {
    this.#kind = kind;
    this.#key = key;
    this.#taken = taken;
    this.#firstIndex = Math.min(...taken.map(({ record }) => (record.key === key ? record.index : Infinity)));
  }

  /** There is nothing to merge: nobody has to see the whole log go by. */
  get isEmpty(): boolean {
    return this.#taken.length === 0;
  }

  /** The document was loaded. */
  begin(place: LogPlace<Kind>): void {
    this.#base = place.document;
    this.#note(place);
  }

  /** A change of the log, and the place after it. */
  logged({ operation, name, skipped }: AppliedChange<Kind>, place: LogPlace<Kind>): void {
    if (name) this.#seen.add(name);
    if (place.index > this.#firstIndex) this.#log.push({ operation, name: skipped === null ? name : null });
    this.#note(place);
  }

  /** What becomes of every record on this document, which has the log and `local` operations on it. Oldest first. */
  merge(document: Kind['document'], local: readonly NamedOperation<Kind>[]): MergedRecord<Kind>[] {
    const records = this.#taken.toSorted((one, other) => one.record.changedAtMs - other.record.changedAtMs);
    const before: LoggedOperation<Kind>[] = [...local];
    let current = document;
    return records.map((taken) => {
      const { placed, unplaced } = this.#mergeOne(taken, current, before);
      if (placed) current = placed.document;
      const operations = placed?.operations ?? [];
      for (const one of operations) {
        before.push(one);
        this.#seen.add(one.name);
      }
      return { record: taken.record, operations, unplaced };
    });
  }

  #note({ index, digest, document }: LogPlace<Kind>): void {
    for (const { record } of this.#taken) {
      if (record.key === this.#key && record.index === index && record.digest === digest) {
        this.#stands.set(record.id, document);
      }
    }
  }

  #mergeOne(
    { record, base }: TakenRecord<Kind>,
    document: Kind['document'],
    before: readonly LoggedOperation<Kind>[],
  ): Merging<Kind> {
    if (record.unplaced) return { placed: null, unplaced: record.unplaced };
    const target: PlacingTarget<Kind> = { document, isStored: (name) => this.#seen.has(name) };
    if (this.#stands.has(record.id)) {
      const made = this.#read(this.#stands.get(record.id), record.changes);
      const later = [...this.#log.slice(record.index - this.#firstIndex), ...before];
      return this.#lossOf(made, this.#kind.place(made, later, target));
    }
    const old = base();
    if (old === null) return { placed: null, unplaced: this.#textAlone(record.changes) };
    const made = this.#withoutSaved(this.#read(old, record.changes), record.sentCount);
    return this.#lossOf(made, this.#kind.align(made, target));
  }

  /** Changes that cannot be read, or do not follow each other, are left out: no replica would have taken them. */
  #read(document: Kind['document'], changes: readonly string[]): MadeOperations<Kind> {
    const operations: NamedOperation<Kind>[] = [];
    const documents = [document];
    for (const text of changes) {
      const decoded = this.#kind.decode(text, documents.at(-1));
      if (!decoded) continue;
      operations.push(decoded.named);
      documents.push(decoded.document);
    }
    return { operations, documents };
  }

  /** Changes that were sent may have been stored and saved and this client not told. */
  #withoutSaved(made: MadeOperations<Kind>, sentCount: number): MadeOperations<Kind> {
    const { operations, documents } = made;
    for (const count of new Set([operations.length, sentCount])) {
      if (count === 0 || count >= documents.length || this.#base === null) continue;
      if (this.#kind.sameContent(documents[count], this.#base)) {
        return { operations: operations.slice(count), documents: documents.slice(count) };
      }
    }
    return made;
  }

  #lossOf({ operations, documents }: MadeOperations<Kind>, placed: PlacedOperations<Kind>): Merging<Kind> {
    const { lost } = placed;
    if (lost.size === 0) return { placed, unplaced: null };
    const text = this.#kind.textOf(operations, documents.at(-1), lost);
    return { placed, unplaced: { count: lost.size, text } };
  }

  /** Without the document they stand on, all that can be said of changes is what text they put in. */
  #textAlone(changes: readonly string[]): UnplacedText | null {
    const lost = changes.flatMap((text) => {
      const inserted = this.#kind.insertedText(text);
      return inserted && !this.#seen.has(inserted.name) ? [inserted.text] : [];
    });
    return lost.length > 0 ? { count: lost.length, text: lost.join('').trim() } : null;
  }
}
