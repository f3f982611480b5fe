import cluster from 'node:cluster';
import { mkdtemp, rm } from 'node:fs/promises';
import type { Socket } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import type { Logger } from 'pino';
import { Registry } from 'prom-client';
import { SecretRecords } from '../db/secret-records.ts';
import { ConversionQueue } from '../jobs/jobs.ts';
import { MemoryLeases } from '../platform/adapters/memory-coordination.ts';
import { RedisConnection } from '../platform/adapters/redis/redis-connection.ts';
import { RedisLeases } from '../platform/adapters/redis/redis-stores.ts';
import { type Config, type Environment, servesExample } from '../platform/config.ts';
import { faultPoints } from '../platform/fault-point.ts';
import { RestartMetrics } from '../platform/metrics/restarts.ts';
import { type ProcessMetrics, SummedMetrics } from '../platform/metrics/summed-metrics.ts';
import { programFile } from '../platform/package-root.ts';
import { loadSecrets } from '../platform/secrets/secrets.ts';
import { comeElsewhere } from './coauthoring/gateway/come-again.ts';
import { refuseUpgrade } from './coauthoring/gateway/upgrade-refusal.ts';
import { openDatabase } from './composition/database.ts';
import { leaseTermsOf } from './composition/nodes.ts';
import { Shutdown } from './composition/shutdown.ts';
import { environmentOfChildren } from './processes/child-process.ts';
import { ConverterProcesses } from './processes/converter-processes.ts';
import { proofKeysFile } from './wopi/wopi.ts';
import type { Busyness } from './workers/busy-workers.ts';
import type { IpcChannel, IpcTransport } from './workers/ipc-channel.ts';
import { KeptLeases } from './workers/kept-leases.ts';
import { LeaseRuns } from './workers/lease-runs.ts';
import type { WrittenUpgrade } from './workers/session-forwarding.ts';
import { WorkerHub } from './workers/worker-hub.ts';
import { WorkerProcesses } from './workers/worker-processes.ts';
import { sharedDirectoryVariable } from './workers/worker-role.ts';

/** How long a worker has to say its metrics, milliseconds: less than the one that shows the page waits for all of them. */
const metricsWithinMs = 1_000;

/** What a worker reports when it serves. */
interface WorkerReady {
  /** Its id among the nodes. */
  nodeId: string;
  address: string;
  port: number;
  x2tVersion: string | null;
  /** Where operators find the administration; null where this worker does not serve it. */
  adminAddress: string | null;
}

interface QuirePrimary extends Omit<WorkerReady, 'nodeId'> {
  database: { version: string; embedded: boolean };
  /** Resolves when every converter that it starts takes jobs, or has ended without. */
  convertersStarted: Promise<unknown>;
  stop(): Promise<void>;
  /** Has the workers take nobody any more and store what they received. They end with this process. */
  halt(): Promise<unknown>;
}

/**
 * A server of several processes behind one port, each of which accepts connections. This process leads them to the workers of
 * their documents. It runs the embedded database and the converters, keeps other servers off the database, and keeps the leases of the
 * workers; without Redis it holds their shared values. @throws Error when a worker cannot start
 */
export function startPrimary(config: Config, environment: Environment, log: Logger): Promise<QuirePrimary> {
  return Shutdown.around(log, (shutdown) => compose(config, environment, log, shutdown));
}

async function compose(
  config: Config,
  environment: Environment,
  log: Logger,
  shutdown: Shutdown,
): Promise<QuirePrimary> {
  const database = await openDatabase(config, log, shutdown);
  const secrets = await loadSecrets(config, config.databaseUrl ? new SecretRecords(database.pool) : null);
  const childEnvironment = environmentOfChildren(
    environment,
    config,
    secrets,
    config.databaseUrl ?? database.url,
  );
  const metrics = new Registry();
  const restarts = new RestartMetrics(metrics, environment);
  const redis = config.redisUrl ? await RedisConnection.connect(config.redisUrl, log) : null;
  shutdown.add(async () => redis?.close());
  const converters = composeConverters(
    { config, environment: childEnvironment, databaseUrl: database.url, redis },
    restarts,
    log,
    shutdown,
  );
  const shared = await mkdtemp(path.join(os.tmpdir(), 'quire-workers-'));
  shutdown.add(() => rm(shared, { recursive: true, force: true }));
  const store = redis ? new RedisLeases(redis, config.redisPrefix) : new MemoryLeases();
  const leases = new KeptLeases(store, leaseTermsOf(config), new LeaseRuns(shared), log);
  shutdown.add(() => leases.close());
  const workerEnvironment = {
    ...childEnvironment,
    ...(config.databaseUrl === undefined && { WOPI_PROOF_KEYS_FILE: proofKeysFile(config) }),
    EXAMPLE_ENABLED: String(servesExample(config)),
    CONVERTER_PROCESSES: '0',
    [sharedDirectoryVariable]: shared,
  };
  const channels = new Map<number, IpcChannel>();
  const faultPoint = faultPoints(config.faultPoint, config.dataDir);
  const ofWorkers = new SummedMetrics(() => [...channels.values()], metricsOfWorker);
  const allMetrics = async () => {
    faultPoint('primary:metrics');
    const pages = [ofWorkers.page(), metrics.metrics(), converters.metricsPage()];
    return (await Promise.all(pages)).filter((page) => page !== '').join('\n');
  };
  const serving = await startWorkers(
    { count: config.workers, environment: workerEnvironment, leases, channels, allMetrics },
    restarts,
    log,
    shutdown,
  );
  return {
    ...serving,
    convertersStarted: converters.start(config.converterProcesses),
    database: { version: database.version, embedded: database.embedded },
    stop: () => shutdown.run(),
    halt: () => Promise.allSettled([...channels.values()].map((worker) => worker.ask('halt'))),
  };
}

