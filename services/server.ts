import type { Server } from 'node:http';
import type { Logger } from 'pino';
import { loadKindModules } from '../converter/engines/kind-modules.ts';
import { findOffice } from '../converter/engines/libreoffice/installation.ts';
import { findX2t } from '../converter/engines/x2t/installation.ts';
import { readStoredMetrics } from '../db/document-overview.ts';
import { FairQueue } from '../db/fair-queue.ts';
import { SecretRecords } from '../db/secret-records.ts';
import { jobKinds } from '../jobs/job.ts';
import { ConversionQueue } from '../jobs/jobs.ts';
import type { QueueInspector } from '../jobs/queue-inspector.ts';
import { BusCluster, LocalCluster } from '../platform/adapters/cluster.ts';
import { openBlobStore } from '../platform/adapters/open-blob-store.ts';
import { addressGroup } from '../platform/config/address-list.ts';
import { type Config, type Environment, protocolVersion, servesExample } from '../platform/config.ts';
import { Descriptors } from '../platform/descriptors.ts';
import { faultPoints } from '../platform/fault-point.ts';
import { Mutex } from '../platform/keyed-mutex.ts';
import { watchPool, watchQueue, watchRedis } from '../platform/metrics/backends.ts';
import { watchDocuments } from '../platform/metrics/lifecycle.ts';
import { RestartMetrics } from '../platform/metrics/restarts.ts';

import { Metrics } from '../platform/metrics.ts';
import { HttpClient } from '../platform/outgoing/http-client.ts';
import { packageVersion } from '../platform/package-root.ts';
import type { Cluster } from '../platform/ports/cluster.ts';
import { Sealing } from '../platform/secrets/sealing.ts';
import { loadSecrets } from '../platform/secrets/secrets.ts';
import { Tokens } from '../platform/secrets/tokens.ts';
import { startTracing } from '../platform/tracing.ts';
import { documentIn } from './coauthoring/gateway/document-path.ts';
import { Door } from './coauthoring/gateway/door.ts';
import type { DocumentRegistry } from './coauthoring/registry.ts';
import { openAdministration } from './composition/administration.ts';
import { composeConversion } from './composition/conversion.ts';
import { openDatabase } from './composition/database.ts';
import { composeDocuments, type DocumentParts } from './composition/documents.ts';
import { composeHealth } from './composition/health.ts';
import { type Gateways, httpServer, openGateways } from './composition/listener.ts';
import { type NodeParts, openNodes } from './composition/nodes.ts';
import { lookForAnotherRedis } from './composition/nodes-lock.ts';
import { listen } from './composition/port.ts';
import { composeRest } from './composition/rest.ts';
import { Shutdown } from './composition/shutdown.ts';
import { loopbackAddress, openExample } from './example-mount.ts';
import { portAddress } from './http/base-url.ts';
import { callerAddress } from './http/caller.ts';
import { FileLinks } from './http/file-links.ts';
import { RequestBodies } from './http/request-bodies.ts';
import { ConnectionStatistics } from './integration/connection-statistics.ts';
import { printLinkLifeS } from './integration/print-files.ts';
import { editorsWarnings, findThirdPartyEditors } from './integration/third-party-editors.ts';
import { Drain } from './lifecycle/drain.ts';
import { Retirement } from './lifecycle/retirement.ts';
import { Tidier } from './lifecycle/tidier.ts';
import { environmentOfChildren } from './processes/child-process.ts';
import { ConverterProcesses } from './processes/converter-processes.ts';
import { WorkDirectory } from './work-directory.ts';
import { type WorkerRole, workerRole } from './workers/worker-role.ts';

const sweepBlobsEveryMs = 3_600_000;
const sweepWorkEveryMs = 120_000;
const sampleConnectionsEveryMs = 60_000;
/** Longest that people are let go one after the other before a stop: it leaves half of the 30 s that Kubernetes gives. */
const drainAtStopMs = 15_000;
/** A file is kept this long after the last link to it may have expired. */
const linkMarginMs = 3_600_000;

/** A running server. */
interface QuireServer {
  /** Address it listens on, for a browser on this machine. */
  address: string;
  port: number;
  database: { version: string; embedded: boolean };
  /** Version of the converter x2t; null where there is none. */
  x2tVersion: string | null;
  /** Where operators find the administration; null where this node has none. */
  adminAddress: string | null;
  /** Resolves when every converter that it starts takes jobs, or has ended without. */
  convertersStarted: Promise<unknown>;
  stop(): Promise<void>;
  /** Takes nobody any more, stores what was received, and leaves the rest as `kill -9` would. */
  halt(): Promise<void>;
}

/** What a server is started with. */
interface Start {
  config: Config;
  environment: Environment;
  log: Logger;
  shutdown: Shutdown;
}

