import path from 'node:path';
import type { Logger } from 'pino';
import { findX2t } from '../converter/engines/x2t/installation.ts';
import { FileBlobStore } from './adapters/file-blob-store.ts';
import { composeConversion } from './composition/conversion.ts';
import { openDatabase } from './composition/database.ts';
import { composeDocuments } from './composition/documents.ts';
import { httpServer, listen, openGateways } from './composition/listener.ts';
import { composeRest } from './composition/rest.ts';
import { Shutdown } from './composition/shutdown.ts';
import { type Config, type Environment, protocolVersion, servesExample } from './config.ts';
import { ConverterProcesses } from './converter-processes.ts';
import { loopbackAddress, openExample } from './example-mount.ts';
import { faultPoints } from './fault-point.ts';
import { FileLinks } from './integration/file-links.ts';
import { editorsWarnings, findThirdPartyEditors } from './integration/third-party-editors.ts';
import { ConversionQueue } from './jobs.ts';
import { Retirement } from './lifecycle/retirement.ts';
import { Tidier } from './lifecycle/tidier.ts';
import { Metrics } from './metrics.ts';
import { HttpClient } from './outgoing/http-client.ts';
import { Sealing } from './sealing.ts';
import { loadSecrets } from './secrets.ts';
import { Tokens } from './tokens.ts';

const sweepBlobsEveryMs = 3_600_000;
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
  stop(): Promise<void>;
}

/** Composition root: makes every part, connects them, listens. Stops what was started when a later part fails. */
export async function startServer(
  config: Config,
  environment: Environment,
  log: Logger,
): Promise<QuireServer> {
  const shutdown = new Shutdown(log);
  try {
    return await compose(config, environment, log, shutdown);
  } catch (error) {
    await shutdown.run();
    throw error;
  }
}

async function compose(
  config: Config,
  environment: Environment,
  log: Logger,
  shutdown: Shutdown,
): Promise<QuireServer> {
  const startedAt = new Date();
  const faultPoint = faultPoints(config.faultPoint, config.dataDir);
  const metrics = new Metrics();
  metrics.collectProcess();
  const secrets = await loadSecrets(config);
  const x2t = await findX2t(config);
  const x2tVersion = x2t?.version ?? null;
  const editors = await findThirdPartyEditors(config);
  for (const warning of editors ? await editorsWarnings(editors, x2t) : []) log.warn(warning);
  const hasOtherEditors = editors !== null && x2t !== null;
  const announced = editors?.version ?? protocolVersion;

  const database = await openDatabase(config, log, shutdown);
  const { pool } = database;
  const blobs = new FileBlobStore(path.join(config.dataDir, 'blobs'));
  shutdown.repeat(sweepBlobsEveryMs, () => blobs.sweep(sweepBlobsEveryMs), 'Old files could not be removed');
  const jobStore = { databaseUrl: database.url, redisUrl: config.redisUrl };
  const queue = new ConversionQueue(jobStore, config.converterJobTimeoutMs, (error) => {
    log.warn({ err: error }, 'The job queue reports an error');
  });
  shutdown.add(() => queue.close());
  await queue.ready();
  const http = new HttpClient(config);
  shutdown.add(() => http.close());

  const tokens = new Tokens(secrets, config);
  const links = new FileLinks(secrets, config);
  const sealing = new Sealing(secrets);
  const base = { config, pool, blobs, queue, tokens, http, links, sealing, metrics, announced, log };
  const conversion = composeConversion({ ...base, x2tVersion }, shutdown);
  const documents = await composeDocuments(
    {
      ...{ ...base, secrets, conversion, hasOtherEditors, faultPoint },
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
  const gateways = openGateways(config, coauthoring, () => stopping || retirement.isBegun);
  const { engineIo, plainWs, gatekeeper } = gateways;
  metrics.watch({
    connections: () => ({ engine_io: engineIo.connections, websocket: plainWs.connections }),
    strangers: () => gatekeeper.strangers,
    documents: () => registry.size,
    oldestUnsavedMs: () => forcedSaves.oldestUnsavedMs(),
    refusedDocuments: () => forcedSaves.refusedCount(),
  });
  const example = servesExample(config)
    ? await openExample(config, secrets, () => loopbackAddress(config, server), log)
    : null;
  const app = await composeRest({
    ...{ ...base, conversion, documents, retirement, editors, hasOtherEditors, example, startedAt },
    isStopping: () => stopping,
  });
  const server = httpServer(app, gateways);
  const converters = new ConverterProcesses(
    { ...environment, DATABASE_URL: database.url, DATA_DIR: path.resolve(config.dataDir) },
    log,
  );
  shutdown.add(() => converters.stop());
  converters.start(config.converterProcesses);

  const port = await listen(server, config);
  shutdown.add(async () => {
    stopping = true;
    server.close();
    coauthoring.stop();
    await coauthoring.settled();
    await groupCommit.drained();
    engineIo.close();
    plainWs.close();
    server.closeAllConnections();
  });
  await documents.begin();
  const tidier = new Tidier({
    pool,
    blobs,
    isAttached: (key) => registry.find(key) !== undefined,
    keepMs: config.tidyAfterMs,
    keepFilesMs: Math.max(config.tidyAfterMs, config.temporaryLinkLifeS * 1_000 + linkMarginMs),
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
  return {
    address: config.publicUrl ?? `http://${hostName}:${port}`,
    port,
    database: { version: database.version, embedded: database.embedded },
    x2tVersion,
    stop: () => shutdown.run(),
  };
}
