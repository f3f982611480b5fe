import net from 'node:net';
import { request } from 'undici';

const headEnd = '\r\n\r\n';
const longestHead = 16_384;

/** What is read at once goes here, whatever connection it is of: it is looked at before the next is read. */
const readBuffer = Buffer.allocUnsafeSlow(65_536);

interface Asked {
  resolve: (status: number | null) => void;
  reject: (error: Error) => void;
}

/** One connection on which one GET after the other is answered. */
class Connection {
  readonly #socket: net.Socket;
  readonly #onFree: (connection: Connection) => void;
  #asked: Asked | null = null;
  #status = 0;
  /** Of the body of the answer, bytes; null: its head has not come. */
  #left: number | null = null;
  #head: Buffer | null = null;
  isOpen = true;
  answered = 0;

  constructor(url: URL, onFree: (connection: Connection) => void) {
    this.#onFree = onFree;
    this.#socket = net.connect({
      host: url.hostname.replace(/^\[|\]$/g, ''),
      port: Number(url.port) || 80,
      onread: {
        buffer: readBuffer,
        callback: (length) => {
          this.#read(readBuffer.subarray(0, length));
          return true;
        },
      },
    });
    let failure = 'the connection was cut';
    this.#socket.setNoDelay(true);
    this.#socket.on('error', (error) => {
      failure = error.message;
    });
    this.#socket.on('close', () => {
      this.isOpen = false;
      this.#asked?.reject(new Error(`A file could not be fetched: ${failure}`));
      this.#asked = null;
    });
  }

  /** Resolves with the status; null: the answer is of a form that is not read here. */
  get({ host, pathname, search }: URL): Promise<number | null> {
    return new Promise((resolve, reject) => {
      this.#asked = { resolve, reject };
      this.#socket.write(`GET ${pathname}${search} HTTP/1.1\r\nHost: ${host}${headEnd}`);
    });
  }

  #read(chunk: Buffer): void {
    if (this.#left !== null) {
      this.#readBody(chunk.length);
      return;
    }
    const data = this.#head ? Buffer.concat([this.#head, chunk]) : chunk;
    const end = data.indexOf(headEnd);
    if (end === -1) {
      // A copy: the buffer is read into again.
      if (data.length <= longestHead) this.#head = Buffer.from(data);
      else this.#giveUp();
      return;
    }
    this.#head = null;
    const head = data.toString('latin1', 0, end + 2);
    const length = /\r\ncontent-length: *(\d+)\r\n/i.exec(head)?.[1];
    const status = /^HTTP\/1\.1 (\d{3}) /.exec(head)?.[1];
    if (length === undefined || status === undefined || /\r\nconnection: *close\r\n/i.test(head)) {
      this.#giveUp();
      return;
    }
    this.#status = Number(status);
    this.#left = Number(length);
    this.#readBody(data.length - end - headEnd.length);
  }

  #readBody(bytes: number): void {
    this.#left! -= bytes;
    if (this.#left! > 0) return;
    this.#left = null;
    this.answered += 1;
    const asked = this.#asked;
    this.#asked = null;
    this.#onFree(this);
    asked?.resolve(this.#status);
  }

  #giveUp(): void {
    const asked = this.#asked;
    this.#asked = null;
    this.isOpen = false;
    this.#socket.destroy();
    asked?.resolve(null);
  }
}

/**
 * Fetches files that nobody looks into, over connections that stay open: a client made for every kind of answer takes several
 * times the time of this. What does not come with its length, and https, is left to such a client.
 */
export class LeanFetch {
  /** By host. The one that was used last is used next. */
  readonly #free = new Map<string, Connection[]>();

  /** Resolves with the status of the answer when all of it is there. @throws Error when none comes */
  async statusOf(address: string): Promise<number> {
    const url = new URL(address);
    if (url.protocol !== 'http:') return statusByUndici(address);
    for (;;) {
      const connection = this.#connectionTo(url);
      const isUsed = connection.answered > 0;
      try {
        return (await connection.get(url)) ?? (await statusByUndici(address));
      } catch (error) {
        // A server may close a connection at the moment in which it is used again.
        if (!isUsed) throw error;
      }
    }
  }

  #connectionTo(url: URL): Connection {
    const free = this.#free.get(url.host) ?? [];
    this.#free.set(url.host, free);
    for (let last = free.pop(); last; last = free.pop()) if (last.isOpen) return last;
    return new Connection(url, (connection) => free.push(connection));
  }
}

async function statusByUndici(address: string): Promise<number> {
  const { statusCode, body } = await request(address);
  await body.dump({ limit: Number.MAX_SAFE_INTEGER });
  return statusCode;
}
