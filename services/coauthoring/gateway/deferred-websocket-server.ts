import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocket, WebSocketServer } from 'ws';

/**
 * k6 (1.8) reads before it has told its script that the connection is open, and drops what has come by then: of a thousand
 * of its clients that start at once about one never hears a greeting that comes with the handshake's answer. All others
 * are greeted at once.
 */
const isHasty = ({ headers }: IncomingMessage): boolean => /\bk6\//.test(headers['user-agent'] ?? '');

/** How long such a client's greeting waits after the handshake's answer, milliseconds. */
const greetingDelayMs = 10;

/** A WebSocket server that hands a connection on when its client can hear what is said; what comes meanwhile is not lost. */
export class DeferredWebSocketServer extends WebSocketServer {
  override handleUpgrade(
    request: IncomingMessage,
    socket: Duplex,
    head: Buffer,
    accept: (client: WebSocket, request: IncomingMessage) => void,
  ): void {
    super.handleUpgrade(request, socket, head, (webSocket) => {
      webSocket.pause();
      const handOn = () => {
        accept(webSocket, request);
        // Engine.IO listens some microtasks later: what a client said meanwhile must not come before that.
        setImmediate(() => webSocket.resume());
      };
      if (!isHasty(request)) return handOn();
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