/** Composition root: makes every part, connects them, listens. Stops what was started when a later part fails. */
export function startServer(config: Config, environment: Environment, log: Logger): Promise<QuireServer> {
  return Shutdown.around(log, (shutdown) => compose({ config, environment, log, shutdown }));
}

async function compose(start: Start): Promise<QuireServer> {
  const { config, environment, log, shutdown } = start;
  await loadKindModules(config.kindModules);
  const startedAt = new Date();
  const metrics = await startMetrics(start);
  const programs = await findPrograms(start);
  const { hasOtherEditors, x2t } = programs;
  const x2tVersion = x2t?.version ?? null;
  const descriptors = new Descriptors();
  const worker = workerOf(start, descriptors, metrics, () => entrance.door.turnedAway());
  const stores = await openStores(start, worker);
  const { database, secrets, nodes } = stores;
  const base = { ...stores.base, metrics, announced: programs.announced };

  const conversion = await composeConversion({ ...base, ownEngines: programs.engines }, shutdown);
  const documents = await composeDocuments(
    {
      ...{ ...base, ...nodes, secrets, conversion, hasOtherEditors },
      faultPoint: faultPoints(config.faultPoint, config.dataDir),
      x2tDirectory: x2t?.directory ?? null,
      isCrowded: () => entrance.door.isCrowded,
    },
    shutdown,
  );
  const entrance = openEntrance(start, documents, { descriptors, metrics, worker });
  const inspector = base.queue.inspector();
  watchParts(stores, documents, entrance.gateways, inspector, metrics);
  const health = composeHealth(
    {
      ...{ ...base, nodes: nodes.nodes, redis: nodes.redis, inspector },
      isLeaving: () => entrance.isLeaving() || entrance.retirement.isAnnounced,
    },
    shutdown,
  );

  const example = servesExample(config)
    ? await openExample(config, secrets, () => loopbackAddress(config, server), log)
    : null;
  const app = composeRest({
    ...{ ...base, ...entrance, conversion, documents, hasOtherEditors, example, startedAt },
    ...{ editors: programs.editors, health },
    statistics: await sampleConnections(documents.registry, shutdown),
    isStopping: entrance.isLeaving,
  });
  const server = httpServer(app, entrance.gateways, worker?.forwarding ?? null, descriptors);
  if (worker) shutdown.add(await worker.forwarding.open(server));
  const convertersStarted = worker ? Promise.resolve() : startConverters(start, stores, metrics);
  const port = await openPort(start, server, documents, entrance);
  await documents.begin();

  const cluster = await joinCluster(start, nodes);
  const adminAddress = await openAdministration(
    {
      ...{ ...base, ...entrance, documents, secrets, environment, startedAt, inspector, cluster, health },
      version: packageVersion,
    },
    shutdown,
  );
  startTidier(start, stores, documents.registry, metrics);

  if (example) log.info('The example is served to everybody who reaches this server: /example/');
  const address = config.publicUrl ?? portAddress(config.host, port, 'localhost');
  const serving = { address, port, x2tVersion, adminAddress };
  worker?.link.notify('ready', { ...serving, nodeId: nodes.nodeId });
  return {
    ...serving,
    convertersStarted,
    database: { version: database.version, embedded: database.embedded },
    stop: async () => {
      if (await areOthersThere(nodes, worker)) {
        const { connectionsLeft } = entrance.drain.state();
        log.info({ connectionsLeft }, 'People are let go to other servers a few at a time');
        await entrance.drain.emptied(drainAtStopMs);
      }
      await shutdown.run();
    },
    halt: () => shutdown.halt(),
  };
}

/**
 * Whether people who leave this node can go on at another server: at a node that is no worker of this one. Where there is
 * none, they come back to the process that follows, and the sooner it starts the better.
 */
async function areOthersThere({ nodeId, nodes }: NodeParts, worker: WorkerRole | null): Promise<boolean> {
  if (!nodes) return false;
  try {
    const own = new Set(worker ? ((await worker.link.ask('nodeIds')) as string[]) : []);
    return [...(await nodes.leases.living())].some((id) => id !== nodeId && !own.has(id));
  } catch {
    // Not known while Redis is away.
    return true;
  }
}

/** The metrics of this process, and traces where they are configured. */
async function startMetrics({ config, log, shutdown }: Start): Promise<Metrics> {
  const metrics = new Metrics();
  metrics.collectProcess();
  shutdown.add(await startTracing(config, 'quire', log));
  return metrics;
}

/** Programs on this machine: engines, and third-party editors. */
async function findPrograms({ config, log }: Start) {
  const [x2t, { office }] = await Promise.all([findX2t(config), findOffice(config)]);
  const editors = await findThirdPartyEditors(config);
  for (const warning of editors ? await editorsWarnings(editors, x2t) : []) log.warn(warning);
  return {
    x2t,
    editors,
    hasOtherEditors: editors !== null && x2t !== null,
    announced: editors?.version ?? protocolVersion,
    engines: [
      ...(x2t ? [{ engine: 'x2t', version: x2t.version }] : []),
      ...(office ? [{ engine: 'libreoffice', version: office.version }] : []),
    ],
  };
}

