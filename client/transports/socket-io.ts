import { io } from 'socket.io-client';
import { type Dial, endingOnce, returning } from './transport.ts';

export interface SocketIoOptions {
  /** Address of the server, with any path prefix, e.g. `https://docs.example.com/office`. */
  url: string;
  /** Document key. */
  key: string;
  /** Engine.IO transport; `polling` stays on long-polling and never upgrades. */
  engine: 'websocket' | 'polling';
  /** Query parameters of the handshake, e.g. `shardkey`. */
  query?: Record<string, string> | undefined;
}

interface RefusalData {
  code?: number | null;
  description?: string | null;
}

/** What Socket.IO says of a connection that did not come about; the request in `context` is that of long polling. */
type ConnectError = Error & {
  data?: RefusalData;
  context?: { status?: number; getResponseHeader?: (name: string) => string | null };
};

/** When the server wants the client to come again; nothing where it does not say, or the client cannot see it. */
function retryAfterOf({ context }: ConnectError): { retryAfterMs: number } | undefined {
  // Without an answer there are no headers, and Node's stand-in for XMLHttpRequest throws.
  if (!context?.status) return undefined;
  const seconds = Number(context.getResponseHeader?.('Retry-After'));
  return seconds > 0 ? { retryAfterMs: 1_000 * seconds } : undefined;
}

/** A value that each request of a session of long polling shows, so that the session's id alone is of no use to others. */
function proof(): string {
  return Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join('');
}

/** Socket.IO 5 over Engine.IO 4 at `{url}/doc/{key}/c/`. */
export function socketIoDial(options: SocketIoOptions): Dial {
  const base = new URL(options.url);
  const path = `${base.pathname.replace(/\/$/, '')}/doc/${encodeURIComponent(options.key)}/c/`;
  return (credentials, handlers) => {
    const guarded = endingOnce(handlers);
    const socket = io(base.origin, {
      path,
      transports: [options.engine],
      upgrade: false,
      reconnection: false,
      forceNew: true,
      auth: { ...credentials },
      query: {
        ...options.query,
        ...(credentials.session !== undefined && returning),
        ...(options.engine === 'polling' && { quireProof: proof() }),
      },
    });
    // The manager does not listen to an engine that closes before its handshake: it would wait 20 s for it in vain.
    const { io: manager } = socket;
    const closedEarly = (reason: string) => {
      guarded.end({ kind: 'lost', detail: reason });
      socket.disconnect();
    };
    manager.engine.once('close', closedEarly);
    manager.once('open', () => manager.engine.off('close', closedEarly));
    socket.on('connect', guarded.open);
    socket.on('message', guarded.message);
    socket.on('connect_error', (error: ConnectError) => {
      guarded.end(
        error.data
          ? {
              kind: 'refused',
              code: error.data.code ?? null,
              description: error.data.description ?? error.message,
            }
          : { kind: 'lost', detail: error.message, ...retryAfterOf(error) },
      );
      socket.disconnect();
    });
    socket.on('disconnect', (reason) => {
      guarded.end(
        reason === 'io server disconnect' ? { kind: 'dismissed' } : { kind: 'lost', detail: reason },
      );
    });
    return {
      send: (message) => void socket.emit('message', message),
      close: () => {
        guarded.silence();
        socket.disconnect();
      },
    };
  };
}
