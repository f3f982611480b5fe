import { Arrivals } from '../../db/arrivals.ts';
import { PostgresChangeLog } from '../../db/change-log.ts';
import { Checkpoints } from '../../db/checkpoints.ts';
import { Closing } from '../../db/closing.ts';
import { Documents } from '../../db/documents.ts';
import { DroppedUsers } from '../../db/dropped-users.ts';
import { ForcedSaves } from '../../db/forced-saves.ts';
import { GroupCommit } from '../../db/group-commit.ts';
import { LostFiles } from '../../db/lost-files.ts';
import { Media } from '../../db/media.ts';
import { OpenedSources } from '../../db/opened-sources.ts';
import { Outbox } from '../../db/outbox.ts';
import type { BoundedPool } from '../../db/pool.ts';
import { kinds } from '../../model/kinds.ts';
import { mostSentBytes } from '../../platform/config/settings/limits.ts';
import type { BlobStore } from '../../platform/ports/blob-store.ts';
import type { Sealing } from '../../platform/secrets/sealing.ts';
import type { Secrets } from '../../platform/secrets/secrets.ts';
import { CheckpointOffers } from '../coauthoring/checkpoint-offers.ts';
import { Coauthoring } from '../coauthoring/coauthoring.ts';
import { HistoryMemory } from '../coauthoring/document/history-chunks.ts';
import { defaultSessionTimes } from '../coauthoring/document/open-document.ts';
import { DocumentFiles } from '../coauthoring/document-files.ts';
import type { ForeignForm } from '../coauthoring/document-model.ts';
import { DocumentNotifications } from '../coauthoring/document-notifications.ts';
import { DocumentPictures, RemotePictures } from '../coauthoring/document-pictures.ts';
import { DocumentTenants } from '../coauthoring/document-tenants.ts';
import { ForceSaveWaiters } from '../coauthoring/force-save-waiters.ts';
import { LinkedValueReader } from '../coauthoring/linked-values.ts';
import { RefusalLog } from '../coauthoring/refusal-log.ts';
import { DocumentRegistry } from '../coauthoring/registry.ts';
import { SignIn } from '../coauthoring/sign-in/sign-in.ts';
import type { AnnouncedVersion } from '../http/announced-version.ts';
import type { RequestBodies } from '../http/request-bodies.ts';
import { SmallFiles } from '../http/small-files.ts';
import type { CheckpointTimer } from '../lifecycle/checkpoint-timer.ts';
import { Copies } from '../lifecycle/copies.ts';
import { DocumentConversions } from '../lifecycle/document-conversions.ts';
import type { ForceSaves } from '../lifecycle/force-saves.ts';
import type { HostStorage } from '../lifecycle/host-storage.ts';
import type { Leaving } from '../lifecycle/leaving.ts';
import type { Notices } from '../lifecycle/notices.ts';
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
import { composeSaving, type SavingNeeds } from './saving.ts';
import type { Shutdown } from './shutdown.ts';

/** Another node takes up the callback of a dead node this long after that must have timed out. */
const claimLapseMarginMs = 60_000;

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
  smallFiles: SmallFiles;
  forceSaves: ForceSaves;
  leaving: Leaving;
  wopi: Awaited<ReturnType<typeof openWopi>> | null;
  /** Makes the delivery look at the outbox. */
  wakeDelivery(): void;
  /** Takes up what an earlier process left, and starts timers. Called when clients can connect. */
  begin(): Promise<void>;
}

interface DocumentNeeds extends SavingNeeds, Pick<NodeParts, 'nodeId' | 'coordination'> {
  /** A directory of this process alone. */
  workDirectory: string;
  pool: BoundedPool;
  blobs: BlobStore;
  secrets: Secrets;
  sealing: Sealing;
  bodies: RequestBodies;
  conversion: ConversionParts;
  x2tDirectory: string | null;
  hasOtherEditors: boolean;
  /** The version that browsers see. */
  announced: AnnouncedVersion;
  /** Whether more come than can be let in. */
  isCrowded: () => boolean;
}

/** While more come than can be let in, so long is between two lists of participants at least, milliseconds. */
const crowdedListsApartMs = 2_000;

