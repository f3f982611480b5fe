import cluster from 'node:cluster';
import { mkdtemp, rm } from 'node:fs/promises';
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
import { openDatabase } from './composition/database.ts';
import { Shutdown } from './composition/shutdown.ts';
import { environmentOfChildren } from './processes/child-environment.ts';
import { ConverterProcesses } from './processes/converter-processes.ts';
import { proofKeysFile } from './wopi/wopi.ts';
import type { IpcChannel } from './workers/ipc-channel.ts';
import { WorkerHub } from './workers/worker-hub.ts';
import { WorkerProcesses } from './workers/worker-processes.ts';
import { socketsVariable } from './workers/worker-role.ts';

/** What a worker says of itself when it serves. */
export interface WorkerReady {
  address: string;
  port: number;
  x2tVersion: string | null;
  /** Where operators find the administration; null where this worker does not serve it. */
  adminAddress: string | null;
}

export interface QuirePrimary extends WorkerReady {
  database: { version: string; embedded: boolean };
  /** Resolves when every converter that it starts takes jobs, or has ended without. */
  convertersStarted: Promise<unknown>;
  stop(): Promise<void>;
}

/**
 * A server of several processes behind one port. This process accepts connections and distributes them among its workers. It
 * runs the embedded database and the converters, keeps other servers off the database, and without Redis it holds the shared
 * values of the workers. @throws Error when a worker cannot start
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
  const redis = config.redisUrl ? await RedisConnection.connect(config.redisUrl, log) : null;
  shutdown.add(async () => redis?.close());
  const queue = new ConversionQueue(
    { databaseUrl: database.url, redis, prefix: config.redisPrefix },
    config.converterJobTimeoutMs,
    (error) => log.warn({ err: error }, 'The job queue reports an error'),
  );
  shutdown.add(() => queue.close());
  const converters = new ConverterProcesses(childEnvironment, (claims) => queue.release(claims), log);
  shutdown.add(() => converters.stop());
  const forwarding = await mkdtemp(path.join(os.tmpdir(), 'quire-workers-'));
  shutdown.add(() => rm(forwarding, { recursive: true, force: true }));

  const hub = new WorkerHub();
  const channels = new Map<number, IpcChannel>();
  const allMetrics = async (): Promise<string> => {
    const metrics = await Promise.allSettled([...channels.values()].map((one) => one.ask('metrics')));
    const answered = metrics.flatMap((one) => (one.status === 'fulfilled' ? [one.value as object[]] : []));
    const pages = [await AggregatorRegistry.aggregate(answered).metrics(), await converters.metricsPage()];
    return pages.filter((page) => page !== '').join('\n');
  };
  const ready = new Map<number, WorkerReady>();
  let isUp = false;
  let onReady: (all: WorkerReady) => void;
  let onFailure: (error: Error) => void;
  const allReady = new Promise<WorkerReady>((resolve, reject) => {
    onReady = resolve;
    onFailure = reject;
  });
  const workers = new WorkerProcesses(
    {
      ...childEnvironment,
      ...(config.databaseUrl === undefined && { WOPI_PROOF_KEYS_FILE: proofKeysFile(config) }),
      EXAMPLE_ENABLED: String(servesExample(config)),
      CONVERTER_PROCESSES: '0',
      [socketsVariable]: forwarding,
    },
    (number, channel) => {
      const { channel: connected, disconnected } = hub.connect(channel, {
        allMetrics,
        ready: (said: WorkerReady) => {
          ready.set(number, said);
          if (ready.size === config.workers) onReady(said);
        },
      });
      channels.set(number, connected);
      return () => {
        channels.delete(number);
        ready.delete(number);
        disconnected();
      };
    },
    log,
  );
  cluster.setupPrimary({ exec: programFile, args: ['serve'] });
  shutdown.add(() => workers.stop());
  workers.start(config.workers, (number) => {
    if (!isUp) onFailure(new Error(`Worker ${number} ended before it was ready`));
    return isUp;
  });
  const first = await allReady;
  isUp = true;
  const convertersStarted = converters.start(config.converterProcesses);
  return {
    ...first,
    convertersStarted,
    adminAddress: [...ready.values()].map((one) => one.adminAddress).find((one) => one !== null) ?? null,
    database: { version: database.version, embedded: database.embedded },
    stop: () => shutdown.run(),
  };
}
