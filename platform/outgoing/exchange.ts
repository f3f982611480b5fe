import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import type { Socket } from 'node:net';

/** A request to one address, without redirects. */
export interface ExchangeRequest {
  method: string;
  headers: Readonly<Record<string, string>>;
  body: string | Uint8Array | undefined;
  agent: http.Agent;
  /** Longest wait for a connection, milliseconds. */
  connectTimeoutMs: number;
  /** Longest pause of the other side, before its answer and within it, milliseconds. */
  idleTimeoutMs: number;
  /** Ends the request at any time, also while the body of its answer is read. */
  signal: AbortSignal;
}

/**
 * Sends a request and waits for the head of the answer, by Node's own HTTP client: whatever the other side sends, and
 * however it ends, is an error of this one request. A body with a length, or in chunks, that ends early is never taken
 * for a whole one; of one that ends with its connection nobody can tell (libuv says "end" of some resets too). The error
 * of a body reaches whoever reads it, also when reading begins after it came.
 *
 * @throws what Node's client throws; with `code` ETIMEDOUT where a time above has passed
 */
export function exchange(url: URL, asked: ExchangeRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const { method, headers, agent, signal } = asked;
    const { request: begin } = url.protocol === 'https:' ? https : http;
    const request = begin(url, { method, headers, agent, signal, timeout: asked.idleTimeoutMs });
    let answer: IncomingMessage | undefined;
    request.on('error', (err) => {
      if (!answer) reject(err);
      // What comes after a whole answer is no part of it.
      else if (!answer.complete) answer.destroy(err);
    });
    // Nobody listens for a change of protocol: Node ends such a connection without an error.
    request.once('close', () => reject(new Error('The connection was closed before an answer')));
    request.once('socket', (socket) => limitWaits(socket));
    request.once('response', (response) => {
      answer = response;
      // Without a listener Node would forget the error, and with it that the body is not whole.
      response.on('error', () => {});
      resolve(response);
    });
    request.end(asked.body);

    function limitWaits(socket: Socket): void {
      const end = () => (answer ?? request).destroy(timedOut());
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

const timedOut = (): Error =>
  Object.assign(new Error('The other side did not answer'), { code: 'ETIMEDOUT' });
