import cluster from 'node:cluster';
import { mkdtemp, rm } from 'node:fs/promises';
import type { Socket } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import type { Logger } from 'pino';
import { AggregatorRegistry } from 'prom-client';
import { SecretRecords } from '../db/secret-records.ts';
import { ConversionQueue } from '../jobs/jobs.ts';
import { RedisConnection } from '../platform/adapters/redis/redis-connection.ts';
import { type Config, type Environment, servesExample } from '../platform/config.ts';
import { programFile } from '../platform/package-root.ts';
import { loadSecrets } from '../platform/secrets/secrets.ts';
import { comeElsewhere } from './coauthoring/gateway/unauthenticated-connections.ts';
import { openDatabase } from './composition/database.ts';
import { Shutdown } from './composition/shutdown.ts';
import { environmentOfChildren } from './processes/child-process.ts';
import { ConverterProcesses } from './processes/converter-processes.ts';
import { proofKeysFile } from './wopi/wopi.ts';
import type { IpcChannel, IpcTransport } from './workers/ipc-channel.ts';
import type { WrittenUpgrade } from './workers/session-forwarding.ts';
import { WorkerHub } from './workers/worker-hub.ts';
import { WorkerProcesses } from './workers/worker-processes.ts';
import { socketsVariable } from './workers/worker-role.ts';

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
}

/**
 * A server of several processes behind one port, each of which accepts connections. This process leads them to the workers of
 * their documents. It runs the embedded database and the converters, keeps other servers off the database, and without Redis it
 * holds the shared values of the workers. @throws Error when a worker cannot start
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
  const converters = await composeConverters(config, childEnvironment, database.url, log, shutdown);
  const forwarding = await mkdtemp(path.join(os.tmpdir(), 'quire-workers-'));
  shutdown.add(() => rm(forwarding, { recursive: true, force: true }));
  const workerEnvironment = {
    ...childEnvironment,
    ...(config.databaseUrl === undefined && { WOPI_PROOF_KEYS_FILE: proofKeysFile(config) }),
    EXAMPLE_ENABLED: String(servesExample(config)),
    CONVERTER_PROCESSES: '0',
    [socketsVariable]: forwarding,
  };
  const serving = await startWorkers(config.workers, workerEnvironment, converters, log, shutdown);
  return {
    ...serving,
    convertersStarted: converters.start(config.converterProcesses),
    database: { version: database.version, embedded: database.embedded },
    stop: () => shutdown.run(),
  };
}

/** The converters of this server, which are started when its workers serve. */
async function composeConverters(
  config: Config,
  environment: Environment,
  databaseUrl: string,
  log: Logger,
  shutdown: Shutdown,
): Promise<ConverterProcesses> {
  const redis = config.redisUrl ? await RedisConnection.connect(config.redisUrl, log) : null;
  shutdown.add(async () => redis?.close());
  const queue = new ConversionQueue(
    { databaseUrl, redis, prefix: config.redisPrefix },
    config.converterJobTimeoutMs,
    (error) => log.warn({ err: error }, 'The job queue reports an error'),
  );
  shutdown.add(() => queue.close());
  const converters = new ConverterProcesses(environment, (claims) => queue.release(claims), log);
  shutdown.add(() => converters.stop());
  return converters;
}

/** Starts the workers. Resolves when all of them serve. @throws Error when one ends before that */
async function startWorkers(
  count: number,
  environment: Environment,
  converters: ConverterProcesses,
  log: Logger,
  shutdown: Shutdown,
): Promise<WorkerReady> {
  const hub = new WorkerHub();
  const channels = new Map<number, IpcChannel>();
  const ready = new Map<number, WorkerReady>();
  let onReady: (last: WorkerReady) => void;
  let onFailure: (error: Error) => void;
  const allReady = new Promise<WorkerReady>((resolve, reject) => {
    onReady = resolve;
    onFailure = reject;
  });
  const connect = (number: number, transport: IpcTransport) => {
    const { channel, disconnected } = hub.connect(transport, {
      allMetrics: () => metricsPageOf(channels.values(), converters),
      nodeIds: () => [...ready.values()].map(({ nodeId }) => nodeId),
      handOver: (to: number, upgrade: WrittenUpgrade, socket?: Socket) => {
        if (!socket) return;
        socket.on('error', () => undefined);
        const isThere = ready.has(to) && channels.get(to);
        if ((isThere || channel).give('takeOver', socket, upgrade)) return;
        socket.end(comeElsewhere, () => socket.destroy());
      },
      ready: (said: WorkerReady) => {
        ready.set(number, said);
        if (ready.size === count) onReady(said);
      },
    });
    channels.set(number, channel);
    return () => {
      channels.delete(number);
      ready.delete(number);
      disconnected();
    };
  };
  const workers = new WorkerProcesses(environment, connect, log);
  // Each worker accepts connections itself, when it has time for them: until then they wait in the kernel. Node's other way has
  // this process accept all of them, however slow the workers are, until it has no descriptors left.
  cluster.schedulingPolicy = cluster.SCHED_NONE;
  cluster.setupPrimary({ exec: programFile, args: ['serve'] });
  shutdown.add(() => workers.stop());
  let isUp = false;
  workers.start(count, (number) => {
    if (!isUp) onFailure(new Error(`Worker ${number} ended before it was ready`));
    return isUp;
  });
  const last = await allReady;
  isUp = true;
  const adminAddresses = [...ready.values()].map((one) => one.adminAddress);
  return { ...last, adminAddress: adminAddresses.find((one) => one !== null) ?? null };
}

/** The metrics of all workers and converters, in Prometheus' text format. */
async function metricsPageOf(workers: Iterable<IpcChannel>, converters: ConverterProcesses): Promise<string> {
  const asked = await Promise.allSettled([...workers].map((one) => one.ask('metrics')));
  const answered = asked.flatMap((one) => (one.status === 'fulfilled' ? [one.value as object[]] : []));
  const pages = [await AggregatorRegistry.aggregate(answered).metrics(), await converters.metricsPage()];
  return pages.filter((page) => page !== '').join('\n');
}
