import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { addressGroup } from '../../../platform/config/address-list.ts';
import { FairQuota, type QuotaSlot } from '../../../platform/fair-quota.ts';

/**
 * TCP connections whose next request has not come yet, or only in part. An address that opens many and sends nothing,
 * or one letter at a time, takes them only from itself. Connections that are being answered, and WebSockets, do not
 * count.
 */
export class IdleSockets {
  readonly #quota: FairQuota;
  readonly #onEnded: () => void;
  readonly #slots = new Map<Socket, QuotaSlot>();
  /** One for all of them: a WebSocket keeps it for as long as it lasts. */
  readonly #closed: (this: Socket) => void;

  constructor(limit: number, onEnded: () => void) {
    this.#quota = new FairQuota(limit);
    this.#onEnded = onEnded;
    const leave = (socket: Socket) => this.leave(socket);
    this.#closed = function () {
      leave(this);
    };
  }

  opened(socket: Socket): void {
    this.#wait(socket);
    socket.on('close', this.#closed);
  }

  /** The head of a request has come. Its connection waits for the rest of it, and again once it is answered. */
  requested(request: IncomingMessage, response: ServerResponse): void {
    const { socket, headers } = request;
    // What another worker passed on came over a connection of its own.
    if (!this.#slots.has(socket)) return;
    const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
    if (hasBody) request.once('end', () => this.leave(socket));
    else this.leave(socket);
    response.once('close', () => this.#wait(socket));
  }

  /** The connection is busy or gone. */
  leave(socket: Socket): void {
    this.#slots.get(socket)?.release();
    this.#slots.delete(socket);
  }

  #wait(socket: Socket): void {
    if (socket.destroyed || this.#slots.has(socket)) return;
    const slot = this.#quota.acquire(addressGroup(socket.remoteAddress), () => {
      this.#slots.delete(socket);
      this.#onEnded();
      socket.destroy();
    });
    this.#slots.set(socket, slot);
  }
}