/** This process as one of several workers of a server; null where it is the only one. */
function workerOf(
  { config, environment, shutdown }: Start,
  descriptors: Descriptors,
  metrics: Metrics,
  turnedAway: () => void,
): WorkerRole | null {
  const worker = workerRole(environment, config.workers, descriptors, {
    metrics: () => metrics.asJson(),
    halt: () => shutdown.halt(),
    turnedAway,
  });
  if (worker) metrics.beWorker(worker.number, async () => String(await worker.link.ask('allMetrics')));
  return worker;
}

/** Database, Redis, files and jobs, and what signs with the secrets that are kept there. */
async function openStores({ config, log, shutdown }: Start, worker: WorkerRole | null) {
  const database = await openDatabase(config, log, shutdown, { isGuarded: worker !== null });
  const { pool } = database;
  const secrets = await loadSecrets(config, config.databaseUrl ? new SecretRecords(pool) : null);
  const nodes = await openNodes(config, worker, log, shutdown);
  if (nodes.redis && nodes.nodes && !worker) {
    lookForAnotherRedis({ database: pool, leases: nodes.nodes.leases, log }).catch((error: unknown) =>
      log.warn({ err: error }, 'Whether all servers share one Redis could not be seen'),
    );
  }
  const work = await WorkDirectory.open(config.dataDir, nodes.nodeId, nodes.nodes?.leases ?? null);
  shutdown.add(() => work.remove());
  shutdown.repeat(sweepWorkEveryMs, () => work.sweep(), 'What dead nodes left on disk could not be removed');
  const blobs = await openBlobStore(config);
  shutdown.repeat(sweepBlobsEveryMs, () => blobs.sweep(sweepBlobsEveryMs), 'Old files could not be removed');
  const queue = new ConversionQueue(
    { databaseUrl: database.url, redis: nodes.redis, prefix: config.redisPrefix },
    config.converterJobTimeoutMs,
    (error) => log.warn({ err: error }, 'The job queue reports an error'),
    { fairQueue: new FairQueue(pool), limit: config.jobQueueLimit },
  );
  shutdown.add(() => queue.close());
  await queue.ready();
  const http = new HttpClient(config);
  shutdown.add(() => http.close());
  const tokens = new Tokens(secrets, config);
  const links = new FileLinks(secrets, config);
  const sealing = new Sealing(secrets);
  const bodies = new RequestBodies((request) => callerAddress(request, config));
  const base = {
    config,
    workDirectory: work.path,
    pool,
    blobs,
    queue,
    tokens,
    http,
    links,
    sealing,
    bodies,
    log,
  };
  return { database, secrets, nodes, base };
}
type Stores = Awaited<ReturnType<typeof openStores>>;

/** The connections of clients, and how this node sends them away again. */
interface Entrance {
  gateways: Gateways;
  door: Door;
  retirement: Retirement;
  drain: Drain;
  /** Whether clients should go to another node: this one is drained, or stops. */
  isLeaving: () => boolean;
  beginStop: () => void;
}

function openEntrance(
  { config, shutdown }: Start,
  { coauthoring, closing }: DocumentParts,
  { descriptors, metrics, worker }: { descriptors: Descriptors; metrics: Metrics; worker: WorkerRole | null },
): Entrance {
  let isStopping = false;
  const retirement = new Retirement({
    dismissAll: () => coauthoring.dismissAll(),
    unfinished: () => closing.underWay(),
    waitMs: config.retirementWaitMs,
  });
  const drain = new Drain({
    connections: () => gateways.engineIo.connections + gateways.plainWs.connections,
    sendElsewhere: (count) => coauthoring.sendElsewhere(count),
    spreadMs: config.drainSpreadMs,
  });
  shutdown.add(async () => drain.cancel());
  const isLeaving = () => isStopping || drain.isBegun;
  const door = new Door(
    (request) => ({
      tenant: coauthoring.tenantOf(documentIn(request.url ?? '') ?? ''),
      network: addressGroup(callerAddress(request, config)),
    }),
    metrics.admission,
    (busyness) => worker?.link.notify('busy', busyness),
  );
  metrics.admission.watch(() => door.state);
  const gateways: Gateways = openGateways(
    config,
    coauthoring,
    metrics.transport,
    { isRetired: () => retirement.isBegun, isLeaving, door, descriptors },
    worker?.forwarding.sidPrefix,
  );
  const beginStop = () => {
    isStopping = true;
  };
  return { gateways, door, retirement, drain, isLeaving, beginStop };
}

