import type { Logger } from 'pino';
import { CallbackStatus } from '../../client/protocol/index.ts';
import type { LostFiles } from '../../db/lost-files.ts';
import type { ClaimedSave, Outbox, Stored } from '../../db/outbox.ts';
import { fileGone, isForced, type SaveRow } from '../../db/save-row.ts';
import type { DeliveryOutcome } from '../../platform/metrics/lifecycle.ts';
import { BlobDamagedError, BlobMissingError, type BlobStore } from '../../platform/ports/blob-store.ts';
import { within } from '../../platform/within.ts';
import type { FileLinks } from '../http/file-links.ts';
import { routingOfDocument } from '../http/routing.ts';
import { savedBody } from './callback-body.ts';
import { type HostStorage, isHostAddress } from './host-storage.ts';
import type { CallbackOutcome, Integrator } from './integrator.ts';

/**
 * `isUnsent`: something here failed, and nothing was sent to the address. `isGone`: because the file is not in the store
 * any more.
 */
type Refusal = Extract<CallbackOutcome, { accepted: false }> & { isUnsent?: true; isGone?: true };

/** The command `saved` contradicted the answer (integration API, 8.2). */
const vetoed: Refusal = { accepted: false, reason: 'the command `saved` said that it was not saved' };

const atOnce = 48;
/** Callbacks are claimed a few at a time, and none to a host that has so many under way: it leaves places to others when it does not answer. */
const claimedAtOnce = 8;
const crowdedFrom = 32;
/** Pause when the outbox itself cannot be read. */
const lookAgainMs = 1_000;
const longestRetryMs = 300_000;
/** The outbox is read at least this often, also when nothing is known to be due: another node may have died. */
const idleLookMs = 10_000;

export interface DeliveryEvents {
  /** A document's final save was delivered, or was given up. */
  ended(save: SaveRow, delivered: boolean): void;
  /**
   * A forced save was accepted, or was not at the first attempt (it may be later), or could not be made. `stored`: what
   * the integrator has of the document now, where that has changed.
   */
  forced(save: SaveRow, success: boolean, stored: Stored | null): void;
  /** The integrator takes no file of a document, since then. */
  refused(key: string, since: Date): void;
  /** An attempt was made. */
  attempted(status: number, to: 'integrator' | 'wopi_host', outcome: DeliveryOutcome): void;
  faultPoint(name: string): void;
}

/**
 * How long a callback is tried from its first attempt at the address of its integrator, and the pause after its first
 * failed attempt.
 */
export interface RetryTimes {
  forMs: number;
  pauseMs: number;
}

/** The files of saves: where they are, and what is done about those that are gone. */
export interface SavedFiles {
  blobs: Pick<BlobStore, 'sizeOf' | 'delete'>;
  lost: LostFiles;
}

export interface DeliveryDependencies {
  outbox: Outbox;
  integrator: Pick<Integrator, 'call'>;
  links: FileLinks;
  retry: RetryTimes;
  events: DeliveryEvents;
  log: Logger;
  /** Where files of WOPI hosts go; null: this server is no client of any. */
  hostStorage: HostStorage | null;
  files: SavedFiles;
}

/** The pause after the n-th failed attempt (from 1): doubling from the first to five minutes, spread by up to a tenth. */
export function retryDelayMs(
  attempts: number,
  firstPauseMs: number,
  random: () => number = Math.random,
): number {
  const delay = Math.min(longestRetryMs, firstPauseMs * 2 ** Math.min(attempts - 1, 30));
  return Math.round(delay * (0.9 + 0.2 * random()));
}

/**
 * Delivers the outbox: at least once, until the integrator confirms or the time for trying is over (I7). While a
 * callback is under way nothing is locked, so the integrator may call back into the server.
 */
export class Delivery {
  readonly #outbox: Outbox;
  readonly #integrator: Pick<Integrator, 'call'>;
  readonly #links: FileLinks;
  readonly #retry: RetryTimes;
  readonly #events: DeliveryEvents;
  readonly #log: Logger;
  readonly #hostStorage: HostStorage | null;
  readonly #files: SavedFiles;
  readonly #underWay = new Set<Promise<void>>();
  /** How many of them go to each host. */
  readonly #underWayTo = new Map<string, number>();
  #timer: NodeJS.Timeout | null = null;
  /** More may be due than there were places for when the outbox was read last. */
  #isBehind = false;
  #looking: Promise<void> | null = null;
  #lookAgain = false;
  #stopped = false;

