import type { LoggedChange } from '../change-sequence.ts';
import type { DocumentHooks } from '../options.ts';

/**
 * The simplest application: a document is its log, and rebasing a local edit means writing down the index it
 * was made for. It checks that the client keeps its promises and throws where it does not.
 */
export class ModelDocument implements DocumentHooks {
  readonly confirmed: string[] = [];
  #local: string[] = [];
  #taken: string[] = [];

  get unconfirmedCount(): number {
    return this.#local.length;
  }

  edit(name: string): void {
    this.#local.push(name);
  }

  takeBatch(baseIndex: number): string[] | null {
    if (baseIndex !== this.confirmed.length)
      throw new Error('the batch was asked for before all was delivered');
    this.#taken = this.#local.map((name, at) => `${name}@${baseIndex + at}`);
    return this.#taken.length > 0 ? this.#taken : null;
  }

  applyRemote(changes: readonly LoggedChange[], fromIndex: number): void {
    if (fromIndex !== this.confirmed.length) throw new Error('changes were lost, doubled or out of order');
    for (const { change } of changes) this.confirmed.push(change);
  }

  confirm(firstIndex: number, count: number): void {
    if (firstIndex !== this.confirmed.length) throw new Error('a confirmation out of order');
    if (count > this.#taken.length) throw new Error('more was confirmed than was taken');
    this.confirmed.push(...this.#taken.splice(0, count));
    this.#local.splice(0, count);
  }
}
