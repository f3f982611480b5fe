import { type LogEntry, textOf } from '../../model/log/change-author.ts';
import { TextDigest } from '../../model/log/text-digest.ts';
import { CheckpointUnreadable } from '../client-error.ts';
import { type ChangeName, sameName } from '../replica/change-names.ts';
import { DocumentSession, type SessionOptions } from '../replica/document-session.ts';
import type {
  AppliedChange,
  CheckpointText,
  Dispatched,
  DocumentBase,
  KindLog,
  KindReplica,
  LoadedDocument,
  LoggedOperation,
  MadeOperations,
  NamedOperation,
  PlacedOperations,
  PlacingTarget,
  ReplicaContext,
  SessionKind,
} from '../replica/kind-replica.ts';
import { SessionWorld } from './session-world.ts';

/**
 * The smallest kind of document that needs all of a session: a list of lines of text. It shares nothing with any kind that
 * there is, not even the form of a change.
 */
export interface Line {
  readonly id: string;
  readonly text: string;
}

/** Puts a line behind another one (null: at the beginning), gives one another text, or takes one out; null: nothing. */
export type LineOperation =
  | { readonly put: Line; readonly after: string | null }
  | { readonly set: string; readonly text: string }
  | { readonly drop: string }
  | null;

export interface LineTypes {
  readonly document: readonly Line[];
  readonly operation: LineOperation;
  /** Operations that are made together, each on the one before. */
  readonly change: readonly LineOperation[];
}

type Named = NamedOperation<LineTypes>;

/** No change of the log makes a longer line, though an editor may try. */
const maxChars = 100;

/** The lines after an operation, or why it does not apply. */
function applyTo(lines: readonly Line[], operation: LineOperation): readonly Line[] | string {
  if (operation === null) return lines;
  if ('put' in operation) {
    const { put, after } = operation;
    const at = after === null ? 0 : lines.findIndex(({ id }) => id === after) + 1;
    const isPlaced = after === null || at > 0;
    return isPlaced && lines.every(({ id }) => id !== put.id) ? lines.toSpliced(at, 0, put) : 'no-place';
  }
  const changed = 'set' in operation ? operation.set : operation.drop;
  const at = lines.findIndex(({ id }) => id === changed);
  if (at < 0) return 'no-line';
  if ('drop' in operation) return lines.toSpliced(at, 1);
  return lines.with(at, { id: changed, text: operation.text });
}

/** A change of a user is written as `<client id>#<number> <operation as JSON>`. */
function parse(text: string): Named | null {
  const [, clientId, number, json] = /^(\S+)#(\d+) (.*)$/.exec(text) ?? [];
  if (clientId === undefined) return null;
  return { operation: JSON.parse(json!) as LineOperation, name: { clientId, number: Number(number) } };
}

class LineLog implements KindLog<LineTypes> {
  document: readonly Line[];

  constructor(document: readonly Line[]) {
    this.document = document;
  }

  append(entry: LogEntry): AppliedChange<LineTypes> {
    const change = parse(textOf(entry));
    if (!change) return { operation: null, name: null, skipped: 'malformed' };
    const isLong = textIn(change.operation).length > maxChars;
    const after = isLong ? 'too-long' : applyTo(this.document, change.operation);
    if (typeof after === 'string') return { operation: null, name: change.name, skipped: after };
    this.document = after;
    return { ...change, skipped: null };
  }

  trial(): (entry: LogEntry) => string | null {
    const copy = new LineLog(this.document);
    return (entry) => copy.append(entry).skipped;
  }
}

export class LineReplica implements KindReplica<LineTypes> {
  document: readonly Line[];
  local: readonly Named[] = [];
  #base: readonly Line[];
  readonly #context: ReplicaContext;

  constructor(base: readonly Line[], context: ReplicaContext) {
    this.#base = base;
    this.document = base;
    this.#context = context;
  }

  changesDocument(change: readonly LineOperation[]): boolean {
    return change.length > 0;
  }

