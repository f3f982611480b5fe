import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import path from 'node:path';
import type { Duplex } from 'node:stream';
import type { Logger } from 'pino';
import { ForceSaveType } from '../client/protocol/index.ts';
import type { ConversionOutcome } from '../converter/conversion.ts';
import { ConversionTable } from '../converter/conversion-table.ts';
import { copyAbility } from '../converter/engines/copy/copy-engine.ts';
import { x2tAbility } from '../converter/engines/x2t/conversion.ts';
import { findX2t } from '../converter/engines/x2t/installation.ts';
import { PostgresChangeLog } from '../db/change-log.ts';
import { Closing } from '../db/closing.ts';
import { ConversionRequestRecords } from '../db/conversion-requests.ts';
import { ConversionRecords } from '../db/conversions.ts';
import { Documents } from '../db/documents.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../db/embedded-postgres.ts';
import { ForcedSaves } from '../db/forced-saves.ts';
import { Forgotten } from '../db/forgotten.ts';
import { GroupCommit } from '../db/group-commit.ts';
import { Media } from '../db/media.ts';
import { migrate } from '../db/migrate.ts';
import { OpenedSources } from '../db/opened-sources.ts';
import { Outbox } from '../db/outbox.ts';
import { openPool } from '../db/pool.ts';
import { FileBlobStore } from './adapters/file-blob-store.ts';
import { MemoryCoordination } from './adapters/memory-coordination.ts';
import { Coauthoring } from './coauthoring/coauthoring.ts';
import { HistoryMemory } from './coauthoring/document/history-memory.ts';
import { defaultSessionTimes } from './coauthoring/document/open-document.ts';
import { DocumentFiles } from './coauthoring/document-files.ts';
import { Connection } from './coauthoring/gateway/connection.ts';
import { EngineIoGateway } from './coauthoring/gateway/engine-io.ts';
import {
  Gatekeeper,
  type GatewayHost,
  isEngineIoPath,
  isPlainPath,
} from './coauthoring/gateway/gatekeeper.ts';
import { PlainWebSocketGateway } from './coauthoring/gateway/plain-ws.ts';
import { DocumentRegistry } from './coauthoring/registry.ts';
import { SignIn } from './coauthoring/sign-in.ts';
import { type Config, type Environment, protocolVersion, servesExample } from './config.ts';
import { ConverterProcesses } from './converter-processes.ts';
import { loopbackAddress, openExample } from './example-mount.ts';
import { faultPoints } from './fault-point.ts';
import { httpApp } from './http-app.ts';
import { baseUrl } from './integration/base-url.ts';
import { onlyAllowedCallers } from './integration/caller.ts';
import { commandsRouter } from './integration/commands.ts';
import { conversionRouter } from './integration/conversion.ts';
import { ConversionWork } from './integration/conversion-work.ts';
import { describedFormats } from './integration/described-formats.ts';
import { docBuilderRouter } from './integration/docbuilder.ts';
import { DocumentPictures } from './integration/document-pictures.ts';
import { downloadFileRouter } from './integration/download-file.ts';
import { downloadsRouter } from './integration/downloads.ts';
import { FileLinks, filesPath } from './integration/file-links.ts';
import { filesRouter } from './integration/files.ts';
import { healthRouter } from './integration/health.ts';
import { infoRouter } from './integration/info.ts';
import { internalRouter } from './integration/internal.ts';
import { metaRouter } from './integration/meta.ts';
import { PrintFiles } from './integration/print-files.ts';
import { RemotePictures } from './integration/remote-pictures.ts';
import { saveFileRouter } from './integration/save-file.ts';
import { staticRouter } from './integration/static.ts';
import { editorsWarnings, findThirdPartyEditors } from './integration/third-party-editors.ts';
import { thirdPartyPagesRouter } from './integration/third-party-pages.ts';
import { uploadsRouter } from './integration/uploads.ts';
import { webPagesRouter } from './integration/web-pages.ts';
import { welcomeRouter } from './integration/welcome.ts';
import { ConversionQueue } from './jobs.ts';
import { ConversionRequests, claimLapseMs } from './lifecycle/conversion-requests.ts';
import { Conversions } from './lifecycle/conversions.ts';
import { Copies } from './lifecycle/copies.ts';
import { Delivery } from './lifecycle/delivery.ts';
import { DocumentConversions } from './lifecycle/document-conversions.ts';
import { ForceSaves } from './lifecycle/force-saves.ts';
import { Integrator } from './lifecycle/integrator.ts';
import { Leaving } from './lifecycle/leaving.ts';
import { Notices } from './lifecycle/notices.ts';
import { Opening } from './lifecycle/opening.ts';
import { Recovery } from './lifecycle/recovery.ts';
import { Retirement } from './lifecycle/retirement.ts';
import { SentFiles } from './lifecycle/sent-files.ts';
import { SourceCheck } from './lifecycle/source-check.ts';
import { SourceFiles } from './lifecycle/source-files.ts';
import { Tidier } from './lifecycle/tidier.ts';
import { Metrics, metricsRouter, recordMs } from './metrics.ts';
import { HttpClient } from './outgoing/http-client.ts';
import { routingOf } from './routing.ts';
import { Sealing } from './sealing.ts';
import { loadSecrets } from './secrets.ts';
import { SingleNodeLock } from './single-node.ts';
import { Tokens } from './tokens.ts';
import { servedFormats } from './wopi/formats.ts';
import { openWopi } from './wopi/wopi.ts';

