import type { Release } from './unsent-store.ts';

/** Says which tab has what. A lease ends with its tab, however the tab ends. */
export interface TabLeases {
  /** Null if another tab, or this one, has it. */
  take(name: string): Promise<Release | null>;
}

/** The part of the Web Locks API that is used here. */
interface LockManager {
  request(
    name: string,
    options: { ifAvailable: true },
    run: (lock: object | null) => Promise<void> | undefined,
  ): Promise<void>;
}

/** The tab's leases: by Web Locks, or where a page has none because it was not fetched by https, by asking around. */
export function tabLeases(): TabLeases {
  const { navigator } = globalThis as { navigator?: { locks?: LockManager } };
  return navigator?.locks ? new LockLeases(navigator.locks) : new ChannelLeases();
}

class LockLeases implements TabLeases {
  readonly #locks: LockManager;

  constructor(locks: LockManager) {
    this.#locks = locks;
  }

  take(name: string): Promise<Release | null> {
    return new Promise((resolve, reject) => {
      this.#locks
        .request(name, { ifAvailable: true }, (lock) => {
          if (lock) return new Promise<void>((release) => resolve(release));
          resolve(null);
          return undefined;
        })
        .catch(reject);
    });
  }
}

type Message =
  | { readonly ask: string; readonly by: string }
  | { readonly taken: string; readonly to: string };

/** A tab that is busy answers late: one that has not answered by then is taken for gone. */
const answerTimeoutMs = 2_000;

/** Holders answer when asked; of two who ask at once, the one with the smaller tag goes first. */
export class ChannelLeases implements TabLeases {
  readonly #channel = new BroadcastChannel('quire-leases');
  readonly #tag = crypto.getRandomValues(new Uint32Array(2)).join('-');
  readonly #held = new Set<string>();
  readonly #asking = new Map<string, () => void>();
  readonly #answerTimeoutMs: number;

  constructor(waitMs = answerTimeoutMs) {
    this.#answerTimeoutMs = waitMs;
    this.#channel.onmessage = ({ data }: { data: unknown }) => this.#hear(data as Message);
    // In Node a channel would keep the process alive.
    (this.#channel as { unref?: () => void }).unref?.();
  }

  async take(name: string): Promise<Release | null> {
    if (this.#held.has(name) || this.#asking.has(name)) return null;
    const refused = await new Promise<boolean>((resolve) => {
      this.#asking.set(name, () => resolve(true));
      setTimeout(() => resolve(false), this.#answerTimeoutMs);
      this.#say({ ask: name, by: this.#tag });
    });
    this.#asking.delete(name);
    if (refused) return null;
    this.#held.add(name);
    return () => this.#held.delete(name);
  }

  close(): void {
    this.#channel.close();
  }

  #hear(message: Message): void {
    if ('ask' in message) {
      const first = this.#asking.has(message.ask) && this.#tag < message.by;
      if (first || this.#held.has(message.ask)) this.#say({ taken: message.ask, to: message.by });
    } else if (message.to === this.#tag) this.#asking.get(message.taken)?.();
  }

  #say(message: Message): void {
    this.#channel.postMessage(message);
  }
}
