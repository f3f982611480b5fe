import { setTimeout as delay } from 'node:timers/promises';
import type { Dial } from '../../../client/transports/transport.ts';
import type { History, Said } from './history.ts';

/** Where a client finds its document, and who it is. */
export interface ClientPlace {
  /** Name in the history; every client of a run has its own. */
  readonly client: string;
  readonly userId: string;
  readonly key: string;
  /** Where each connection may come to another node. */
  readonly address: string;
  /** Where all connections come to the same one, as long-polling needs it. */
  readonly stickyAddress: string;
  readonly sourceUrl: string;
  readonly callbackUrl: string;
  readonly history: History;
  /** Numbers in [0, 1), the same for the same seed. */
  readonly random: () => number;
  /** The document of this key has been handed over: whoever wants to go on editing needs the next. */
  readonly over: () => void;
  /** How often somebody who is alone takes back what it has saved, of 1. */
  readonly undoes: number;
  /** The model of the document, which whoever opens it first names; null: that of editors that name none. */
  readonly model: string | null;
}

/** A client that edits at random; its wire is in the history. */
export interface EditorClient {
  readonly name: string;
  /** Whether it edits, or will when its connection is back. */
  readonly isAlive: boolean;
  /** How many changes of the log it has. */
  readonly position: number;
  /** Whether it is in session and has nothing unsaved. */
  readonly isSettled: boolean;
  /** Resolves in session, or when the client has ended. */
  open(): Promise<void>;
  /** Does one thing, as its random numbers have it. Never rejects. */
  act(): Promise<void>;
  /** Asks for blocks; false when refused or when there was no answer. */
  acquire(blocks: readonly string[]): Promise<boolean>;
  releaseLocks(): void;
  /** Text of the document it shows, where it can tell. */
  texts(): readonly string[] | null;
  /** Goes in order, or as a crash would have it. */
  leave(inOrder: boolean): Promise<void>;
}

/** The blocks that everybody locks. */
export const blocks: readonly string[] = ['block 1', 'block 2', 'block 3', 'block 4'];

export const pick = <Item>(items: readonly Item[], random: () => number): Item =>
  items[Math.floor(random() * items.length)]!;

/** Resolves with whether something came to be so in time. */
export async function until(isSo: () => boolean, timeoutMs: number): Promise<boolean> {
  const deadline = Date.now() + timeoutMs;
  while (!isSo()) {
    if (Date.now() > deadline) return false;
    await delay(10);
  }
  return true;
}

/** Keeps what a connection of our library sends and hears. */
export function recordedDial(dial: Dial, history: History, client: string): Dial {
  return (credentials, handlers) => {
    const connection = history.connects(client);
    const transport = dial(credentials, {
      open: () => handlers.open(),
      message: (value) => {
        history.record({ kind: 'hears', connection, message: value as Said });
        handlers.message(value);
      },
      end: (end) => {
        const detail = end.kind === 'lost' ? end.detail : end.kind;
        history.record({
          kind: 'loses',
          connection,
          how: end.kind === 'lost' ? 'lost' : 'dismissed',
          detail,
        });
        handlers.end(end);
      },
    });
    return {
      send: (message) => {
        history.record({ kind: 'sends', connection, message });
        transport.send(message);
      },
      close: () => {
        history.record({ kind: 'loses', connection, how: 'left', detail: 'closed by the client' });
        transport.close();
      },
    };
  };
}
