import { setTimeout as delay } from 'node:timers/promises';
import { DocumentClient } from '../../../client/document-client.ts';
import { plainWsDial } from '../../../client/transports/plain-ws.ts';
import { socketIoDial } from '../../../client/transports/socket-io.ts';
import { blocks, type ClientPlace, type EditorClient, pick, recordedDial, until } from './editor-client.ts';

const openMs = 90_000;
const lockMs = 20_000;
/** A client of the library gives up after so many attempts; here nobody does while faults last. */
export const reconnect = { initialDelayMs: 50, maxDelayMs: 500, attempts: 1_000 };

/** One of the three ways to connect. */
export function dialOf(place: ClientPlace) {
  const { address: url, stickyAddress, key, random, history, client } = place;
  const which = random();
  const dial =
    which < 0.4
      ? plainWsDial({ url, key })
      : which < 0.85
        ? socketIoDial({ url, key, engine: 'websocket' })
        : socketIoDial({ url: stickyAddress, key, engine: 'polling' });
  return recordedDial(dial, history, client);
}

/** Our library on a log of changes that nobody reads: texts with a number, each saved once. */
export class LibraryClient implements EditorClient {
  readonly name: string;
  readonly #place: ClientPlace;
  readonly #client: DocumentClient;
  #unsaved: string[] = [];
  #made = 0;
  #ended = false;
  #entered = false;

  constructor(place: ClientPlace, editorType: number) {
    this.#place = place;
    this.name = place.client;
    const { client, userId, key, history } = place;
    history.record({ kind: 'joins', client, key, userId, family: 'library', editorType });
    this.#client = new DocumentClient({
      url: place.address,
      key,
      transport: dialOf(place),
      auth: {
        user: { id: userId, username: `Name of ${userId}` },
        permissions: { edit: true },
        editorType: editorType as 0,
        mode: 'edit',
        coEditingMode: 'fast',
        documentCallbackUrl: place.callbackUrl,
        openCmd: { format: 'docx', url: place.sourceUrl, title: 'Faults.docx' },
      },
      hooks: {
        takeBatch: () => (this.#unsaved.length > 0 ? [...this.#unsaved] : null),
        confirm: (_first, count) => void this.#unsaved.splice(0, count),
      },
      reconnect,
    });
    this.#client.on('documentOpen', ({ status }) => {
      if (status === 'updateversion') place.over();
    });
    this.#client.on('ended', ({ error }) => {
      this.#ended = true;
      history.record({ kind: 'ends', client, told: error ? `${error.code}: ${error.message}` : null });
    });
  }

  get isAlive(): boolean {
    return !this.#ended;
  }

  get position(): number {
    return this.#client.status.acknowledgedIndex;
  }

  get isSettled(): boolean {
    const { connection, saved } = this.#client.status;
    return this.#entered && connection === 'ready' && saved && this.#unsaved.length === 0;
  }

  async open(): Promise<void> {
    const opening = this.#client.open().then(
      () => {
        this.#entered = true;
      },
      () => this.#client.abort(),
    );
    await Promise.race([opening, delay(openMs, undefined, { ref: false })]);
    if (!this.#entered || this.#client.status.readOnly) this.#client.abort();
  }

  async act(): Promise<void> {
    const { random } = this.#place;
    if (!this.#entered || this.#client.status.readOnly) return;
    const what = random();
    if (what < 0.75) this.#type(1 + Math.floor(random() * 4), random() < 0.2);
    else if (what < 0.85) await this.acquire([pick(blocks, random)]);
    else if (what < 0.95) this.releaseLocks();
    else if (what < 0.97) this.#client.chat('a word');
    else this.#client.cursor('10;AA');
  }

  async acquire(of: readonly string[]): Promise<boolean> {
    const asked = this.#client.acquire(of).catch(() => ({ granted: false }));
    const { granted } = await Promise.race([asked, delay(lockMs, { granted: false }, { ref: false })]);
    return granted;
  }

  releaseLocks(): void {
    this.#client.releaseLocks();
  }

  texts(): null {
    return null;
  }

  async leave(inOrder: boolean): Promise<void> {
    if (inOrder) {
      const closing = this.#client.close().catch(() => undefined);
      await Promise.race([closing, until(() => this.#ended, lockMs)]);
    }
    this.#client.abort();
  }

  #type(count: number, releaseLocks: boolean): void {
    for (let number = 0; number < count; number += 1) {
      this.#made += 1;
      this.#unsaved.push(`${this.name}.${this.#made};“ü\u0001`);
    }
    this.#client.queueSave({ releaseLocks });
  }
}
