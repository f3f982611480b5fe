import type { Logger } from 'pino';
import type { Checkpoints } from '../../db/checkpoints.ts';
import type { Closing } from '../../db/closing.ts';
import type { Documents } from '../../db/documents.ts';
import type { ForcedSaves } from '../../db/forced-saves.ts';
import type { Outbox } from '../../db/outbox.ts';
import type { ConversionQueue } from '../../jobs/jobs.ts';
import type { Config } from '../../platform/config.ts';
import { LineBudget } from '../../platform/line-budget.ts';
import type { Metrics } from '../../platform/metrics.ts';
import type { HttpClient } from '../../platform/outgoing/http-client.ts';
import type { Tokens } from '../../platform/secrets/tokens.ts';
import type { DocumentNotifications } from '../coauthoring/document-notifications.ts';
import type { DocumentRegistry } from '../coauthoring/registry.ts';
import type { FileLinks } from '../http/file-links.ts';
import { CheckpointTimer } from '../lifecycle/checkpoint-timer.ts';
import { Delivery, type SavedFiles } from '../lifecycle/delivery.ts';
import { ForceSaves } from '../lifecycle/force-saves.ts';
import type { HostStorage } from '../lifecycle/host-storage.ts';
import { Integrator } from '../lifecycle/integrator.ts';
import { Leaving } from '../lifecycle/leaving.ts';
import { Notices } from '../lifecycle/notices.ts';
import type { NodeParts } from './nodes.ts';
import type { Shutdown } from './shutdown.ts';

/** How long callbacks under way are waited for at a stop, milliseconds: what is cut off is sent a second time. */
const callbackGraceMs = 4_000;
/** So many lines a minute say that callbacks of joining and leaving were not accepted; the next one says how many were left out. */
const noticeLinesPerMinute = 60;
/** How often to look for documents that need a checkpoint. */
const checkpointsEveryMs = 20_000;

export interface SavingNeeds extends Pick<NodeParts, 'nodes'> {
  config: Config;
  queue: ConversionQueue;
  tokens: Tokens;
  http: HttpClient;
  links: FileLinks;
  metrics: Metrics;
  faultPoint: (name: string) => void;
  log: Logger;
}

/** What the parts of saving share with each other and with open documents. */
interface SavingContext {
  documents: Documents;
  closing: Closing;
  outbox: Outbox;
  forcedSaves: ForcedSaves;
  checkpoints: Checkpoints;
  notifications: DocumentNotifications;
  hostStorage: HostStorage | null;
  savedFiles: SavedFiles;
  /** Asked for when a document is open. */
  registryOf: () => DocumentRegistry;
}

interface SavingParts {
  notices: Notices;
  delivery: Delivery;
  leaving: Leaving;
  forceSaves: ForceSaves;
  checkpointTimer: CheckpointTimer;
}

/** What makes files of changes and delivers them to integrators. */
export async function composeSaving(
  needs: SavingNeeds,
  context: SavingContext,
  shutdown: Shutdown,
): Promise<SavingParts> {
  const { config, http, tokens, metrics } = needs;
  const integrator = new Integrator(http, tokens, config, (status, accepted, elapsedMs) =>
    metrics.delivering.answered(status, accepted, elapsedMs),
  );
  const notices = composeNotices(needs, context, integrator);
  const delivery = await composeDelivery(needs, context, integrator, shutdown);
  const leaving = composeLeaving(needs, context, { notices, delivery }, shutdown);
  const forceSaves = composeForceSaves(needs, context, delivery, shutdown);
  const checkpointTimer = composeCheckpointTimer(needs, context, shutdown);
  return { notices, delivery, leaving, forceSaves, checkpointTimer };
}

