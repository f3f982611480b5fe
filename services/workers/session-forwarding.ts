import { rm } from 'node:fs/promises';
import {
  request as ask,
  createServer,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type Server,
  type ServerResponse,
} from 'node:http';
import { connect } from 'node:net';
import path from 'node:path';
import type { Duplex } from 'node:stream';

const sidPattern = /[?&]sid=w(\d+)-/;
const withBody = new Set(['POST', 'PUT']);

/**
 * A session of long polling lives in one worker, but each of its requests may reach another one. The id of the session names its
 * worker. Every worker listens on a local socket in `directory` for the requests that the others pass on to it.
 */
export class SessionForwarding {
  readonly #directory: string;
  readonly #number: number;

  constructor(directory: string, number: number) {
    this.#directory = directory;
    this.#number = number;
  }

  /** Beginning of the ids of this worker's sessions. */
  get sidPrefix(): string {
    return `w${this.#number}-`;
  }

  /** Listens on the local socket of this worker, and gives its requests to `server`. */
  async open(server: Server): Promise<() => Promise<void>> {
    const file = this.#socketFileOf(this.#number);
    await rm(file, { force: true });
    const local = createServer((request, response) => server.emit('request', request, response));
    local.on('upgrade', (request, socket, head) => server.emit('upgrade', request, socket, head));
    await new Promise<void>((resolve, reject) => {
      local.once('error', reject);
      // Not shared with the other workers; the port is.
      local.listen({ path: file, exclusive: true }, resolve);
    });
    return async () => {
      local.close();
      local.closeAllConnections();
    };
  }

  /** Passes a request on if its session lives in another worker. If that worker is gone, `orphaned` has to answer. */
  passOn(request: IncomingMessage, response: ServerResponse, orphaned: () => void): boolean {
    const owner = this.#otherOwner(request);
    if (owner === null) return false;
    const { method, url, headers } = request;
    // A new connection for each request: the other end may close a connection at the moment in which it is used again. This end
    // closes it after the answer.
    const to = { socketPath: this.#socketFileOf(owner), method, path: url, agent: false };
    const passed = ask({ ...to, headers: { ...headers, connection: 'keep-alive' } }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, ownHeaders(answer));
      answer.pipe(response);
      answer.once('error', () => response.destroy());
    });
    passed.once('error', () => {
      if (response.headersSent) response.destroy();
      else orphaned();
    });
    response.once('close', () => passed.destroy());
    if (method && withBody.has(method)) request.pipe(passed);
    else passed.end();
    return true;
  }

  /** Passes an upgrade on if its session lives in another worker. */
  passOnUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): boolean {
    const owner = this.#otherOwner(request);
    if (owner === null) return false;
    const passed = connect(this.#socketFileOf(owner));
    const end = () => {
      passed.destroy();
      socket.destroy();
    };
    passed.once('connect', () => {
      passed.write(headOf(request));
      passed.write(head);
      passed.pipe(socket);
      socket.pipe(passed);
    });
    for (const side of [passed, socket]) {
      side.once('error', end);
      side.once('close', end);
    }
    return true;
  }

  #otherOwner({ url = '' }: IncomingMessage): number | null {
    const found = sidPattern.exec(url);
    const owner = found ? Number(found[1]) : this.#number;
    return owner === this.#number ? null : owner;
  }

  #socketFileOf(number: number): string {
    return path.join(this.#directory, `${number}.sock`);
  }
}

/** The headers of the answer itself, without those of its connection (RFC 9110, section 7.6.1). */
function ownHeaders({ headers }: IncomingMessage): OutgoingHttpHeaders {
  const { connection: _connection, 'keep-alive': _life, 'transfer-encoding': _coding, ...own } = headers;
  return own;
}

function headOf({ method, url, httpVersion, rawHeaders }: IncomingMessage): string {
  let head = `${method} ${url} HTTP/${httpVersion}\r\n`;
  for (let at = 0; at < rawHeaders.length; at += 2) head += `${rawHeaders[at]}: ${rawHeaders[at + 1]}\r\n`;
  return `${head}\r\n`;
}
