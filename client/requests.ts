import { DocumentClientError } from './client-error.ts';
import type { Clock } from './clock.ts';

interface Expected {
  resolve: (value: unknown) => void;
  reject: (error: Error) => void;
  cancelTimeout: () => void;
}

/** Requests whose answer is told by a key: a force save, an open command, an rpc. */
export class Requests {
  readonly #clock: Clock;
  readonly #expected = new Map<string, Expected>();
  /** The last request of each key that is not settled: the next one waits for it. */
  readonly #last = new Map<string, Promise<unknown>>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Sends and waits for the answer under `key`. Those of one key go one after another: a server answers each when it
   * can, and nothing but the key says which request an answer belongs to.
   * @throws DocumentClientError `timeout` when there is no answer, or `send` found no connection
   */
  ask<Answer>(key: string, timeoutMs: number, send: () => boolean): Promise<Answer> {
    const before = this.#last.get(key);
    const now = () => this.#ask<Answer>(key, timeoutMs, send);
    const answer = before?.then(now, now) ?? now();
    this.#last.set(key, answer);
    const settled = () => {
      if (this.#last.get(key) === answer) this.#last.delete(key);
    };
    answer.then(settled, settled);
    return answer;
  }

  answer(key: string, value: unknown): void {
    this.#take(key)?.resolve(value);
  }

  failAll(error: Error): void {
    for (const key of [...this.#expected.keys()]) this.#take(key)?.reject(error);
  }

  #ask<Answer>(key: string, timeoutMs: number, send: () => boolean): Promise<Answer> {
    return new Promise<Answer>((resolve, reject) => {
      const cancelTimeout = this.#clock.after(timeoutMs, () => {
        this.#take(key)?.reject(new DocumentClientError('timeout', `no answer: ${key}`));
      });
      this.#expected.set(key, { resolve: (value) => resolve(value as Answer), reject, cancelTimeout });
      if (!send()) this.#take(key)?.reject(new DocumentClientError('timeout', `no connection: ${key}`));
    });
  }

  #take(key: string): Expected | undefined {
    const expected = this.#expected.get(key);
    this.#expected.delete(key);
    expected?.cancelTimeout();
    return expected;
  }
}
