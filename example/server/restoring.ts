import type { Person } from '../api.ts';
import type { Activity } from './activity.ts';
import type { DocumentServer } from './document-server.ts';
import type { DocumentStore } from './document-store.ts';
import type { DocumentRecord } from './records.ts';
import { Refusal } from './refusal.ts';

/** The document server knows no document of this key: nobody has opened it since the last version. */
const unknownDocument = 1;

/**
 * Puts an earlier version on top of the others. Participants are asked to leave first, and what they typed
 * is waited for: it becomes a version below the restored one instead of undoing the restore when it comes.
 */
export class Restoring {
  readonly #store: DocumentStore;
  readonly #activity: Activity;
  readonly #documentServer: DocumentServer;
  readonly #callbackUrl: (id: string) => string;
  readonly #closingTimeoutMs: number;

  /** `callbackUrl` is where the document server reports about a document. */
  constructor(
    store: DocumentStore,
    activity: Activity,
    documentServer: DocumentServer,
    callbackUrl: (id: string) => string,
    closingTimeoutMs: number,
  ) {
    this.#store = store;
    this.#activity = activity;
    this.#documentServer = documentServer;
    this.#callbackUrl = callbackUrl;
    this.#closingTimeoutMs = closingTimeoutMs;
  }

  /** @throws Refusal when the document is still open after a while */
  async restore(id: string, number: number, by: Person): Promise<DocumentRecord> {
    const record = this.#store.get(id);
    const version = this.#store.version(record, number);
    if (!(await this.#close(record))) {
      throw new Refusal('still-open', 'The document is still open somewhere. Try again in a moment.');
    }
    const { record: restored } = await this.#store.addVersion(
      id,
      {
        origin: 'restored',
        restoredFrom: number,
        fileType: version.fileType,
        bytes: await this.#store.read(record, version),
        people: [{ id: by.id, name: by.name }],
      },
      { endsSession: true },
    );
    return restored;
  }

  /** Ends the session of everybody who has the document open. Resolves with whether its last callback has come. */
  async #close({ id, session: { key } }: DocumentRecord): Promise<boolean> {
    const closed = this.#activity.closed(key, this.#closingTimeoutMs);
    // `info` also makes the document server report how things stand, so a document that is closed says so.
    const { error } = await this.#documentServer.command({ c: 'info', key, callback: this.#callbackUrl(id) });
    if (error === unknownDocument) return true;
    await this.#documentServer.command({ c: 'drop', key });
    return closed;
  }
}
