import { DocumentClient } from '../../client/document-client.ts';

/** Where a typist writes. */
interface TypistPlace {
  readonly url: string;
  readonly key: string;
  readonly userId: string;
  readonly sourceUrl: string;
  readonly callbackUrl: string;
  /** Signed by the integrator, where servers want tokens. */
  readonly token?: string;
}

/** Somebody who types numbered changes and knows which of them were acknowledged, and how long each took. */
export class SteadyTypist {
  readonly key: string;
  readonly client: DocumentClient;
  /** What was acknowledged, in order. */
  readonly saved: string[] = [];
  #unsaved: { text: string; atMs: number }[] = [];
  #slowestMs = 0;
  #typed = 0;
  #lost = false;
  #lastError = '';
  readonly #userId: string;

  constructor({ url, key, userId, sourceUrl, callbackUrl, token }: TypistPlace) {
    this.key = key;
    this.#userId = userId;
    this.client = new DocumentClient({
      url,
      key,
      ...(token !== undefined && { token }),
      auth: {
        user: { id: userId },
        permissions: { edit: true },
        mode: 'edit',
        documentCallbackUrl: callbackUrl,
        openCmd: { format: 'docx', url: sourceUrl, title: 'Upgrade.docx' },
      },
      hooks: {
        takeBatch: () => this.#unsaved.map(({ text }) => text),
        confirm: (_first, count) => {
          const nowMs = performance.now();
          for (const { text, atMs } of this.#unsaved.splice(0, count)) {
            this.saved.push(text);
            this.#slowestMs = Math.max(this.#slowestMs, nowMs - atMs);
          }
        },
      },
    });
    this.client.on('lost', () => {
      this.#lost = true;
    });
    this.client.on('ended', ({ error }) => {
      this.#lastError = error ? ` (${error.code}: ${error.message})` : '';
    });
  }

  get isSaved(): boolean {
    return this.#unsaved.length === 0;
  }

  /** Who it is and how it stands, for a complaint. */
  get state(): string {
    const { connection, acknowledgedIndex } = this.client.status;
    return `${this.#userId} in ${this.key} is ${connection}${this.#lastError} at ${acknowledgedIndex} with ${this.#unsaved.length} unsaved`;
  }

  type(): void {
    this.#typed += 1;
    this.#unsaved.push({ text: `${this.#userId};${this.#typed}`, atMs: performance.now() });
    this.client.queueSave();
  }

  /** The longest time from typing to the acknowledgement since this was asked last, and whether the connection was lost. */
  sinceLast(): { slowestMs: number; lost: boolean } {
    const waitsMs = this.#unsaved.map(({ atMs }) => performance.now() - atMs);
    const result = { slowestMs: Math.max(this.#slowestMs, ...waitsMs), lost: this.#lost };
    this.#slowestMs = 0;
    this.#lost = false;
    return result;
  }
}
