import type { Response } from 'express';

const maxListeners = 200;
/** Proxies end a silent connection; a comment now and then keeps it. */
const keepAliveMs = 25_000;

/** Sends the open pages which document changed, as server-sent events. */
export class ChangeFeed {
  readonly #listeners = new Set<Response>();
  #timer: NodeJS.Timeout | null = null;

  /** Keeps a response open for events; false when there are too many already. */
  add(response: Response): boolean {
    if (this.#listeners.size >= maxListeners) return false;
    response.set({
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    });
    response.write('retry: 2000\n\n');
    this.#listeners.add(response);
    response.on('close', () => this.#remove(response));
    this.#timer ??= setInterval(() => this.#send(': still here\n\n'), keepAliveMs).unref();
    return true;
  }

  /** Something about this document is different now. */
  changed(id: string): void {
    this.#send(`event: change\ndata: ${JSON.stringify({ id })}\n\n`);
  }

  #send(text: string): void {
    for (const response of this.#listeners) {
      // A page that does not read comes back by itself and asks for everything.
      if (response.writableLength > 65_536) response.destroy();
      else response.write(text);
    }
  }

  #remove(response: Response): void {
    this.#listeners.delete(response);
    if (this.#listeners.size > 0 || !this.#timer) return;
    clearInterval(this.#timer);
    this.#timer = null;
  }
}
