export interface LogRepairHost {
  /** The server sends what is missing when the session is restored. */
  readonly replays: boolean;
  restart(detail: string): void;
  reload(detail: string): void;
}

const maxAttempts = 3;

/** What to do about a hole in the log: restore the session where that helps, open anew where it does not. */
export class LogRepair {
  readonly #host: LogRepairHost;
  #attempts = 0;

  constructor(host: LogRepairHost) {
    this.#host = host;
  }

  /** The log grew by what was next: earlier attempts worked. */
  succeeded(): void {
    this.#attempts = 0;
  }

  attempt(detail: string): void {
    if (!this.#host.replays || this.#attempts >= maxAttempts) {
      this.#host.reload(detail);
      return;
    }
    this.#attempts += 1;
    this.#host.restart(detail);
  }
}