/** Metrics that are read from the parts when somebody asks for them. */
function watchParts(
  { base: { config, pool }, nodes }: Stores,
  { registry, forcedSaves }: DocumentParts,
  { engineIo, plainWs, unauthenticated }: Gateways,
  inspector: QueueInspector,
  metrics: Metrics,
): void {
  // Who asks for metrics takes one connection to the database, however many values there are.
  const oneByOne = new Mutex();
  metrics.watch({
    connections: () => ({ engine_io: engineIo.connections, websocket: plainWs.connections }),
    unauthenticated: () => unauthenticated.count,
    oldestUnsavedMs: () => oneByOne.run(() => forcedSaves.oldestUnsavedMs()),
    refusedDocuments: () => oneByOne.run(() => forcedSaves.refusedCount()),
  });
  watchDocuments(metrics.registry, {
    attached: () => registry.size,
    sessions: () => registry.sessions,
    stored: () => oneByOne.run(() => readStoredMetrics(pool)),
  });
  watchPool(metrics.registry, pool, config.databasePoolSize);
  metrics.nameNode(nodes.name, packageVersion);
  if (nodes.redis) watchRedis(metrics.registry, nodes.redis);
  watchQueue(metrics.registry, jobKinds, (limit) => inspector.ages(limit));
}

/** Counts connections once a minute. */
async function sampleConnections(
  registry: DocumentRegistry,
  shutdown: Shutdown,
): Promise<ConnectionStatistics> {
  const statistics = new ConnectionStatistics();
  const sample = async () => {
    const { editor, live_viewer, viewer } = registry.sessions;
    statistics.sample({ edit: editor, liveview: live_viewer, view: viewer }, Date.now());
  };
  await sample();
  shutdown.repeat(sampleConnectionsEveryMs, sample, 'Connections could not be counted');
  return statistics;
}

/** Starts the converter processes of this server. Resolves when each takes jobs, or has ended without. */
function startConverters(
  { config, environment, log, shutdown }: Start,
  { database, secrets, base: { queue } }: Stores,
  metrics: Metrics,
): Promise<unknown> {
  const restarts = new RestartMetrics(metrics.registry, environment);
  const converters = new ConverterProcesses(
    environmentOfChildren(environment, config, secrets, config.databaseUrl ?? database.url),
    { release: (claims) => queue.release(claims), restarted: () => restarts.restarted('converter') },
    log,
  );
  metrics.include(() => converters.metricsPage());
  shutdown.add(() => converters.stop());
  return converters.start(config.converterProcesses);
}

/** Listens. When the server stops, what was received is stored before connections end. */
async function openPort(
  { config, log, shutdown }: Start,
  server: Server,
  { coauthoring, groupCommit }: DocumentParts,
  { gateways, door, beginStop }: Entrance,
): Promise<number> {
  const { port, close } = await listen(server, config, log);
  shutdown.addUrgent(async () => {
    beginStop();
    door.stop();
    close();
    coauthoring.stop();
    await coauthoring.settled();
    await groupCommit.drained();
    gateways.engineIo.close();
    gateways.plainWs.close();
    server.closeAllConnections();
  });
  return port;
}

/** The nodes that answer the administration. */
async function joinCluster({ log, shutdown }: Start, { name, nodes }: NodeParts): Promise<Cluster> {
  const unanswered = (error: unknown, question: string) => {
    log.warn({ err: error, question }, 'A question of the administration could not be answered');
  };
  const busCluster = nodes ? await BusCluster.listen(nodes.bus, nodes.leases, unanswered) : null;
  shutdown.add(async () => busCluster?.close());
  return busCluster ?? new LocalCluster(name, unanswered);
}

/** Removes what is not needed any more, from time to time. */
function startTidier(
  { config, log, shutdown }: Start,
  { database, base: { blobs, queue } }: Stores,
  registry: DocumentRegistry,
  metrics: Metrics,
): void {
  const tidier = new Tidier({
    pool: database.direct,
    blobs,
    jobs: queue,
    isAttached: (key) => registry.isAttached(key),
    keepMs: config.tidyAfterMs,
    keepFilesMs: Math.max(config.tidyAfterMs, config.temporaryLinkLifeS * 1_000 + linkMarginMs),
    conversions: {
      maxBytes: config.conversionCacheBytes,
      linkedForMs: Math.max(config.temporaryLinkLifeS, printLinkLifeS) * 1_000 + linkMarginMs,
    },
    everyMs: config.tidyEveryMs,
    onTidied: (tidied) => {
      for (const [kind, count] of Object.entries(tidied)) metrics.tidied.inc({ kind }, count);
    },
    log,
  });
  shutdown.add(() => tidier.stop());
  if (config.tidyEveryMs > 0) tidier.start();
}
