import type { LogEntry } from '../../model/log/change-author.ts';
import type { TextDigest } from '../../model/log/text-digest.ts';
import type { AuthRequest, Lock } from '../protocol/index.ts';
import type { ChangeName } from './change-names.ts';

/**
 * What a kind of document is to a session. A session, its log, its journal and its recovery are the same for every kind;
 * a kind implements `SessionKind`, and the two objects that `SessionKind.read` leads to: `KindLog`, the document as the log
 * has it, and `KindReplica`, the document as it is shown. Methods do not throw unless they say so.
 */

/** The types that a kind has of its own. */
export interface KindTypes {
  /** A document. It never changes: an operation leads to another one. */
  readonly document: unknown;
  /** What one change of the log does to a document. */
  readonly operation: unknown;
  /** What a user does at once, as the editor says it: any number of operations, or none. */
  readonly change: unknown;
}

/** An operation that was made in a session. */
export interface NamedOperation<Kind extends KindTypes> {
  readonly operation: Kind['operation'];
  readonly name: ChangeName;
}

/** An operation of the log. */
export interface LoggedOperation<Kind extends KindTypes> {
  readonly operation: Kind['operation'];
  /** Null where the change has none, or changes nothing. */
  readonly name: ChangeName | null;
}

/** A change of the log as replicas understand it. */
export interface AppliedChange<Kind extends KindTypes> {
  /** Does nothing if the change is skipped: that still has its index in the log. */
  readonly operation: Kind['operation'];
  /** Null where the change says none. */
  readonly name: ChangeName | null;
  /** Why every replica skips it; null if it was applied. */
  readonly skipped: string | null;
}

/** A document with exactly the changes of the log, each judged by the same total rule as in all replicas. */
export interface KindLog<Kind extends KindTypes> {
  readonly document: Kind['document'];
  /** Takes the next change of the log. */
  append(entry: LogEntry): AppliedChange<Kind>;
  /** Tries changes that may come next, one after another: why each would be skipped, or null. The log stays as it is. */
  trial(): (entry: LogEntry) => string | null;
}

/** What a change of the user led to. */
export interface Dispatched<Kind extends KindTypes> {
  /** The local operations that it made. */
  readonly made: readonly NamedOperation<Kind>[];
  /** For each of them the ids of the elements that it changes. */
  touched(): readonly (readonly string[])[];
}

/**
 * A document as it is shown: the log up to a place, with local operations on it. A local operation keeps its name, the
 * very same object, for as long as it is local.
 */
export interface KindReplica<Kind extends KindTypes> {
  /** With the local operations. */
  readonly document: Kind['document'];
  /** Operations that were made here and not acknowledged, each on the one before. */
  readonly local: readonly NamedOperation<Kind>[];
  /** False for a change of the selection and the like, which needs no right to edit. */
  changesDocument(change: Kind['change']): boolean;
  /** Makes a change of the user. Null if it was refused: then nothing has changed. */
  dispatch(change: Kind['change']): Dispatched<Kind> | null;
  /** Ids of the elements that a change would change that was refused, in order. */
  touched(change: Kind['change']): Iterable<string>;
  /** Adds operations of an earlier session, each made on the one before. */
  add(operations: readonly NamedOperation<Kind>[]): void;
  /**
   * Puts operations of the log beneath the local ones. A local one is local no more if it is among them, if `keep` refuses
   * it, or if its place is gone.
   * @throws if the document cannot be shown like that: the session ends
   */
  rebase(over: readonly LoggedOperation<Kind>[], keep?: (operation: NamedOperation<Kind>) => boolean): void;
  /** The first local operations are in the log, as they are. */
  acknowledge(count: number): void;
}

/** What has become of operations that were placed in another document than the one they were made on. */
export interface PlacedOperations<Kind extends KindTypes> {
  readonly operations: readonly NamedOperation<Kind>[];
  /** The document after them. */
  readonly document: Kind['document'];
  /** Indexes of the given operations that had something to say and have no place any more. */
  readonly lost: ReadonlySet<number>;
}