const statementTimeoutMs = 30_000;
const sweepBlobsEveryMs = 3_600_000;
const forgetConversionsEveryMs = 3_600_000;
/** A callback whose node died is taken up by another one this long after it must have timed out. */
const claimLapseMarginMs = 60_000;
const callbackGraceMs = 2_000;
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
  const started: (() => Promise<unknown> | undefined)[] = [];
  const stopAll = async () => {
    for (const stop of started.reverse().splice(0)) {
      try {
        await stop();
      } catch (error) {
        log.error({ err: error }, 'A part did not stop cleanly');
      }
    }
  };
  try {
    return await compose(config, environment, log, started, stopAll);
  } catch (error) {
    await stopAll();
    throw error;
  }
}

async function compose(
  config: Config,
  environment: Environment,
  log: Logger,
  started: (() => Promise<unknown> | undefined)[],
  stopAll: () => Promise<void>,
): Promise<QuireServer> {
  const startedAt = new Date();
  const faultPoint = faultPoints(config.faultPoint, config.dataDir);
  const metrics = new Metrics();
  metrics.collectProcess();
  const secrets = await loadSecrets(config);
  const x2t = await findX2t(config);
  const foreignModel = x2t ? 'binary' : 'opaque';
  const editors = await findThirdPartyEditors(config);
  for (const warning of editors ? await editorsWarnings(editors, x2t) : []) log.warn(warning);
  const announced = editors?.version ?? protocolVersion;

  const embedded = config.databaseUrl ? null : await startEmbedded(config, log);
  // A database that was running already may be another server's: it is ours to stop only with the lock in hand.
  let ownsDatabase = embedded?.adopted === false;
  started.push(async () => {
    if (ownsDatabase) await embedded?.stop();
  });
  const databaseUrl = config.databaseUrl ?? embedded!.url;
  const lock = await SingleNodeLock.take(databaseUrl, log, (error) => {
    log.fatal({ err: error }, 'This server must not go on without its lock on the database');
    process.exit(1);
  });
  ownsDatabase = embedded !== null;
  started.push(() => lock.release());
  await migrate({ url: databaseUrl, log });
  const pool = openPool({ url: databaseUrl, max: config.databasePoolSize, statementTimeoutMs, log });
  started.push(() => pool.end());
  const { rows } = await pool.query<{ server_version: string }>('SHOW server_version');
  const version = rows[0]!.server_version;

  const blobs = new FileBlobStore(path.join(config.dataDir, 'blobs'));
  const sweep = setInterval(() => {
    blobs
      .sweep(sweepBlobsEveryMs)
      .catch((error: unknown) => log.warn({ err: error }, 'Old files could not be removed'));
  }, sweepBlobsEveryMs);
  started.push(async () => clearInterval(sweep));

  const jobStore = { databaseUrl, redisUrl: config.redisUrl };
  const queue = new ConversionQueue(jobStore, config.converterJobTimeoutMs, (error) => {
    log.warn({ err: error }, 'The job queue reports an error');
  });
  started.push(() => queue.close());
  await queue.ready();

  const tokens = new Tokens(secrets, config);
  const http = new HttpClient(config);
  started.push(() => http.close());
  const links = new FileLinks(secrets, config);
  const sealing = new Sealing(secrets);
  const printFiles = new PrintFiles(tokens, blobs);
  const sentFiles = new SentFiles(config, blobs);
  await sentFiles.clear();
  const sourceFiles = new SourceFiles({ config, http, tokens, blobs });
  await sourceFiles.clear();
  const conversionTable = new ConversionTable([copyAbility, ...(x2t ? [x2tAbility(x2t.version)] : [])]);
  const conversionRecords = new ConversionRecords(pool);
  const requestRecords = new ConversionRequestRecords<ConversionOutcome>(pool, claimLapseMs);
  const conversions = new Conversions({ records: conversionRecords, queue, table: conversionTable, sealing });
  const conversionRequests = new ConversionRequests(requestRecords, 2 * config.converterJobTimeoutMs, log);
  const forget = setInterval(() => {
    Promise.all([conversionRecords.forgetOld(), requestRecords.forgetOld()]).catch((error: unknown) =>
      log.warn({ err: error }, 'Old conversions could not be forgotten'),
    );
  }, forgetConversionsEveryMs);
  started.push(async () => clearInterval(forget));
  const documents = new Documents(pool);
  const closing = new Closing(pool);
  const openedSources = new OpenedSources(pool);
  const media = new Media(pool);
  const outbox = new Outbox(pool, config.callbackTimeoutMs + claimLapseMarginMs);
  await outbox.releaseClaims();

  const groupCommit = new GroupCommit(pool, config.groupCommitWindowMs, (batches, elapsedMs) => {
    metrics.commitBatches.observe(batches);
    recordMs(metrics.commitDuration, elapsedMs);
  });
  const changeLog = new PostgresChangeLog(pool, groupCommit);

  const integrator = new Integrator(http, tokens, config, (accepted, elapsedMs) => {
    recordMs(metrics.callbackDuration, elapsedMs, { accepted: String(accepted) });
  });
  const notices = new Notices(integrator, (key, reason) => {
    log.warn({ documentKey: key, reason }, 'A callback of joining or leaving was not accepted');
    const actor = registry.find(key);
    actor?.document.broadcast(
      { type: 'warning', message: 'The storage did not accept a notice' },
      () => true,
    );
  });
  const wopi = config.wopiEnabled
    ? await openWopi({
        config,
        pool,
        documents,
        http,
        tokens,
        blobs,
        links,
        sealing,
        converter: {
          table: conversionTable,
          convert: (request) => conversions.convert(request),
        },
        x2tDirectory: x2t?.directory ?? null,
        hasOtherEditors: editors !== null && x2t !== null,
        tell: (key, message) => {
          registry.find(key)?.document.broadcast({ type: 'warning', message }, () => true);
        },
        announceTitle: (key, title) => {
          registry.find(key)?.document.broadcast({ type: 'meta', messages: { title } }, () => true);
        },
        faultPoint,
        log,
      })
    : null;
  const hostStorage = wopi?.storage ?? null;
  const delivery = new Delivery(
    outbox,
    integrator,
    links,
    config.callbackRetryForMs,
    {
      ended: (save, delivered) => {
        if (save.status === 4) return;
        const actor = registry.find(save.key);
        const stored =
          delivered && save.status === 2
            ? { index: save.endIndex, timeMs: Date.now(), refusedSinceMs: null }
            : null;
        actor?.run(async () => actor.announceEnd(delivered, stored)).catch(() => undefined);
      },
      forced: (save, success, stored) => {
        const actor = registry.find(save.key);
        const messages = { type: save.forceType!, time: save.announcedAt!.getTime(), success };
        const told = stored && { index: stored.index, timeMs: stored.at.getTime(), refusedSinceMs: null };
        actor?.run(async () => actor.announceForceSave(messages, told)).catch(() => undefined);
        coauthoring.forceSaveEnded(save.key, messages.time, messages.type, success);
      },
      refused: (key, since) => {
        const actor = registry.find(key);
        actor?.run(async () => actor.announceRefusal(since.getTime())).catch(() => undefined);
      },
      faultPoint,
    },
    log,
    hostStorage,
  );
  started.push(() => delivery.stop(callbackGraceMs));
  const leaving = new Leaving({
    closing,
    notices,
    graceMs: config.closingGraceMs,
    log,
    assemble: ({ key, epoch }) => queue.run({ name: 'assemble', data: { key, epoch } }),
    wakeDelivery: () => delivery.wake(),
    faultPoint,
  });
  started.push(async () => leaving.stop());
  const forcedSaves = new ForcedSaves(pool);
  const forceSaves = new ForceSaves({
    forcedSaves,
    queue,
    lookEveryMs: lookEveryMs(config),
    timeoutMs: 2 * config.converterJobTimeoutMs,
    log,
    began: (key, time) => {
      const actor = registry.find(key);
      const messages = { type: ForceSaveType.timer, time, start: true };
      actor?.run(async () => actor.announceForceSave(messages)).catch(() => undefined);
    },
    wakeDelivery: () => delivery.wake(),
    faultPoint,
  });
  started.push(async () => forceSaves.stop());

  const registry = new DocumentRegistry(
    {
      log: changeLog,
      coordination: new MemoryCoordination(),
      lifecycle: leaving,
      maxLogBytes: config.maxChangesBytes,
      historyMemory: new HistoryMemory(config.historyMemoryBytes),
      times: { ...defaultSessionTimes, saveLeaseMs: config.saveLockLeaseMs },
      faultPoint,
    },
    config.closingGraceMs,
    (error, key) => log.error({ err: error, documentKey: key }, 'A task of a document failed'),
  );
  started.push(async () => registry.stop());
  const opening = new Opening({
    config,
    http,
    tokens,
    blobs,
    documents,
    openedSources,
    queue,
    hostStorage,
    sealing,
    log,
  });
  await opening.clear();
  const pictures = new DocumentPictures(blobs, media);
  const copies = new Copies(documents, outbox, queue);
  const coauthoring = new Coauthoring({
    config,
    tokens,
    registry,
    signIn: new SignIn({
      config,
      sessionSecret: secrets.session,
      tokens,
      documents,
      registry,
      sourceCheck: new SourceCheck(http, tokens, log),
      foreignModel,
      announced,
      hostStorage,
    }),
    files: new DocumentFiles({ documents, media, opening, links, foreignModel }),
    remotePictures: new RemotePictures({ config, http, tokens, pictures }),
    forceSaves,
    copies,
    blobs,
    links,
    hostStorage,
    announced,
    log,
    onMessage: (type) => metrics.countMessage(type),
  });

  let stopping = false;
  const retirement = new Retirement({
    dismissAll: () => coauthoring.dismissAll(),
    unfinished: () => closing.underWay(),
    waitMs: config.retirementWaitMs,
  });
  const host: GatewayHost = {
    handshakeOf: (request) => ({
      baseUrl: baseUrl(request as Parameters<typeof baseUrl>[0], config),
      routing: routingOf(request.url ?? ''),
    }),
    verifyHandshake: (auth) => coauthoring.verifyHandshake(auth),
    connect: (id, handshake, transport) =>
      new Connection(id, handshake, transport, coauthoring, {
        outboundQueueBytes: config.outboundQueueBytes,
        inboundQueueCharacters: 2 * config.wsMaxPayloadBytes,
      }),
    greet: (connection) => coauthoring.greet(connection),
    shuttingDown: () => stopping || retirement.isBegun,
  };
  const gatekeeper = new Gatekeeper(config.maxUnauthenticatedSockets, config.authTimeoutMs);
  const engineIo = new EngineIoGateway(host, gatekeeper, config.wsMaxPayloadBytes);
  const plainWs = new PlainWebSocketGateway(host, gatekeeper, config.wsMaxPayloadBytes);
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
  const app = httpApp(
    {
      callers: config.ipFilterForRequests ? onlyAllowedCallers(config) : null,
      files: [filesPath, filesRouter(links, blobs)],
      rawBodies: [
        ...(wopi?.routers ?? []),
        saveFileRouter(tokens),
        uploadsRouter({ config, tokens, documents, pictures, links }),
        conversionRouter({
          config,
          tokens,
          requests: conversionRequests,
          work: new ConversionWork({ table: conversionTable, sourceFiles, conversions }),
          links,
          log,
        }),
        docBuilderRouter(tokens),
        downloadsRouter({
          config,
          tokens,
          documents,
          registry,
          conversions: new DocumentConversions({
            copies,
            conversions,
            table: conversionTable,
            openedSources,
            media,
            sealing,
          }),
          sentFiles,
          links,
          printFiles,
          log,
        }),
      ],
      metrics: config.metricsEnabled ? metricsRouter(metrics, config) : null,
      example,
      routers: [
        healthRouter(pool, blobs, () => stopping || retirement.isAnnounced),
        commandsRouter({
          config,
          tokens,
          documents,
          forgotten: new Forgotten(pool),
          log: changeLog,
          outbox,
          blobs,
          links,
          registry,
          notices,
          forceSaves,
          announced,
          startedAt,
          callbackUrlOf: async (key) => (await closing.lastOpening(key))?.callbackUrl ?? null,
        }),
        downloadFileRouter({ config, http, tokens }),
        infoRouter(registry, startedAt),
        internalRouter(retirement, registry),
        ...(editors ? [thirdPartyPagesRouter(editors, config)] : []),
        metaRouter({
          config,
          formats: describedFormats(
            servedFormats({
              hasOtherEditors: editors !== null && x2t !== null,
              blanks: [],
              conversions: conversionTable,
            }),
            conversionTable,
          ),
        }),
        staticRouter(config),
        printFiles.router(),
        webPagesRouter(),
        welcomeRouter(startedAt, example !== null),
      ],
    },
    log,
  );
  const server = createServer((request, response) => {
    if (isEngineIoPath(request.url ?? '')) engineIo.handleRequest(request, response);
    else app(request, response);
  });
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => undefined);
    if (isEngineIoPath(request.url ?? '')) engineIo.handleUpgrade(request, socket, head);
    else if (isPlainPath(request.url ?? '')) plainWs.handleUpgrade(request, socket, head);
    else socket.end('HTTP/1.1 404 Not Found\r\nConnection: close\r\n\r\n');
  });
  const converters = new ConverterProcesses(
    { ...environment, DATABASE_URL: databaseUrl, DATA_DIR: path.resolve(config.dataDir) },
    log,
  );
  started.push(() => converters.stop());
  converters.start(config.converterProcesses);

  const port = await listen(server, config);
  started.push(async () => {
    stopping = true;
    server.close();
    coauthoring.stop();
    await coauthoring.settled();
    await groupCommit.drained();
    engineIo.close();
    plainWs.close();
    server.closeAllConnections();
  });

  const recovery = new Recovery(closing, leaving, registry, log);
  started.push(async () => recovery.stop());
  await recovery.start(config.reconnectGraceMs);
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
  started.push(() => tidier.stop());
  if (config.tidyEveryMs > 0) tidier.start();
  delivery.wake();
  forceSaves.start();
  wopi?.locks.start();
  started.push(async () => wopi?.locks.stop());

  if (example) log.info('The example is served to whoever reaches this server: /example/');
  const hostName =
    config.host && config.host !== '0.0.0.0' && config.host !== '::' ? config.host : 'localhost';
  return {
    address: config.publicUrl ?? `http://${hostName}:${port}`,
    port,
    database: { version, embedded: embedded !== null },
    x2tVersion: x2t?.version ?? null,
    stop: stopAll,
  };
}

function startEmbedded(config: Config, log: Logger): Promise<EmbeddedPostgres> {
  return startEmbeddedPostgres({ directory: path.join(config.dataDir, 'postgres'), log });
}

/** Often enough for the shortest time in which changes may have to be stored. */
function lookEveryMs({ forceSaveLeastMs, forceSaveIntervalMs }: Config): number {
  return Math.max(25, Math.min(forceSaveLeastMs, forceSaveIntervalMs || forceSaveLeastMs) / 4);
}

async function listen(server: Server, config: Config): Promise<number> {
  // A peer that opens a connection and says nothing is not kept for long.
  server.headersTimeout = 20_000;
  server.on('connection', (socket: Socket) => socket.setNoDelay(true));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port: config.port, host: config.host, backlog: 2_048 }, resolve);
  });
  return (server.address() as AddressInfo).port;
}
