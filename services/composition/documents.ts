import type pg from 'pg';
import type { Logger } from 'pino';
import { PostgresChangeLog } from '../../db/change-log.ts';
import { Checkpoints } from '../../db/checkpoints.ts';
import { Closing } from '../../db/closing.ts';
import { Documents } from '../../db/documents.ts';
import { DroppedUsers } from '../../db/dropped-users.ts';
import { ForcedSaves } from '../../db/forced-saves.ts';
import { GroupCommit } from '../../db/group-commit.ts';
import { Media } from '../../db/media.ts';
import { OpenedSources } from '../../db/opened-sources.ts';
import { Outbox } from '../../db/outbox.ts';
import type { ConversionQueue } from '../../jobs/jobs.ts';
import { kinds } from '../../model/kinds.ts';
import type { Config } from '../../platform/config.ts';
import type { Metrics } from '../../platform/metrics.ts';
import type { HttpClient } from '../../platform/outgoing/http-client.ts';
import type { BlobStore } from '../../platform/ports/blob-store.ts';
import type { Sealing } from '../../platform/secrets/sealing.ts';
import type { Secrets } from '../../platform/secrets/secrets.ts';
import type { Tokens } from '../../platform/secrets/tokens.ts';
import { CheckpointOffers } from '../coauthoring/checkpoint-offers.ts';
import { Coauthoring } from '../coauthoring/coauthoring.ts';
import { HistoryMemory } from '../coauthoring/document/history-chunks.ts';
import { defaultSessionTimes } from '../coauthoring/document/open-document.ts';
import { DocumentFiles } from '../coauthoring/document-files.ts';
import type { ForeignForm } from '../coauthoring/document-model.ts';
import { DocumentNotifications } from '../coauthoring/document-notifications.ts';
import { DocumentPictures, RemotePictures } from '../coauthoring/document-pictures.ts';
import { ForceSaveWaiters } from '../coauthoring/force-save-waiters.ts';
import { DocumentRegistry } from '../coauthoring/registry.ts';
import { SignIn } from '../coauthoring/sign-in/sign-in.ts';
import type { AnnouncedVersion } from '../http/announced-version.ts';
import type { FileLinks } from '../http/file-links.ts';
import { CheckpointTimer } from '../lifecycle/checkpoint-timer.ts';
import { Copies } from '../lifecycle/copies.ts';
import { Delivery } from '../lifecycle/delivery.ts';
import { DocumentConversions } from '../lifecycle/document-conversions.ts';
import { ForceSaves } from '../lifecycle/force-saves.ts';
import { Integrator } from '../lifecycle/integrator.ts';
import { Leaving } from '../lifecycle/leaving.ts';
import { Notices } from '../lifecycle/notices.ts';
import { Bases } from '../lifecycle/opening/bases.ts';
import { ModelOpening } from '../lifecycle/opening/model-opening.ts';
import { Opening } from '../lifecycle/opening/opening.ts';
import { SourceIntake } from '../lifecycle/opening/source-intake.ts';
import { Recovery } from '../lifecycle/recovery.ts';
import { ShownPages } from '../lifecycle/shown-pages.ts';
import { SourceCheck } from '../lifecycle/source-check.ts';
import { openWopi } from '../wopi/wopi.ts';
import type { ConversionParts } from './conversion.ts';
import type { NodeParts } from './nodes.ts';
import type { Shutdown } from './shutdown.ts';

/** A callback whose node died is taken up by another one this long after it must have timed out. */
const claimLapseMarginMs = 60_000;
const callbackGraceMs = 2_000;
/** How often documents are looked for that need a checkpoint. */
const checkpointsEveryMs = 20_000;

export interface DocumentParts {
  documents: Documents;
  droppedUsers: DroppedUsers;
  closing: Closing;
  outbox: Outbox;
  forcedSaves: ForcedSaves;
  changeLog: PostgresChangeLog;
  groupCommit: GroupCommit;
  registry: DocumentRegistry;
  coauthoring: Coauthoring;
  notices: Notices;
  pictures: DocumentPictures;
  documentConversions: DocumentConversions;
  forceSaves: ForceSaves;
  leaving: Leaving;
  wopi: Awaited<ReturnType<typeof openWopi>> | null;
  /** Has the outbox looked at. */
  wakeDelivery(): void;
  /** Takes up what was left by a process before, and begins what is done by itself. Called when people can come in. */
  begin(): Promise<void>;
}

