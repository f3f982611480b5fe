/** Carries JSON values, in order, to another process of this server. */
export interface IpcTransport {
  send(message: unknown): void;
  onMessage(listener: (message: unknown) => void): void;
}

/** Handlers of requests from the other end, by their names. */
export type Handlers = Readonly<Record<string, (...args: never[]) => unknown>>;

/** A request without an answer fails after this long, milliseconds. */
const answerTimeoutMs = 2_000;
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
  #questions = 0;

  constructor(transport: IpcTransport, handlers: Handlers) {
    this.#transport = transport;
    this.#handlers = handlers;
    transport.onMessage((message) => {
      if (isMessage(message)) this.#receive(message);
    });
  }

  /** @throws Error when the other end refuses, or does not answer in time */
  ask(name: string, ...args: readonly unknown[]): Promise<unknown> {
    this.#questions += 1;
    const id = this.#questions;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#asked.delete(id);
        reject(new Error(`The other process did not answer: ${name}`));
      }, answerTimeoutMs);
      this.#asked.set(id, { resolve, reject, timer });
      this.#transport.send({ [mark]: 'ask', id, name, args });
    });
  }

  notify(name: string, ...args: readonly unknown[]): void {
    this.#transport.send({ [mark]: 'notify', name, args });
  }

  #receive(message: Message): void {
    if (message[mark] === 'answer') {
      this.#answered(message);
      return;
    }
    const run = async () => {
      const handler = this.#handlers[message.name];
      if (!handler) throw new Error(`Nobody knows ${message.name}`);
      return handler(...(message.args as never[]));
    };
    const result = run();
    if (message[mark] === 'notify') return void result.catch(() => undefined);
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

function isMessage(message: unknown): message is Message {
  return typeof message === 'object' && message !== null && mark in message;
}
