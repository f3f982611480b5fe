import { createHash } from 'node:crypto';
import type { AuditEntry, AuditedRow } from './audit.ts';
import type { DocumentAtEnd, Evidence, SaveAtEnd } from './evidence.ts';
import type { Family, Happening, HistoryEvent, Said } from './history.ts';

/** The key of the one document that these runs are about. */
export const toldKey = 'k';

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');
const base = hashOf('base');

/**
 * Evidence of a run that nobody made, told line by line, for tests of the checker. Time passes by 10 ms with every line.
 * A document's text is its changes, one block each.
 */
export class ToldRun {
  readonly events: HistoryEvent[] = [];
  readonly audit: AuditEntry[] = [];
  documents: DocumentAtEnd[] = [];
  saves: SaveAtEnd[] = [];
  blobs: string[] = [base];
  #at = 1_000_000;
  #transaction = 0;
  #connections = 0;
  readonly #connectionOf = new Map<string, number>();

  get evidence(): Evidence {
    const { events, audit, documents, saves, blobs } = this;
    return { seed: 0, events, audit, documents, saves, blobs, textsOf: (_key, changes) => changes };
  }

  happens(happening: Happening): void {
    this.#at += 10;
    this.events.push({ n: this.events.length, at: this.#at, ...happening });
  }

  /** Nothing happens for so long. */
  passes(ms: number): void {
    this.#at += ms;
  }

  /** Rows that one transaction wrote. */
  writes(...rows: AuditedRow[]): void {
    this.#at += 10;
    this.#transaction += 1;
    for (const what of rows) {
      this.audit.push({
        id: this.audit.length,
        at: this.#at,
        transaction: String(this.#transaction),
        key: toldKey,
        what,
      });
    }
  }

  /** Appends changes of an author, as the log does. */
  appends(firstIndex: number, author: string, ...changes: string[]): void {
    const nextIndex = firstIndex + changes.length;
    this.writes(document('open', nextIndex), {
      ...{ table: 'batches', gone: false, firstIndex, nextIndex, author, changes },
    });
  }

  /** Takes everything from the row that begins at an index. */
  cuts(firstIndex: number, nextIndex: number, author: string): void {
    this.writes(
      { table: 'batches', gone: true, firstIndex, nextIndex, author, changes: [] },
      document('open', firstIndex),
    );
  }

  connects(client: string): void {
    this.#connections += 1;
    this.#connectionOf.set(client, this.#connections);
    this.happens({ kind: 'connects', client, connection: this.#connections });
  }

  /** A client that has signed in as a new one; its unique id is its name and 1. */
  joins(client: string, family: Family = 'library', editorType = 0): void {
    this.happens({ kind: 'joins', client, key: toldKey, userId: client, family, editorType });
    this.connects(client);
    this.sends(client, { type: 'auth', sessionId: null, quireSyncIndex: 0 });
  }

  enters(client: string, more: Record<string, unknown> = {}): void {
    this.hears(client, { type: 'auth', indexUser: 1, sessionId: `session of ${client}`, ...more });
  }

  sends(client: string, message: Said): void {
    this.happens({ kind: 'sends', connection: this.#connectionOf.get(client)!, message });
  }

  hears(client: string, message: Said): void {
    this.happens({ kind: 'hears', connection: this.#connectionOf.get(client)!, message });
  }

  loses(client: string): void {
    const connection = this.#connectionOf.get(client)!;
    this.happens({ kind: 'loses', connection, how: 'lost', detail: '' });
  }

  sendsSave(client: string, changes: readonly string[], more: Record<string, unknown> = {}): void {
    this.sends(client, {
      type: 'saveChanges',
      changes: JSON.stringify(changes),
      startSaveChanges: true,
      endSaveChanges: true,
      deleteIndex: null,
      ...more,
    });
  }

  /** A save that is stored, acknowledged, and shown to the others. */
  saved(client: string, index: number, changes: readonly string[], ...others: string[]): void {
    this.sendsSave(client, changes);
    this.appends(index, `${client}1`, ...changes);
    this.acknowledges(client, index + changes.length);
    for (const other of others) this.shows(other, client, index, changes);
  }

  acknowledges(client: string, endIndex: number): void {
    this.hears(client, { type: 'unSaveLock', index: 0, time: 1, syncChangesIndex: endIndex });
  }

  shows(to: string, author: string, index: number, changes: readonly string[]): void {
    this.hears(to, {
      type: 'saveChanges',
      changes: changes.map((change) => ({ change: JSON.stringify(change), user: `${author}1` })),
      changesIndex: index + changes.length,
      syncChangesIndex: index + changes.length,
    });
  }

  asksLock(client: string, block: string): void {
    this.sends(client, { type: 'getLock', block: [block] });
  }

  getsLock(client: string, block: string, holder = client): void {
    this.hears(client, { type: 'getLock', locks: { [block]: { time: 1, user: `${holder}1`, block } } });
  }

  rests(): void {
    this.happens({ kind: 'rests', key: toldKey });
  }

  /** The document was handed over with so many changes. */
  isTaken(changes: readonly string[]): void {
    const hash = hashOf(changes.join());
    this.saves = [
      { id: '1', key: toldKey, status: 2, state: 'delivered', endIndex: changes.length, resultHash: hash },
    ];
    this.receives(hash, changes);
    this.writes(
      ...[document('closed', 0)],
      ...this.#rows().map(({ firstIndex, nextIndex, author }) => ({
        ...{ table: 'batches' as const, gone: true, firstIndex, nextIndex, author, changes: [] },
      })),
    );
    this.documents = [{ key: toldKey, state: 'closed', nextIndex: 0, sourceHash: base, forgotten: null }];
  }

  receives(hash: string, texts: readonly string[], more: { sha256?: string; accepts?: boolean } = {}): void {
    const url = `http://quire/${hash}/file.docx`;
    this.happens({
      ...{ kind: 'receives', key: toldKey, status: 2, url, sha256: more.sha256 ?? hash },
      ...{ texts, accepts: more.accepts ?? true },
    });
  }

  /** The document lies in forgotten storage. */
  isForgotten(changes: number): void {
    this.writes(document('forgotten', changes));
    const forgotten = { resultHash: null, sourceHash: base };
    this.documents = [{ key: toldKey, state: 'forgotten', nextIndex: changes, sourceHash: base, forgotten }];
  }

  #rows() {
    const rows = new Map<number, Extract<AuditedRow, { table: 'batches' }>>();
    for (const { what } of this.audit) {
      if (what.table !== 'batches') continue;
      if (what.gone) rows.delete(what.firstIndex);
      else rows.set(what.firstIndex, what);
    }
    return [...rows.values()];
  }
}

export const document = (state: string, nextIndex: number): AuditedRow => ({
  ...{ table: 'documents', state, epoch: 1, nextIndex },
});
