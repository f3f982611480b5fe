import type { Account, Work } from './ledger.ts';

/** A document from the first opening of its key to its end. */
export class Room implements Account {
  readonly key: string;
  readonly edition: number;
  readonly works = new Map<string, Work>();
  /** People who are in, or on their way. */
  present = 0;
  /** When the last one left, milliseconds; null while somebody is in. */
  leftAtMs: number | null = null;

  constructor(key: string, edition: number) {
    this.key = key;
    this.edition = edition;
  }

  enter(): void {
    this.present += 1;
    this.leftAtMs = null;
  }

  /** Somebody has gone. What they saved is kept, and nothing of their connection: very many come and go in a run. */
  leave(author: string, nowMs: number): void {
    const { acknowledged = 0, sent = 0 } = this.works.get(author) ?? {};
    if (sent > 0) this.works.set(author, { acknowledged, sent });
    else this.works.delete(author);
    this.present -= 1;
    if (this.present === 0) this.leftAtMs = nowMs;
  }

  /** Whether anybody has sent a save: then a file must come. */
  get isChanged(): boolean {
    for (const { sent } of this.works.values()) if (sent > 0) return true;
    return false;
  }

  get acknowledged(): number {
    let sum = 0;
    for (const work of this.works.values()) sum += work.acknowledged;
    return sum;
  }
}
