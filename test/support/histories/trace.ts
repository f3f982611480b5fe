import type { Family, HistoryEvent, HowLost, Said } from './history.ts';

/** A message on a connection, in its place in the run. */
export interface TraceLine {
  readonly n: number;
  readonly at: number;
  readonly sent: boolean;
  readonly message: Said;
}

/** One connection of a client. */
export interface Connection {
  readonly number: number;
  readonly lines: TraceLine[];
  /** Null: it was there at the end of the run. */
  lost: { readonly n: number; readonly at: number; readonly how: HowLost } | null;
}

/** One client with all its connections. */
export interface Trace {
  readonly client: string;
  readonly key: string;
  readonly userId: string;
  readonly family: Family;
  readonly editorType: number;
  readonly connections: Connection[];
  ended: { readonly n: number; readonly told: string | null } | null;
  shows: readonly string[] | null;
}

/** The history parted by clients and connections. */
export function tracesOf(events: readonly HistoryEvent[]): Trace[] {
  const traces = new Map<string, Trace>();
  const connections = new Map<number, Connection>();
  for (const event of events) {
    switch (event.kind) {
      case 'joins': {
        const { client, key, userId, family, editorType } = event;
        traces.set(client, {
          client,
          key,
          userId,
          family,
          editorType,
          connections: [],
          ended: null,
          shows: null,
        });
        break;
      }
      case 'connects': {
        const connection: Connection = { number: event.connection, lines: [], lost: null };
        connections.set(event.connection, connection);
        traces.get(event.client)?.connections.push(connection);
        break;
      }
      case 'sends':
      case 'hears':
        connections.get(event.connection)?.lines.push({
          n: event.n,
          at: event.at,
          sent: event.kind === 'sends',
          message: event.message,
        });
        break;
      case 'loses': {
        const connection = connections.get(event.connection);
        if (connection) connection.lost ??= { n: event.n, at: event.at, how: event.how };
        break;
      }
      case 'ends': {
        const trace = traces.get(event.client);
        if (trace) trace.ended ??= { n: event.n, told: event.told };
        break;
      }
      case 'shows': {
        const trace = traces.get(event.client);
        if (trace) trace.shows = event.texts;
        break;
      }
      default:
        break;
    }
  }
  return [...traces.values()];
}

/** What of a save message is looked at. */
export interface SavePart {
  readonly n: number;
  readonly at: number;
  readonly changes: readonly string[];
  /** Null: nothing is taken back. */
  readonly deleteIndex: number | null;
  readonly releaseLocks: boolean;
}

export function savePart({ n, at, message }: TraceLine): SavePart {
  const deleteIndex = Number(message.deleteIndex ?? -1);
  return {
    n,
    at,
    changes: JSON.parse(String(message.changes)) as string[],
    deleteIndex: deleteIndex >= 0 && message.startSaveChanges === true ? deleteIndex : null,
    releaseLocks: message.releaseLocks === true && message.endSaveChanges === true,
  };
}

/** A part of a save that was acknowledged: the log ends at `endIndex` behind it. */
export interface Acknowledged {
  readonly part: SavePart;
  readonly n: number;
  readonly at: number;
  readonly endIndex: number;
}

/**
 * Walks through a connection's messages and finds the acknowledgement of each part of a save: answers come in the order
 * of what was asked. A save that was overtaken is answered as a request for the save lock that is refused. Calls back in the
 * order of the connection.
 */
export function walkSaves(
  connection: Connection,
  on: {
    line?(line: TraceLine): void;
    acknowledged?(acknowledged: Acknowledged): void;
  },
): void {
  const asked: (SavePart | 'save lock' | null)[] = [];
  const answer = (place: number) => (place < 0 ? undefined : asked.splice(place, 1)[0]);
  for (const line of connection.lines) {
    const { message, sent } = line;
    if (sent && message.type === 'isSaveLock') asked.push('save lock');
    else if (sent && message.type === 'saveChanges') asked.push(savePart(line));
    else if (
      sent &&
      (message.type === 'unSaveLock' || (message.type === 'unLockDocument' && message.isSave === true))
    )
      asked.push(null);
    else if (!sent && message.type === 'saveLock') {
      const mayBeRefused = (request: SavePart | 'save lock' | null) => request !== null;
      answer(message.saveLock === true ? asked.findIndex(mayBeRefused) : asked.indexOf('save lock'));
    } else if (!sent && (message.type === 'unSaveLock' || message.type === 'savePartChanges')) {
      const part = answer(asked.findIndex((request) => request !== 'save lock'));
      if (part && part !== 'save lock') {
        on.acknowledged?.({ part, n: line.n, at: line.at, endIndex: Number(message.syncChangesIndex) });
      }
    }
    on.line?.(line);
  }
}

/** Unique id of a client's user, by the newest `auth` reply up to this line; null before the first. */
export function uniqueIdAfter(trace: Trace, message: Said): string | null {
  return message.type === 'auth' && typeof message.indexUser === 'number'
    ? `${trace.userId}${message.indexUser}`
    : null;
}

/** The change strings of a broadcast or a part of the history. */
export function changesOf(message: Said): { change: string; user: string }[] {
  const changes = message.changes as readonly { change: string; user: string }[];
  return changes.map(({ change, user }) => ({ change: JSON.parse(change) as string, user }));
}
