import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { DocumentClient } from '../../client/document-client.ts';
import type { ServerMessage } from '../../client/protocol/index.ts';
import { eventually } from './eventually.ts';
import { RawClient } from './raw-client.ts';

/** `library`: of the client library, which names the place of its changes. `other`: as editors of others save. */
export type CrowdFamily = 'library' | 'other';

export interface CrowdOptions {
  /** The nodes; people are spread over them in turn. */
  addresses: readonly string[];
  key: string;
  family: CrowdFamily;
  people: number;
  sourceUrl: string;
  callbackUrl: string;
}

/** What somebody met with while saving. */
export interface CrowdCounts {
  /** Saves that were acknowledged. */
  saves: number;
  /** Connections that ended. */
  closes: number;
  /** How often the save lock was refused, or a save on it. */
  refusals: number;
}

/** Editors of others ask again after this long when they are refused the save lock. */
const askAgainMs = 300;

interface Saver {
  readonly acknowledged: readonly string[];
  /** The log as this client was given it. */
  readonly view: readonly string[];
  readonly closes: number;
  readonly refusals: number;
  open(): Promise<void>;
  /** Resolves when it is acknowledged. */
  save(change: string): Promise<void>;
  close(): Promise<unknown>;
}

/** People in one document, spread over nodes, who all save at once. */
export class SavingCrowd {
  readonly #key: string;
  readonly #savers: readonly Saver[];
  #made = 0;

  private constructor(key: string, savers: readonly Saver[]) {
    this.#key = key;
    this.#savers = savers;
  }

  /** Everybody is in the document when it resolves. */
  static async open(options: CrowdOptions): Promise<SavingCrowd> {
    const savers = Array.from({ length: options.people }, (_, number) =>
      options.family === 'library' ? new LibrarySaver(options, number) : new OtherSaver(options, number),
    );
    for (const saver of savers) await saver.open();
    return new SavingCrowd(options.key, savers);
  }

  /** Everybody saves so often, with pauses of up to so long in between. */
  async save(times: number, longestPauseMs: number): Promise<void> {
    await Promise.all(
      this.#savers.map(async (saver, number) => {
        for (let time = 0; time < times; time += 1) {
          await pause(Math.random() * longestPauseMs);
          this.#made += 1;
          await saver.save(`${number}.${this.#made}`);
        }
      }),
    );
  }

  get counts(): CrowdCounts {
    const sum = (of: (saver: Saver) => number) => this.#savers.reduce((all, saver) => all + of(saver), 0);
    return {
      saves: sum(({ acknowledged }) => acknowledged.length),
      closes: sum(({ closes }) => closes),
      refusals: sum(({ refusals }) => refusals),
    };
  }

  /**
   * What is wrong with the log in the database, and with what everybody was given of it; empty when nothing is: one order
   * without gap, every acknowledged change once, and those of each person in the order of their making.
   */
  async complaints(pool: Pick<pg.Pool, 'query'>): Promise<string[]> {
    const { rows } = await pool.query<{ first: number; next: number; changes: string }>(
      `SELECT first_index AS first, next_index AS next, changes FROM batches WHERE key = $1 ORDER BY first_index`,
      [this.#key],
    );
    const complaints: string[] = [];
    const log: string[] = [];
    for (const { first, next, changes } of rows) {
      if (first !== log.length) complaints.push(`a batch at ${first} follows on ${log.length}`);
      log.push(...(JSON.parse(changes) as string[]));
      if (next !== log.length) complaints.push(`a batch ends at ${next} and not at ${log.length}`);
    }
    for (const [number, { acknowledged, view }] of this.#savers.entries()) {
      const stored = log.filter((change) => change.startsWith(`${number}.`));
      if (stored.join() !== acknowledged.join()) {
        complaints.push(`${number} has ${acknowledged.length} saves acknowledged, ${stored.length} stored`);
      }
      if (view.join() !== log.join())
        complaints.push(`${number} was given ${view.length} of ${log.length} changes`);
    }
    return complaints;
  }

  /** Everybody was given all changes. */
  async settled(): Promise<void> {
    const { saves } = this.counts;
    await eventually(
      () => this.#savers.map(({ view }) => view.length),
      (given) => given.every((count) => count >= saves),
    );
  }

  async close(): Promise<void> {
    await Promise.allSettled(this.#savers.map((saver) => saver.close()));
  }
}

const nodeOf = ({ addresses }: CrowdOptions, number: number) => addresses[number % addresses.length]!;

/** Somebody with the client library. */
class LibrarySaver implements Saver {
  readonly acknowledged: string[] = [];
  readonly view: string[] = [];
  closes = 0;
  refusals = 0;
  readonly #client: DocumentClient;
  #unsaved: string[] = [];

  constructor(options: CrowdOptions, number: number) {
    this.#client = new DocumentClient({
      url: nodeOf(options, number),
      key: options.key,
      auth: {
        user: { id: `u${number}`, username: `User ${number}` },
        permissions: { edit: true },
        mode: 'edit',
        coEditingMode: 'fast',
        documentCallbackUrl: options.callbackUrl,
        openCmd: { format: 'docx', url: options.sourceUrl, title: 'Crowd.docx' },
      },
      hooks: {
        takeBatch: () => (this.#unsaved.length > 0 ? [...this.#unsaved] : null),
        applyRemote: (changes) => void this.view.push(...changes.map(({ change }) => change)),
        confirm: (_first, count) => {
          const stored = this.#unsaved.splice(0, count);
          this.view.push(...stored);
          this.acknowledged.push(...stored);
        },
      },
    });
    this.#client.on('lost', () => {
      this.closes += 1;
    });
    this.#client.on('message', (message) => {
      if (message.type === 'saveLock' && message.saveLock) this.refusals += 1;
    });
  }

  async open(): Promise<void> {
    await this.#client.open();
  }

  async save(change: string): Promise<void> {
    this.#unsaved.push(change);
    this.#client.queueSave();
    await this.#client.saved();
  }

  async close(): Promise<void> {
    this.#client.abort();
  }
}

