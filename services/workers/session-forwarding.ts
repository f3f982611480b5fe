import { rm } from 'node:fs/promises';
import {
  Agent,
  request as ask,
  createServer,
  IncomingMessage,
  type OutgoingHttpHeaders,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { Socket } from 'node:net';
import path from 'node:path';
import type { Duplex } from 'node:stream';
import type { Descriptors } from '../../platform/descriptors.ts';
import { shareOf } from '../../platform/key-share.ts';
import { countAt, openConnections } from '../../platform/open-connections.ts';
import { answerComeAgain, comeAgain, comeElsewhere } from '../coauthoring/gateway/come-again.ts';
import { documentIn } from '../coauthoring/gateway/document-path.ts';
import { refuseUpgrade } from '../coauthoring/gateway/upgrade-refusal.ts';
import { BusyWorkers } from './busy-workers.ts';

const sidPattern = /[?&]sid=w(\d+)-/;
const withBody = new Set(['POST', 'PUT']);

/** A worker that is late finds so many connections waiting at its local socket. One more would be refused, as if it were gone. */
const backlog = 4_096;

/** So many connections to each other worker are kept for the next request, and how long unused, milliseconds. */
const keptConnections = 64;
const keptUnusedMs = 10_000;

/** A request for an upgrade, as it goes to another process beside its connection. */
export interface WrittenUpgrade {
  request: Pick<IncomingMessage, 'method' | 'url' | 'httpVersion' | 'headers'>;
  /** What followed the request, in base64. */
  head: string;
}

/** Gives a connection with its upgrade to another worker, by its number. False: too many wait for that already. */
type HandOver = (to: number, upgrade: WrittenUpgrade, socket: Socket) => boolean;

/**
 * All who edit a document are led to the same worker, as a balancer does with nodes: what concerns a document stays in one process
 * then. Which one follows from the document's key. Any other can serve them, too, and does while that one is away.
 *
 * A session of long polling lives in one worker, but each of its requests may reach another one. The id of the session names its
 * worker. Every worker listens on a local socket in `directory` for the requests that the others pass on to it. An upgrade goes to
 * its worker with its connection, which costs nothing from then on.
 */
export class SessionForwarding {
  readonly #directory: string;
  readonly #number: number;
  readonly #workers: number;
  readonly #handOver: HandOver;
  readonly #taken = new WeakSet<Duplex>();
  readonly #onTurnedAway: () => void;
  readonly busy = new BusyWorkers();
  /** Connections to other workers. Only this end closes one that is not in use: the other cannot while a request is on its way to it. */
  readonly #agent = new Agent({ keepAlive: true, maxFreeSockets: keptConnections, timeout: keptUnusedMs });
  readonly #descriptors: Descriptors;
  #server: Server | null = null;

  /** `number`: of this worker, from 1, of so many `workers`. `descriptors`: of this process. `onTurnedAway`: a newcomer was refused for another worker. */
  constructor(
    directory: string,
    { number, workers }: { number: number; workers: number },
    descriptors: Descriptors,
    handOver: HandOver,
    onTurnedAway: () => void,
  ) {
    this.#onTurnedAway = onTurnedAway;
    this.#descriptors = descriptors;
    this.#directory = directory;
    this.#number = number;
    this.#workers = workers;
    this.#handOver = handOver;
  }

  /** Beginning of the ids of this worker's sessions. */
  get sidPrefix(): string {
    return `w${this.#number}-`;
  }

  /** Listens on the local socket of this worker, and gives its requests to `server`. */
  async open(server: Server): Promise<() => Promise<void>> {
    const file = this.#socketFileOf(this.#number);
    await rm(file, { force: true });
    const local = createServer({ keepAliveTimeout: 0 }, (request, response) =>
      server.emit('request', request, response),
    );
    await new Promise<void>((resolve, reject) => {
      local.once('error', reject);
      // Not shared with the other workers; the port is.
      local.listen({ path: file, exclusive: true, backlog }, resolve);
    });
    local.on('connection', (socket) => {
      if (this.#descriptors.areShort) socket.destroy();
    });
    this.#descriptors.watch(() => openConnections(local) + socketsOf(this.#agent));
    this.#server = server;
    return async () => {
      this.#server = null;
      this.#agent.destroy();
      local.close();
      local.closeAllConnections();
    };
  }

  /** Passes a request on if its session belongs to another worker. If that worker is gone, `orphaned` has to answer. */
  passOn(request: IncomingMessage, response: ServerResponse, orphaned: () => void): boolean {
    const owner = this.#otherOwner(request);
    if (owner === null) return false;
    const afterS = this.#turnsAway(owner, request);
    if (afterS !== null) {
      answerComeAgain(response, afterS);
      return true;
    }
    const { method, url, headers } = request;
    const to = { socketPath: this.#socketFileOf(owner), method, path: url, agent: this.#agent };
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

  /** Hands a connection that is upgraded over if its session belongs to another worker. */
  passOnUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): boolean {
    const owner = this.#otherOwner(request);
    if (owner === null || this.#taken.has(socket)) return false;
    const afterS = this.#turnsAway(owner, request);
    if (afterS !== null) {
      refuseUpgrade(socket, comeAgain(afterS));
      return true;
    }
    const { method, url, httpVersion, headers } = request;
    const written = { method, url, httpVersion, headers };
    // Node would have this process's server and the primary process count the connections that went from one to the other.
    (socket as { server?: unknown }).server = undefined;
    const upgrade = { request: written, head: head.toString('base64') };
    if (!this.#handOver(owner, upgrade, socket as Socket)) refuseUpgrade(socket, comeElsewhere);
    return true;
  }

  /** Upgrades a connection that another worker handed over, or could not. Without `socket` its peer has gone. */
  takeOver({ request: written, head }: WrittenUpgrade, socket?: Socket): void {
    if (!socket) return;
    const server = this.#server;
    if (!server || this.#descriptors.areShort) return void socket.destroy();
    countAt(server, socket);
    this.#taken.add(socket);
    const request = Object.assign(new IncomingMessage(socket), written);
    server.emit('upgrade', request, socket.setNoDelay(true), Buffer.from(head, 'base64'));
  }

  /** After how many seconds somebody who begins a session with a busy worker is to come again; null: that worker decides. */
  #turnsAway(owner: number, { url = '', method }: IncomingMessage): number | null {
    if (sidPattern.test(url) || method !== 'GET') return null;
    const afterS = this.busy.turnsAway(owner, performance.now());
    if (afterS !== null) this.#onTurnedAway();
    return afterS;
  }

  #otherOwner({ url = '' }: IncomingMessage): number | null {
    const session = sidPattern.exec(url);
    const documentKey = session ? null : documentIn(url);
    const owned = documentKey === null ? this.#number : workerOfDocument(documentKey, this.#workers);
    const owner = session ? Number(session[1]) : owned;
    return owner === this.#number ? null : owner;
  }

  #socketFileOf(number: number): string {
    return path.join(this.#directory, `${number}.sock`);
  }
}

/** The number of the worker to which all who edit a document are led, of so many. */
export const workerOfDocument = (documentKey: string, workers: number): number =>
  1 + shareOf(documentKey, workers);

/** How many connections an agent has, in use or kept. */
const socketsOf = ({ sockets, freeSockets }: Agent): number =>
  [sockets, freeSockets].flatMap((some) => Object.values(some)).reduce((sum, some) => sum + some!.length, 0);

/** The headers of the answer itself, without those of its connection (RFC 9110, section 7.6.1). */
function ownHeaders({ headers }: IncomingMessage): OutgoingHttpHeaders {
  const { connection: _connection, 'keep-alive': _life, 'transfer-encoding': _coding, ...own } = headers;
  return own;
}
