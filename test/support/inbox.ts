const defaultTimeoutMs = 10_000;

interface Waiter<Item> {
  takes: (item: Item) => boolean;
  settle: (item: Item) => void;
  fail: (error: Error) => void;
}

/**
 * What has come in, in order, and who waits for something. An item is given to one waiter only, the first whose
 * condition it meets; items nobody waits for stay until somebody asks.
 */
export class Inbox<Item> {
  readonly #describe: () => string;
  readonly #all: Item[] = [];
  #unread: Item[] = [];
  #waiters: Waiter<Item>[] = [];
  #closedBecause: string | null = null;

  /** `describe` is added to the message of a wait that was in vain. */
  constructor(describe: () => string) {
    this.#describe = describe;
  }

  /** Everything that ever came in. */
  get all(): readonly Item[] {
    return this.#all;
  }

  /** What came in and nobody has taken. */
  get unread(): readonly Item[] {
    return this.#unread;
  }

  put(item: Item): void {
    this.#all.push(item);
    const waiter = this.#waiters.find(({ takes }) => takes(item));
    if (waiter) waiter.settle(item);
    else this.#unread.push(item);
  }

  /** Takes the first item that meets the condition, now or when it comes. */
  take(what: string, takes: (item: Item) => boolean, timeoutMs: number = defaultTimeoutMs): Promise<Item> {
    const found = this.#unread.findIndex(takes);
    if (found >= 0) return Promise.resolve(this.#unread.splice(found, 1)[0]!);
    // Made here, so that its stack names the test.
    const error = new Error();
    const failWith = (why: string) => {
      error.message = `Waited for ${what}: ${why}\n${this.#describe()}`;
      return error;
    };
    if (this.#closedBecause !== null) return Promise.reject(failWith(this.#closedBecause));
    return new Promise((resolve, reject) => {
      const leave = () => {
        clearTimeout(timer);
        this.#waiters = this.#waiters.filter((one) => one !== waiter);
      };
      const waiter: Waiter<Item> = {
        takes,
        settle: (item) => {
          leave();
          resolve(item);
        },
        fail: ({ message }) => {
          leave();
          reject(failWith(message));
        },
      };
      const timer = setTimeout(() => waiter.fail(new Error(`not within ${timeoutMs} ms`)), timeoutMs);
      this.#waiters.push(waiter);
    });
  }

  /** Nothing more will come. */
  close(because: string): void {
    this.#closedBecause = because;
    for (const waiter of [...this.#waiters]) waiter.fail(new Error(because));
  }
}
