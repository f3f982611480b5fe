import { type DBSchema, type IDBPDatabase, openDB } from 'idb';
import { type TabLeases, tabLeases } from './tab-leases.ts';
import {
  latestOf,
  type Release,
  type UnsentRecord,
  type UnsentSnapshot,
  type UnsentStore,
} from './unsent-store.ts';

/** A record without its changes, which lie beside it: adding some does not rewrite the others. */
type RecordRow = Omit<UnsentRecord, 'changes'>;

interface Schema extends DBSchema {
  records: { key: string; value: RecordRow; indexes: { userId: string } };
  /** Keys rise in the order of writing. */
  changes: {
    key: number;
    value: { record: string; changes: readonly string[] };
    indexes: { record: string };
  };
  snapshots: { key: string; value: UnsentSnapshot };
}

const stores = ['records', 'changes', 'snapshots'] as const;

/** Unsent changes in the browser's database: they outlive the tab and the browser. */
export class IndexedDbUnsentStore implements UnsentStore {
  readonly #name: string;
  readonly #leases: TabLeases;
  readonly #parting: PartingRecords;
  #database: Promise<IDBPDatabase<Schema>> | null = null;

  constructor(name = 'quire-unsent', leases = tabLeases()) {
    this.#name = name;
    this.#leases = leases;
    this.#parting = new PartingRecords(name);
  }

  claim(id: string): Promise<Release | null> {
    return this.#leases.take(`${this.#name} ${id}`);
  }

  async list(userId: string, key: string, file: string | null): Promise<UnsentRecord[]> {
    const transaction = (await this.#open()).transaction(['records', 'changes']);
    const rows = await transaction.objectStore('records').index('userId').getAll(userId);
    const isWanted = (row: RecordRow) => row.key === key || (file !== null && row.file === file);
    const changes = transaction.objectStore('changes').index('record');
    const written = await Promise.all(
      rows.filter(isWanted).map(async (row) => {
        const chunks = await changes.getAll(row.id);
        return { ...row, changes: chunks.flatMap((chunk) => chunk.changes) };
      }),
    );
    const parting = this.#parting.list().filter((one) => one.userId === userId && isWanted(one));
    return latestOf(written, parting);
  }

  async put(record: UnsentRecord, replaced: readonly string[] = []): Promise<void> {
    const transaction = await this.#write();
    const { changes, ...row } = record;
    for (const id of [...replaced, record.id]) await drop(transaction, id);
    await Promise.all([
      transaction.objectStore('records').put(row, record.id),
      transaction.objectStore('changes').put({ record: record.id, changes }),
      transaction.done,
    ]);
    for (const id of [...replaced, record.id]) this.#parting.remove(id);
  }

  putNow(record: UnsentRecord): boolean {
    return this.#parting.put(record);
  }

  async append(id: string, changes: readonly string[], changedAtMs: number): Promise<void> {
    const transaction = await this.#write();
    const row = await transaction.objectStore('records').get(id);
    if (row) {
      await Promise.all([
        transaction.objectStore('records').put({ ...row, changedAtMs }, id),
        transaction.objectStore('changes').put({ record: id, changes }),
      ]);
    }
    await transaction.done;
    if (row) this.#parting.remove(id);
  }

  async markSent(id: string, sentCount: number): Promise<void> {
    const transaction = await this.#write();
    const row = await transaction.objectStore('records').get(id);
    if (row) await transaction.objectStore('records').put({ ...row, sentCount }, id);
    await transaction.done;
  }

  async keepSnapshot(id: string, snapshot: UnsentSnapshot): Promise<void> {
    const transaction = await this.#write();
    const row = await transaction.objectStore('records').getKey(id);
    if (row !== undefined) await transaction.objectStore('snapshots').put(snapshot, id);
    await transaction.done;
  }

  async snapshot(id: string): Promise<UnsentSnapshot | null> {
    return (await (await this.#open()).get('snapshots', id)) ?? null;
  }

  async remove(id: string): Promise<void> {
    const transaction = await this.#write();
    await Promise.all([drop(transaction, id), transaction.done]);
    this.#parting.remove(id);
  }

  #open(): Promise<IDBPDatabase<Schema>> {
    this.#database ??= openDB<Schema>(this.#name, 1, {
      upgrade(database) {
        database.createObjectStore('records').createIndex('userId', 'userId');
        database.createObjectStore('changes', { autoIncrement: true }).createIndex('record', 'record');
        database.createObjectStore('snapshots');
      },
      terminated: () => {
        this.#database = null;
      },
    }).catch((error: unknown) => {
      this.#database = null;
      throw error;
    });
    return this.#database;
  }

  async #write(): Promise<Writing> {
    return beginWriting(await this.#open());
  }
}

function beginWriting(database: IDBPDatabase<Schema>) {
  return database.transaction(stores, 'readwrite', { durability: 'strict' });
}

type Writing = ReturnType<typeof beginWriting>;

async function drop(transaction: Writing, id: string): Promise<void> {
  const changes = transaction.objectStore('changes');
  const keys = await changes.index('record').getAllKeys(id);
  await Promise.all([
    transaction.objectStore('records').delete(id),
    transaction.objectStore('snapshots').delete(id),
    ...keys.map((key) => changes.delete(key)),
  ]);
}

/** The part of the Web Storage API that is used here. */
interface Storage {
  readonly length: number;
  key(at: number): string | null;
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
}

/**
 * Records that were written while their pages went away: in the browser's local storage, which takes them before the page
 * has ended. Its database does not: what a page has begun there when it goes may be undone.
 */
class PartingRecords {
  readonly #prefix: string;

  constructor(name: string) {
    this.#prefix = `${name} `;
  }

  /** Returns false where there is no room, or no storage for this page. */
  put(record: UnsentRecord): boolean {
    try {
      const storage = localStorageOfPage();
      storage?.setItem(this.#prefix + record.id, JSON.stringify(record));
      return storage !== null;
    } catch {
      return false;
    }
  }

  remove(id: string): void {
    localStorageOfPage()?.removeItem(this.#prefix + id);
  }

  /** What is not a record is left out. */
  list(): UnsentRecord[] {
    const storage = localStorageOfPage();
    if (!storage) return [];
    const keys = Array.from({ length: storage.length }, (_, at) => storage.key(at) ?? '');
    return keys
      .filter((key) => key.startsWith(this.#prefix))
      .flatMap((key) => recordIn(storage.getItem(key)) ?? []);
  }
}

/** Null where a browser refuses it to this page, as it may to one in another site's frame. */
function localStorageOfPage(): Storage | null {
  try {
    return (globalThis as { localStorage?: Storage }).localStorage ?? null;
  } catch {
    return null;
  }
}

function recordIn(text: string | null): UnsentRecord | null {
  try {
    return JSON.parse(text ?? 'null') as UnsentRecord | null;
  } catch {
    return null;
  }
}
