import type { FrameWindow } from '../host-bridge.ts';

/** A page and a frame in it, without a browser. */
export class FakeHost {
  /** What the frame said, JSON read. */
  readonly heard: unknown[] = [];
  readonly targets: string[] = [];
  readonly frame: FrameWindow;
  readonly #listeners = new Set<(message: MessageEvent) => void>();
  readonly #window = {
    postMessage: (message: unknown, target: string) => {
      this.heard.push(typeof message === 'string' ? JSON.parse(message) : message);
      this.targets.push(target);
    },
  };

  constructor(search = '?frameEditorId=place&parentOrigin=https%3A%2F%2Fhost.test') {
    this.frame = {
      location: { search, href: `https://ds.test/web-apps/apps/quire/word/index.html${search}` },
      parent: this.#window,
      addEventListener: (_type, listener) => this.#listeners.add(listener),
      removeEventListener: (_type, listener) => this.#listeners.delete(listener),
    };
  }

  get isListenedTo(): boolean {
    return this.#listeners.size > 0;
  }

  /** A message arrives in the frame. */
  post(data: unknown, { origin = 'https://host.test', source = this.#window as unknown } = {}): void {
    for (const listener of this.#listeners) listener({ data, origin, source } as MessageEvent);
  }

  command(command: string, data?: unknown): void {
    this.post(JSON.stringify({ command, data }));
  }
}
