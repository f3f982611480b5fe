import type { Violation } from './evidence.ts';
import type { HistoryEvent } from './history.ts';
import type { LogStory } from './log-story.ts';
import { type Connection, changesOf, type Trace, type TraceLine, walkSaves } from './trace.ts';

/** Messages after which a client has to open the document anew: what it shows is over. */
const endings = new Set(['error', 'drop', 'disconnectReason']);

/**
 * I3: on each connection, every change comes once and in the order of indices, own ones by their acknowledgement, from
 * where the client stood when it connected; each is what the log has or had there. A client that is connected when
 * everything rests has them all. Only before `auth` may what comes overlap with what came: clients put that in order.
 */
export function checkSight(
  traces: readonly Trace[],
  stories: ReadonlyMap<string, LogStory>,
  events: readonly HistoryEvent[],
): Violation[] {
  const rests = new Map(
    events.flatMap((event) => (event.kind === 'rests' ? [[event.key, event.n] as const] : [])),
  );
  return traces.flatMap((trace) => new Sight(trace, stories.get(trace.key), rests.get(trace.key)).check());
}

class Sight {
  readonly #trace: Trace;
  readonly #story: LogStory | undefined;
  readonly #restsAt: number | undefined;
  readonly #violations: Violation[] = [];
  #view: string[] = [];
  #signedIn = false;
  #isOver = false;
  #early: { from: number; changes: string[]; n: number }[] = [];
  /** The newest part of a save without an acknowledgement. */
  #unacknowledged: readonly string[] = [];

  constructor(trace: Trace, story: LogStory | undefined, restsAt: number | undefined) {
    this.#trace = trace;
    this.#story = story;
    this.#restsAt = restsAt;
  }

  check(): Violation[] {
    for (const connection of this.#trace.connections) {
      this.#walk(connection);
      if (this.#violations.length > 0) break;
    }
    return this.#violations;
  }

  #walk(connection: Connection): void {
    this.#signedIn = false;
    this.#isOver = false;
    this.#early = [];
    let isAtRest = false;
    walkSaves(connection, {
      line: (line) => {
        if (this.#restsAt !== undefined && line.n > this.#restsAt && !isAtRest) {
          isAtRest = true;
          this.#rest(connection);
        }
        if (line.sent) this.#sent(line);
        else this.#heard(line);
      },
      acknowledged: ({ part, n, endIndex }) => {
        this.#unacknowledged = [];
        if (part.deleteIndex !== null && part.deleteIndex < this.#view.length)
          this.#view.length = part.deleteIndex;
        const index = endIndex - part.changes.length;
        // What was sent again after it had been acknowledged, or had turned up in the log.
        if (endIndex <= this.#view.length) return;
        this.#add(index, part.changes, n, 'were acknowledged');
      },
    });
    if (!isAtRest) this.#rest(connection);
  }

  #sent({ message, n }: TraceLine): void {
    // Who opens the document anew begins with nothing; who goes on with a session, with what it has.
    if (message.type === 'auth' && message.sessionId == null) this.#view = [];
    else if (message.type === 'auth' && typeof message.quireSyncIndex === 'number') {
      if (message.quireSyncIndex !== this.#view.length) {
        // A save that turned up in the log may be known to the client by the log alone.
        if (message.quireSyncIndex < this.#view.length) this.#view.length = message.quireSyncIndex;
        else
          this.#tell(`says it has ${message.quireSyncIndex} changes, and was given ${this.#view.length}`, [
            n,
          ]);
      }
    }
    if (message.type === 'saveChanges')
      this.#unacknowledged = JSON.parse(String(message.changes)) as string[];
    if (message.type === 'unLockDocument' && Number(message.deleteIndex ?? -1) >= 0) {
      this.#view.length = Math.min(this.#view.length, Number(message.deleteIndex));
    }
  }

  #heard({ message, n }: TraceLine): void {
    if (this.#isOver) return;
    if (endings.has(message.type)) this.#isOver = true;
    else if (message.type === 'authChanges') {
      const changes = changesOf(message).map(({ change }) => change);
      this.#add(this.#view.length, changes, n, 'came as history');
    } else if (message.type === 'saveChanges') {
      const changes = changesOf(message).map(({ change }) => change);
      const from = Number(message.changesIndex) - changes.length;
      if (this.#signedIn) this.#add(from, changes, n, 'came');
      else this.#early.push({ from, changes, n });
    } else if (message.type === 'auth') {
      this.#signedIn = true;
      for (const { from, changes, n: heard } of this.#early.sort((a, b) => a.from - b.from)) {
        const known = Math.min(changes.length, Math.max(0, this.#view.length - from));
        this.#add(from + known, changes.slice(known), heard, 'came before the auth reply');
      }
      this.#early = [];
    }
  }

  #add(from: number, changes: readonly string[], n: number, how: string): void {
    if (changes.length === 0) return;
    if (from > this.#view.length) this.#passOwn(from);
    const next = this.#view.length;
    if (from !== next) {
      const what = from > next ? `${from - next} changes were left out` : 'what was there came again';
      this.#tell(`changes ${from} to ${from + changes.length} ${how} where ${next} belongs next: ${what}`, [
        n,
      ]);
      this.#view.length = Math.min(next, from);
      while (this.#view.length < from) this.#view.push('');
    }
    for (const [offset, change] of changes.entries()) {
      if (!this.#story?.everAt(from + offset).has(change)) {
        this.#tell(`change ${from + offset} ${how}, and the log never had it there: ${change.slice(0, 80)}`, [
          n,
        ]);
      }
      this.#view.push(change);
    }
  }

  /**
   * Editors of others go on with a session without learning that a save of theirs was stored before the connection was
   * lost: they have its changes, and are told of it when they send it again. Others' saves may come before that.
   */
  #passOwn(from: number): void {
    const own = this.#unacknowledged;
    const next = this.#view.length;
    if (this.#trace.family !== 'other' || from !== next + own.length) return;
    if (own.every((change, offset) => this.#story?.everAt(next + offset).has(change)))
      this.#view.push(...own);
  }

  /** Everybody has saved and had time: whoever is connected and in session sees the log. */
  #rest(connection: Connection): void {
    if (this.#restsAt === undefined || !this.#signedIn || this.#isOver) return;
    if (connection.lost && connection.lost.n < this.#restsAt) return;
    if (connection.lines.length > 0 && connection.lines[0]!.n > this.#restsAt) return;
    const log = this.#story?.last ?? [];
    const differs = log.findIndex(({ change }, index) => this.#view[index] !== change);
    if (differs < 0 && this.#view.length === log.length) return;
    const where = differs < 0 ? log.length : differs;
    this.#tell(
      `has seen ${this.#view.length} of ${log.length} changes at rest, and differs from ${where} on`,
      [connection.lines.at(-1)?.n ?? 0],
    );
  }

  #tell(what: string, events: number[]): void {
    if (this.#violations.length > 20) return;
    this.#violations.push({
      invariant: 'I3',
      key: this.#trace.key,
      what: `${this.#trace.client} ${what}`,
      events,
    });
  }
}
