import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import type { Socket } from 'node:net';

/** A request to one address, without redirects. */
export interface ExchangeRequest {
  /** What is asked for: path and query, as they are sent. */
  path: string;
  method: string;
  headers: Readonly<Record<string, string>>;
  body: string | Uint8Array | undefined;
  agent: http.Agent;
  /** The proxy that is asked for the address, if any. */
  relay: URL | null;
  /** Longest wait for a connection, milliseconds. */
  connectTimeoutMs: number;
  /** Longest pause of the other side, before its answer and within it, milliseconds. */
  idleTimeoutMs: number;
  /** Ends the request at any time, also while the body of its answer is read. */
  signal: AbortSignal;
}

/**
 * A connection that was used before ended, or brought something else, before the head of an answer: the other side may have
 * ended it before it saw this request, and what came may belong to the request before.
 */
export class UsedConnectionError extends Error {
  constructor(cause: unknown) {
    super('A connection that was used before gave no answer', { cause });
  }
}

const isOfConnection = ({ code = '' }: NodeJS.ErrnoException): boolean =>
  code === 'ECONNRESET' || code === 'EPIPE' || code.startsWith('HPE_');

/**
 * Sends a request and waits for the head of the answer, by Node's own HTTP client: whatever the other side sends, and
 * however it ends, is an error of this one request. A body with a length, or in chunks, that ends early is never taken
 * for a whole one; of one that ends with its connection nobody can tell (libuv says "end" of some resets too). The error
 * of a body reaches whoever reads it, also when reading begins after it came.
 *
 * @throws UsedConnectionError, or what Node's client throws; with `code` ETIMEDOUT where a time above has passed
 */
export function exchange(url: URL, asked: ExchangeRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const { path, method, headers, agent, relay, signal } = asked;
    const { protocol, hostname, port } = relay ?? url;
    const { request: begin } = protocol === 'https:' ? https : http;
    const request = begin({
      ...{ protocol, hostname: hostname.replace(/^\[|\]$/g, ''), port, method, agent },
      timeout: asked.idleTimeoutMs,
      path: relay ? url.origin + path : path,
      headers: relay ? { host: url.host, ...headers } : headers,
    });
    let answer: IncomingMessage | undefined;
    // Node's own way, the option `signal`, listens to each event of a request.
    const abort = () => (answer ?? request).destroy(failed('ABORT_ERR', 'The request was cancelled'));
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort);
    request.on('error', (err) => {
      if (!answer) reject(request.reusedSocket && isOfConnection(err) ? new UsedConnectionError(err) : err);
      // What comes after a whole answer is no part of it.
      else if (!answer.complete) answer.destroy(err);
    });
    request.once('close', () => {
      signal.removeEventListener('abort', abort);
      // An error costs as much as the rest of a request, and each request is closed.
      if (!answer) reject(failed('ECONNRESET', 'The connection was closed before an answer'));
    });
    request.once('upgrade', (_answer, socket) => {
      reject(failed('EPROTO', 'The other side changes the protocol'));
      socket.destroy();
    });
    request.once('socket', (socket) => limitWaits(socket));
    request.once('response', (response) => {
      answer = response;
      // Without a listener Node would forget the error, and with it that the body is not whole.
      response.on('error', () => {});
      resolve(response);
    });
    request.end(asked.body);

    function limitWaits(socket: Socket): void {
      const end = () => (answer ?? request).destroy(failed('ETIMEDOUT', 'The other side did not answer'));
      const connecting = socket.connecting ? setTimeout(end, asked.connectTimeoutMs) : undefined;
      const connected = () => clearTimeout(connecting);
      const onIdle = () => {
        // Everything is here, or as much as may be: it is our reader who is slow.
        const isWaiting =
          answer && (answer.complete || answer.readableLength >= answer.readableHighWaterMark);
        if (isWaiting) socket.setTimeout(asked.idleTimeoutMs);
        else end();
      };
      socket.once('connect', connected);
      socket.on('timeout', onIdle);
      request.once('close', () => {
        connected();
        socket.off('connect', connected);
        socket.off('timeout', onIdle);
      });
    }
  });
}

/** An error with a code of those that Node gives to errors of the network. */
const failed = (code: string, message: string): Error => Object.assign(new Error(message), { code });
