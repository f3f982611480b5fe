import { setTimeout as delay } from 'node:timers/promises';
import type { Node } from 'prosemirror-model';
import { WordSession } from '../../../client/word/word-session.ts';
import { buildDocx } from '../docx-fixture.ts';
import { patienceMs } from '../patience.ts';
import { type ClientPlace, type EditorClient, pick, until } from './editor-client.ts';
import { dialOf, reconnect } from './library-client.ts';

const openMs = 90_000;
const lockMs = 20_000;

const paragraphs = ['A title', '= 1 = ', '= 2 = ', '= 3 = ', '= 4 = ', 'An end nobody touches.'];

/** The file that every word document of these runs begins with. */
export const wordSource = (): Uint8Array => buildDocx({ paragraphs });

/** Texts of the blocks of a document. */
export function blockTexts(doc: Node): string[] {
  const texts: string[] = [];
  doc.forEach((block) => {
    texts.push(block.textContent);
  });
  return texts;
}

/** Somebody in our word session who puts words at the ends of paragraphs and takes a letter out now and then. */
export class WordClient implements EditorClient {
  readonly name: string;
  readonly #place: ClientPlace;
  readonly #session: WordSession;
  #made = 0;
  #ended = false;
  #entered = false;

  constructor(place: ClientPlace) {
    this.#place = place;
    this.name = place.client;
    const { client, userId, key, history } = place;
    history.record({ kind: 'joins', client, key, userId, family: 'word', editorType: 0 });
    this.#session = new WordSession({
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
        openCmd: { format: 'docx', url: place.sourceUrl, title: 'Faults.docx' },
      },
      reconnect,
      download: (address) => downloadPatiently(address, () => !this.#ended),
    });
    this.#session.client.on('ended', ({ error }) => {
      this.#ended = true;
      history.record({ kind: 'ends', client, told: error ? `${error.code}: ${error.message}` : null });
    });
  }

  get isAlive(): boolean {
    return !this.#ended;
  }

  get position(): number {
    return this.#session.client.status.acknowledgedIndex;
  }

  get isSettled(): boolean {
    const { connection, saved } = this.#session.client.status;
    return this.#entered && connection === 'ready' && saved;
  }

  async open(): Promise<void> {
    const opening = this.#session.open().then(
      () => {
        this.#entered = true;
      },
      () => this.#session.client.abort(),
    );
    await Promise.race([opening, delay(openMs, undefined, { ref: false })]);
    if (this.#session.isOldVersion) this.#place.over();
    if (!this.#entered || this.#session.client.status.readOnly) this.#session.client.abort();
  }

  async act(): Promise<void> {
    const { random } = this.#place;
    if (!this.#entered || this.#ended || this.#session.client.status.readOnly) return;
    const what = random();
    if (what < 0.85) this.#type();
    else if (what < 0.92) this.#erase();
    else if (what < 0.96) await this.acquire([pick(['a', 'b', 'c'], random)]);
    else if (what < 0.99) this.releaseLocks();
    else void this.#session.client.forceSave().catch(() => undefined);
  }

  async acquire(of: readonly string[]): Promise<boolean> {
    const asked = this.#session.client.acquire(of).catch(() => ({ granted: false }));
    const { granted } = await Promise.race([asked, delay(lockMs, { granted: false }, { ref: false })]);
    return granted;
  }

  releaseLocks(): void {
    this.#session.client.releaseLocks();
  }

  texts(): readonly string[] | null {
    return this.#entered ? blockTexts(this.#session.state.doc) : null;
  }

  async leave(inOrder: boolean): Promise<void> {
    if (inOrder) {
      const closing = this.#session.close().catch(() => undefined);
      await Promise.race([closing, until(() => this.#ended, lockMs)]);
    }
    this.#session.client.abort();
  }

  #type(): void {
    const { random } = this.#place;
    const places = this.#paragraphEnds();
    if (places.length === 0) return;
    this.#made += 1;
    const { state } = this.#session;
    this.#session.dispatch(state.tr.insertText(`${this.name}.${this.#made}; `, pick(places, random)));
  }

  /** Takes out the last letter of a paragraph that has some. */
  #erase(): void {
    const places = this.#paragraphEnds();
    if (places.length === 0) return;
    const end = pick(places, this.#place.random);
    const { state } = this.#session;
    if (state.doc.resolve(end).parent.textContent.length < 8) return;
    this.#session.dispatch(state.tr.delete(end - 1, end));
  }

  #paragraphEnds(): number[] {
    const ends: number[] = [];
    this.#session.state.doc.descendants((node, position) => {
      if (node.type.name === 'paragraph' && node.textContent.startsWith('= ')) {
        ends.push(position + 1 + node.content.size);
      }
    });
    return ends;
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
