import { setTimeout as delay } from 'node:timers/promises';
import type { DocumentClient } from '../../../client/document-client.ts';
import type { SessionOptions } from '../../../client/replica/document-session.ts';
import { patienceMs } from '../patience.ts';
import { type ClientPlace, type EditorClient, pick, until } from './editor-client.ts';
import type { Family } from './history.ts';
import { dialOf, reconnect } from './library-client.ts';

const openMs = 90_000;
const lockMs = 20_000;

/** What sessions of all models have. */
interface ModelSession {
  readonly client: DocumentClient;
  readonly isOldVersion: boolean;
  open(): Promise<unknown>;
  close(): Promise<unknown>;
}

/** A session of a model of ours, whose person edits at random. */
export abstract class SessionClient<Session extends ModelSession> implements EditorClient {
  readonly name: string;
  protected readonly place: ClientPlace;
  protected readonly session: Session;
  readonly #elements: readonly string[];
  #ended = false;
  #entered = false;

  /** @param elements what this person locks now and then */
  constructor(
    place: ClientPlace,
    family: Family,
    {
      editorType,
      format,
      elements,
      open,
    }: {
      readonly editorType: 0 | 1;
      readonly format: string;
      readonly elements: readonly string[];
      readonly open: (options: SessionOptions) => Session;
    },
  ) {
    this.place = place;
    this.name = place.client;
    this.#elements = elements;
    const { client, userId, key, history } = place;
    history.record({ kind: 'joins', client, key, userId, family, editorType });
    this.session = open({
      url: place.address,
      key,
      clientId: client,
      transport: dialOf(place),
      auth: {
        user: { id: userId, username: `Name of ${userId}` },
        permissions: { edit: true, chat: true },
        mode: 'edit',
        coEditingMode: 'fast',
        documentCallbackUrl: place.callbackUrl,
        openCmd: { format, url: place.sourceUrl, title: `Faults.${format}` },
      },
      reconnect,
      download: (address) => downloadPatiently(address, () => !this.#ended),
    });
    this.session.client.on('ended', ({ error }) => {
      this.#ended = true;
      history.record({ kind: 'ends', client, told: error ? `${error.code}: ${error.message}` : null });
    });
  }

  /** Puts something in. */
  protected abstract write(): void;
  /** Takes something out, or moves it. */
  protected abstract alter(): void;
  /** What the document says. */
  protected abstract shownTexts(): readonly string[];

  get isAlive(): boolean {
    return !this.#ended;
  }

  get position(): number {
    return this.session.client.status.acknowledgedIndex;
  }

  get isSettled(): boolean {
    const { connection, saved } = this.session.client.status;
    return this.#entered && connection === 'ready' && saved;
  }

  async open(): Promise<void> {
    const opening = this.session.open().then(
      () => {
        this.#entered = true;
      },
      () => this.session.client.abort(),
    );
    await Promise.race([opening, delay(openMs, undefined, { ref: false })]);
    if (this.session.isOldVersion) this.place.over();
    if (!this.#entered || this.session.client.status.readOnly) this.session.client.abort();
  }

  async act(): Promise<void> {
    const { random } = this.place;
    if (!this.#entered || this.#ended || this.session.client.status.readOnly) return;
    const what = random();
    if (what < 0.85) this.write();
    else if (what < 0.92) this.alter();
    else if (what < 0.96) await this.acquire([pick(this.#elements, random)]);
    else if (what < 0.99) this.releaseLocks();
    else void this.session.client.forceSave().catch(() => undefined);
  }

  async acquire(of: readonly string[]): Promise<boolean> {
    const asked = this.session.client.acquire(of).catch(() => ({ granted: false }));
    const { granted } = await Promise.race([asked, delay(lockMs, { granted: false }, { ref: false })]);
    return granted;
  }

  releaseLocks(): void {
    this.session.client.releaseLocks();
  }

  texts(): readonly string[] | null {
    return this.#entered ? this.shownTexts() : null;
  }

  async leave(inOrder: boolean): Promise<void> {
    if (inOrder) {
      const closing = this.session.close().catch(() => undefined);
      await Promise.race([closing, until(() => this.#ended, lockMs)]);
    }
    this.session.client.abort();
  }
}

/** The document's text; the node that gave the address may be gone for a moment. */
async function downloadPatiently(address: string, wanted: () => boolean): Promise<string> {
  const deadline = Date.now() + patienceMs;
  for (;;) {
    const answer = await fetch(address, { signal: AbortSignal.timeout(5_000) }).catch(() => null);
    const text = answer?.ok ? await answer.text().catch(() => null) : null;
    if (text !== null) return text;
    if (answer && answer.status < 500) throw new Error(`the document could not be fetched: ${answer.status}`);
    if (!wanted() || Date.now() > deadline) throw new Error('the document could not be fetched in time');
    await delay(200);
  }
}