/** Callbacks when somebody joins or leaves. */
function composeNotices(
  { log }: SavingNeeds,
  { notifications }: SavingContext,
  integrator: Integrator,
): Notices {
  const lines = new LineBudget(noticeLinesPerMinute);
  const write = (documentKey: string, reason: string) => {
    const left = lines.take();
    if (left) log.warn({ documentKey, reason, ...left }, 'A callback of joining or leaving was not accepted');
  };
  return new Notices(integrator, {
    refused(key, reason) {
      write(key, reason);
      notifications.warn(key, 'The storage did not accept a notice');
    },
    dropped: (key) => write(key, 'too many callbacks wait'),
  });
}

/** Delivers the outbox, with what dead nodes left in it. */
async function composeDelivery(
  { config, links, metrics, nodes, faultPoint, log }: SavingNeeds,
  { outbox, notifications, hostStorage, savedFiles }: SavingContext,
  integrator: Integrator,
  shutdown: Shutdown,
): Promise<Delivery> {
  const leases = nodes?.leases ?? null;
  const delivery = new Delivery({
    ...{ outbox, integrator, links, hostStorage, log },
    files: savedFiles,
    retry: { forMs: config.callbackRetryForMs, pauseMs: config.callbackRetryPauseMs },
    events: {
      ended: (save, delivered) => notifications.ended(save, delivered),
      forced: (save, success, stored) => notifications.forceSaveEnded(save, success, stored),
      refused: (key, since) => notifications.refused(key, since),
      attempted: (status, to, outcome) => metrics.delivering.attempted(status, to, outcome),
      faultPoint,
    },
  });
  shutdown.add(() => delivery.stop(callbackGraceMs));
  const releaseClaims = async () => {
    if (await outbox.releaseClaims(leases ? await leases.living() : [])) delivery.wake();
  };
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
  return delivery;
}

/** Closes documents that everybody has left. */
function composeLeaving(
  { config, queue, faultPoint, log }: SavingNeeds,
  { closing, documents, registryOf }: SavingContext,
  { notices, delivery }: Pick<SavingParts, 'notices' | 'delivery'>,
  shutdown: Shutdown,
): Leaving {
  const leaving = new Leaving({
    ...{ closing, documents, notices, faultPoint, log },
    isEdited: async (key): Promise<boolean> => (await registryOf().editorIdsOf(key)).length > 0,
    graceMs: config.closingGraceMs,
    assemble: ({ key, epoch, openedAt }) =>
      queue.add({
        name: 'assemble',
        data: { key, epoch, ...(openedAt && { openedAtMs: openedAt.getTime() }) },
      }),
    wakeDelivery: () => delivery.wake(),
  });
  shutdown.add(async () => leaving.stop());
  return leaving;
}

/** Delivers documents while people go on editing. */
function composeForceSaves(
  { config, queue, faultPoint, log }: SavingNeeds,
  { forcedSaves, notifications }: SavingContext,
  delivery: Delivery,
  shutdown: Shutdown,
): ForceSaves {
  const forceSaves = new ForceSaves({
    ...{ forcedSaves, queue, faultPoint, log },
    lookEveryMs: lookEveryMs(config),
    timeoutMs: 2 * config.converterJobTimeoutMs,
    began: (key, timeMs) => notifications.forceSaveBegan(key, timeMs),
    wakeDelivery: () => delivery.wake(),
  });
  shutdown.add(async () => forceSaves.stop());
  return forceSaves;
}

function composeCheckpointTimer(
  { config, queue, log }: SavingNeeds,
  { checkpoints }: SavingContext,
  shutdown: Shutdown,
): CheckpointTimer {
  const timer = new CheckpointTimer({
    ...{ checkpoints, queue, log },
    afterChanges: config.checkpointEvery,
    everyMs: checkpointsEveryMs,
  });
  shutdown.add(async () => timer.stop());
  return timer;
}

/** A quarter of the shortest time within which changes have to be stored. */
function lookEveryMs({ forceSaveLeastMs, forceSaveIntervalMs }: Config): number {
  return Math.max(25, Math.min(forceSaveLeastMs, forceSaveIntervalMs || forceSaveLeastMs) / 4);
}