interface ConvertersStart {
  config: Config;
  environment: Environment;
  databaseUrl: string;
  redis: RedisConnection | null;
}

/** The converters of this server, which are started when its workers serve. */
function composeConverters(
  { config, environment, databaseUrl, redis }: ConvertersStart,
  restarts: RestartMetrics,
  log: Logger,
  shutdown: Shutdown,
): ConverterProcesses {
  const queue = new ConversionQueue(
    { databaseUrl, redis, prefix: config.redisPrefix },
    config.converterJobTimeoutMs,
    (error) => log.warn({ err: error }, 'The job queue reports an error'),
  );
  shutdown.add(() => queue.close());
  const converters = new ConverterProcesses(
    environment,
    { release: (claims) => queue.release(claims), restarted: () => restarts.restarted('converter') },
    log,
  );
  shutdown.add(() => converters.stop());
  return converters;
}

/** How workers are started, and what they ask for. */
interface WorkersStart {
  count: number;
  environment: Environment;
  leases: KeptLeases;
  /** Those that serve, by their numbers: kept here. One that is starting answers nothing, and others would wait for it. */
  channels: Map<number, IpcChannel>;
  allMetrics(): Promise<string>;
}

/** Starts the workers. Resolves when all of them serve. @throws Error when one ends before that */
async function startWorkers(
  { count, environment, leases, channels, allMetrics }: WorkersStart,
  restarts: RestartMetrics,
  log: Logger,
  shutdown: Shutdown,
): Promise<WorkerReady> {
  const hub = new WorkerHub(leases);
  const ready = new Map<number, WorkerReady>();
  let onReady: (last: WorkerReady) => void;
  let onFailure: (error: Error) => void;
  const allReady = new Promise<WorkerReady>((resolve, reject) => {
    onReady = resolve;
    onFailure = reject;
  });
  const started = (number: number, transport: IpcTransport) => {
    const { channel, disconnected } = hub.connect(transport, {
      allMetrics,
      nodeIds: () => [...ready.values()].map(({ nodeId }) => nodeId),
      handOver: (to: number, upgrade: WrittenUpgrade, socket?: Socket) => {
        if (!socket) return;
        socket.on('error', () => undefined);
        if ((channels.get(to) ?? channel).give('takeOver', socket, upgrade)) return;
        refuseUpgrade(socket, comeElsewhere);
      },
      busy: (busyness: Busyness) => {
        for (const [other, its] of channels) if (other !== number) its.notify('busy', number, busyness);
      },
      ready: (said: WorkerReady) => {
        ready.set(number, said);
        channels.set(number, channel);
        if (ready.size === count) onReady(said);
      },
    });
    return () => {
      channels.delete(number);
      ready.delete(number);
      disconnected();
    };
  };
  let isUp = false;
  const died = (number: number) => {
    if (!isUp) onFailure(new Error(`Worker ${number} ended before it was ready`));
    return isUp;
  };
  const restarted = () => restarts.restarted('worker');
  const workers = new WorkerProcesses(environment, { started, died, restarted }, log);
  // Each worker accepts connections itself, when it has time for them: until then they wait in the kernel. Node's other way has
  // this process accept all of them, however slow the workers are, until it has no descriptors left.
  cluster.schedulingPolicy = cluster.SCHED_NONE;
  cluster.setupPrimary({ exec: programFile, args: ['serve'] });
  shutdown.add(() => workers.stop());
  workers.start(count);
  const last = await allReady;
  isUp = true;
  const adminAddresses = [...ready.values()].map((one) => one.adminAddress);
  return { ...last, adminAddress: adminAddresses.find((one) => one !== null) ?? null };
}

async function metricsOfWorker(worker: IpcChannel): Promise<ProcessMetrics | null> {
  const answer = worker.askWithin(metricsWithinMs, 'metrics') as Promise<ProcessMetrics>;
  return answer.catch(() => null);
}