/** The tables of documents, and their change log. */
function openRecords({ config, pool, nodeId, metrics }: DocumentNeeds) {
  const groupCommit = new GroupCommit(pool.urgent, config.groupCommitWindowMs, (batches, elapsedMs) =>
    metrics.saving.committed(batches, elapsedMs),
  );
  const openedSources = new OpenedSources(pool, (isRemembered) =>
    metrics.caches.looked('remembered_sources', isRemembered),
  );
  metrics.caches.watchRememberedSources(() => openedSources.remembered);
  return {
    documents: new Documents(pool),
    arrivals: new Arrivals(pool),
    droppedUsers: new DroppedUsers(pool),
    closing: new Closing(pool),
    openedSources,
    media: new Media(pool),
    outbox: new Outbox(pool, nodeId, config.callbackTimeoutMs + claimLapseMarginMs),
    forcedSaves: new ForcedSaves(pool),
    checkpoints: new Checkpoints(pool, kinds.models),
    groupCommit,
    changeLog: new PostgresChangeLog(pool, groupCommit),
  };
}
type Records = ReturnType<typeof openRecords>;

/** All that a document needs, from the sign-in of its first editor to the integrator's confirmation. */
export async function composeDocuments(needs: DocumentNeeds, shutdown: Shutdown): Promise<DocumentParts> {
  const { config, log } = needs;
  const records = openRecords(needs);
  // The registry is made after the parts that save documents. They ask for it when a document is open.
  const registryOf = (): DocumentRegistry => registry;
  const notifications = new DocumentNotifications(registryOf);
  const wopi = config.wopiEnabled ? await composeWopi(needs, records, notifications) : null;
  const hostStorage = wopi?.storage ?? null;
  const savedFiles = { blobs: needs.blobs, lost: new LostFiles(needs.pool) };
  const context = { ...records, notifications, hostStorage, savedFiles, registryOf };
  const saving = await composeSaving(needs, context, shutdown);
  const { notices, delivery, leaving, forceSaves, checkpointTimer } = saving;
  const waiters = new ForceSaveWaiters();
  const tenants = new DocumentTenants();
  const smallFiles = new SmallFiles(needs.blobs, (found) =>
    needs.metrics.caches.looked('small_files', found),
  );
  needs.metrics.caches.watchSmallFiles(() => smallFiles.heldBytes);
  const registry = composeRegistry(needs, { ...records, leaving, waiters, checkpointTimer }, shutdown);
  const editing = composeEditing(needs, {
    ...{ ...records, hostStorage, registry, forceSaves, waiters, tenants, smallFiles },
  });

  const begin = async () => {
    const leases = needs.nodes?.leases ?? null;
    const recovery = new Recovery({ closing: records.closing, leaving, registry, leases, log });
    shutdown.add(async () => recovery.stop());
    await recovery.start(config.reconnectGraceMs);
    await tenants.recall(records.documents);
    delivery.wake();
    forceSaves.start();
    if (config.checkpointEvery > 0) checkpointTimer.start();
    wopi?.locks.start();
    shutdown.add(async () => wopi?.locks.stop());
  };
  return {
    ...{ ...records, ...editing, registry, smallFiles, notices, forceSaves, leaving, wopi, begin },
    wakeDelivery: () => delivery.wake(),
  };
}

function composeWopi(needs: DocumentNeeds, { documents }: Records, notifications: DocumentNotifications) {
  const { config, workDirectory, pool, http, tokens, blobs, links, sealing, bodies, faultPoint, log } = needs;
  const { table, conversions } = needs.conversion;
  return openWopi({
    ...{
      config,
      workDirectory,
      pool,
      documents,
      http,
      tokens,
      blobs,
      links,
      sealing,
      bodies,
      faultPoint,
      log,
    },
    converter: { table, convert: (request) => conversions.convert(request) },
    x2tDirectory: needs.x2tDirectory,
    hasOtherEditors: needs.hasOtherEditors,
    warn: (key, message, code) => notifications.warn(key, message, code),
    announceTitle: (key, title) => notifications.retitled(key, title),
  });
}

interface RegistryNeeds extends Pick<Records, 'changeLog'> {
  checkpointTimer: CheckpointTimer;
  leaving: Leaving;
  waiters: ForceSaveWaiters;
}

/** The documents that are open on this node. */
function composeRegistry(
  { config, coordination, nodes, metrics, isCrowded, faultPoint, log }: DocumentNeeds,
  { changeLog, leaving, waiters, checkpointTimer }: RegistryNeeds,
  shutdown: Shutdown,
): DocumentRegistry {
  const historyMemory = new HistoryMemory(config.historyMemoryBytes);
  metrics.caches.watchHistories({
    reads: () => metrics.saving.historyReads,
    heldBytes: () => historyMemory.heldBytes,
  });
  const registry = new DocumentRegistry(
    {
      ...{ coordination, nodes, historyMemory, faultPoint },
      log: changeLog,
      lifecycle: leaving,
      notified: (key, notice) => waiters.notified(key, notice),
      maxLogBytes: config.maxChangesBytes,
      maxSentBytes: mostSentBytes(config.outboundQueueBytes),
      checkpointWork: config.checkpointEvery || Number.POSITIVE_INFINITY,
      checkpointWanted: (key) => checkpointTimer.want(key),
      trustsPartialRights: config.trustPartialRights,
      metrics: metrics.saving,
      times: {
        ...defaultSessionTimes,
        saveLeaseMs: config.saveLockLeaseMs,
        firstEditorWaitMs: config.firstEditorPatienceMs,
        get listsApartMs() {
          return isCrowded() ? crowdedListsApartMs : 0;
        },
      },
    },
    config.closingGraceMs,
    (error, key) => log.error({ err: error, documentKey: key }, 'A task of a document failed'),
  );
  shutdown.add(async () => registry.stop());
  return registry;
}