export interface DocumentNeeds extends Pick<NodeParts, 'nodeId' | 'coordination' | 'nodes'> {
  config: Config;
  /** This process' own. */
  workDirectory: string;
  pool: pg.Pool;
  blobs: BlobStore;
  queue: ConversionQueue;
  secrets: Secrets;
  tokens: Tokens;
  http: HttpClient;
  links: FileLinks;
  sealing: Sealing;
  conversion: ConversionParts;
  metrics: Metrics;
  x2tDirectory: string | null;
  hasOtherEditors: boolean;
  /** The version that browsers are told. */
  announced: AnnouncedVersion;
  faultPoint: (name: string) => void;
  log: Logger;
}

/** What documents need from the sign-in of their first editor to the integrator's confirmation. */
export async function composeDocuments(needs: DocumentNeeds, shutdown: Shutdown): Promise<DocumentParts> {
  const { config, pool, blobs, queue, tokens, http, links, sealing, metrics, faultPoint, log } = needs;
  const { announced, workDirectory } = needs;
  const { table, conversions } = needs.conversion;
  const foreignModel: ForeignForm = needs.x2tDirectory ? 'binary' : 'opaque';
  const documents = new Documents(pool);
  const droppedUsers = new DroppedUsers(pool);
  const closing = new Closing(pool);
  const openedSources = new OpenedSources(pool);
  const media = new Media(pool);
  const leases = needs.nodes?.leases ?? null;
  const outbox = new Outbox(pool, needs.nodeId, config.callbackTimeoutMs + claimLapseMarginMs);
  const releaseClaims = async () => {
    if (await outbox.releaseClaims(leases ? await leases.living() : [])) delivery.wake();
  };
  const groupCommit = new GroupCommit(pool, config.groupCommitWindowMs, (batches, elapsedMs) =>
    metrics.saving.committed(batches, elapsedMs),
  );
  const changeLog = new PostgresChangeLog(pool, groupCommit);

  const waiters = new ForceSaveWaiters();
  const news = new DocumentNotifications(() => registry);
  const integrator = new Integrator(http, tokens, config, (status, accepted, elapsedMs) =>
    metrics.delivering.answered(status, accepted, elapsedMs),
  );
  const notices = new Notices(integrator, (key, reason) => {
    log.warn({ documentKey: key, reason }, 'A callback of joining or leaving was not accepted');
    news.warn(key, 'The storage did not accept a notice');
  });
  const wopi = config.wopiEnabled
    ? await openWopi({
        ...{ config, workDirectory, pool, documents, http, tokens, blobs, links, sealing, faultPoint, log },
        converter: {
          table,
          convert: (request) => conversions.convert(request),
        },
        x2tDirectory: needs.x2tDirectory,
        hasOtherEditors: needs.hasOtherEditors,
        warn: (key, message, code) => news.warn(key, message, code),
        announceTitle: (key, title) => news.retitled(key, title),
      })
    : null;
  const hostStorage = wopi?.storage ?? null;
  const delivery = new Delivery(
    outbox,
    integrator,
    links,
    { forMs: config.callbackRetryForMs, pauseMs: config.callbackRetryPauseMs },
    {
      ended: (save, delivered) => news.ended(save, delivered),
      forced: (save, success, stored) => news.forceSaveEnded(save, success, stored),
      refused: (key, since) => news.refused(key, since),
      attempted: (status, to, outcome) => metrics.delivering.attempted(status, to, outcome),
      faultPoint,
    },
    log,
    hostStorage,
  );
  shutdown.add(() => delivery.stop(callbackGraceMs));
  await releaseClaims();
  const unwatch = leases?.watch({
    died: () => {
      releaseClaims().catch((error: unknown) => {
        log.warn({ err: error }, 'The callbacks of a dead node could not be taken over');
      });
    },
    lapsed: () => undefined,
  });
  shutdown.add(async () => unwatch?.());
  const leaving = new Leaving({
    closing,
    documents,
    isEdited: async (key): Promise<boolean> => (await registry.editorIdsOf(key)).length > 0,
    notices,
    graceMs: config.closingGraceMs,
    log,
    assemble: ({ key, epoch, openedAt }) =>
      queue.run({
        name: 'assemble',
        data: { key, epoch, ...(openedAt && { openedAtMs: openedAt.getTime() }) },
      }),
    wakeDelivery: () => delivery.wake(),
    faultPoint,
  });
  shutdown.add(async () => leaving.stop());
  const forcedSaves = new ForcedSaves(pool);
  const forceSaves = new ForceSaves({
    forcedSaves,
    queue,
    lookEveryMs: lookEveryMs(config),
    timeoutMs: 2 * config.converterJobTimeoutMs,
    log,
    began: (key, timeMs) => news.forceSaveBegan(key, timeMs),
    wakeDelivery: () => delivery.wake(),
    faultPoint,
  });
  shutdown.add(async () => forceSaves.stop());
  const checkpoints = new Checkpoints(pool, kinds.models);
  const checkpointTimer = new CheckpointTimer({
    ...{ checkpoints, queue, log },
    afterChanges: config.checkpointEvery,
    everyMs: checkpointsEveryMs,
  });
  shutdown.add(async () => checkpointTimer.stop());

  const historyMemory = new HistoryMemory(config.historyMemoryBytes);
  metrics.caches.watchHistories({
    reads: () => metrics.saving.historyReads,
    heldBytes: () => historyMemory.heldBytes,
  });
  const registry = new DocumentRegistry(
    {
      log: changeLog,
      coordination: needs.coordination,
      nodes: needs.nodes,
      lifecycle: leaving,
      notified: (key, notice) => waiters.notified(key, notice),
      maxLogBytes: config.maxChangesBytes,
      historyMemory,
      metrics: metrics.saving,
      times: {
        ...defaultSessionTimes,
        saveLeaseMs: config.saveLockLeaseMs,
        firstEditorWaitMs: config.firstEditorPatienceMs,
      },
      faultPoint,
    },
    config.closingGraceMs,
    (error, key) => log.error({ err: error, documentKey: key }, 'A task of a document failed'),
  );
  shutdown.add(async () => registry.stop());
  const progress = needs.conversion.openingProgress;
  const opening = new Opening({
    ...{ documents, sealing, progress, log },
    intake: new SourceIntake({ config, workDirectory, http, tokens, blobs, hostStorage, table, progress }),
    models: new ModelOpening({
      ...{ openedSources, queue, sealing, progress },
      bases: new Bases({ conversions, table, blobs }),
      pages: new ShownPages({ conversions, openedSources }),
      onLookedUp: (isKnown) => metrics.caches.looked('opened_sources', isKnown),
    }),
    onOpened: (outcome, document, elapsedMs) => metrics.opening.ended(outcome, document, elapsedMs),
  });
  const pictures = new DocumentPictures(blobs, media);
  const copies = new Copies(documents, outbox, queue);
  const documentConversions = new DocumentConversions({
    ...{ copies, conversions, table, openedSources, media, sealing },
    assemblyFormatAsOrigin: config.assemblyFormatAsOrigin,
  });
  const signIn = new SignIn({
    ...{ config, tokens, documents, droppedUsers, registry, foreignModel, announced, hostStorage },
    sessionSecret: needs.secrets.session,
    sourceCheck: new SourceCheck(http, tokens, log),
    checkpoints: new CheckpointOffers({ checkpoints, links, checkpointEvery: config.checkpointEvery }),
    onRefused: (code) => metrics.opening.refusedSignIn(code),
  });
  const coauthoring = new Coauthoring({
    ...{ config, tokens, registry, signIn, forceSaves, waiters, copies, blobs, links, hostStorage },
    ...{ announced, log },
    files: new DocumentFiles({
      ...{ documents, media, opening, links, foreignModel },
      conversions: documentConversions,
    }),
    remotePictures: new RemotePictures({ config, workDirectory, http, tokens, pictures }),
    onMessage: (type) => metrics.transport.countMessage(type),
    onLogLineDropped: () => metrics.transport.countLogLineDropped(),
    onRefused: (code) => metrics.opening.refusedSignIn(code),
  });

  const begin = async () => {
    const recovery = new Recovery({ closing, leaving, registry, leases, log });
    shutdown.add(async () => recovery.stop());
    await recovery.start(config.reconnectGraceMs);
    delivery.wake();
    forceSaves.start();
    if (config.checkpointEvery > 0) checkpointTimer.start();
    wopi?.locks.start();
    shutdown.add(async () => wopi?.locks.stop());
  };
  return {
    ...{ documents, droppedUsers, closing, outbox, forcedSaves, changeLog, groupCommit },
    ...{ registry, coauthoring, notices, pictures, documentConversions, forceSaves, leaving, wopi, begin },
    wakeDelivery: () => delivery.wake(),
  };
}

/** Often enough for the shortest time in which changes may have to be stored. */
function lookEveryMs({ forceSaveLeastMs, forceSaveIntervalMs }: Config): number {
  return Math.max(25, Math.min(forceSaveLeastMs, forceSaveIntervalMs || forceSaveLeastMs) / 4);
}
