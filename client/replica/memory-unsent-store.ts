import {
  latestOf,
  type Release,
  type UnsentRecord,
  type UnsentSnapshot,
  type UnsentStore,
} from './unsent-store.ts';

/** Unsent changes in memory, for where nothing outlives the page. */
export class MemoryUnsentStore implements UnsentStore {
  readonly #records = new Map<string, UnsentRecord>();
  readonly #parting = new Map<string, UnsentRecord>();
  readonly #snapshots = new Map<string, UnsentSnapshot>();
  readonly #claimed = new Set<string>();

  async claim(id: string): Promise<Release | null> {
    if (this.#claimed.has(id)) return null;
    this.#claimed.add(id);
    return () => this.#claimed.delete(id);
  }

  async list(userId: string, key: string, file: string | null): Promise<UnsentRecord[]> {
    return latestOf([...this.#records.values()], [...this.#parting.values()]).filter(
      (record) => record.userId === userId && (record.key === key || (file !== null && record.file === file)),
    );
  }

  async put(record: UnsentRecord, replaced: readonly string[] = []): Promise<void> {
    for (const id of [...replaced, record.id]) this.#drop(id);
    this.#records.set(record.id, record);
  }

  putNow(record: UnsentRecord): boolean {
    this.#parting.set(record.id, record);
    return true;
  }

  async append(id: string, changes: readonly string[], changedAtMs: number): Promise<void> {
    this.#update(id, (record) => ({ changes: [...record.changes, ...changes], changedAtMs }));
    if (this.#records.has(id)) this.#parting.delete(id);
  }

  async markSent(id: string, sentCount: number): Promise<void> {
    this.#update(id, () => ({ sentCount }));
  }

  async keepSnapshot(id: string, snapshot: UnsentSnapshot): Promise<void> {
    if (this.#records.has(id)) this.#snapshots.set(id, snapshot);
  }

  async snapshot(id: string): Promise<UnsentSnapshot | null> {
    return this.#snapshots.get(id) ?? null;
  }

  async remove(id: string): Promise<void> {
    this.#drop(id);
  }

  #update(id: string, change: (record: UnsentRecord) => Partial<UnsentRecord>): void {
    const record = this.#records.get(id);
    if (record) this.#records.set(id, { ...record, ...change(record) });
  }

  #drop(id: string): void {
    this.#records.delete(id);
    this.#parting.delete(id);
    this.#snapshots.delete(id);
  }
}
