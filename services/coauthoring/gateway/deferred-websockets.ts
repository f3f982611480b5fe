import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type ServerOptions, WebSocket, WebSocketServer } from 'ws';
import { LongTextWebSocket } from './long-texts.ts';

/**
 * k6 (1.8) reads before its script knows that the connection is open, and drops what has come by then. Of a thousand
 * such clients that start at once, about one never gets a greeting that comes with the handshake's answer. All others
 * are greeted at once.
 */
const isHasty = ({ headers }: IncomingMessage): boolean => /\bk6\//.test(headers['user-agent'] ?? '');

/** How long such a client's greeting waits after the handshake's answer, milliseconds. */
const greetingDelayMs = 10;

/**
 * A WebSocket server that passes a connection on as soon as its client can receive messages. What comes before that is
 * not lost.
 */
export class DeferredWebSocketServer extends WebSocketServer {
  constructor(options: ServerOptions) {
    super({ ...options, WebSocket: LongTextWebSocket });
  }

  override handleUpgrade(
    request: IncomingMessage,
    socket: Duplex,
    head: Buffer,
    accept: (client: WebSocket, request: IncomingMessage) => void,
  ): void {
    const isPatient = !isHasty(request);
    // The answer to the handshake leaves with the greeting.
    if (isPatient) {
      socket.cork();
      setImmediate(() => socket.uncork());
    }
    super.handleUpgrade(request, socket, head, (webSocket) => {
      webSocket.pause();
      const handOn = () => {
        accept(webSocket, request);
        // Engine.IO listens some microtasks later. What a client has sent meanwhile must not come before that.
        setImmediate(() => webSocket.resume());
      };
      if (isPatient) return handOn();
      // An error while nobody listens would end the process; the close that follows it says enough.
      const ignore = () => undefined;
      webSocket.on('error', ignore);
      setTimeout(() => {
        webSocket.off('error', ignore);
        if (webSocket.readyState === WebSocket.OPEN) handOn();
      }, greetingDelayMs);
    });
  }
}