/** Operations as they were made, each on the document before it. */
export interface MadeOperations<Kind extends KindTypes> {
  readonly operations: readonly NamedOperation<Kind>[];
  /** One more than there are operations. */
  readonly documents: readonly Kind['document'][];
}

/** What `place` and `align` put operations on. */
export interface PlacingTarget<Kind extends KindTypes> {
  readonly document: Kind['document'];
  /** True for an operation that the document has already, or that was dropped before. */
  readonly isStored: (name: ChangeName) => boolean;
}

/** How a kind writes changes and documents, and how it finds places for changes of earlier sessions. */
export interface UnsentKind<Kind extends KindTypes> {
  /** The text of a change, for the log and the journal. */
  encode(operation: NamedOperation<Kind>): string;
  /** A named change that applies to a document, and the document after it. Null if it cannot be read or applied. */
  decode(
    text: string,
    document: Kind['document'],
  ): { named: NamedOperation<Kind>; document: Kind['document'] } | null;
  /** What a change says that it puts in, where the document is missing that it was made on. Null if it has no name. */
  insertedText(text: string): { name: ChangeName; text: string } | null;
  /** The text that some of a sequence of operations put into a document, as it is after the last of them. */
  textOf(
    operations: readonly NamedOperation<Kind>[],
    document: Kind['document'],
    which: ReadonlySet<number>,
  ): string;
  /** Puts operations on a document to which, after the one they were made on, these `later` ones have led. */
  place(
    made: MadeOperations<Kind>,
    later: readonly LoggedOperation<Kind>[],
    target: PlacingTarget<Kind>,
  ): PlacedOperations<Kind>;
  /** Puts operations on a document that another version of the file was read to: by what both share. */
  align(made: MadeOperations<Kind>, target: PlacingTarget<Kind>): PlacedOperations<Kind>;
  /** Whether two readings of a file say the same, whatever its parts are called in each. */
  sameContent(one: Kind['document'], other: Kind['document']): boolean;
  /** Writes a document in parts, each when its function is called. */
  snapshot(document: Kind['document']): readonly (() => string)[];
  /** @throws if the parts are of no document */
  readSnapshot(parts: readonly string[]): Kind['document'];
}

/** A checkpoint of the log as it was downloaded. */
export interface CheckpointText {
  /** How many changes of the log it holds. */
  readonly index: number;
  readonly text: string;
}

/** What a session gives to the replica of its document. */
export interface ReplicaContext {
  readonly clientId: string;
  /** The name of the next operation that is made here. */
  readonly nextName: () => ChangeName;
  /** Who else holds an element, or null. */
  readonly holderOf: (elementId: string) => Lock | null;
  /** Whether anybody holds any element. */
  readonly hasLocks: () => boolean;
}

/** A document that a session begins with. */
export interface LoadedDocument<Kind extends KindTypes, Shown extends KindReplica<Kind>> {
  readonly log: KindLog<Kind>;
  /** How many changes of the log it has. */
  readonly index: number;
  /** Digest of their texts. */
  readonly changes: TextDigest;
  readonly replica: Shown;
}

/** The document that a log began with. */
export interface DocumentBase<Kind extends KindTypes, Shown extends KindReplica<Kind>> {
  /** @throws CheckpointUnreadable */
  begin(checkpoint: CheckpointText | null, context: ReplicaContext): LoadedDocument<Kind, Shown>;
}

/** A kind of document, as sessions need it. */
export interface SessionKind<Kind extends KindTypes, Shown extends KindReplica<Kind>>
  extends UnsentKind<Kind> {
  /** Name of the model by which documents of this kind are opened (`openCmd.model`). */
  readonly model: string;
  /** Which editors the server lets in beside each other. */
  readonly editorType: AuthRequest['editorType'];
  /** @throws if the text is of no document of this kind */
  read(text: string): DocumentBase<Kind, Shown>;
}
