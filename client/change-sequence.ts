import type { ChangeAuthor, LogEntry } from '../model/log/change-author.ts';
import { type Change, parseChangeText } from './protocol/index.ts';

/** A change of the log as the application gets it. Some servers cut `timeMs` to whole seconds. */
export interface LoggedChange {
  change: string;
  /** Unique id of the author. */
  user: string;
  userOriginal: string;
  timeMs: number;
  /** Who made it, as the server vouches for; absent where it does not. */
  author?: ChangeAuthor;
}

export function loggedChange(change: Change): LoggedChange {
  return {
    change: parseChangeText(change.change) ?? change.change,
    user: change.user,
    userOriginal: change.useridoriginal,
    timeMs: change.time,
    ...(change.quireAuthor && { author: change.quireAuthor }),
  };
}

/** A change of the log as models take it. */
export const entryOf = ({ change, author }: LoggedChange): LogEntry => (author ? { change, author } : change);

/** What is new of the changes that arrived, or that some before them are missing. */
export type Received = { kind: 'new'; changes: LoggedChange[]; fromIndex: number } | { kind: 'gap' };

/**
 * The position in the log up to which this client has everything, counted in changes. Every change passes
 * here once: what was seen before is cut off, and what would leave a hole is not taken.
 */
export class ChangeSequence {
  #next = 0;

  /** Index of the first change this client does not have. */
  get next(): number {
    return this.#next;
  }

  receive(changes: readonly LoggedChange[], fromIndex: number): Received {
    if (fromIndex > this.#next) return { kind: 'gap' };
    const fresh = changes.slice(this.#next - fromIndex);
    const at = this.#next;
    this.#next += fresh.length;
    return { kind: 'new', changes: fresh, fromIndex: at };
  }

  /** Own changes are stored up to `index`. */
  reach(index: number): void {
    this.#next = Math.max(this.#next, index);
  }
}
