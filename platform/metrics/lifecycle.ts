import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { CallbackStatus, DisconnectCode } from '../../client/protocol/index.ts';
import { recordMs, sharedQuery, timeBuckets } from './conventions.ts';

/** How an opening ended: `asks` for a password or an encoding, `failed` with another error. */
const openingOutcomes = ['opened', 'asks', 'failed'] as const;
export type OpeningOutcome = (typeof openingOutcomes)[number];

/** Coming in: sign-ins that were refused, and files that were made ready for editors. */
export class OpeningMetrics {
  readonly #duration: Histogram<'outcome' | 'document'>;
  readonly #refusedSignIns: Counter<'code'>;

  constructor(registry: Registry) {
    const registers = [registry];
    this.#duration = new Histogram({
      name: 'quire_opening_seconds',
      help: 'From the wish to open a document to its files, by outcome (`opened`, `asks`, `failed`) and by whether the document is `new` here (fetched and converted) or `known`.',
      labelNames: ['outcome', 'document'] as const,
      buckets: timeBuckets,
      registers,
    });
    for (const outcome of openingOutcomes) {
      for (const document of ['new', 'known'] as const) this.#duration.zero({ outcome, document });
    }
    this.#refusedSignIns = new Counter({
      name: 'quire_sign_ins_refused_total',
      help: 'Connections that were refused when they signed in, by the code they were refused with.',
      labelNames: ['code'] as const,
      registers,
    });
    for (const code of Object.values(DisconnectCode)) this.#refusedSignIns.inc({ code: String(code) }, 0);
  }

  ended(outcome: OpeningOutcome, document: 'new' | 'known', elapsedMs: number): void {
    recordMs(this.#duration, elapsedMs, { outcome, document });
  }

  refusedSignIn(code: number): void {
    this.#refusedSignIns.inc({ code: String(code) });
  }
}

/** What the database knows of all documents. */
export interface StoredMetrics {
  /** How many there are in each state that occurs. */
  documents: Readonly<Record<string, number>>;
  /** Callbacks to be accepted yet: due now, and waiting for another attempt. */
  outbox: { due: number; waiting: number; oldestMs: number };
}

/** What is asked when somebody asks for the metrics of documents. */
interface WatchedDocuments {
  /** Documents somebody is attached to on this node. */
  attached: () => number;
  /** Who is in them, by kind. */
  sessions: () => Readonly<Record<'editor' | 'viewer' | 'live_viewer' | 'closed', number>>;
  stored: () => Promise<StoredMetrics>;
}

/** Documents and sessions: of this node, and what the database knows of all nodes' documents. */
export function watchDocuments(registry: Registry, watched: WatchedDocuments): void {
  const registers = [registry];
  const stored = sharedQuery(watched.stored);
  new Gauge({
    name: 'quire_documents',
    help: 'Documents that somebody is attached to on this node.',
    registers,
    collect() {
      this.set(watched.attached());
    },
  });
  new Gauge({
    name: 'quire_sessions',
    help: 'Who is attached to documents on this node, by kind: `editor`, `viewer`, `live_viewer` (shown changes as they are saved), `closed` (left co-editing and kept the connection).',
    labelNames: ['kind'] as const,
    registers,
    collect() {
      for (const [kind, count] of Object.entries(watched.sessions())) this.set({ kind }, count);
    },
  });
  new Gauge({
    name: 'quire_stored_documents',
    help: 'Documents in the database, of all nodes, by state.',
    labelNames: ['state'] as const,
    registers,
    async collect() {
      this.reset();
      for (const [state, count] of Object.entries((await stored())?.documents ?? {}))
        this.set({ state }, count);
    },
  });
  new Gauge({
    name: 'quire_outbox_callbacks',
    help: 'Callbacks that are to be accepted yet, of all nodes: `due`, `waiting` until another attempt.',
    labelNames: ['state'] as const,
    registers,
    async collect() {
      const outbox = (await stored())?.outbox;
      this.set({ state: 'due' }, outbox?.due ?? Number.NaN);
      this.set({ state: 'waiting' }, outbox?.waiting ?? Number.NaN);
    },
  });
  new Gauge({
    name: 'quire_outbox_oldest_seconds',
    help: 'Age of the oldest callback that is to be accepted yet, of all nodes; 0 when there is none.',
    registers,
    async collect() {
      const outbox = (await stored())?.outbox;
      this.set(outbox ? outbox.oldestMs / 1_000 : Number.NaN);
    },
  });
}

const deliveryOutcomes = ['accepted', 'retried', 'given_up', 'made_anew', 'file_gone'] as const;
/** What became of an attempt to deliver something. */
export type DeliveryOutcome = (typeof deliveryOutcomes)[number];

const receivers = ['integrator', 'wopi_host'] as const;
/** What is delivered from the outbox. */
const deliveredStatuses = [
  CallbackStatus.mustSave,
  CallbackStatus.corrupted,
  CallbackStatus.closed,
  CallbackStatus.forceSaved,
  CallbackStatus.forceSaveFailed,
];

/** Callbacks to integrators, and the outbox that they come from. */
export class DeliveryMetrics {
  readonly #callbacks: Histogram<'accepted' | 'status'>;
  readonly #attempts: Counter<'status' | 'to' | 'outcome'>;

  constructor(registry: Registry) {
    const registers = [registry];
    this.#callbacks = new Histogram({
      name: 'quire_callback_duration_seconds',
      help: 'Callbacks to integrators, by status and by whether they were accepted.',
      labelNames: ['accepted', 'status'] as const,
      buckets: timeBuckets,
      registers,
    });
    this.#attempts = new Counter({
      name: 'quire_deliveries_total',
      help: 'Attempts to deliver what is in the outbox, by status, receiver (`integrator`, `wopi_host`) and outcome: `accepted`, `retried` (later), `given_up` (the document is forgotten, or a forced save dropped), `made_anew` (its file was gone from the store and is made from base and changes), `file_gone` (and could not be: the document is forgotten without a file).',
      labelNames: ['status', 'to', 'outcome'] as const,
      registers,
    });
    for (const status of deliveredStatuses) {
      for (const to of receivers) {
        for (const outcome of deliveryOutcomes)
          this.#attempts.inc({ status: String(status), to, outcome }, 0);
      }
    }
  }

  answered(status: number, accepted: boolean, elapsedMs: number): void {
    recordMs(this.#callbacks, elapsedMs, { accepted: String(accepted), status: String(status) });
  }

  attempted(status: number, to: (typeof receivers)[number], outcome: DeliveryOutcome): void {
    this.#attempts.inc({ status: String(status), to, outcome });
  }
}
