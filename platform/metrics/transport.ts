import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { recordMs, timeBuckets } from './conventions.ts';

/** What went over the connections of one transport. The gateway adds to it; it is read when somebody asks. */
export class Traffic {
  receivedBytes = 0;
  sentBytes = 0;
  /** Most that waited for one peer since this was read last, bytes. */
  highWaterBytes = 0;
  slowPeers = 0;
  /** Times that no more was read from a peer because it had asked for too much. */
  slowedPeers = 0;
  greedyPeers = 0;

  takeHighWater(): number {
    const highest = this.highWaterBytes;
    this.highWaterBytes = 0;
    return highest;
  }
}

export type TransportName = 'engine_io' | 'websocket';

/**
 * Why a connection was ended that had not signed in: it said nothing, took too long, others needed its place, or the process
 * had no descriptors left (`ulimit -n`).
 */
const unauthenticatedEnds = ['silent', 'late', 'crowded', 'no_descriptor'] as const;
export type UnauthenticatedEnd = (typeof unauthenticatedEnds)[number];

/** What is read of the traffic of each transport, as counters. */
const trafficCounters: readonly { name: string; help: string; count: (traffic: Traffic) => number }[] = [
  {
    name: 'quire_received_bytes_total',
    help: 'Size of the messages received, by transport, without the framing.',
    count: ({ receivedBytes }) => receivedBytes,
  },
  {
    name: 'quire_sent_bytes_total',
    help: 'Size of the messages sent, by transport, without the framing; characters outside ASCII count as one.',
    count: ({ sentBytes }) => sentBytes,
  },
  {
    name: 'quire_slow_peers_closed_total',
    help: 'Connections that were ended because too much waited for them.',
    count: ({ slowPeers }) => slowPeers,
  },
  {
    name: 'quire_peers_slowed_total',
    help: 'Times that nothing more was read from a connection for a while, which had used up `CONNECTION_WORK_MS_PER_S` or whose person had sent too much in large messages.',
    count: ({ slowedPeers }) => slowedPeers,
  },
  {
    name: 'quire_greedy_peers_closed_total',
    help: 'Connections that were ended because they went on asking for more than `CONNECTION_WORK_MS_PER_S`, or their person had too much in large messages waiting.',
    count: ({ greedyPeers }) => greedyPeers,
  },
];

/** Connections and what goes over them. */
export class TransportMetrics {
  readonly traffic: Readonly<Record<TransportName, Traffic>> = {
    engine_io: new Traffic(),
    websocket: new Traffic(),
  };
  readonly #messages: Counter<'type'>;
  readonly #unauthenticatedEnded: Counter<'reason'>;
  readonly #logLinesDropped: Counter;
  readonly #messagesOfType = new Map<string, { inc(): void }>();

  constructor(registry: Registry) {
    const registers = [registry];
    this.#messages = new Counter({
      name: 'quire_messages_total',
      help: 'Messages received from editors and viewers, by type.',
      labelNames: ['type'] as const,
      registers,
    });
    this.#unauthenticatedEnded = new Counter({
      name: 'quire_unauthenticated_connections_ended_total',
      help: 'Connections that were ended before they had authenticated, by reason: `silent` (`HANDSHAKE_TIMEOUT_MS`), `late` (`AUTH_TIMEOUT_MS`), `crowded` (others needed the place), `no_descriptor` (it had none left for it: raise `ulimit -n`).',
      labelNames: ['reason'] as const,
      registers,
    });
    for (const reason of unauthenticatedEnds) this.#unauthenticatedEnded.inc({ reason }, 0);
    this.#logLinesDropped = new Counter({
      name: 'quire_client_log_lines_dropped_total',
      help: 'Lines of clients that were not written to the log, because of `CLIENT_LOG_LINES_PER_MINUTE`.',
      registers,
    });
    this.#collectTraffic(registers);
  }

  countUnauthenticatedEnded(reason: UnauthenticatedEnd): void {
    this.#unauthenticatedEnded.inc({ reason });
  }

  countLogLineDropped(): void {
    this.#logLinesDropped.inc();
  }

  /** Counts a message; the label is looked up once per type. */
  countMessage(type: string): void {
    let counter = this.#messagesOfType.get(type);
    if (!counter) {
      counter = this.#messages.labels(type);
      this.#messagesOfType.set(type, counter);
    }
    counter.inc();
  }

  #collectTraffic(registers: Registry[]): void {
    const labelNames = ['transport'] as const;
    const byTransport = Object.entries(this.traffic);
    for (const { name, help, count } of trafficCounters) {
      new Counter({
        ...{ name, help, labelNames, registers },
        collect() {
          this.reset();
          for (const [transport, traffic] of byTransport) this.inc({ transport }, count(traffic));
        },
      });
    }
    new Gauge({
      name: 'quire_outbound_queue_high_water_bytes',
      help: 'Most that waited for one slow peer since this was asked last; at `OUTBOUND_QUEUE_BYTES` a peer is disconnected.',
      ...{ labelNames, registers },
      collect() {
        for (const [transport, traffic] of byTransport) this.set({ transport }, traffic.takeHighWater());
      },
    });
  }
}

const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** Requests that are no connections of editors. */
export class HttpMetrics {
  readonly #duration: Histogram<'method' | 'route' | 'status'>;

  constructor(registry: Registry) {
    this.#duration = new Histogram({
      name: 'quire_http_request_seconds',
      help: 'HTTP requests by method, route as it is declared (`none`: no route, or a file of the pages) and status.',
      labelNames: ['method', 'route', 'status'] as const,
      buckets: timeBuckets,
      registers: [registry],
    });
  }

  /** `route` must be one of those that are declared: never what was asked for. */
  answered(method: string, route: string, status: number, elapsedMs: number): void {
    const known = methods.has(method) ? method : 'other';
    recordMs(this.#duration, elapsedMs, { method: known, route, status: String(status) });
  }
}
