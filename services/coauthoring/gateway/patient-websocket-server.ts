import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocket, WebSocketServer } from 'ws';

/**
 * How long the first frame waits after the handshake's answer, milliseconds. Some clients (k6 1.8 for one) start to read
 * before they have told their script that the connection is open, and drop a frame that is faster than that. With a
 * thousand of them starting at once about one never heard the server's greeting.
 */
const firstFrameDelayMs = 10;

/** A WebSocket server that hands a connection on a moment after its handshake; what comes meanwhile is not lost. */
export class PatientWebSocketServer extends WebSocketServer {
  override handleUpgrade(
    request: IncomingMessage,
    socket: Duplex,
    head: Buffer,
    accept: (client: WebSocket, request: IncomingMessage) => void,
  ): void {
    super.handleUpgrade(request, socket, head, (webSocket) => {
      webSocket.pause();
      // An error while nobody listens would end the process; the close that follows it says enough.
      const ignore = () => undefined;
      webSocket.on('error', ignore);
      setTimeout(() => {
        webSocket.off('error', ignore);
        if (webSocket.readyState !== WebSocket.OPEN) return;
        accept(webSocket, request);
        // Engine.IO listens some microtasks later: what a client said meanwhile must not come before that.
        setImmediate(() => webSocket.resume());
      }, firstFrameDelayMs);
    });
  }
}
