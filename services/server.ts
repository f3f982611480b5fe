import type { Logger } from 'pino';
import { loadKindModules } from '../converter/engines/kind-modules.ts';
import { findOffice } from '../converter/engines/libreoffice/installation.ts';
import { findX2t } from '../converter/engines/x2t/installation.ts';
import { readStoredMetrics } from '../db/document-overview.ts';
import { FairQueue } from '../db/fair-queue.ts';
import { SecretRecords } from '../db/secret-records.ts';
import { jobKinds } from '../jobs/job.ts';
import { ConversionQueue } from '../jobs/jobs.ts';
import { BusCluster, LocalCluster } from '../platform/adapters/cluster.ts';

import { openBlobStore } from '../platform/adapters/open-blob-store.ts';
import { type Config, type Environment, protocolVersion, servesExample } from '../platform/config.ts';
import { faultPoints } from '../platform/fault-point.ts';
import { watchPool, watchQueue, watchRedis } from '../platform/metrics/backends.ts';
import { watchDocuments } from '../platform/metrics/lifecycle.ts';

import { Metrics } from '../platform/metrics.ts';
import { HttpClient } from '../platform/outgoing/http-client.ts';
import { packageVersion } from '../platform/package-root.ts';
import { Sealing } from '../platform/secrets/sealing.ts';
import { loadSecrets } from '../platform/secrets/secrets.ts';
import { Tokens } from '../platform/secrets/tokens.ts';
import { startTracing } from '../platform/tracing.ts';
import { type DocumentRegistry, sessionsOf } from './coauthoring/registry.ts';
import { openAdministration } from './composition/administration.ts';
import { composeConversion } from './composition/conversion.ts';
import { openDatabase } from './composition/database.ts';
import { composeDocuments } from './composition/documents.ts';
import { httpServer, listen, openGateways } from './composition/listener.ts';
import { openNodes } from './composition/nodes.ts';
import { composeRest } from './composition/rest.ts';
import { lookForAnotherRedis } from './composition/same-redis.ts';
import { Shutdown } from './composition/shutdown.ts';
import { loopbackAddress, openExample } from './example-mount.ts';
import { FileLinks } from './http/file-links.ts';
import { type ConnectionCounts, ConnectionStatistics } from './integration/connection-statistics.ts';
import { printLinkLifeS } from './integration/print-files.ts';
import { editorsWarnings, findThirdPartyEditors } from './integration/third-party-editors.ts';
import { Drain } from './lifecycle/drain.ts';
import { Retirement } from './lifecycle/retirement.ts';
import { Tidier } from './lifecycle/tidier.ts';
import { environmentOfChildren } from './processes/child-environment.ts';
import { ConverterProcesses } from './processes/converter-processes.ts';
import { WorkDirectory } from './work-directory.ts';
import { workerRole } from './workers/worker-role.ts';

const sweepBlobsEveryMs = 3_600_000;
const sweepWorkEveryMs = 120_000;
const sampleConnectionsEveryMs = 60_000;
/** A file is kept this long after the last link to it may have expired. */
const linkMarginMs = 3_600_000;

/** A running server. */
export interface QuireServer {
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
}

/** Composition root: makes every part, connects them, listens. Stops what was started when a later part fails. */
export function startServer(config: Config, environment: Environment, log: Logger): Promise<QuireServer> {
  return Shutdown.around(log, (shutdown) => compose(config, environment, log, shutdown));
}

