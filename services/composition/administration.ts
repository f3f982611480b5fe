import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Router } from 'express';
import type pg from 'pg';
import type { Logger } from 'pino';
import { DocumentOverviews } from '../../db/document-overview.ts';
import { EndedSessions } from '../../db/ended-sessions.ts';
import { Forgotten } from '../../db/forgotten.ts';
import { RedeliveryRecords } from '../../db/redelivery.ts';
import { SaveOverviews } from '../../db/save-overview.ts';
import type { QueueInspector } from '../../jobs/queue-inspector.ts';
import type { Config, Environment } from '../../platform/config.ts';
import type { Metrics } from '../../platform/metrics.ts';
import type { PartHealth } from '../../platform/part-health.ts';
import type { BlobStore } from '../../platform/ports/blob-store.ts';
import type { Cluster } from '../../platform/ports/cluster.ts';
import type { Secrets } from '../../platform/secrets/secrets.ts';
import { Access } from '../admin/access.ts';
import { Actions } from '../admin/actions.ts';
import { adminApp, adminPage, adminPath } from '../admin/admin-app.ts';
import { loadAdminSecrets } from '../admin/admin-secrets.ts';
import { documentsRouter } from '../admin/documents-router.ts';
import { HealthHistory } from '../admin/health-history.ts';
import { HealthSamples } from '../admin/health-samples.ts';
import { LoginLimit } from '../admin/login-limit.ts';
import { MetricsReader } from '../admin/metrics-reader.ts';
import { nodeDesk } from '../admin/node-desk.ts';
import { nodesRouter } from '../admin/nodes-router.ts';
import { queueRouter } from '../admin/queue-router.ts';
import { Redelivery } from '../admin/redelivery.ts';
import { SaveFiles } from '../admin/save-files.ts';
import { savesRouter } from '../admin/saves-router.ts';
import { AdminSessions } from '../admin/session-router.ts';
import type { Door } from '../coauthoring/gateway/door.ts';
import { portAddress } from '../http/base-url.ts';
import { webDirectory } from '../integration/web-pages.ts';
import type { Drain } from '../lifecycle/drain.ts';
import type { DocumentParts } from './documents.ts';
import type { Gateways } from './listener.ts';
import type { Shutdown } from './shutdown.ts';

interface AdministrationNeeds {
  config: Config;
  environment: Environment;
  secrets: Secrets;
  cluster: Cluster;
  pool: pg.Pool;
  blobs: BlobStore;
  inspector: QueueInspector;
  metrics: Metrics;
  health: PartHealth;
  documents: DocumentParts;
  gateways: Gateways;
  door: Pick<Door, 'state'>;
  drain: Drain;
  startedAt: Date;
  version: string;
  log: Logger;
}

/**
 * Lets this node answer operators who are connected to any node, and opens the administration's port. Resolves with its
 * address; null where it is switched off or the port is taken, for example by another node on this machine, which serves all
 * nodes as well.
 */
export async function openAdministration(
  needs: AdministrationNeeds,
  shutdown: Shutdown,
): Promise<string | null> {
  const { config, secrets, log } = needs;
  openDesk(needs, shutdown);
  if (!config.adminEnabled) return null;
  const adminSecrets = await loadAdminSecrets(config);
  if (adminSecrets.file) {
    log.info({ file: adminSecrets.file }, 'The token of the administration is in a file');
  }
  const sessions = new AdminSessions({
    ...{ config, log, version: needs.version, nodeId: needs.cluster.nodeId },
    access: new Access(adminSecrets, secrets.session),
    limit: new LoginLimit(),
    ended: new EndedSessions(needs.pool),
    actions: new Actions(needs.health),
  });
  const server = createServer(adminApp(apiRouter(needs, sessions), adminPage(webDirectory), log));
  server.headersTimeout = 20_000;
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen({ port: config.adminPort, host: config.adminHost }, resolve);
    });
  } catch (error) {
    // Mostly another node on this machine has the port, and serves this node as well.
    const { code, message: reason } = error as NodeJS.ErrnoException;
    log[code === 'EADDRINUSE' ? 'info' : 'warn'](
      { reason, port: config.adminPort },
      'The administration has no port: this node goes on without',
    );
    return null;
  }
  shutdown.add(async () => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  return `${portAddress(config.adminHost, port, 'localhost')}${adminPath}/`;
}

function openDesk(needs: AdministrationNeeds, shutdown: Shutdown): void {
  const { config, cluster, documents, gateways, metrics, log } = needs;
  const { engineIo, plainWs, unauthenticated } = gateways;
  const reader = new MetricsReader(metrics.registry);
  const samples = new HealthSamples(reader, () => engineIo.connections + plainWs.connections);
  samples.start((error) => log.warn({ err: error }, 'The health of this process could not be looked at'));
  const history = new HealthHistory({
    ...{ nodeId: cluster.nodeId, samples, metrics: reader, health: needs.health, pace: needs.inspector.pace },
  });
  history.start((error) => log.warn({ err: error }, 'The history of this process misses a moment'));
  shutdown.add(async () => {
    history.stop();
    samples.stop();
  });
  cluster.open(
    nodeDesk({
      ...{ nodeId: cluster.nodeId, version: needs.version, startedAt: needs.startedAt, drain: needs.drain },
      ...{ metrics: reader, samples, history, health: needs.health, registry: documents.registry },
      connections: () => ({ 'Socket.IO': engineIo.connections, WebSocket: plainWs.connections }),
      unauthenticated: () => unauthenticated.count,
      newcomers: () => ({ waiting: needs.door.state.waiting, ...needs.door.state.rates }),
      cacheLimits: { history: config.historyMemoryBytes },
      wakeDelivery: () => documents.wakeDelivery(),
    }),
  );
}

function apiRouter(needs: AdministrationNeeds, sessions: AdminSessions): Router {
  const { pool, blobs, inspector, cluster, documents, environment } = needs;
  const { forceSaves, leaving } = documents;
  const overviews = new DocumentOverviews(pool);
  const saves = new SaveOverviews(pool);
  const saveFiles = new SaveFiles(blobs, documents.documents, documents.changeLog);
  const redelivery = new Redelivery({ records: new RedeliveryRecords(pool), leaving, cluster });
  const shown = { cluster, documents: overviews, saves, actions: new Actions(needs.health) };
  const router = Router();
  router.use(sessions.router());
  router.use(sessions.guard);
  router.get('/session', sessions.show);
  router.use(documentsRouter({ ...shown, saveFiles, forceSaves, redelivery }));
  router.use(savesRouter({ ...shown, saveFiles, forgotten: new Forgotten(pool), forceSaves, redelivery }));
  router.use(nodesRouter({ ...shown, environment, queue: inspector }));
  const queuePart = needs.config.redisUrl ? 'redis' : 'database';
  router.use(queueRouter({ queue: inspector, queuePart, pool, actions: shown.actions }));
  return router;
}