  constructor(dependencies: DeliveryDependencies) {
    this.#outbox = dependencies.outbox;
    this.#integrator = dependencies.integrator;
    this.#links = dependencies.links;
    this.#retry = dependencies.retry;
    this.#events = dependencies.events;
    this.#log = dependencies.log;
    this.#hostStorage = dependencies.hostStorage;
    this.#files = dependencies.files;
  }

  /** Looks at the outbox now. */
  wake(): void {
    if (this.#looking !== null) {
      this.#lookAgain = true;
      return;
    }
    this.#looking = this.#look()
      .catch((error: unknown) => {
        this.#log.error({ err: error }, 'The outbox could not be read');
        this.#wakeIn(lookAgainMs);
      })
      .finally(() => {
        this.#looking = null;
        if (this.#lookAgain) {
          this.#lookAgain = false;
          this.wake();
        }
      });
  }

  /** Stops looking and waits for callbacks that are under way, or are being claimed, at most `graceMs`. */
  async stop(graceMs: number): Promise<void> {
    this.#stopped = true;
    if (this.#timer) clearTimeout(this.#timer);
    const ended = Promise.resolve(this.#looking).then(() => Promise.allSettled(this.#underWay));
    await within(graceMs, ended);
  }

  async #look(): Promise<void> {
    let isMore = true;
    while (isMore) {
      const free = atOnce - this.#underWay.size;
      if (free <= 0) this.#isBehind = true;
      if (this.#stopped || free <= 0) return;
      const limit = Math.min(free, claimedAtOnce);
      const saves = await this.#outbox.claim(limit, this.#crowded());
      for (const save of saves) this.#begin(save);
      isMore = saves.length === limit;
    }
    const crowded = this.#crowded();
    this.#isBehind = crowded.length > 0;
    const nextDueMs = await this.#outbox.nextDueInMs(crowded);
    this.#wakeIn(Math.max(0, Math.min(idleLookMs, nextDueMs ?? idleLookMs)));
  }

  #begin(save: ClaimedSave): void {
    const { host } = save;
    this.#underWayTo.set(host, (this.#underWayTo.get(host) ?? 0) + 1);
    const attempt = this.#attempt(save).then((isOver) => {
      this.#underWay.delete(attempt);
      const left = this.#underWayTo.get(host)! - 1;
      if (left > 0) this.#underWayTo.set(host, left);
      else this.#underWayTo.delete(host);
      // Nothing else is due because of a callback that is dealt with, unless there was no place for what is.
      if (!isOver || this.#isBehind) this.wake();
    });
    this.#underWay.add(attempt);
  }

  /** Hosts that have as many callbacks under way as they may. */
  #crowded(): string[] {
    return [...this.#underWayTo].flatMap(([host, count]) => (count >= crowdedFrom ? [host] : []));
  }

  #wakeIn(delayMs: number): void {
    if (this.#timer) clearTimeout(this.#timer);
    if (this.#stopped) return;
    this.#timer = setTimeout(() => this.wake(), delayMs);
  }

  /** Whether it is dealt with, and no other callback waited for that. */
  async #attempt(save: SaveRow): Promise<boolean> {
    const log = this.#log.child({ documentKey: save.key, status: save.status, attempt: save.attempts });
    try {
      this.#events.faultPoint('delivery:before-callback');
      const attemptedAt = new Date();
      if (save.status === CallbackStatus.forceSaveFailed && save.attempts === 1) {
        this.#events.forced(save, false, null);
      }
      const answer = await this.#call(save);
      const outcome = answer.accepted && (await this.#outbox.isVetoed(save)) ? vetoed : answer;
      this.#events.faultPoint('delivery:after-callback');
      if (outcome.accepted) {
        await this.#accepted(save);
        log.info('The integrator confirmed a callback');
      } else if (outcome.isGone) await this.#gone(save, attemptedAt, outcome, log);
      else await this.#failed(save, attemptedAt, outcome, log);
      this.#events.faultPoint('delivery:recorded');
      return outcome.accepted && !isForced(save);
    } catch (error) {
      log.error({ err: error }, 'An attempt to deliver could not be recorded');
      return false;
    }
  }

  async #accepted(save: SaveRow): Promise<void> {
    this.#count(save, 'accepted');
    if (!isForced(save)) {
      await this.#outbox.delivered(save);
      this.#events.ended(save, true);
      return;
    }
    const stored = await this.#outbox.forcedDelivered(save);
    if (save.status === CallbackStatus.forceSaved) this.#events.forced(save, true, stored);
  }