/** Somebody whose editor knows nothing of the extensions of this server's own protocol. */
class OtherSaver implements Saver {
  readonly acknowledged: string[] = [];
  readonly view: string[] = [];
  closes = 0;
  refusals = 0;
  readonly #options: CrowdOptions;
  readonly #number: number;
  #client: RawClient | null = null;
  #unacknowledged: string | null = null;

  constructor(options: CrowdOptions, number: number) {
    this.#options = options;
    this.#number = number;
  }

  async open(): Promise<void> {
    const { key, sourceUrl, callbackUrl } = this.#options;
    const client = await RawClient.connect(nodeOf(this.#options, this.#number), key, {
      tap: (direction, message) => {
        if (direction === 'heard') this.#hear(message as ServerMessage);
      },
    });
    this.#client = client;
    void client.closed.then(() => {
      if (this.#client !== null) this.closes += 1;
    });
    const userId = `u${this.#number}`;
    client.send({
      ...{ type: 'auth', docid: key, documentCallbackUrl: callbackUrl, token: 'crowd', editorType: 0 },
      user: { id: userId, username: `User ${this.#number}`, firstname: null, lastname: null, indexUser: -1 },
      ...{ lastOtherSaveTime: -1, block: [], sessionId: null, sessionTimeConnect: null, sessionTimeIdle: 0 },
      openCmd: { c: 'open', id: key, userid: userId, format: 'docx', url: sourceUrl, title: 'Crowd.docx' },
      ...{ lang: 'en', mode: 'edit', permissions: { edit: true }, coEditingMode: 'fast', jwtOpen: '' },
      supportAuthChangesAck: true,
    });
    await client.next('auth');
    await client.next('documentOpen', ({ data }) => data.status === 'ok');
  }

  async save(change: string): Promise<void> {
    const client = this.#client!;
    for (;;) {
      client.send({ type: 'isSaveLock', syncChangesIndex: this.view.length });
      const { saveLock } = await client.next('saveLock');
      if (!saveLock) break;
      this.refusals += 1;
      await pause(askAgainMs);
    }
    this.#unacknowledged = change;
    client.send({
      ...{
        type: 'saveChanges',
        changes: JSON.stringify([change]),
        startSaveChanges: true,
        endSaveChanges: true,
      },
      ...{ isCoAuthoring: true, isExcel: false, deleteIndex: null, excelAdditionalInfo: null },
      ...{ unlock: false, releaseLocks: true },
    });
    const saved = await client.next('unSaveLock');
    this.acknowledged.push(change);
    const givenBefore = this.view.lastIndexOf(change) + 1;
    if (saved.syncChangesIndex !== givenBefore) {
      throw new Error(`a save ends at ${saved.syncChangesIndex}; its client was given ${givenBefore}`);
    }
  }

  async close(): Promise<void> {
    const client = this.#client;
    this.#client = null;
    client?.cut();
  }

  #hear(message: ServerMessage): void {
    if (message.type === 'authChanges') {
      this.#client?.send({ type: 'authChangesAck' });
      this.view.push(...message.changes.map(({ change }) => JSON.parse(change) as string));
    } else if (message.type === 'unSaveLock' && this.#unacknowledged !== null) {
      // Here, and not where it is waited for: changes of others may have come in the same piece.
      this.view.push(this.#unacknowledged);
      this.#unacknowledged = null;
    } else if (message.type === 'saveChanges') {
      const from = message.changesIndex - message.changes.length;
      // Until then it was in `open`, and counts what comes before its history.
      for (const [offset, { change }] of message.changes.entries()) {
        if (from + offset >= this.view.length) this.view.push(JSON.parse(change) as string);
      }
    } else if (message.type === 'connectState' && message.waitAuth) {
      this.#client?.send({ type: 'unLockDocument', isSave: false, unlock: true, deleteIndex: null });
    }
  }
}
