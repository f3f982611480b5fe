import type { Express, Router } from 'express';
import type pg from 'pg';
import type { Logger } from 'pino';
import { Forgotten } from '../../db/forgotten.ts';
import { SentFileRecords } from '../../db/sent-file-records.ts';
import type { ConversionQueue } from '../../jobs/jobs.ts';
import type { Config } from '../../platform/config.ts';
import type { Metrics } from '../../platform/metrics.ts';
import type { HttpClient } from '../../platform/outgoing/http-client.ts';
import type { PartHealth } from '../../platform/part-health.ts';
import type { OwnedBlobStore } from '../../platform/ports/blob-store.ts';
import type { Sealing } from '../../platform/secrets/sealing.ts';
import type { Tokens } from '../../platform/secrets/tokens.ts';
import type { AnnouncedVersion } from '../http/announced-version.ts';
import { onlyAllowedCallers } from '../http/caller.ts';
import type { FileLinks } from '../http/file-links.ts';
import { httpApp } from '../http/http-app.ts';
import { metricsRouter, requestMetrics } from '../http/metrics.ts';
import type { RequestBodies } from '../http/request-bodies.ts';
import { commandsRouter } from '../integration/commands.ts';
import type { ConnectionStatistics } from '../integration/connection-statistics.ts';
import { conversionRouter } from '../integration/conversion.ts';
import { ConversionWork } from '../integration/conversion-work.ts';
import { docBuilderRouter } from '../integration/docbuilder.ts';
import { downloadFileRouter } from '../integration/download-file.ts';
import { downloadsRouter } from '../integration/downloads.ts';
import { servedFormats } from '../integration/editor-formats.ts';
import { filesRouter } from '../integration/files.ts';
import { healthRouter } from '../integration/health.ts';
import { infoRouter } from '../integration/info.ts';
import { internalRouter } from '../integration/internal.ts';
import { describedFormats, metaRouter } from '../integration/meta.ts';
import { PrintFiles } from '../integration/print-files.ts';
import { sessionTokens } from '../integration/session-standing.ts';
import { staticRouter } from '../integration/static.ts';
import { type ThirdPartyEditors, thirdPartyPagesRouter } from '../integration/third-party-editors.ts';
import { saveFileRouter, uploadsRouter } from '../integration/uploads.ts';
import { editorPagesRouter, webPagesRouter } from '../integration/web-pages.ts';
import { welcomeRouter } from '../integration/welcome.ts';
import type { Drain } from '../lifecycle/drain.ts';
import type { Retirement } from '../lifecycle/retirement.ts';
import { SentFiles } from '../lifecycle/sent-files.ts';
import { SourceFiles } from '../lifecycle/source-files.ts';
import type { ConversionParts } from './conversion.ts';
import type { DocumentParts } from './documents.ts';

interface RestNeeds {
  health: PartHealth;
  config: Config;
  /** A directory of this process alone. */
  workDirectory: string;
  pool: pg.Pool;
  blobs: OwnedBlobStore;
  tokens: Tokens;
  http: HttpClient;
  links: FileLinks;
  sealing: Sealing;
  bodies: RequestBodies;
  conversion: ConversionParts;
  queue: ConversionQueue;
  documents: DocumentParts;
  metrics: Metrics;
  statistics: ConnectionStatistics;
  retirement: Retirement;
  drain: Drain;
  editors: ThirdPartyEditors | null;
  hasOtherEditors: boolean;
  announced: AnnouncedVersion;
  example: Router | null;
  startedAt: Date;
  isStopping: () => boolean;
  log: Logger;
}

/** All addresses of the server. */
export function composeRest(needs: RestNeeds): Express {
  const { config, blobs, tokens, links, log, metrics } = needs;
  const printFiles = new PrintFiles(tokens, blobs);
  return httpApp(
    {
      callers: config.ipFilterForRequests ? onlyAllowedCallers(config) : null,
      requestMetrics: requestMetrics(metrics.http, log),
      files: filesRouter(links, blobs, blobs.directLinks, Date.now, needs.documents.smallFiles),
      metrics: config.metricsEnabled ? metricsRouter(metrics, config) : null,
      example: needs.example,
      routers: [...fileRouters(needs, printFiles), ...otherRouters(needs, printFiles)],
    },
    log,
  );
}

/** Resources that take or make files. */
function fileRouters(needs: RestNeeds, printFiles: PrintFiles): Router[] {
  const { config, workDirectory, pool, blobs, tokens, http, links, sealing, bodies, conversion, log } = needs;
  const { documents, droppedUsers, registry, pictures, documentConversions, wopi } = needs.documents;
  const { table, conversions } = conversion;
  const sentFiles = new SentFiles(new SentFileRecords(pool), config, blobs);
  const sourceFiles = new SourceFiles({ config, workDirectory, http, tokens, blobs });
  const sessions = sessionTokens({ tokens, droppedUsers, documents, registry, sealing });
  return [
    ...(wopi?.routers ?? []),
    saveFileRouter(sessions),
    uploadsRouter({ sessions, config, bodies, workDirectory, pictures, links }),
    conversionRouter({
      ...{ config, tokens, links, bodies, log },
      requests: conversion.requests,
      queue: needs.queue,
      work: new ConversionWork({ table, sourceFiles, conversions }),
    }),
    docBuilderRouter(tokens, bodies),
    downloadsRouter({
      ...{ config, sessions, registry, sentFiles, links, printFiles, sealing, log },
      conversions: documentConversions,
    }),
  ];
}

/** Commands, what is told of the server, and pages. */
function otherRouters(needs: RestNeeds, printFiles: PrintFiles): Router[] {
  const { config, pool, blobs, tokens, http, links, bodies, retirement, editors, announced, startedAt, log } =
    needs;
  const { documents, droppedUsers, closing, outbox, changeLog } = needs.documents;
  const { registry, notices, forceSaves, wopi } = needs.documents;
  return [
    healthRouter({
      health: needs.health,
      shuttingDown: () => needs.isStopping() || retirement.isAnnounced,
    }),
    commandsRouter({
      ...{
        config,
        bodies,
        tokens,
        documents,
        droppedUsers,
        outbox,
        blobs,
        links,
        registry,
        notices,
        forceSaves,
      },
      ...{ announced, startedAt },
      forgotten: new Forgotten(pool),
      log: changeLog,
      callbackUrlOf: async (key) => (await closing.lastOpening(key))?.callbackUrl ?? null,
    }),
    downloadFileRouter({
      config,
      bodies,
      http,
      tokens,
      droppedUsers,
      hostStorage: wopi?.storage ?? null,
      log,
    }),
    infoRouter(registry, needs.statistics, startedAt),
    internalRouter(retirement, needs.drain, registry),
    ...(editors ? [thirdPartyPagesRouter(editors, config)] : []),
    metaRouter({ config, formats: () => formatsOf(needs) }),
    staticRouter(config),
    printFiles.router(),
    webPagesRouter(),
    editorPagesRouter(),
    welcomeRouter(startedAt, needs.example !== null),
  ];
}

/** What this server opens and converts at present. */
function formatsOf({ config, conversion: { table }, hasOtherEditors }: RestNeeds) {
  const { assemblyFormatAsOrigin } = config;
  return describedFormats(
    servedFormats({ hasOtherEditors, blanks: [], conversions: table, assemblyFormatAsOrigin }),
    table,
  );
}