interface EditingNeeds extends Records {
  hostStorage: HostStorage | null;
  registry: DocumentRegistry;
  forceSaves: ForceSaves;
  waiters: ForceSaveWaiters;
  tenants: DocumentTenants;
  smallFiles: SmallFiles;
}

/** Signing in, opening and editing. */
function composeEditing(
  needs: DocumentNeeds,
  parts: EditingNeeds,
): Pick<DocumentParts, 'coauthoring' | 'pictures' | 'documentConversions'> {
  const { config, workDirectory, blobs, queue, tokens, http, links, sealing, announced, metrics, log } =
    needs;
  const { table, conversions } = needs.conversion;
  const { documents, arrivals, checkpoints, media, openedSources, outbox } = parts;
  const { hostStorage, registry, forceSaves, waiters } = parts;
  const foreignModel: ForeignForm = needs.x2tDirectory ? 'binary' : 'opaque';
  const onRefused = (code: number) => metrics.opening.refusedSignIn(code);
  const refusals = new RefusalLog(log);
  const pictures = new DocumentPictures(blobs, media);
  const copies = new Copies(documents, outbox, queue);
  const documentConversions = new DocumentConversions({
    ...{ copies, conversions, table, openedSources, media, sealing },
    assemblyFormatAsOrigin: config.assemblyFormatAsOrigin,
  });
  const signIn = new SignIn({
    ...{ config, tokens, documents, arrivals, registry, foreignModel, announced, hostStorage, onRefused },
    refusals,
    sealing,
    sessionSecret: needs.secrets.session,
    sourceCheck: new SourceCheck(http, tokens, log),
    checkpoints: new CheckpointOffers({ checkpoints, links, checkpointEvery: config.checkpointEvery }),
  });
  const stages = composeOpeningStages(needs, parts);
  const linkedValues = new LinkedValueReader({ ...{ config, tokens, queue, blobs }, ...stages });
  const coauthoring = new Coauthoring({
    ...{ config, tokens, registry, signIn, forceSaves, waiters, copies, blobs, links, hostStorage },
    ...{ announced, log, onRefused, refusals, tenants: parts.tenants },
    droppedUsers: parts.droppedUsers,
    files: new DocumentFiles({
      ...{ documents, media, links, smallFiles: parts.smallFiles, foreignModel, sealing },
      opening: composeOpening(needs, parts, stages),
      conversions: documentConversions,
    }),
    linkedValues,
    remotePictures: new RemotePictures({ config, workDirectory, http, tokens, pictures, log }),
    onMessage: (type) => metrics.transport.countMessage(type),
    onLogLineDropped: () => metrics.transport.countLogLineDropped(),
  });
  return { coauthoring, pictures, documentConversions };
}

/** From the integrator's file to what editors load. */
function composeOpening(
  { sealing, conversion, metrics, log }: DocumentNeeds,
  { documents }: Pick<EditingNeeds, 'documents'>,
  stages: { intake: SourceIntake; models: ModelOpening },
): Opening {
  return new Opening({
    ...{ documents, sealing, log, ...stages },
    progress: conversion.openingProgress,
    onOpened: (outcome, document, elapsedMs) => metrics.opening.ended(outcome, document, elapsedMs),
  });
}

/** How files are brought in, and made what editors load. */
function composeOpeningStages(
  { config, workDirectory, blobs, queue, tokens, http, sealing, conversion, metrics }: DocumentNeeds,
  { openedSources, hostStorage }: Pick<EditingNeeds, 'openedSources' | 'hostStorage'>,
): { intake: SourceIntake; models: ModelOpening } {
  const { table, conversions, openingProgress: progress } = conversion;
  return {
    intake: new SourceIntake({ config, workDirectory, http, tokens, blobs, hostStorage, table, progress }),
    models: new ModelOpening({
      ...{ openedSources, queue, sealing, progress },
      bases: new Bases({ conversions, table, blobs }),
      pages: new ShownPages({ conversions, openedSources }),
      onLookedUp: (isKnown) => metrics.caches.looked('opened_sources', isKnown),
    }),
  };
}
