import { DocumentOpenError } from './client-error.ts';
import type { OfferedCheckpoint, OpenedDocument } from './options.ts';
import type { DocumentOpen } from './protocol/index.ts';

export interface OpeningHost {
  /** Whether an open command was given at all. */
  readonly commanded: boolean;
  load(opened: OpenedDocument | null, offered: Promise<OfferedCheckpoint | null>): void | Promise<void>;
  /** The document is loaded and a session stands; again after every restored session. */
  begin(): void;
  fail(cause: unknown): void;
}

/**
 * From the open command to a document one can edit. The answer to the command and the `auth` reply come in
 * either order; loading starts with the answer, editing when both are done.
 */
export class Opening {
  readonly #host: OpeningHost;
  readonly #done: Promise<OpenedDocument | null>;
  #resolve!: (opened: OpenedDocument | null) => void;
  #reject!: (error: Error) => void;
  #offered!: Promise<OfferedCheckpoint | null>;
  #offer!: (checkpoint: OfferedCheckpoint | null) => void;
  #opened: OpenedDocument | null = null;
  #loading = false;
  #loaded = false;
  #authorized = false;

  constructor(host: OpeningHost) {
    this.#host = host;
    this.#done = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    // A client that only listens to events never looks at the promise.
    this.#done.catch(() => undefined);
    this.#awaitOffer();
  }

  get promise(): Promise<OpenedDocument | null> {
    return this.#done;
  }

  /** The open command has not been answered. */
  get unanswered(): boolean {
    return this.#host.commanded && !this.#loading;
  }

  /** The session stands, for the first time or again; `checkpoint`: what its history began with. */
  authorized(checkpoint: OfferedCheckpoint | null): void {
    this.#authorized = true;
    this.#offer(checkpoint);
    if (!this.#host.commanded) this.#load(null);
    this.#beginIfComplete();
  }

  answered(reply: DocumentOpen['data']): void {
    if (reply.type !== 'open' && reply.type !== 'reopen') return;
    if (reply.status === 'ok' || reply.status === 'updateversion') {
      this.#load({ status: reply.status, urls: fileUrls(reply.data), reply });
    } else {
      this.#reject(new DocumentOpenError(reply.status, reply.data));
    }
  }

  /** The session ended before anything was done in it: the next one is opened like the first. */
  startOver(): void {
    this.#loading = false;
    this.#loaded = false;
    this.#authorized = false;
    this.#awaitOffer();
  }

  fail(error: Error): void {
    this.#reject(error);
  }

  #awaitOffer(): void {
    this.#offered = new Promise((resolve) => {
      this.#offer = resolve;
    });
  }

  #load(opened: OpenedDocument | null): void {
    if (this.#loading) return;
    this.#loading = true;
    this.#opened = opened;
    this.#runLoad(opened).catch((cause: unknown) => this.#host.fail(cause));
  }

  async #runLoad(opened: OpenedDocument | null): Promise<void> {
    await this.#host.load(opened, this.#offered);
    this.#loaded = true;
    this.#beginIfComplete();
  }

  #beginIfComplete(): void {
    if (!this.#loaded || !this.#authorized) return;
    this.#host.begin();
    this.#resolve(this.#opened);
  }
}

function fileUrls(data: unknown): Record<string, string> {
  if (typeof data !== 'object' || data === null) return {};
  return Object.fromEntries(Object.entries(data).filter(([, url]) => typeof url === 'string'));
}
