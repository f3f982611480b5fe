/** A message from the host's page, with its values. */
type Received = (values: Record<string, unknown>) => void;

/** As much of `window` as is needed. */
interface FramedWindow {
  readonly parent: { postMessage(message: unknown, targetOrigin: string): void };
  addEventListener(type: 'message', listener: (message: MessageEvent) => void): void;
}

/**
 * The messages between this page and the one of the host that frames it (integration API, 13.7). Heard is only the parent
 * window with the origin that the host itself has named, and only after it has said that it is ready.
 */
export class HostFrame {
  readonly #window: FramedWindow;
  readonly #origin: string | null;
  readonly #handlers = new Map<string, Received>();
  #isReady = false;

  constructor(framed: FramedWindow, origin: string | undefined) {
    this.#window = framed;
    this.#origin = originOf(origin);
    framed.addEventListener('message', this.#receive);
  }

  /** Says something to the host's page: to the origin it named, or to any page that frames us where it named none. */
  send(messageId: string, values: Readonly<Record<string, unknown>> = {}): void {
    const message = JSON.stringify({ MessageId: messageId, SendTime: Date.now(), Values: values });
    this.#window.parent.postMessage(message, this.#origin ?? '*');
  }

  on(messageId: string, handler: Received): void {
    this.#handlers.set(messageId, handler);
  }

  readonly #receive = ({ data, origin, source }: MessageEvent): void => {
    if (this.#origin === null || origin !== this.#origin || source !== (this.#window.parent as unknown))
      return;
    const message = parsed(data);
    if (message?.MessageId === 'Host_PostmessageReady') this.#isReady = true;
    else if (this.#isReady) this.#handlers.get(String(message?.MessageId))?.(message?.Values ?? {});
  };
}

function originOf(address: string | undefined): string | null {
  if (!address || !URL.canParse(address)) return null;
  const { origin } = new URL(address);
  return origin === 'null' ? null : origin;
}

function parsed(data: unknown): { MessageId?: unknown; Values?: Record<string, unknown> } | null {
  if (typeof data !== 'string') return null;
  try {
    return JSON.parse(data) as { MessageId?: unknown; Values?: Record<string, unknown> } | null;
  } catch {
    return null;
  }
}

/** Tells of edits: of the first at once, of later ones at most every `everyMs`. */
export class EditNotice {
  readonly #tell: () => void;
  readonly #everyMs: number;
  #hasNews = false;
  #timer: ReturnType<typeof setTimeout> | null = null;

  constructor(tell: () => void, everyMs: number) {
    this.#tell = tell;
    this.#everyMs = everyMs;
  }

  edited(): void {
    this.#hasNews = true;
    if (this.#timer === null) this.#say();
  }

  #say(): void {
    this.#timer = null;
    if (!this.#hasNews) return;
    this.#hasNews = false;
    this.#tell();
    this.#timer = setTimeout(() => this.#say(), this.#everyMs);
  }
}
