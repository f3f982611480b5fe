import { patienceMs } from './patience.ts';
import { WaitError } from './wait-error.ts';

/** Kept from before a test puts a clock of its own in their place. */
const { setTimeout, clearTimeout } = globalThis;

interface Waiter<Item> {
  what: string;
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

  /**
   * Takes the first item that meets the condition, now or when it comes.
   *
   * @param timeoutMs only for what may take longer than anything else
   * @throws WaitError
   */
  take(what: string, takes: (item: Item) => boolean, timeoutMs: number = patienceMs): Promise<Item> {
    const found = this.#unread.findIndex(takes);
    if (found >= 0) return Promise.resolve(this.#unread.splice(found, 1)[0]!);
    const from = new Error();
    if (this.#closedBecause !== null) return Promise.reject(this.#closed(what, this.#closedBecause));
    return new Promise((resolve, reject) => {
      const leave = () => {
        clearTimeout(timer);
        this.#waiters = this.#waiters.filter((one) => one !== waiter);
      };
      const waiter: Waiter<Item> = {
        ...{ what, takes },
        settle: (item) => {
          leave();
          resolve(item);
        },
        fail: (error) => {
          leave();
          reject(withFramesOf(from, error));
        },
      };
      const timer = setTimeout(
        () => waiter.fail(new WaitError(what, timeoutMs, this.#describe())),
        timeoutMs,
      );
      this.#waiters.push(waiter);
    });
  }

  /** Nothing more will come. */
  close(because: string): void {
    this.#closedBecause = because;
    for (const waiter of [...this.#waiters]) waiter.fail(this.#closed(waiter.what, because));
  }

  #closed(what: string, because: string): Error {
    return new Error(`There was no ${what}: ${because}\n${this.#describe()}`);
  }
}

/** Has the stack of an error name who waited, not the timer or the socket. */
function withFramesOf(from: Error, error: Error): Error {
  const frames = from.stack?.slice(from.stack.indexOf('\n'));
  error.stack = `${error.name}: ${error.message}${frames}`;
  return error;
}
