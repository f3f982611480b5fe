import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { FileBlobStore } from '../../../platform/adapters/file-blob-store.ts';
import { randomFrom } from '../fault-random.ts';
import { patienceMs } from '../patience.ts';
import { ask, readAudit } from './audit.ts';
import { violationsIn } from './checker.ts';
import { Cluster } from './cluster.ts';
import { blocks, pick, until } from './editor-client.ts';
import type { DocumentAtEnd, Evidence, SaveAtEnd, Violation } from './evidence.ts';
import { type FaultName, faultNames, faults, mountSmallDisk } from './faults.ts';
import { History } from './history.ts';
import { type KeptModel, textsAfter } from './kept-texts.ts';
import { Person } from './person.ts';
import { makeSeats, type Seat } from './seat.ts';
import { HistoryStorage } from './storage.ts';

export interface RunOptions {
  readonly seed: number;
  readonly nodes: number;
  /** How long faults are injected, milliseconds; then everything comes to rest. */
  readonly harmMs: number;
  /** Kinds of faults; all unless given. */
  readonly only?: readonly FaultName[];
  /** Times for which harm stays are multiplied by this; 1 unless given. */
  readonly pace?: number;
  /** How many documents of each kind are edited at once. */
  readonly seats?: number;
  /** Three Redis servers as one Cluster in place of one; its connections cannot be cut. */
  readonly redisCluster?: boolean;
  /** What distributes connections: each to the next node (the default), or nginx as it is shipped. */
  readonly front?: 'turns' | 'nginx';
  /** Where the report of a run that broke something goes. */
  readonly reportDirectory: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly progress?: (text: string) => void;
}

/** What a run was and what it broke. */
export interface RunResult {
  readonly violations: readonly Violation[];
  readonly counts: Readonly<Record<string, number>>;
  /** Where the history, the evidence and the logs of the nodes are; null when nothing was broken. */
  readonly report: string | null;
}

const restMs = 90_000;
const handoverMs = 180_000;
const lockMs = 60_000;
const getOnMs = 15_000;

/** One run: people edit, faults are injected, everything comes to rest, and the history is checked. */
export async function runHistory(options: RunOptions): Promise<RunResult> {
  const { seed, progress = () => undefined } = options;
  const history = new History();
  const wants = options.only ?? faultNames;
  let hasSmallDisk = false;
  const cluster = await Cluster.start(options.nodes, options.environment, {
    prepareFiles: async (blobs) => {
      const unmount = wants.includes('disk') ? await mountSmallDisk(blobs) : null;
      hasSmallDisk = unmount !== null;
      return unmount;
    },
    redisCluster: options.redisCluster === true,
    front: options.front ?? 'turns',
    hasCable: wants.includes('isolate'),
  });
  try {
    const seats = makeSeats(options.seats ?? 1, cluster.integrator);
    const modelOf = (key: string) => seats.find(({ keys }) => keys.includes(key))?.model ?? null;
    const storage = new HistoryStorage(history, modelOf);
    storage.attach(cluster.integrator);
    const people = seats.flatMap((seat, at) =>
      Array.from(
        { length: seat.editors + seat.viewers },
        (_, index) => new Person(seat, index + 1, seed * 1_000 + at * 10 + index + 1, history, cluster),
      ),
    );
    for (const person of people) person.begin();
    const random = randomFrom(seed);
    const lasting: Promise<void>[] = [];
    const meanwhile = (harm: Promise<void>) => void lasting.push(harm);
    const target = { cluster, storage, random, hasSmallDisk, meanwhile, pace: options.pace ?? 1 };
    const getOn = async (saves: number, withinMs: number) => {
      const goal = history.acknowledgements + saves;
      return until(() => history.acknowledgements >= goal, withinMs);
    };
    // Harm to a document that nobody has got into yet says little.
    if (!(await getOn(12, restMs)))
      history.record({ kind: 'waits', what: 'people to get on before any harm' });
    await harm(options.harmMs, wants, random, getOn, async (name) => {
      const tell = (detail: string) => {
        progress(`${name}: ${detail}`);
        history.record({ kind: 'fault', name, phase: 'begins', detail });
      };
      await faults[name](target, tell);
      history.record({ kind: 'fault', name, phase: 'ends', detail: '' });
    });
    await Promise.all(lasting);
    progress('coming to rest');
    await comeToRest(people, seats, history, cluster);
    await Promise.all(people.map(({ client }) => client?.leave(true)));
    const keys = seats.flatMap((seat) => seat.keys);
    progress('handing over');
    await handOver(cluster, history);
    const evidence = await collect(seed, cluster, history, modelOf);
    const violations = violationsIn(evidence);
    const counts = countsOf(evidence, keys.length);
    const report = violations.length > 0 ? await writeReport(options, cluster, evidence, violations) : null;
    return { violations, counts, report };
  } finally {
    await cluster.close();
  }
}

