import type pg from 'pg';
import type { Logger } from 'pino';
import { PostgresChangeLog } from '../../db/change-log.ts';
import { Closing } from '../../db/closing.ts';
import { Documents } from '../../db/documents.ts';
import { ForcedSaves } from '../../db/forced-saves.ts';
import { GroupCommit } from '../../db/group-commit.ts';
import { Media } from '../../db/media.ts';
import { OpenedSources } from '../../db/opened-sources.ts';
import { Outbox } from '../../db/outbox.ts';
import { MemoryCoordination } from '../adapters/memory-coordination.ts';
import type { AnnouncedVersion } from '../announced-version.ts';
import { Coauthoring } from '../coauthoring/coauthoring.ts';
import { HistoryMemory } from '../coauthoring/document/history-memory.ts';
import { defaultSessionTimes } from '../coauthoring/document/open-document.ts';
import { DocumentFiles } from '../coauthoring/document-files.ts';
import type { ForeignModel } from '../coauthoring/document-model.ts';
import { DocumentNews } from '../coauthoring/document-news.ts';
import { ForceSaveWaiters } from '../coauthoring/force-save-waiters.ts';
import { DocumentRegistry } from '../coauthoring/registry.ts';
import { SignIn } from '../coauthoring/sign-in/sign-in.ts';
import type { Config } from '../config.ts';
import { DocumentPictures } from '../integration/document-pictures.ts';
import type { FileLinks } from '../integration/file-links.ts';
import { RemotePictures } from '../integration/remote-pictures.ts';
import type { ConversionQueue } from '../jobs.ts';
import { Copies } from '../lifecycle/copies.ts';
import { Delivery } from '../lifecycle/delivery.ts';
import { ForceSaves } from '../lifecycle/force-saves.ts';
import { Integrator } from '../lifecycle/integrator.ts';
import { Leaving } from '../lifecycle/leaving.ts';
import { Notices } from '../lifecycle/notices.ts';
import { Opening } from '../lifecycle/opening.ts';
import { Recovery } from '../lifecycle/recovery.ts';
import { SourceCheck } from '../lifecycle/source-check.ts';
import { type Metrics, recordMs } from '../metrics.ts';
import type { HttpClient } from '../outgoing/http-client.ts';
import type { BlobStore } from '../ports/blob-store.ts';
import type { Sealing } from '../sealing.ts';
import type { Secrets } from '../secrets.ts';
import type { Tokens } from '../tokens.ts';
import { openWopi } from '../wopi/wopi.ts';
import type { ConversionParts } from './conversion.ts';
import type { Shutdown } from './shutdown.ts';

/** A callback whose node died is taken up by another one this long after it must have timed out. */
const claimLapseMarginMs = 60_000;
const callbackGraceMs = 2_000;

export interface DocumentParts {
  documents: Documents;
  closing: Closing;
  openedSources: OpenedSources;
  media: Media;
  outbox: Outbox;
  forcedSaves: ForcedSaves;
  changeLog: PostgresChangeLog;
  groupCommit: GroupCommit;
  registry: DocumentRegistry;
  coauthoring: Coauthoring;
  notices: Notices;
  pictures: DocumentPictures;
  copies: Copies;
  forceSaves: ForceSaves;
  wopi: Awaited<ReturnType<typeof openWopi>> | null;
  /** Takes up what was left by a process before, and begins what is done by itself. Called when people can come in. */
  begin(): Promise<void>;
}

export interface DocumentNeeds {
  config: Config;
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
  const { announced } = needs;
  const foreignModel: ForeignModel = needs.x2tDirectory ? 'binary' : 'opaque';
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

  const waiters = new ForceSaveWaiters();
  const news = new DocumentNews((key) => registry.find(key), waiters);
  const integrator = new Integrator(http, tokens, config, (accepted, elapsedMs) => {
    recordMs(metrics.callbackDuration, elapsedMs, { accepted: String(accepted) });
  });
  const notices = new Notices(integrator, (key, reason) => {
    log.warn({ documentKey: key, reason }, 'A callback of joining or leaving was not accepted');
    news.warn(key, 'The storage did not accept a notice');
  });
  const wopi = config.wopiEnabled
    ? await openWopi({
        ...{ config, pool, documents, http, tokens, blobs, links, sealing, faultPoint, log },
        converter: {
          table: needs.conversion.table,
          convert: (request) => needs.conversion.conversions.convert(request),
        },
        x2tDirectory: needs.x2tDirectory,
        hasOtherEditors: needs.hasOtherEditors,
        tell: (key, message) => news.warn(key, message),
        announceTitle: (key, title) => news.retitled(key, title),
      })
    : null;
  const hostStorage = wopi?.storage ?? null;
  const delivery = new Delivery(
    outbox,
    integrator,
    links,
    config.callbackRetryForMs,
    {
      ended: (save, delivered) => news.ended(save, delivered),
      forced: (save, success, stored) => news.forceSaveEnded(save, success, stored),
      refused: (key, since) => news.refused(key, since),
      faultPoint,
    },
    log,
    hostStorage,
  );
  shutdown.add(() => delivery.stop(callbackGraceMs));
  const leaving = new Leaving({
    closing,
    notices,
    graceMs: config.closingGraceMs,
    log,
    assemble: ({ key, epoch }) => queue.run({ name: 'assemble', data: { key, epoch } }),
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
  shutdown.add(async () => registry.stop());
  const opening = new Opening({
    ...{ config, http, tokens, blobs, documents, openedSources, queue, hostStorage, sealing, log },
  });
  await opening.clear();
  const pictures = new DocumentPictures(blobs, media);
  const copies = new Copies(documents, outbox, queue);
  const signIn = new SignIn({
    ...{ config, tokens, documents, registry, foreignModel, announced, hostStorage },
    sessionSecret: needs.secrets.session,
    sourceCheck: new SourceCheck(http, tokens, log),
  });
  const coauthoring = new Coauthoring({
    ...{ config, tokens, registry, signIn, forceSaves, waiters, copies, blobs, links, hostStorage },
    ...{ announced, log },
    files: new DocumentFiles({ documents, media, opening, links, foreignModel }),
    remotePictures: new RemotePictures({ config, http, tokens, pictures }),
    onMessage: (type) => metrics.countMessage(type),
  });

  const begin = async () => {
    const recovery = new Recovery(closing, leaving, registry, log);
    shutdown.add(async () => recovery.stop());
    await recovery.start(config.reconnectGraceMs);
    delivery.wake();
    forceSaves.start();
    wopi?.locks.start();
    shutdown.add(async () => wopi?.locks.stop());
  };
  return {
    ...{ documents, closing, openedSources, media, outbox, forcedSaves, changeLog, groupCommit },
    ...{ registry, coauthoring, notices, pictures, copies, forceSaves, wopi, begin },
  };
}

/** Often enough for the shortest time in which changes may have to be stored. */
function lookEveryMs({ forceSaveLeastMs, forceSaveIntervalMs }: Config): number {
  return Math.max(25, Math.min(forceSaveLeastMs, forceSaveIntervalMs || forceSaveLeastMs) / 4);
}