  dispatch(change: readonly LineOperation[]): Dispatched<LineTypes> | null {
    if (this.touched(change).some((id) => this.#context.holderOf(id) !== null)) return null;
    const made = change.map((operation) => ({ operation, name: this.#context.nextName() }));
    this.add(made);
    return { made, touched: () => change.map((operation) => this.touched([operation])) };
  }

  touched(change: readonly LineOperation[]): readonly string[] {
    return change.flatMap((operation) => {
      if (operation === null || 'put' in operation) return [];
      return 'set' in operation ? [operation.set] : [operation.drop];
    });
  }

  add(operations: readonly Named[]): void {
    for (const one of operations) {
      const after = applyTo(this.document, one.operation);
      if (typeof after === 'string') continue;
      this.document = after;
      this.local = [...this.local, one];
    }
  }

  rebase(over: readonly LoggedOperation<LineTypes>[], keep: (one: Named) => boolean = () => true): void {
    for (const { operation } of over) this.#take(operation);
    const isLogged = (name: ChangeName) => over.some((one) => one.name && sameName(one.name, name));
    const rest = this.local.filter((one) => keep(one) && !isLogged(one.name));
    this.local = [];
    this.document = this.#base;
    this.add(rest);
  }

  acknowledge(count: number): void {
    for (const { operation } of this.local.slice(0, count)) this.#take(operation);
    this.local = this.local.slice(count);
  }

  /** @throws Error for what cannot be in the log */
  #take(operation: LineOperation): void {
    const after = applyTo(this.#base, operation);
    if (typeof after === 'string') throw new Error(`a change of the log does not apply: ${after}`);
    this.#base = after;
  }
}

export class LineKind implements SessionKind<LineTypes, LineReplica> {
  readonly model = 'lines';
  readonly editorType = 0;

  read(text: string): DocumentBase<LineTypes, LineReplica> {
    const base = JSON.parse(text) as readonly Line[];
    return { begin: (checkpoint, context) => this.#begin(base, checkpoint, context) };
  }

  #begin(
    base: readonly Line[],
    checkpoint: CheckpointText | null,
    context: ReplicaContext,
  ): LoadedDocument<LineTypes, LineReplica> {
    let [lines, changes] = [base, new TextDigest()];
    if (checkpoint) {
      try {
        const { document, digest } = JSON.parse(checkpoint.text) as { document: Line[]; digest: string };
        [lines, changes] = [document, TextDigest.of(digest)];
      } catch (cause) {
        throw new CheckpointUnreadable(cause);
      }
    }
    const index = checkpoint?.index ?? 0;
    return { log: new LineLog(lines), index, changes, replica: new LineReplica(lines, context) };
  }

  encode({ operation, name }: Named): string {
    return `${name.clientId}#${name.number} ${JSON.stringify(operation)}`;
  }

  decode(text: string, document: readonly Line[]): { named: Named; document: readonly Line[] } | null {
    const named = parse(text);
    const after = named && applyTo(document, named.operation);
    return !named || !after || typeof after === 'string' ? null : { named, document: after };
  }

  insertedText(text: string): { name: ChangeName; text: string } | null {
    const named = parse(text);
    return named && { name: named.name, text: textIn(named.operation) };
  }

  textOf(operations: readonly Named[], _document: readonly Line[], which: ReadonlySet<number>): string {
    return [...which].map((at) => textIn(operations[at]!.operation)).join('\n');
  }

  /** Lines keep their ids, so an operation has its place wherever its line is. */
  place(
    { operations }: MadeOperations<LineTypes>,
    _later: readonly LoggedOperation<LineTypes>[],
    { document, isStored }: PlacingTarget<LineTypes>,
  ): PlacedOperations<LineTypes> {
    const placed: Named[] = [];
    const lost = new Set<number>();
    let current = document;
    for (const [at, one] of operations.entries()) {
      if (isStored(one.name)) continue;
      const after = applyTo(current, one.operation);
      if (typeof after !== 'string') {
        current = after;
        placed.push(one);
      } else if (textIn(one.operation) !== '') lost.add(at);
    }
    return { operations: placed, document: current, lost };
  }

  /** A line of the other version with the same text is the same line. */
  align(
    { operations, documents }: MadeOperations<LineTypes>,
    target: PlacingTarget<LineTypes>,
  ): PlacedOperations<LineTypes> {
    const same = (id: string) => {
      const old = documents[0]!.find((line) => line.id === id);
      return old ? (target.document.find(({ text }) => text === old.text)?.id ?? 'gone') : id;
    };
    const translated = operations.map(({ operation, name }) => ({
      operation: renamed(operation, same),
      name,
    }));
    return this.place({ operations: translated, documents }, [], target);
  }

  sameContent(one: readonly Line[], other: readonly Line[]): boolean {
    return one.map(({ text }) => text).join('\n') === other.map(({ text }) => text).join('\n');
  }

  snapshot(document: readonly Line[]): readonly (() => string)[] {
    return document.map((line) => () => JSON.stringify(line));
  }

  readSnapshot(parts: readonly string[]): readonly Line[] {
    return parts.map((part) => JSON.parse(part) as Line);
  }
}

const textIn = (operation: LineOperation): string => {
  if (operation === null || 'drop' in operation) return '';
  return 'put' in operation ? operation.put.text : operation.text;
};

function renamed(operation: LineOperation, same: (id: string) => string): LineOperation {
  if (operation === null) return null;
  if ('put' in operation)
    return { ...operation, after: operation.after === null ? null : same(operation.after) };
  return 'set' in operation ? { ...operation, set: same(operation.set) } : { drop: same(operation.drop) };
}

export type LineSession = DocumentSession<LineTypes, LineReplica>;

/** A world of sessions in a list of lines. */
export class LineWorld extends SessionWorld<LineSession, SessionOptions> {
  /** Lines get the ids `<letter>1`, `<letter>2`, … */
  constructor(texts: readonly string[], letter = 'l') {
    super(JSON.stringify(texts.map((text, at) => ({ id: `${letter}${at + 1}`, text }))));
  }

  session(user: string, options: Partial<SessionOptions> = {}): LineSession {
    return new DocumentSession(new LineKind(), { ...this.optionsOf(user), ...options });
  }

  /** Sessions that begin from now on are offered this document, which has the whole log; `text` in its place if given. */
  makeCheckpoint(document: readonly Line[], text: string | null = null): void {
    const url = 'http://files.test/checkpoint';
    const digest = this.changes.reduce((all, change) => all.with(change), new TextDigest()).toString();
    this.files.set(url, text ?? JSON.stringify({ document, digest }));
    this.server.checkpoint = { index: this.changes.length, url };
  }
}

export const linesOf = ({ shown }: LineSession): string[] => shown.document.map(({ text }) => text);
