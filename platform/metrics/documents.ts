import { Gauge, type Registry } from 'prom-client';
import { sharedQuery } from './gathered.ts';

/** What the database knows of all documents. */
export interface StoredMetrics {
  /** How many there are in each state that occurs. */
  documents: Readonly<Record<string, number>>;
  /** Callbacks to be accepted yet: due now, and waiting for another attempt. */
  outbox: { due: number; waiting: number; oldestMs: number };
}

/** What is asked when somebody asks for the metrics of documents. */
export interface WatchedDocuments {
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
