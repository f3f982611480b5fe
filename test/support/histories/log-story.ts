import type { AuditEntry } from './audit.ts';
import { byKey } from './by-key.ts';
import type { Violation } from './evidence.ts';

/** A change as it stands in the log. */
export interface LogEntry {
  readonly change: string;
  readonly author: string;
}

/** What one transaction made of a log. */
export interface LogVersion {
  readonly at: number;
  /** The log from here on is another one than before. */
  readonly from: number;
  readonly removed: readonly LogEntry[];
  readonly added: readonly LogEntry[];
  /** State of the document after the transaction. */
  readonly state: string;
}

/** How the log of one document came about: every version it had, in order. */
export class LogStory {
  readonly key: string;
  readonly versions: readonly LogVersion[];
  readonly violations: readonly Violation[];
  /** The log as it was last, before it was deleted on the integrator's receipt. */
  readonly last: readonly LogEntry[];
  /** The log of the end: empty once it has been deleted. */
  readonly end: readonly LogEntry[];
  /** The version that deleted all changes because the document was closed, if one did. */
  readonly deletion: LogVersion | null;
  #ever: readonly Set<string>[] | null = null;

  constructor(key: string, entries: readonly AuditEntry[]) {
    this.key = key;
    const versions: LogVersion[] = [];
    const violations: Violation[] = [];
    let rows: { firstIndex: number; entries: LogEntry[] }[] = [];
    let log: LogEntry[] = [];
    let last: LogEntry[] = [];
    let deletion: LogVersion | null = null;
    let state = 'absent';
    const ofLog = entries.filter(({ what }) => what.table !== 'saves');
    for (const group of byTransaction(ofLog)) {
      let told: number | null = null;
      for (const { what } of group) {
        if (what.table === 'documents') {
          state = what.state;
          told = what.nextIndex;
        } else if (what.table === 'batches') {
          if (what.gone) rows = rows.filter(({ firstIndex }) => firstIndex !== what.firstIndex);
          else {
            const added = what.changes.map((change) => ({ change, author: what.author }));
            if (added.length !== what.nextIndex - what.firstIndex) {
              violations.push(
                broken(key, `batch ${what.firstIndex} to ${what.nextIndex} has ${added.length} changes`),
              );
            }
            rows.push({ firstIndex: what.firstIndex, entries: added });
          }
        }
      }
      const after: LogEntry[] = [];
      for (const { firstIndex, entries: of } of rows.sort((a, b) => a.firstIndex - b.firstIndex)) {
        if (firstIndex !== after.length) {
          const how = firstIndex > after.length ? 'a gap' : 'an overlap';
          violations.push(
            broken(key, `the log has ${how}: a batch at ${firstIndex} follows ${after.length} changes`),
          );
        }
        for (const one of of) after.push(one);
      }
      if (told !== null && told !== after.length) {
        violations.push(broken(key, `the document says ${told} changes, the log has ${after.length}`));
      }
      const from = commonPrefix(log, after);
      if (from < log.length || from < after.length) {
        const version = {
          at: group.at(-1)!.at,
          from,
          removed: log.slice(from),
          added: after.slice(from),
          state,
        };
        versions.push(version);
        if (after.length === 0 && state === 'closed') deletion = version;
        else last = after;
      }
      log = after;
    }
    this.versions = versions;
    this.violations = violations;
    this.last = last;
    this.end = log;
    this.deletion = deletion;
  }

  /** When this run of changes by one author first stood at an index, milliseconds; null when it never did. */
  storedAt(index: number, changes: readonly string[], author: string): number | null {
    const log: LogEntry[] = [];
    for (const { at, from, added } of this.versions) {
      log.length = from;
      for (const one of added) log.push(one);
      if (log.length < index + changes.length || from + added.length <= index) continue;
      const stands = changes.every(
        (change, offset) => log[index + offset]!.change === change && log[index + offset]!.author === author,
      );
      if (stands) return at;
    }
    return null;
  }

  /** Every change that ever stood at an index. */
  everAt(index: number): ReadonlySet<string> {
    this.#ever ??= everOf(this.versions);
    return this.#ever[index] ?? nothing;
  }
}

const nothing: ReadonlySet<string> = new Set();

/** By index, every change that ever stood there: looked up for each change that each client heard. */
function everOf(versions: readonly LogVersion[]): Set<string>[] {
  const ever: Set<string>[] = [];
  for (const { from, added } of versions)
    for (const [offset, { change }] of added.entries()) {
      ever[from + offset] ??= new Set();
      ever[from + offset]!.add(change);
    }
  return ever;
}

/** Stories of all documents by key. */
export function storiesOf(audit: readonly AuditEntry[]): Map<string, LogStory> {
  const entries = byKey(audit);
  return new Map([...entries].map(([key, of]) => [key, new LogStory(key, of)]));
}

const broken = (key: string, what: string): Violation => ({ invariant: 'I2', key, what, events: [] });

function* byTransaction(entries: readonly AuditEntry[]): Generator<AuditEntry[]> {
  let group: AuditEntry[] = [];
  for (const entry of entries) {
    if (group.length > 0 && group[0]!.transaction !== entry.transaction) {
      yield group;
      group = [];
    }
    group.push(entry);
  }
  if (group.length > 0) yield group;
}

function commonPrefix(one: readonly LogEntry[], other: readonly LogEntry[]): number {
  let at = 0;
  while (at < one.length && at < other.length && one[at] === other[at]) at += 1;
  // Rows are rebuilt by each transaction that splits one: entries are compared by what they say as well.
  while (
    at < one.length &&
    at < other.length &&
    one[at]!.change === other[at]!.change &&
    one[at]!.author === other[at]!.author
  ) {
    at += 1;
  }
  return at;
}
