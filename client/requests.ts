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

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The answer under `key`. A request with the same key that is still open is given up. */
  expect<Answer>(key: string, timeoutMs: number): Promise<Answer> {
    this.#reject(key, new DocumentClientError('timeout', `superseded: ${key}`));
    return new Promise<Answer>((resolve, reject) => {
      const cancelTimeout = this.#clock.after(timeoutMs, () => {
        this.#reject(key, new DocumentClientError('timeout', `no answer: ${key}`));
      });
      this.#expected.set(key, { resolve: (value) => resolve(value as Answer), reject, cancelTimeout });
    });
  }

  answer(key: string, value: unknown): void {
    const expected = this.#expected.get(key);
    if (!expected) return;
    this.#expected.delete(key);
    expected.cancelTimeout();
    expected.resolve(value);
  }

  failAll(error: Error): void {
    for (const key of [...this.#expected.keys()]) this.#reject(key, error);
  }

  #reject(key: string, error: Error): void {
    const expected = this.#expected.get(key);
    if (!expected) return;
    this.#expected.delete(key);
    expected.cancelTimeout();
    expected.reject(error);
  }
}
