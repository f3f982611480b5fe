import type { Socket } from 'node:net';

/** Carries JSON values, in order, to another process of this server; with one of them may go a connection. */
export interface IpcTransport {
  /** `sent` is called when the message has left this process, or cannot. Node sends connections one at a time. */
  send(message: unknown, socket?: Socket, sent?: () => void): void;
  onMessage(listener: (message: unknown, socket?: Socket) => void): void;
}

/** Handlers of requests from the other end, by their names. */
export type Handlers = Readonly<Record<string, (...args: never[]) => unknown>>;

/** A request without an answer fails after this long, milliseconds. */
const answerTimeoutMs = 2_000;
/** Most connections that wait for the other end: a process that runs out of descriptors is of no use to anybody. */
const mostWaiting = 64;
const mark = 'quire';

interface Asked {
  resolve(value: unknown): void;
  reject(error: Error): void;
  timer: NodeJS.Timeout;
}

type Message =
  | { [mark]: 'ask'; id: number; name: string; args: unknown[] }
  | { [mark]: 'notify'; name: string; args: unknown[] }
  | { [mark]: 'answer'; id: number; value?: unknown; problem?: string };

/** Requests with answers, and messages without, between two processes in both directions. */
export class IpcChannel {
  readonly #transport: IpcTransport;
  readonly #handlers: Handlers;
  readonly #asked = new Map<number, Asked>();
  /** Connections that have not left this process, with what goes with them; the first one is under way. */
  readonly #gifts: { socket: Socket; message: Message }[] = [];
  #questions = 0;

  constructor(transport: IpcTransport, handlers: Handlers) {
    this.#transport = transport;
    this.#handlers = handlers;
    transport.onMessage((message, socket) => {
      if (isMessage(message)) this.#receive(message, socket);
    });
  }

  /** @throws Error when the other end refuses, or does not answer in time */
  ask(name: string, ...args: readonly unknown[]): Promise<unknown> {
    return this.askWithin(answerTimeoutMs, name, ...args);
  }

  /** As `ask`, with another time for the answer, milliseconds. @throws Error */
  askWithin(withinMs: number, name: string, ...args: readonly unknown[]): Promise<unknown> {
    this.#questions += 1;
    const id = this.#questions;
    return new Promise((resolve, reject) => {
      const unanswered = () => {
        if (this.#asked.delete(id)) reject(new Error(`The other process did not answer: ${name}`));
      };
      // An event loop that is late runs its timers before it reads: the answer may have come long ago.
      const timer = setTimeout(() => setImmediate(unanswered), withinMs);
      this.#asked.set(id, { resolve, reject, timer });
      this.#transport.send({ [mark]: 'ask', id, name, args });
    });
  }

  notify(name: string, ...args: readonly unknown[]): void {
    this.#transport.send({ [mark]: 'notify', name, args });
  }

  /**
   * Gives a connection to the other end, whose handler gets it as its last argument. It is closed on this side, which reads
   * nothing of it from now on. Returns false, and leaves the connection as it is, when the other end does not keep up.
   *
   * One is given at a time. Node lets every later message wait until the other end has acknowledged each connection before it, so
   * those of a crowd would hold up what the processes have to tell each other.
   */
  give(name: string, socket: Socket, ...args: readonly unknown[]): boolean {
    if (this.#gifts.length >= mostWaiting) return false;
    stopReading(socket);
    this.#gifts.push({ socket, message: { [mark]: 'notify', name, args: [...args] } });
    if (this.#gifts.length === 1) this.#giveNext();
    return true;
  }

  /** The other end is gone: so are the connections that wait for it. */
  close(): void {
    for (const { socket } of this.#gifts) socket.destroy();
    this.#gifts.length = 0;
  }

  #giveNext(): void {
    const [next] = this.#gifts;
    if (!next) return;
    this.#transport.send(next.message, next.socket, () => {
      next.socket.destroy();
      this.#gifts.shift();
      this.#giveNext();
    });
  }

  #receive(message: Message, socket?: Socket): void {
    if (message[mark] === 'answer') {
      this.#answered(message);
      return;
    }
    const run = async () => {
      const handler = this.#handlers[message.name];
      if (!handler) throw new Error(`Nobody knows ${message.name}`);
      return handler(...(message.args as never[]), ...((socket ? [socket] : []) as never[]));
    };
    const result = run();
    if (message[mark] === 'notify') return void result.catch(() => socket?.destroy());
    const { id } = message;
    result.then(
      (value) => this.#transport.send({ [mark]: 'answer', id, value }),
      (error: unknown) => this.#transport.send({ [mark]: 'answer', id, problem: String(error) }),
    );
  }

  #answered({ id, value, problem }: Extract<Message, { [mark]: 'answer' }>): void {
    const asked = this.#asked.get(id);
    if (!asked) return;
    this.#asked.delete(id);
    clearTimeout(asked.timer);
    if (problem !== undefined) asked.reject(new Error(problem));
    else asked.resolve(value);
  }
}

/**
 * Until the other end has said that it has the connection, it is open here, too, and what the peer sent would be read by whoever comes
 * first. A paused stream reads on to fill its buffer; Node has no public way to stop that.
 */
function stopReading(socket: Socket): void {
  (socket as { _handle?: { readStop(): void } | null })._handle?.readStop();
}

function isMessage(message: unknown): message is Message {
  return typeof message === 'object' && message !== null && mark in message;
}
