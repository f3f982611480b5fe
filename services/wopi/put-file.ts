import { createHash } from 'node:crypto';
import type { Logger } from 'pino';
import { CallbackStatus, ForceSaveType, ServiceError } from '../../client/protocol/index.ts';
import type { Documents } from '../../db/documents.ts';
import { isForced, type SaveRow } from '../../db/save-row.ts';
import type { FileMarker, WopiFileRow, WopiFiles } from '../../db/wopi-files.ts';
import type { WopiSessionRow, WopiSessions } from '../../db/wopi-sessions.ts';
import type { BlobStore } from '../../platform/ports/blob-store.ts';
import { sessionIdIn } from '../lifecycle/host-storage.ts';
import type { CallbackOutcome } from '../lifecycle/integrator.ts';
import type { FileInfo } from './file-info.ts';
import type { GetFile } from './get-file.ts';
import { accessOf } from './host-client.ts';
import { isSameTime } from './host-time.ts';
import type { Locks } from './locks.ts';
import type { PutOutcome, WopiHost } from './wopi-host.ts';

/** So many sessions are tried when a host refuses the one before. */
const sessionsTried = 5;
/** Statuses by which a host refuses a person, not the file: another person may be accepted. */
const refusesPerson = new Set([401, 403, 404]);

export interface PutFileDependencies {
  documents: Pick<Documents, 'find'>;
  files: WopiFiles;
  sessions: WopiSessions;
  host: WopiHost;
  locks: Locks;
  getFile: GetFile;
  blobs: BlobStore;
  /** Longest that a host may take for a file, milliseconds. */
  timeoutMs: number;
  warn: (key: string, message: string, code?: ServiceError) => void;
  faultPoint: (name: string) => void;
  log: Logger;
}

/**
 * Delivers saves to WOPI hosts (integration API, 13.4). Before anything is written, the host's file is checked: a file
 * that somebody else changed is never overwritten. The exception is a file that already is what we are about to write:
 * then a server died between a PutFile and its record of it.
 */
export class PutFile {
  readonly #deps: PutFileDependencies;

  constructor(dependencies: PutFileDependencies) {
    this.#deps = dependencies;
  }

  async deliver(save: SaveRow): Promise<CallbackOutcome> {
    const { locks, files } = this.#deps;
    const file = await files.find(save.key);
    if (!file)
      return { accepted: false, reason: 'the file of the storage is not known any more', final: true };
    const fallenBack = await this.#fallback(save);
    if (fallenBack !== null) {
      if (!isForced(save)) await locks.inLine(save.key, () => locks.release(save.key));
      this.#deps.warn(save.key, `The storage was not given the document: ${fallenBack}.`);
      return { accepted: false, reason: fallenBack, final: true };
    }
    const hasFile =
      save.resultHash !== null && !(save.status === CallbackStatus.mustSave && save.notModified);
    const outcome: Put = hasFile ? await this.#put(file, save) : { accepted: true };
    if (!isForced(save) && (outcome.accepted || outcome.final))
      await locks.inLine(save.key, () => locks.release(save.key));
    if (!outcome.accepted && save.attempts === 1) {
      const code = outcome.isConflict ? ServiceError.quireStorageConflict : undefined;
      this.#deps.warn(save.key, `The storage did not take the document: ${outcome.reason}.`, code);
    }
    return outcome;
  }

