import type { Server, Socket } from 'node:net';

/** What Node counts of a server, and by what it knows that a connection is one of these. It has no public way to add one. */
interface Counting {
  _connections: number;
}
interface Counted {
  _server?: Server | null;
}

/** How many connections a server has, with those that came to it by {@link countAt}. */
export const openConnections = (server: Server): number => (server as unknown as Counting)._connections;

/** Counts a connection that another server or process has accepted among those of this one, until it is closed. */
export function countAt(server: Server, socket: Socket): void {
  const counted = socket as unknown as Counted;
  if (counted._server) (counted._server as unknown as Counting)._connections -= 1;
  (server as unknown as Counting)._connections += 1;
  counted._server = server;
}