  #count(save: SaveRow, outcome: DeliveryOutcome): void {
    const to = isHostAddress(save.callbackUrl) ? 'wopi_host' : 'integrator';
    this.#events.attempted(save.status, to, outcome);
  }

  async #call(save: SaveRow): Promise<{ accepted: true } | Refusal> {
    try {
      const to = save.callbackUrl;
      // The first attempt follows on the making of the file; an integrator that misses it refuses.
      if (save.attempts > 1 && save.resultHash !== null) await this.#demandFile(save.resultHash);
      if (isHostAddress(to) && this.#hostStorage) return await this.#hostStorage.deliver(save);
      return await this.#integrator.call(
        save.callbackUrl!,
        routingOfDocument(save.key, save.routing),
        savedBody(save, this.#links),
      );
    } catch (error) {
      const isGone = error instanceof BlobMissingError || error instanceof BlobDamagedError;
      return { accepted: false, reason: String(error), isUnsent: true, ...(isGone && { isGone }) };
    }
  }

  /** @throws BlobMissingError */
  async #demandFile(hash: string): Promise<void> {
    if ((await this.#files.blobs.sizeOf(hash)) === undefined) throw new BlobMissingError(hash);
  }

  /**
   * The file of a save is not in the store any more. It is made anew where everything is there that it was made from. A
   * store may also be empty because a volume is not mounted: so nothing is ended before the time for trying is over.
   */
  async #gone(save: SaveRow, attemptedAt: Date, { reason }: Refusal, log: Logger): Promise<void> {
    const { lost, blobs } = this.#files;
    const sources = await lost.sourcesOf(save);
    const isWhole = sources !== null && (await this.#areAllThere(sources));
    if (isWhole && save.resultHash !== null) {
      // A damaged one would be taken for the new one, which has the same name.
      await blobs.delete(save.resultHash);
      if (await lost.makeAnew(save, `${fileGone}: ${reason}; it is made anew`)) {
        this.#count(save, 'made_anew');
        log.warn({ code: fileGone, reason }, 'The file of a save is gone from the store; it is made anew');
        return;
      }
    }
    const delayMs = retryDelayMs(save.attempts, this.#retry.pauseMs);
    const since = save.firstAttemptAt ?? attemptedAt;
    const said = `${fileGone}: ${reason}, and what it was made from is not complete`;
    if (Date.now() + delayMs <= since.getTime() + this.#retry.forMs) {
      this.#count(save, 'retried');
      await this.#outbox.retryLater(save, said, delayMs, since, false);
      log.warn({ code: fileGone, reason, delayMs }, 'The file of a save is gone from the store');
      return;
    }
    await lost.report(save, said);
    this.#count(save, 'file_gone');
    log.error({ code: fileGone, reason }, 'The file of a save is lost; its integrator is told so');
  }

  async #areAllThere(hashes: readonly string[]): Promise<boolean> {
    const sizes = await Promise.all(hashes.map((hash) => this.#files.blobs.sizeOf(hash)));
    return sizes.every((size) => size !== undefined);
  }

  async #failed(
    save: SaveRow,
    attemptedAt: Date,
    { reason, final, isUnsent }: Refusal,
    log: Logger,
  ): Promise<void> {
    // A newer file of the same document is not tried sooner than the one that was refused before it.
    const attempts = isForced(save) ? await this.#outbox.attemptsInVain(save) : save.attempts;
    const delayMs = retryDelayMs(Math.max(attempts, save.attempts), this.#retry.pauseMs);
    const since = save.firstAttemptAt ?? attemptedAt;
    // Where nothing was sent (the store of files does not answer, a disk is full) nobody has refused anything.
    const isOver = final || (!isUnsent && Date.now() + delayMs > since.getTime() + this.#retry.forMs);
    this.#count(save, isOver ? 'given_up' : 'retried');
    // Told when it is on record: whoever asks again upon it must not join what has failed.
    const tell = () => {
      const isFirst = save.status === CallbackStatus.forceSaved && save.attempts === 1;
      if (isFirst) this.#events.forced(save, false, null);
    };
    if (isOver) {
      const refusedSince = await this.#outbox.giveUp(save, reason);
      tell();
      if (refusedSince) this.#events.refused(save.key, refusedSince);
      if (isForced(save)) {
        log.warn({ reason }, 'The callback of a forced save was given up; the document has it all');
        return;
      }
      log.error({ reason }, 'A callback was given up; the document is in forgotten storage');
      this.#events.ended(save, false);
      return;
    }
    const firstAttemptAt = isUnsent ? save.firstAttemptAt : since;
    const refusedSince = await this.#outbox.retryLater(save, reason, delayMs, firstAttemptAt);
    tell();
    if (refusedSince) this.#events.refused(save.key, refusedSince);
    log[save.attempts < 3 ? 'info' : 'warn']({ reason, delayMs }, 'A callback was not accepted');
  }
}
