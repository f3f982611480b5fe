import type { Turn } from '../../../platform/json-in-turns/turn.ts';
import type { Frame } from '../../../platform/ports/peer.ts';

/** What a transport does for a connection. */
export interface Transport {
  write(frame: Frame): void;
  /** Makes what `write` sends of a long message, in turns. */
  prepare(frame: Frame, turn: Turn): Promise<void>;
  /** Bytes handed to `write` that have not left yet. */
  queuedBytes(): number;
  /** Calls back once, when it can take more; perhaps never when the connection ends. */
  whenDrained(callback: () => void): void;
  /** Ends the connection: `finally` asks the client not to come back, otherwise it will reconnect. */
  end(finally_: boolean): void;
  /** The connection signed in, which took so long, milliseconds: it may send larger messages from now on. */
  trust(tookMs: number): void;
  /** Reads no more of what the peer sends, which stays with the peer, until it is asked to go on. */
  pause(): void;
  resume(): void;
}
