import type { UnsentRecord } from './unsent-store.ts';

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
export class PartingRecords {
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
