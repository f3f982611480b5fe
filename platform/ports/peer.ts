import { type ServerMessage, stringifyServerMessage } from '../../client/protocol/index.ts';

/** A message on its way out: turned into JSON once, however many connections it goes to. */
export class Frame {
  readonly characters: number;
  /** The bytes of each transport, kept by the gateway so that a broadcast is framed once too. */
  encoded: unknown = null;
  #parts: readonly string[];
  #bytes: number | null = null;

  /** Its JSON. That of a long message comes in parts, which nobody has to put together; none ends within a character. */
  constructor(...parts: readonly string[]) {
    this.#parts = parts;
    this.characters = parts.reduce((sum, { length }) => sum + length, 0);
  }

  get parts(): readonly string[] {
    return this.#parts;
  }

  get json(): string {
    if (this.#parts.length > 1) this.#parts = [this.#parts.join('')];
    return this.#parts[0]!;
  }

  /** Its size on the wire. */
  get bytes(): number {
    this.#bytes ??= this.#parts.reduce((sum, part) => sum + Buffer.byteLength(part), 0);
    return this.#bytes;
  }

  static of(message: ServerMessage): Frame {
    return new Frame(stringifyServerMessage(message));
  }
}

/** To read, check or send more than this at once is a long piece of work, characters. */
export const longCharacters = 262_144;

/** The way to one client, whatever its transport. Sending never waits: the gateway deals with slow peers. */
export interface Peer {
  /** Connection id: what other participants see as `connectionId`. */
  readonly id: string;
  /** When the message came that is being handled, in the time of `performance.now()`. */
  readonly handlingSinceMs: number;
  send(frame: Frame): void;
  /** Makes what is sent of a long message, in turns; `send` finds it. */
  prepare(frame: Frame): Promise<void>;
  /** Sends one after the other, each when the one before has left; what is sent meanwhile goes after them. */
  sendPaced(frames: AsyncIterable<Frame>): void;
  /** Whether a message fits beside what waits for this client. */
  hasRoom(frame: Frame): boolean;
  /** Resolves when a long piece of work of this client's has its turn: others have the event loop between two such pieces. */
  turn(): Promise<void>;
  /** Others are sent so many characters on behalf of this client: it asks for less from now on. */
  paysFor(characters: number, receivers: number): void;
  /** Sends what the client can do without, unless much waits for it. */
  offer(frame: Frame): void;
  /** Calls back, once, when nothing that was sent before waits here any more: it was sent, or the connection has ended. */
  whenDrained(callback: () => void): void;
  /**
   * Tells the client why and that it must not come back, then closes.
   * @param told `isOtherEditors`: since the document is another kind of editor's
   */
  dismiss(code: number, description: string, told?: { readonly isOtherEditors?: boolean }): void;
  /** Closes so that the client reconnects and restores its session. */
  interrupt(reason: string, cause?: unknown): void;
}
