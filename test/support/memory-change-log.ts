import type {
  Append,
  AppendResult,
  ChangeLog,
  KnownEnd,
  Replacement,
  ReplaceResult,
  StoredBatch,
} from '../../platform/ports/change-log.ts';

/** A change log in memory, for tests of what stands on the port. It keeps the contract of `test/contract/change-log.ts`. */
export class MemoryChangeLog implements ChangeLog {
  readonly #logs = new Map<string, { state: string; batches: StoredBatch[]; version: number }>();

  /** Makes a document that takes changes, or sets the state of one. */
  setState(key: string, state: string): void {
    const log = this.#logs.get(key);
    if (log) log.state = state;
    else this.#logs.set(key, { state, batches: [], version: 0 });
  }

  /** An older state of the log is there again, as after its database was restored. */
  restore(key: string, batches: number): void {
    const log = this.#logs.get(key)!;
    log.batches = log.batches.slice(0, batches);
  }

  async append({ key, batch }: Append): Promise<AppendResult> {
    return this.#write(key, batch.firstIndex, (batches) => [...batches, batch]);
  }

  async replaceFrom({ key, expectedEnd, fromIndex, by, batch }: Replacement): Promise<ReplaceResult> {
    const log = this.#logs.get(key);
    const isOthers = ({ nextIndex, author }: StoredBatch) => nextIndex > fromIndex && author.uniqueId !== by;
    const hasEnd = log?.state === 'open' && (log.batches.at(-1)?.nextIndex ?? 0) === expectedEnd;
    if (hasEnd && log.batches.some(isOthers)) return { kind: 'foreign' };
    const result = this.#write(key, expectedEnd, (batches) => {
      const kept = batches
        .filter(({ firstIndex }) => firstIndex < fromIndex)
        .map((one) => cutAt(one, fromIndex));
      return batch ? [...kept, batch] : kept;
    });
    if (result.kind === 'appended') this.#logs.get(key)!.version += 1;
    return result;
  }

  async endOf(key: string): Promise<KnownEnd | null> {
    const log = this.#logs.get(key);
    if (!log) return null;
    const last = log.batches.at(-1);
    return { endIndex: last?.nextIndex ?? 0, version: log.version, savedAtMs: last?.savedAtMs ?? 0 };
  }

  async sizeOf(key: string, endIndex: number): Promise<number> {
    const batches = (this.#logs.get(key)?.batches ?? []).filter(({ firstIndex }) => firstIndex < endIndex);
    return batches.reduce((sum, { changes }) => sum + Buffer.byteLength(changes), 0);
  }

  async sizeOfLimited(key: string, userId: string): Promise<{ all: number; own: number }> {
    const batches = (this.#logs.get(key)?.batches ?? []).filter(({ author }) => author.stamp?.may);
    const sizeOf = (some: readonly StoredBatch[]) =>
      some.reduce((sum, { changes }) => sum + Buffer.byteLength(changes), 0);
    return { all: sizeOf(batches), own: sizeOf(batches.filter(({ author }) => author.userId === userId)) };
  }

  async *read(key: string, firstIndex: number, endIndex: number): AsyncGenerator<StoredBatch[]> {
    const page = (this.#logs.get(key)?.batches ?? []).filter(
      (batch) => batch.nextIndex > firstIndex && batch.firstIndex < endIndex,
    );
    if (page.length > 0) yield page;
  }

  #write(key: string, expectedEnd: number, change: (batches: StoredBatch[]) => StoredBatch[]): AppendResult {
    const log = this.#logs.get(key);
    const endIndex = log ? (log.batches.at(-1)?.nextIndex ?? 0) : null;
    if (!log || endIndex !== expectedEnd || log.state !== 'open') {
      return { kind: 'conflict', endIndex, state: log?.state ?? null };
    }
    log.batches = change(log.batches);
    return { kind: 'appended' };
  }
}

function cutAt(batch: StoredBatch, index: number): StoredBatch {
  if (batch.nextIndex <= index) return batch;
  const kept = (JSON.parse(batch.changes) as string[]).slice(0, index - batch.firstIndex);
  return { ...batch, nextIndex: index, changes: JSON.stringify(kept) };
}
