import type { LeaseStore } from './renewed-leases.ts';
import type { SharedValueStore, VersionedValue } from './shared-coordination.ts';

/** Values that nobody looks at for this long are gone: what a worker that died has left of a document nobody opens again. */
const lifeMs = 24 * 3_600_000;
const sweepEveryMs = 3_600_000;

interface DocumentValues {
  contents: Map<string, VersionedValue>;
  lookedAtMs: number;
}

/** Values in the memory of the primary process, for its workers. */
export class MemorySharedValues implements SharedValueStore {
  readonly #documents = new Map<string, DocumentValues>();
  #sweptAtMs = performance.now();

  async compareAndPut(
    documentKey: string,
    name: string,
    expected: string,
    content: VersionedValue | null,
  ): Promise<VersionedValue | null> {
    const now = performance.now();
    if (now - this.#sweptAtMs > sweepEveryMs) this.#sweep(now);
    const values = this.#documents.get(documentKey);
    if (values) values.lookedAtMs = now;
    const found = values?.contents.get(name) ?? (['', ''] as const);
    if (found[0] !== expected) return found;
    if (content?.[0] === '') this.#drop(documentKey, name);
    else if (content && values) values.contents.set(name, content);
    else if (content)
      this.#documents.set(documentKey, { contents: new Map([[name, content]]), lookedAtMs: now });
    return null;
  }

  async removeAll(documentKey: string): Promise<void> {
    this.#documents.delete(documentKey);
  }

  #drop(documentKey: string, name: string): void {
    const values = this.#documents.get(documentKey);
    values?.contents.delete(name);
    if (values?.contents.size === 0) this.#documents.delete(documentKey);
  }

  #sweep(now: number): void {
    this.#sweptAtMs = now;
    for (const [key, { lookedAtMs }] of this.#documents) {
      if (now - lookedAtMs > lifeMs) this.#documents.delete(key);
    }
  }
}

/** Leases in the memory of the primary process, for its workers. */
export class MemoryLeases implements LeaseStore {
  /** By node: when its lease ends. */
  readonly #endsAtMs = new Map<string, number>();

  async renew(nodeId: string, leaseMs: number): Promise<{ ran: boolean; living: readonly string[] }> {
    const now = performance.now();
    const ran = (this.#endsAtMs.get(nodeId) ?? 0) > now;
    this.#endsAtMs.set(nodeId, now + leaseMs);
    for (const [id, endsAtMs] of this.#endsAtMs) if (endsAtMs <= now) this.#endsAtMs.delete(id);
    return { ran, living: [...this.#endsAtMs.keys()] };
  }

  /** The process is known to be gone: the others need not wait. */
  end(nodeId: string): void {
    this.#endsAtMs.delete(nodeId);
  }
}
