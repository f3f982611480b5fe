import type { NodeMessage } from './node-messages.ts';
import type { OpenDocument } from './open-document.ts';

export interface NodeEvents {
  /** A message of another node came. */
  heard(message: NodeMessage, nodeId: string): void;
  /**
   * Looks at everything that is shared, and corrects what is wrong; `thoroughly`: also the log. Rejects when
   * coordination does not answer: then it is repeated.
   */
  lookAgain(thoroughly: boolean): Promise<void>;
}

/** After an interruption documents are looked at over so much time, milliseconds, that not all are at once. */
const interruptedWithOthersMs = 100;
const interruptedAloneMs = 2_000;

/**
 * How one document of this node learns from the others: by their messages, and by a look at what is shared whenever
 * something may have been missed. Where there are other nodes it also looks now and then, since a message may be lost
 * without a trace.
 */
export class OtherNodes {
  readonly #document: OpenDocument;
  readonly #events: NodeEvents;
  #listening: Promise<void> | null = null;
  #unlisten: (() => void) | null = null;
  #timer: NodeJS.Timeout | null = null;
  #looksAtMs = Number.POSITIVE_INFINITY;
  #isMissingSomething = false;
  #stopped = false;

  constructor(document: OpenDocument, events: NodeEvents) {
    this.#document = document;
    this.#events = events;
  }

  /** Resolves when nothing is missed from now on. Where listening fails, it is tried again in the background. */
  listen(): Promise<void> {
    const { nodes } = this.#document.ports;
    if (!nodes) return Promise.resolve();
    this.#listening ??= nodes.bus
      .listen(this.#document.key, {
        received: (nodeId, text) => {
          this.#document.othersMayHaveCome();
          this.#events.heard(JSON.parse(text) as NodeMessage, nodeId);
        },
        interrupted: () => {
          this.#document.othersMayHaveCome();
          const withinMs = this.#document.isElsewhere ? interruptedWithOthersMs : interruptedAloneMs;
          this.#lookThoroughlyIn(Math.random() * withinMs);
        },
      })
      .then(
        (unlisten) => {
          if (this.#stopped) unlisten();
          this.#unlisten = unlisten;
          this.#lookIn(this.#document.ports.times.lookAgainMs);
        },
        () => {
          this.#listening = null;
          this.resync();
        },
      );
    return this.#listening;
  }

  /** Has everything that is shared looked at before long. */
  resync(): void {
    this.#lookThoroughlyIn(this.#document.ports.times.tryAgainMs);
  }

  stop(): void {
    this.#stopped = true;
    if (this.#timer) clearTimeout(this.#timer);
    this.#unlisten?.();
    this.#unlisten = null;
  }

  #lookThoroughlyIn(delayMs: number): void {
    this.#isMissingSomething = true;
    this.#lookIn(delayMs);
  }

  #lookIn(delayMs: number): void {
    const atMs = Date.now() + delayMs;
    if (this.#stopped || atMs >= this.#looksAtMs) return;
    if (this.#timer) clearTimeout(this.#timer);
    this.#looksAtMs = atMs;
    this.#timer = setTimeout(() => {
      this.#looksAtMs = Number.POSITIVE_INFINITY;
      const { lookAgainMs, tryAgainMs } = this.#document.ports.times;
      this.#look().then(
        () => this.#lookIn(lookAgainMs),
        () => this.#lookThoroughlyIn(tryAgainMs),
      );
    }, delayMs);
    this.#timer.unref();
  }

  async #look(): Promise<void> {
    const thoroughly = this.#isMissingSomething;
    if (!thoroughly && !this.#document.isElsewhere) return;
    this.#isMissingSomething = false;
    if (this.#listening === null) await this.listen();
    await this.#events.lookAgain(thoroughly);
  }
}