/** Injects one fault after the other, at times two at once, and pauses between them. */
async function harm(
  forMs: number,
  wants: readonly FaultName[],
  random: () => number,
  getOn: (saves: number, withinMs: number) => Promise<boolean>,
  inject: (name: FaultName) => Promise<void>,
): Promise<void> {
  const end = Date.now() + forMs;
  // Each kind once, in random order, before any comes again by chance.
  let left: FaultName[] = [];
  const next = () => {
    if (left.length === 0) left = [...wants];
    const name = pick(left, random);
    left = left.filter((one) => one !== name);
    return name;
  };
  while (Date.now() < end) {
    const first = next();
    const second = random() < 0.25 ? next() : null;
    // Two of a kind would take each other's harm back.
    const both = second === null || second === first ? [first] : [first, second];
    await Promise.all(both.map(inject));
    // Half of the time the next harm comes while people still suffer from this one.
    if (random() < 0.5) await getOn(6, getOnMs);
    await delay(random() * 1_500);
  }
}

/** Everybody stops, saves what is left, and is given the time to see what the others did. */
async function comeToRest(
  people: readonly Person[],
  seats: readonly Seat[],
  history: History,
  cluster: Cluster,
): Promise<void> {
  await Promise.all(people.map((person) => person.stop()));
  const isSettled = ({ client }: Person) => client?.isSettled === true;
  const deadline = Date.now() + restMs;
  while (!people.every(isSettled) && Date.now() < deadline) {
    // Who is told to open the document anew does so.
    await Promise.all(people.filter(({ client }) => client === null).map((person) => person.stop()));
    await delay(20);
  }
  for (const { client, seat } of people.filter((person) => !isSettled(person))) {
    const what = client
      ? `${client.name} to be in session with everything saved`
      : `somebody to get into ${seat.key}`;
    history.record({ kind: 'waits', what });
  }
  for (const seat of seats) {
    const there = people.filter((person) => person.seat === seat);
    const clientsOf = (of: readonly Person[]) => of.flatMap(({ client }) => (client ? [client] : []));
    const here = clientsOf(there);
    const [row] = await ask<{ next: number }>(
      cluster.postgres.url,
      'SELECT next_index AS next FROM documents WHERE key = $1',
      [seat.key],
    );
    await until(() => here.every(({ position }) => position >= (row?.next ?? 0)), patienceMs);
    await checkLocks(clientsOf(there.filter(({ isViewer }) => !isViewer)), history, seat.key);
    // What is on its way to somebody, presence among it, is given the time to come.
    await delay(1_500);
    history.record({ kind: 'rests', key: seat.key });
    for (const client of here) {
      const texts = client.texts();
      if (texts) history.record({ kind: 'shows', client: client.name, texts });
    }
  }
}

/** Locks of sessions that are gone are free: when everybody has given theirs back, anybody gets all. */
async function checkLocks(
  clients: readonly {
    name: string;
    acquire(of: readonly string[]): Promise<boolean>;
    releaseLocks(): void;
  }[],
  history: History,
  key: string,
): Promise<void> {
  const [first] = clients;
  if (!first) return;
  for (const client of clients) client.releaseLocks();
  const deadline = Date.now() + lockMs;
  while (!(await first.acquire(blocks))) {
    if (Date.now() > deadline) {
      history.record({
        kind: 'waits',
        what: `${first.name} to get the locks of ${key} when everybody had let go`,
      });
      return;
    }
    await delay(500);
  }
  first.releaseLocks();
}

const unfinished = `SELECT
  (SELECT count(*) FROM documents WHERE state NOT IN ('idle', 'closed', 'failed', 'forgotten'))::int
  + (SELECT count(*) FROM saves WHERE state IN ('pending', 'assembling'))::int AS count`;