  /**
   * A file of another format than the host's is not written over the host's file. Returns why there is none in the
   * host's format; null when there is.
   */
  async #fallback({ key, fileType }: SaveRow): Promise<string | null> {
    const document = fileType === null ? null : await this.#deps.documents.find(key);
    if (!document || document.fileType === fileType) return null;
    return `it could not be written as ${document.fileType}, and is kept as ${fileType}`;
  }

  async #put(file: WopiFileRow, save: SaveRow): Promise<Put> {
    const first = save.callbackUrl === null ? null : sessionIdIn(save.callbackUrl);
    const writers = await this.#deps.sessions.writersOf(save.key, first, sessionsTried);
    let outcome: Put = {
      accepted: false,
      reason: 'nobody may write to the storage',
    };
    for (const session of writers) {
      outcome = await this.#putAs(session, file, save);
      if (outcome.accepted || !outcome.tryNext) return outcome;
    }
    return outcome;
  }

  async #putAs(session: WopiSessionRow, file: WopiFileRow, save: SaveRow): Promise<Put> {
    const { host, locks, files } = this.#deps;
    const access = accessOf(session);
    const checked = await host.checkFileInfo(access);
    if (!checked.ok) {
      return { accepted: false, reason: checked.reason, tryNext: refusesPerson.has(checked.status) };
    }
    const changed = isChanged(file, checked.info);
    if ((changed || save.attempts > 1) && (await this.#hasAlready(session, checked.info, save))) {
      await files.mark(file.key, markerOf(checked.info));
      return { accepted: true };
    }
    if (changed) {
      return this.#conflict('the file was changed at the storage by somebody else');
    }
    // Some hosts keep a copy of what they refuse: where another application may have the lock, the lock is asked for.
    let isLocked = false;
    if (file.supportsLocks && (save.attempts > 1 || file.lockedAt === null)) {
      const locked = await locks.inLine(file.key, () => locks.take(file.key, access));
      if (locked.kind === 'conflict' && isOthers(locked.lock, file)) return lockedByOthers;
      isLocked = locked.kind === 'ok';
    }
    // The time in the form in which the host writes it now: some compare the texts.
    const lastModified = checked.info.LastModifiedTime ?? file.lastModified;
    let put = await this.#send(session, { ...file, lastModified }, save);
    if (put.kind === 'conflict' && put.lock !== file.key && file.supportsLocks && !isLocked) {
      const locked = await locks.inLine(file.key, () => locks.take(file.key, access));
      isLocked = locked.kind === 'ok';
      if (isLocked) put = await this.#send(session, { ...file, lastModified }, save);
    }
    // A host that gives us the lock and still names another lock names what changed the file.
    if (put.kind === 'conflict' && isOthers(put.lock, file) && !isLocked) {
      await locks.inLine(file.key, () => files.unlocked(file.key));
      return lockedByOthers;
    }
    if (put.kind === 'conflict') {
      await files.mark(file.key, refused);
      return this.#conflict('the storage has another version of the file by now (status 409)');
    }
    if (put.kind === 'failed') {
      return { accepted: false, reason: put.reason, tryNext: refusesPerson.has(put.status) };
    }
    this.#deps.faultPoint('wopi:written');
    const marker = await this.#markerAfter(session, put.marker, save);
    // Tried again, the file is recognised as ours.
    if (!marker) return { accepted: false, reason: 'it does not say what it has now' };
    await files.mark(file.key, marker);
    return { accepted: true };
  }

  /** Asking again changes nothing, and some hosts make a copy of the file each time. */
  #conflict(reason: string): Put {
    return { accepted: false, reason, final: true, isConflict: true };
  }

  async #send(session: WopiSessionRow, file: WopiFileRow, save: SaveRow): Promise<PutOutcome> {
    const { host, blobs, timeoutMs } = this.#deps;
    return host.putFile(accessOf(session), await blobs.read(save.resultHash!), {
      lock: file.supportsLocks ? file.key : null,
      editors: save.authorId,
      modifiedByUser: true,
      autosave: save.status === CallbackStatus.forceSaved && save.forceType !== ForceSaveType.button,
      exitSave: save.status === CallbackStatus.mustSave,
      lastModified: file.lastModified,
      timeoutMs,
    });
  }

  /**
   * What the host says of the file after we wrote it; null when it says nothing. It is asked, because few hosts say all of it
   * in the answer to a PutFile, and in the form in which they say it later. What somebody else wrote in between is not
   * taken for ours.
   */
  async #markerAfter(session: WopiSessionRow, said: FileMarker, save: SaveRow): Promise<FileMarker | null> {
    const checked = await this.#deps.host.checkFileInfo(accessOf(session));
    if (!checked.ok) return said.version === null && said.lastModified === null ? null : said;
    const isOurs = !isChanged(said, checked.info) || (await this.#hasAlready(session, checked.info, save));
    return isOurs ? markerOf(checked.info) : said;
  }

  /** Whether the host's file is, byte for byte, the one that is to be written. */
  async #hasAlready(session: WopiSessionRow, info: FileInfo, save: SaveRow): Promise<boolean> {
    const { blobs, getFile, log } = this.#deps;
    const bytes = await blobs.read(save.resultHash!);
    if (info.Size !== undefined && info.Size !== bytes.byteLength) return false;
    if (info.SHA256) {
      const hash = createHash('sha256').update(bytes).digest();
      return info.SHA256 === hash.toString('base64') || info.SHA256.toLowerCase() === hash.toString('hex');
    }
    try {
      return (await getFile.hashOf(session)) === save.resultHash;
    } catch (error) {
      log.info({ err: error, documentKey: save.key }, 'The file of a storage could not be compared');
      return false;
    }
  }
}

/** `tryNext`: another person may be accepted. `isConflict`: the storage has another version of the file. */
type Put = CallbackOutcome & { tryNext?: boolean; isConflict?: boolean };

const lockedByOthers: Put = { accepted: false, reason: 'the file is locked by another application' };

/** Whether a host has named a lock that is not ours. */
const isOthers = (lock: string, { key }: WopiFileRow): boolean => lock !== '' && lock !== key;

/** The mark of a file that its host has refused as being of another version: it counts as changed in any case. */
const refused: FileMarker = { version: 'quire: refused', lastModified: null };

/** What CheckFileInfo says of a file, to be compared later. */
export const markerOf = ({ Version, LastModifiedTime }: FileInfo): FileMarker => ({
  version: Version ?? null,
  lastModified: LastModifiedTime ?? null,
});

/** What a host may say of a change. */
type SaidOfFile = Pick<FileInfo, 'Version' | 'LastModifiedTime'>;

/**
 * Whether a host's file has changed since it was marked. Either member shows it: some hosts give every file the same version,
 * others change a file and keep its time. What a host does not say shows nothing.
 */
export function isChanged(known: FileMarker, { Version, LastModifiedTime }: SaidOfFile): boolean {
  if (known.version === refused.version) return true;
  const { version, lastModified } = known;
  if (version !== null && Version !== undefined && version !== Version) return true;
  return (
    lastModified !== null && LastModifiedTime !== undefined && !isSameTime(lastModified, LastModifiedTime)
  );
}

/** Whether a host says that its file is the one that was marked; not so where there is nothing to compare. */
export function isKnownSame(known: FileMarker, said: SaidOfFile): boolean {
  const isComparable =
    (known.version !== null && said.Version !== undefined) ||
    (known.lastModified !== null && said.LastModifiedTime !== undefined);
  return isComparable && !isChanged(known, said);
}
