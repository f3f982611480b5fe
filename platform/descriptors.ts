import { readFileSync } from 'node:fs';

/** Descriptors that connections of clients leave to files, the database and whom the server calls: a quarter, and so many at most. */
const keptAtMost = 1_000;

/**
 * Connections of clients as the operating system bounds them (`ulimit -n`). A process without descriptors cannot reach its
 * database any more, and a connection that another process gives it makes Node end that other process. So a client that would take
 * one of the last is turned away before.
 */
export class Descriptors {
  /** Most connections that clients may have to this process; infinite where the limit is not known. */
  readonly mostConnections: number;
  readonly #counts: (() => number)[] = [];

  /** `limit`: of the process. */
  constructor(limit: number = ownLimit()) {
    this.mostConnections = limit - Math.min(keptAtMost, Math.ceil(limit / 4));
  }

  /** Adds connections that are counted elsewhere. */
  watch(count: () => number): void {
    this.#counts.push(count);
  }

  get areShort(): boolean {
    let connections = 0;
    for (const count of this.#counts) connections += count();
    return connections >= this.mostConnections;
  }
}

/** What Linux says of this process; Node raises its limit to the highest allowed one when it starts. */
function ownLimit(): number {
  let limits = '';
  try {
    limits = readFileSync('/proc/self/limits', 'utf8');
  } catch {
    // Another operating system.
  }
  const [, limit] = /^Max open files\s+(\d+)/m.exec(limits) ?? [];
  return limit === undefined ? Number.POSITIVE_INFINITY : Number(limit);
}