async function compose(
  config: Config,
  environment: Environment,
  log: Logger,
  shutdown: Shutdown,
): Promise<QuireServer> {
  await loadKindModules(config.kindModules);
  const startedAt = new Date();
  const faultPoint = faultPoints(config.faultPoint, config.dataDir);
  const metrics = new Metrics();
  metrics.collectProcess();
  const stopTracing = await startTracing(config, 'quire', log);
  shutdown.add(stopTracing);
  const [x2t, { office }] = await Promise.all([findX2t(config), findOffice(config)]);
  const x2tVersion = x2t?.version ?? null;
  const editors = await findThirdPartyEditors(config);
  for (const warning of editors ? await editorsWarnings(editors, x2t) : []) log.warn(warning);
  const hasOtherEditors = editors !== null && x2t !== null;
  const announced = editors?.version ?? protocolVersion;

  const worker = workerRole(environment, () => metrics.asJson());
  if (worker) metrics.beWorker(worker.number, async () => String(await worker.link.ask('allFigures')));
  const database = await openDatabase(config, log, shutdown, { isGuarded: worker !== null });
  const { pool } = database;
  const secrets = await loadSecrets(config, config.databaseUrl ? new SecretRecords(pool) : null);
  const shared = await openNodes(config, worker?.link ?? null, log, shutdown);
  if (shared.redis && shared.nodes && !worker) {
    lookForAnotherRedis({ database: pool, leases: shared.nodes.leases, log }).catch((error: unknown) =>
      log.warn({ err: error }, 'Whether all servers share one Redis could not be seen'),
    );
  }
  const work = await WorkDirectory.open(config.dataDir, shared.nodeId, shared.nodes?.leases ?? null);
  shutdown.add(() => work.remove());
  shutdown.repeat(sweepWorkEveryMs, () => work.sweep(), 'What dead nodes left on disk could not be removed');
  const workDirectory = work.path;
  const blobs = await openBlobStore(config);
  shutdown.repeat(sweepBlobsEveryMs, () => blobs.sweep(sweepBlobsEveryMs), 'Old files could not be removed');
  const jobStore = { databaseUrl: database.url, redis: shared.redis, prefix: config.redisPrefix };
  const queue = new ConversionQueue(
    jobStore,
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
  const base = {
    config,
    workDirectory,
    pool,
    blobs,
    queue,
    tokens,
    http,
    links,
    sealing,
    metrics,
    announced,
    log,
  };
  const ownEngines = [
    ...(x2t ? [{ engine: 'x2t', version: x2t.version }] : []),
    ...(office ? [{ engine: 'libreoffice', version: office.version }] : []),
  ];
  const conversion = await composeConversion({ ...base, ownEngines }, shutdown);
  const documents = await composeDocuments(
    {
      ...{ ...base, ...shared, secrets, conversion, hasOtherEditors, faultPoint },
      x2tDirectory: x2t?.directory ?? null,
    },
    shutdown,
  );
  const { coauthoring, closing, registry, forcedSaves, groupCommit } = documents;

  let stopping = false;
  const retirement = new Retirement({
    dismissAll: () => coauthoring.dismissAll(),
    unfinished: () => closing.underWay(),
    waitMs: config.retirementWaitMs,
  });
  const drain = new Drain({
    connections: () => engineIo.connections + plainWs.connections,
    sendElsewhere: (count) => coauthoring.sendElsewhere(count),
    spreadMs: config.drainSpreadMs,
  });
  shutdown.add(async () => drain.cancel());
  const gateways = openGateways(
    config,
    coauthoring,
    metrics.transport,
    { isRetired: () => retirement.isBegun, isLeaving: () => stopping || drain.isBegun },
    worker?.forwarding.sidPrefix,
  );
  const { engineIo, plainWs, unauthenticated } = gateways;
  metrics.watch({
    connections: () => ({ engine_io: engineIo.connections, websocket: plainWs.connections }),
    unauthenticated: () => unauthenticated.count,
    oldestUnsavedMs: () => forcedSaves.oldestUnsavedMs(),
    refusedDocuments: () => forcedSaves.refusedCount(),
  });
  watchDocuments(metrics.registry, {
    attached: () => registry.size,
    sessions: () => sessionsOf(registry),
    stored: () => readStoredMetrics(pool),
  });
  watchPool(metrics.registry, pool, config.databasePoolSize);
  if (shared.redis) watchRedis(metrics.registry, shared.redis);
  const inspector = queue.inspector();
  watchQueue(metrics.registry, jobKinds, (limit) => inspector.jobs(limit));
  const example = servesExample(config)
    ? await openExample(config, secrets, () => loopbackAddress(config, server), log)
    : null;
  const statistics = new ConnectionStatistics();
  const sample = async () => statistics.sample(connectionCounts(registry), Date.now());
  await sample();
  shutdown.repeat(sampleConnectionsEveryMs, sample, 'Connections could not be counted');
  const app = await composeRest({
    ...{ ...base, conversion, documents, retirement, drain, editors, hasOtherEditors, example, startedAt },
    ...{ statistics, redis: shared.redis },
    isStopping: () => stopping || drain.isBegun,
  });
  const server = httpServer(app, gateways, worker?.forwarding ?? null);
  if (worker) shutdown.add(await worker.forwarding.open(server));
  const converters = new ConverterProcesses(
    environmentOfChildren(environment, config, secrets, config.databaseUrl ?? database.url),
    (claims) => queue.release(claims),
    log,
  );
  metrics.include(() => converters.figures());
  shutdown.add(() => converters.stop());
  const convertersStarted = converters.start(config.converterProcesses);

  const { port, close } = await listen(server, config);
  shutdown.add(async () => {
    stopping = true;
    close();
    coauthoring.stop();
    await coauthoring.settled();
    await groupCommit.drained();
    engineIo.close();
    plainWs.close();
    server.closeAllConnections();
  });
  await documents.begin();
  const unanswered = (error: unknown, question: string) => {
    log.warn({ err: error, question }, 'A question of the administration could not be answered');
  };
  const busCluster = shared.nodes
    ? await BusCluster.listen(shared.nodes.bus, shared.nodes.leases, unanswered)
    : null;
  shutdown.add(async () => busCluster?.close());
  const cluster = busCluster ?? new LocalCluster(shared.nodeId, unanswered);
  const adminAddress = await openAdministration(
    {
      ...{ ...base, documents, secrets, environment, startedAt, drain, gateways, inspector },
      cluster,
      version: packageVersion,
    },
    shutdown,
  );
  const tidier = new Tidier({
    pool: database.direct,
    blobs,
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

  if (example) log.info('The example is served to whoever reaches this server: /example/');
  const hostName =
    config.host && config.host !== '0.0.0.0' && config.host !== '::' ? config.host : 'localhost';
  const address = config.publicUrl ?? `http://${hostName.includes(':') ? `[${hostName}]` : hostName}:${port}`;
  const serving = { address, port, x2tVersion, adminAddress };
  worker?.link.tell('ready', serving);
  return {
    ...serving,
    convertersStarted,
    database: { version: database.version, embedded: database.embedded },
    stop: () => shutdown.run(),
  };
}

function connectionCounts(registry: DocumentRegistry): ConnectionCounts {
  const { editor, live_viewer, viewer } = sessionsOf(registry);
  return { edit: editor, liveview: live_viewer, view: viewer };
}
