import { TextDigest } from '../../model/log/text-digest.ts';
import { applyChanges } from '../../model/word/change.ts';
import { checkpointOf } from '../../model/word/checkpoint.ts';
import { parseWordDocument } from '../../model/word/document.ts';
import { AuthorRules } from '../../model/word/rights/author-rules.ts';
import { WORD_DOCUMENT_VERSION } from '../../model/word/version.ts';
import { loggedChange } from '../change-sequence.ts';
import type { UnsentStore } from '../replica/unsent-store.ts';
import type { Dial } from '../transports/transport.ts';
import { entryOf, WordSession, type WordSessionOptions } from '../word/word-session.ts';
import { FakeClock } from './fake-clock.ts';
import { FakeServer, type FakeServerOptions } from './fake-server.ts';
import { MemoryNetwork } from './memory-link.ts';

/** A block of a document that is made here: a paragraph's text, or the JSON of a node. */
export type WordBlock = string | Record<string, unknown>;

/** The text of a document with these blocks; paragraphs have the ids `p1`, `p2`, … */
export function wordDocumentText(blocks: readonly WordBlock[]): string {
  const content = blocks.map((block, at) =>
    typeof block === 'string'
      ? {
          type: 'paragraph',
          attrs: { id: `p${at + 1}` },
          ...(block !== '' && { content: [{ type: 'text', text: block }] }),
        }
      : block,
  );
  return JSON.stringify({
    format: 'quire-word',
    version: WORD_DOCUMENT_VERSION,
    doc: { type: 'doc', content },
    ...emptyParts,
  });
}

const emptyParts = {
  rx: [],
  styles: [],
  defaults: { paragraph: {}, run: {} },
  lists: [],
  sections: [],
  parts: [],
  footnotes: {},
  endnotes: {},
  settings: {
    trackChanges: false,
    evenAndOddHeaders: false,
    defaultTabStop: 720,
    majorFont: null,
    minorFont: null,
  },
  media: [],
};

/** A store as one tab sees it: when the tab crashes, it writes nothing more and its claims are free. */
export class TabStore implements UnsentStore {
  readonly #store: UnsentStore;
  readonly #releases = new Set<() => void>();
  #crashed = false;

  constructor(store: UnsentStore) {
    this.#store = store;
  }

  crash(): void {
    this.#crashed = true;
    for (const release of this.#releases) release();
  }

  async claim(id: string) {
    const release = await this.#alive(() => this.#store.claim(id));
    if (release) this.#releases.add(release);
    return release;
  }

  list: UnsentStore['list'] = (...given) => this.#alive(() => this.#store.list(...given));
  put: UnsentStore['put'] = (...given) => this.#alive(() => this.#store.put(...given));
  putNow: UnsentStore['putNow'] = (record) => !this.#crashed && this.#store.putNow(record);
  append: UnsentStore['append'] = (...given) => this.#alive(() => this.#store.append(...given));
  markSent: UnsentStore['markSent'] = (...given) => this.#alive(() => this.#store.markSent(...given));
  keepSnapshot: UnsentStore['keepSnapshot'] = (...given) =>
    this.#alive(() => this.#store.keepSnapshot(...given));
  snapshot: UnsentStore['snapshot'] = (...given) => this.#alive(() => this.#store.snapshot(...given));
  remove: UnsentStore['remove'] = (...given) => this.#alive(() => this.#store.remove(...given));

  /** What is asked after the crash is never answered. */
  async #alive<Result>(run: () => Promise<Result>): Promise<Result> {
    if (this.#crashed) return new Promise(() => undefined);
    return run();
  }
}

/** A server, a network and a clock in memory, with word sessions in them. */
export class WordWorld {
  readonly clock = new FakeClock();
  readonly network: MemoryNetwork;
  readonly server: FakeServer;
  /** By their addresses; what is not here cannot be fetched. */
  readonly files = new Map<string, string>();
  readonly #text: string;

  constructor(blocks: readonly WordBlock[], options: FakeServerOptions = {}, network = new MemoryNetwork()) {
    this.network = network;
    this.server = new FakeServer(options);
    this.#text = wordDocumentText(blocks);
    this.files.set('http://files.test/Editor.bin', this.#text);
  }

  session(user: string, options: Partial<WordSessionOptions> = {}): WordSession {
    return new WordSession({
      url: 'http://server.test',
      key: 'doc',
      transport: this.network.dial(this.server.accept),
      auth: { user: { id: user, username: user }, openCmd: { format: 'docx', title: 'Doc.docx' } },
      clock: this.clock,
      reconnect: { attempts: 1_000 },
      download: async (address) => this.#download(address),
      ...options,
    });
  }

  async open(user: string, options: Partial<WordSessionOptions> = {}): Promise<WordSession> {
    return this.opened(this.session(user, options));
  }

  async opened(session: WordSession): Promise<WordSession> {
    let done = false;
    const opening = session.open().finally(() => {
      done = true;
    });
    opening.catch(() => undefined);
    for (let turn = 0; turn < 100 && !done; turn++) await this.network.settle();
    await opening;
    return session;
  }

  /** A network on which the first connection comes about, and no other. */
  dialOnce(): Dial {
    const dial = this.network.dial(this.server.accept);
    let isFirst = true;
    return (credentials, handlers) => {
      if (!isFirst) return { send: () => undefined, close: () => undefined };
      isFirst = false;
      return dial(credentials, handlers);
    };
  }

  /** Lets everything happen that is due within a time. */
  async pass(durationMs: number): Promise<void> {
    await this.network.settle();
    this.clock.advance(durationMs);
    await this.network.settle();
  }

  /** Whoever comes from now on is offered the document as it is after so many changes. */
  makeCheckpoint(index = this.changes.length): void {
    const changes = this.changes.slice(0, index);
    const entries = this.server.log.slice(0, index).map((change) => entryOf(loggedChange(change)));
    const { doc: base } = parseWordDocument(JSON.parse(this.#text));
    const rules = new AuthorRules();
    const { doc, skipped } = applyChanges(base, entries, 0, rules);
    const digest = changes.reduce((all, text) => all.with(text), new TextDigest()).toString();
    const url = `http://files.test/checkpoint-${index}`;
    const log = { index, digest, skipped: skipped.length, gone: rules.goneFrom(doc) };
    this.files.set(url, JSON.stringify(checkpointOf(base, doc, log)));
    this.server.checkpoint = { index, url };
  }

  #download(address: string): string {
    const text = this.files.get(address);
    if (text === undefined) throw new Error(`there is no ${address}`);
    return text;
  }

  /** Delivers one frame. */
  async step(): Promise<void> {
    this.network.deliverOne();
    await new Promise((resolve) => setImmediate(resolve));
  }

  /** Messages of a type that anybody in session has sent. */
  sent(type: string) {
    return this.server.connections.flatMap(({ received }) =>
      received.filter((message) => message.type === type),
    );
  }

  /** The changes of the log. */
  get changes(): string[] {
    return this.server.log.map(({ change }) => JSON.parse(change) as string);
  }
}
