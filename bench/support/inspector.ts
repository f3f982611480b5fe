import { once } from 'node:events';
import { WebSocket } from 'ws';

/** What V8 says about its heap, bytes. */
interface HeapUsage {
  usedSize: number;
  totalSize: number;
}

/** The inspector of a Node process that was started with `--inspect` (Chrome DevTools Protocol, domain HeapProfiler). */
export class Inspector {
  readonly #socket: WebSocket;
  #lastId = 0;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
  }

  static async connect(url: string): Promise<Inspector> {
    const socket = new WebSocket(url, { perMessageDeflate: false });
    await once(socket, 'open');
    return new Inspector(socket);
  }

  /** A full collection of garbage. What it freed may go back to the system a moment later. */
  async collectGarbage(): Promise<void> {
    await this.#call('HeapProfiler.collectGarbage');
  }

  heapUsage(): Promise<HeapUsage> {
    return this.#call<HeapUsage>('Runtime.getHeapUsage');
  }

  close(): void {
    this.#socket.terminate();
  }

  #call<Result>(method: string): Promise<Result> {
    this.#lastId += 1;
    const id = this.#lastId;
    return new Promise((resolve, reject) => {
      const onMessage = (data: Buffer) => {
        const answer = JSON.parse(data.toString()) as {
          id?: number;
          result: Result;
          error?: { message: string };
        };
        if (answer.id !== id) return;
        this.#socket.off('message', onMessage);
        if (answer.error) reject(new Error(`${method}: ${answer.error.message}`));
        else resolve(answer.result);
      };
      this.#socket.on('message', onMessage);
      this.#socket.send(JSON.stringify({ id, method }));
    });
  }
}
