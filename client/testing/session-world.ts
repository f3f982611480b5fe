import type { DocumentSession, SessionOptions } from '../replica/document-session.ts';
import type { UnsentStore } from '../replica/unsent-store.ts';
import type { Dial } from '../transports/transport.ts';
import { FakeClock } from './fake-clock.ts';
import { FakeServer, type FakeServerOptions } from './fake-server.ts';
import { MemoryNetwork } from './memory-link.ts';

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

/** A server, a network and a clock in memory, with sessions in them. */
export abstract class SessionWorld<
  Session extends Pick<DocumentSession, 'open'>,
  Options extends SessionOptions,
> {
  readonly clock = new FakeClock();
  readonly network: MemoryNetwork;
  readonly server: FakeServer;
  /** By their addresses; what is not here cannot be fetched. */
  readonly files = new Map<string, string>();

  /** `text` is that of the document that the log begins with. */
  constructor(text: string, options: FakeServerOptions = {}, network = new MemoryNetwork()) {
    this.network = network;
    this.server = new FakeServer(options);
    this.files.set('http://files.test/Editor.bin', text);
  }

  /** A session of a user, not opened yet. */
  abstract session(user: string, options?: Partial<Options>): Session;

  async open(user: string, options: Partial<Options> = {}): Promise<Session> {
    return this.opened(this.session(user, options));
  }

  async opened<Opened extends Session>(session: Opened): Promise<Opened> {
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

  /** What every session in here is made with. */
  protected optionsOf(user: string): SessionOptions {
    return {
      url: 'http://server.test',
      key: 'doc',
      transport: this.network.dial(this.server.accept),
      auth: { user: { id: user, username: user }, openCmd: { format: 'docx', title: 'Doc.docx' } },
      clock: this.clock,
      reconnect: { attempts: 1_000 },
      download: async (address) => this.#download(address),
    };
  }

  #download(address: string): string {
    const text = this.files.get(address);
    if (text === undefined) throw new Error(`there is no ${address}`);
    return text;
  }
}
