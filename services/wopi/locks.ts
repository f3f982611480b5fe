import type { Logger } from 'pino';
import type { WopiFileRow, WopiFiles } from '../../db/wopi-files.ts';
import type { WopiSessionRow, WopiSessions } from '../../db/wopi-sessions.ts';
import { KeyedMutex } from '../../platform/keyed-mutex.ts';
import { accessOf, type HostAccess } from './host-client.ts';
import type { LockOutcome, WopiHost } from './wopi-host.ts';

/** So many sessions are tried when a host refuses the one before. */
const sessionsTried = 5;
/** A page that was opened and never signed in holds its lock this long, milliseconds. */
const unusedLockMs = 60_000;
const longestSweepMs = 30_000;
/** Sessions are kept as long as a session token works, milliseconds. */
const sessionLifeMs = 30 * 86_400_000;
const sweepSessionsEveryMs = 3_600_000;

export interface LocksDependencies {
  files: WopiFiles;
  sessions: WopiSessions;
  host: WopiHost;
  /** A lock is confirmed this often, milliseconds. */
  refreshMs: number;
  /** Says something to everybody inside a document. */
  warn: (key: string, message: string) => void;
  log: Logger;
}

/**
 * Our locks at WOPI hosts (integration API, 13.4): one per file, its id the document's key, held from the opening of an
 * editor's page until the work is delivered. The locks are recorded, so a server that starts again goes on confirming
 * them. Everything about one file happens one after the other.
 */
export class Locks {
  readonly #deps: LocksDependencies;
  readonly #mutex = new KeyedMutex();
  readonly #lost = new Set<string>();
  #timer: NodeJS.Timeout | null = null;
  #sessionsSweptAtMs = 0;

  constructor(dependencies: LocksDependencies) {
    this.#deps = dependencies;
  }

  start(): void {
    const everyMs = Math.min(longestSweepMs, Math.max(50, this.#deps.refreshMs / 4));
    this.#timer = setInterval(() => this.#sweepAside(), everyMs);
    this.#sweepAside();
  }

  stop(): void {
    if (this.#timer) clearInterval(this.#timer);
  }

  /** Runs a task about a file in line with everything else about it. */
  inLine<Result>(key: string, task: () => Promise<Result>): Promise<Result> {
    return this.#mutex.run(key, task);
  }

  /** Asks for the lock in somebody's name, also when it is held already: the host then confirms it. Call in line. */
  async take(key: string, access: HostAccess): Promise<LockOutcome> {
    const outcome = await this.#deps.host.lock('LOCK', access, key);
    if (outcome.kind === 'ok') await this.#held(key);
    return outcome;
  }

  /** Makes sure of the lock; the host is not asked when the lock is known to be held. Call in line. */
  async ensure(file: WopiFileRow, session: WopiSessionRow | null): Promise<LockOutcome> {
    if (!file.supportsLocks || file.lockedAt !== null) return { kind: 'ok' };
    if (session) return this.take(file.key, accessOf(session));
    return this.retake(file.key);
  }

  /** Takes the lock anew after the host said that it has none. Call in line. */
  retake(key: string): Promise<LockOutcome> {
    return this.#inSomebodysName(key, (session) => this.take(key, accessOf(session)));
  }

  /** Releases the lock. A host that cannot be reached forgets it by itself after half an hour. Call in line. */
  async release(key: string): Promise<void> {
    const file = await this.#deps.files.find(key);
    if (!file?.lockedAt) return;
    const outcome = await this.#inSomebodysName(key, (session) =>
      this.#deps.host.lock('UNLOCK', accessOf(session), key),
    );
    await this.#deps.files.unlocked(key);
    this.#lost.delete(key);
    if (outcome.kind !== 'ok') {
      this.#deps.log.info({ documentKey: key, outcome }, 'A lock could not be released at its host');
    }
  }

  /** Gives back a lock that nobody came to use: whoever comes takes it anew. */
  async giveBack(key: string, access: HostAccess): Promise<void> {
    const outcome = await this.#deps.host.lock('UNLOCK', access, key);
    if (outcome.kind === 'ok') await this.#deps.files.unlocked(key);
  }

  async #held(key: string): Promise<void> {
    await this.#deps.files.locked(key);
    this.#lost.delete(key);
  }

  #sweepAside(): void {
    this.#sweep().catch((error: unknown) => {
      this.#deps.log.error({ err: error }, 'Locks at WOPI hosts could not be looked after');
    });
  }

  async #sweep(): Promise<void> {
    const { files, sessions, refreshMs } = this.#deps;
    const due = await files.dueForRefresh(refreshMs);
    await Promise.all(due.map(({ key }) => this.inLine(key, () => this.#refresh(key))));
    const left = await files.leftLocked(unusedLockMs);
    await Promise.all(left.map(({ key }) => this.inLine(key, () => this.release(key))));
    if (Date.now() - this.#sessionsSweptAtMs < sweepSessionsEveryMs) return;
    this.#sessionsSweptAtMs = Date.now();
    await sessions.sweep(sessionLifeMs);
  }

  /** Confirms a lock; one that is lost is taken again as soon as nobody else holds one. */
  async #refresh(key: string): Promise<void> {
    const { files, refreshMs } = this.#deps;
    // What was due a moment ago may have been delivered and unlocked by now.
    const [file] = await files.dueForRefresh(refreshMs, key);
    if (!file) return;
    if (file.lockedAt !== null) {
      const outcome = await this.#inSomebodysName(key, (session) =>
        this.#deps.host.lock('REFRESH_LOCK', accessOf(session), key),
      );
      if (outcome.kind === 'ok') return this.#held(key);
      if (outcome.kind === 'failed') {
        this.#deps.log.warn({ documentKey: key, outcome }, 'A lock could not be confirmed');
        return;
      }
    }
    const taken = await this.retake(key);
    if (taken.kind !== 'conflict') return;
    await this.#deps.files.unlocked(key);
    if (this.#lost.has(key)) return;
    this.#lost.add(key);
    this.#deps.log.warn({ documentKey: key, lock: taken.lock }, 'A lock is lost to somebody else');
    this.#deps.warn(key, 'The file is locked by another application: changes cannot be stored there now.');
  }

  /** Asks in the name of one session after the other until a host accepts one's token. */
  async #inSomebodysName(
    key: string,
    ask: (session: WopiSessionRow) => Promise<LockOutcome>,
  ): Promise<LockOutcome> {
    let outcome: LockOutcome = { kind: 'failed', status: 0, reason: 'nobody may speak to the storage' };
    for (const session of await this.#deps.sessions.writersOf(key, null, sessionsTried)) {
      outcome = await ask(session);
      if (outcome.kind !== 'failed' || ![401, 403, 404].includes(outcome.status)) return outcome;
    }
    return outcome;
  }
}
