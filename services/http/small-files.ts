import type { BlobStore } from '../../platform/ports/blob-store.ts';

/** Larger files are read from the store for everybody who asks, bytes. */
const largestBytes = 65_536;
/** Memory for all of them, bytes. */
const mostBytes = 16_777_216;
/** So long a file is served without a look at the store, milliseconds. */
const certainMs = 10_000;

interface SmallFile {
  content: Buffer;
  seenAtMs: number;
}

/** A file in the store; `content` null: it is to be read from there. */
export interface FoundFile {
  sizeBytes: number;
  content: Buffer | null;
}

/**
 * Small files that were asked for a moment ago, in memory: everybody who opens a document asks for its model, and reading a
 * file takes four steps in other threads. A blob never changes. One that was deleted is served for at most 10 s more.
 */
export class SmallFiles {
  readonly #blobs: Pick<BlobStore, 'sizeOf' | 'read'>;
  readonly #looked: (found: boolean) => void;
  readonly #now: () => number;
  /** The one that was asked for last comes last. */
  readonly #files = new Map<string, SmallFile>();
  #heldBytes = 0;

  /** `looked` hears of each small file whether it was in memory. `now` is a time in milliseconds. */
  constructor(
    blobs: Pick<BlobStore, 'sizeOf' | 'read'>,
    looked: (found: boolean) => void = () => undefined,
    now: () => number = () => performance.now(),
  ) {
    this.#blobs = blobs;
    this.#looked = looked;
    this.#now = now;
  }

  get heldBytes(): number {
    return this.#heldBytes;
  }

  /** Undefined where there is no such blob. */
  async find(hash: string): Promise<FoundFile | undefined> {
    const known = this.#files.get(hash);
    if (known && this.#now() - known.seenAtMs < certainMs) {
      this.#looked(true);
      this.#put(hash, known);
      return { sizeBytes: known.content.length, content: known.content };
    }
    const sizeBytes = await this.#blobs.sizeOf(hash);
    if (sizeBytes === undefined) {
      this.#drop(hash);
      return undefined;
    }
    if (sizeBytes > largestBytes) return { sizeBytes, content: null };
    this.#looked(known !== undefined);
    // What cannot be read whole is for whoever reads it from the store to say.
    const content = known?.content ?? (await this.#blobs.read(hash).catch(() => null));
    if (content) this.#put(hash, { content, seenAtMs: this.#now() });
    return { sizeBytes, content };
  }

  #put(hash: string, file: SmallFile): void {
    this.#drop(hash);
    this.#files.set(hash, file);
    this.#heldBytes += file.content.length;
    for (const oldest of this.#files.keys()) {
      if (this.#heldBytes <= mostBytes) return;
      this.#drop(oldest);
    }
  }

  #drop(hash: string): void {
    this.#heldBytes -= this.#files.get(hash)?.content.length ?? 0;
    this.#files.delete(hash);
  }
}