/** Waits until nothing is left to be done. */
async function handOver({ postgres }: Cluster, history: History): Promise<void> {
  const deadline = Date.now() + handoverMs;
  for (;;) {
    const [row] = await ask<{ count: number }>(postgres.url, unfinished);
    if (row!.count === 0) return;
    if (Date.now() > deadline) {
      history.record({ kind: 'waits', what: `${row!.count} documents or saves to be handed over` });
      return;
    }
    await delay(250);
  }
}

async function collect(
  seed: number,
  { postgres, dataDir }: Cluster,
  history: History,
  modelOf: (key: string) => KeptModel | null,
): Promise<Evidence> {
  const documents = await ask<
    Omit<DocumentAtEnd, 'forgotten'> & { result: string | null; source: string | null }
  >(
    postgres.url,
    `SELECT d.key, d.state, d.next_index AS "nextIndex", d.source_hash AS "sourceHash",
       f.result_hash AS result, f.source_hash AS source
     FROM documents d LEFT JOIN forgotten f USING (key)`,
  );
  const saves = await ask<SaveAtEnd & Record<string, unknown>>(
    postgres.url,
    `SELECT id::text, key, status, state, end_index AS "endIndex", result_hash AS "resultHash" FROM saves ORDER BY saves.id`,
  );
  const store = new FileBlobStore(path.join(dataDir, 'blobs'));
  const hashes = new Set(documents.flatMap(({ sourceHash, result, source }) => [sourceHash, result, source]));
  const blobs: string[] = [];
  for (const hash of hashes) {
    const bytes = hash === null ? null : await store.read(hash).catch(() => null);
    if (hash !== null && bytes && createHash('sha256').update(bytes).digest('hex') === hash) blobs.push(hash);
  }
  return {
    seed,
    events: history.events,
    audit: await readAudit(postgres.url),
    documents: documents.map(({ result, source, ...document }) => ({
      ...document,
      forgotten: source === null ? null : { resultHash: result, sourceHash: source },
    })),
    saves,
    blobs,
    textsOf: (key, changes) => {
      const model = modelOf(key);
      return model ? textsAfter[model](changes) : [];
    },
  };
}

function countsOf({ events, audit }: Evidence, keys: number): Record<string, number> {
  const kinds = (kind: string) => events.filter((event) => event.kind === kind).length;
  const heard = (type: string) =>
    events.filter((event) => event.kind === 'hears' && event.message.type === type).length;
  return {
    faults: events.filter((event) => event.kind === 'fault' && event.phase === 'begins').length,
    documents: keys,
    clients: kinds('joins'),
    connections: kinds('connects'),
    messages: kinds('sends') + kinds('hears'),
    acknowledged: heard('unSaveLock'),
    locks: heard('getLock'),
    changes: audit.reduce((sum, { what }) => sum + (what.table === 'batches' ? what.changes.length : 0), 0),
    files: kinds('receives'),
  };
}

/** Leaves everything that tells of a broken run in a directory of its own. */
async function writeReport(
  { seed, reportDirectory, nodes, only, harmMs }: RunOptions,
  cluster: Cluster,
  evidence: Evidence,
  violations: readonly Violation[],
): Promise<string> {
  const directory = path.join(reportDirectory, `seed-${seed}`);
  await mkdir(directory, { recursive: true });
  const lines = (items: readonly unknown[]) => items.map((item) => `${JSON.stringify(item)}\n`).join('');
  const { events, audit, documents, saves } = evidence;
  await Promise.all([
    writeFile(path.join(directory, 'violations.txt'), explained(violations, evidence)),
    writeFile(
      path.join(directory, 'run.json'),
      JSON.stringify({ seed, nodes, only, harmMs, documents, saves }, null, 1),
    ),
    writeFile(path.join(directory, 'history.jsonl'), lines(events)),
    writeFile(path.join(directory, 'audit.jsonl'), lines(audit)),
    ...cluster.nodes.map(({ name, quire }) =>
      writeFile(path.join(directory, `${name.replace(' ', '-')}.log`), quire.logText()),
    ),
  ]);
  return directory;
}

const shownCharacters = 300;

/** The violations with the events that show them, for people. */
export function explained(violations: readonly Violation[], { events, seed }: Evidence): string {
  const shown = violations.map(({ invariant, key, what, events: of }) => {
    const lines = of.flatMap((n) =>
      events[n] ? [`    ${JSON.stringify(events[n]).slice(0, shownCharacters)}`] : [],
    );
    return [`${invariant} ${key}: ${what}`, ...lines].join('\n');
  });
  return `seed ${seed}: ${violations.length} violations\n${shown.join('\n')}\n`;
}
