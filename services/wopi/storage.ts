import { setTimeout as sleep } from 'node:timers/promises';
import type { Documents } from '../../db/documents.ts';
import type { SaveRow } from '../../db/save-row.ts';
import type { WopiFileRow, WopiFiles } from '../../db/wopi-files.ts';
import type { WopiSessionRow, WopiSessions } from '../../db/wopi-sessions.ts';
import { cleanText } from '../../platform/foreign-text.ts';
import { DownloadError } from '../../platform/outgoing/download.ts';
import { RequestError } from '../../platform/outgoing/request-error.ts';
import {
  type Admission,
  type FetchedSource,
  type HostedContent,
  type HostStorage,
  hostAddress,
  type RefreshedPage,
  type RefreshWish,
  sessionIdIn,
} from '../lifecycle/host-storage.ts';
import type { CallbackOutcome } from '../lifecycle/integrator.ts';
import { extensionOf, type FileInfo, mayRename, readFileInfo } from './file-info.ts';
import type { GetFile } from './get-file.ts';
import { accessOf } from './host-client.ts';
import type { Locks } from './locks.ts';
import { isChanged, isKnownSame, markerOf, type PutFile } from './put-file.ts';
import type { WopiHost } from './wopi-host.ts';

/** So long may somebody who comes back wait for a save that is on its way, milliseconds. */
const deliveryWaitMs = 15_000;
const deliveryPollMs = 50;
/** What a page learned of a file so recently need not be asked again, milliseconds. */
const freshInfoMs = 10_000;

export interface StorageDependencies {
  documents: Documents;
  files: WopiFiles;
  sessions: WopiSessions;
  host: WopiHost;
  locks: Locks;
  getFile: GetFile;
  putFile: PutFile;
  /** Opens the page of a session anew. */
  reopenPage: (session: WopiSessionRow, wish: RefreshWish) => Promise<RefreshedPage | null>;
  /** Sends everybody in a document its new title. */
  announceTitle: (key: string, title: string) => void;
}

/** Documents whose files are at WOPI hosts, as the rest of the server sees them. */
export class WopiStorage implements HostStorage {
  readonly #deps: StorageDependencies;

  constructor(dependencies: StorageDependencies) {
    this.#deps = dependencies;
  }

  async owns(key: string): Promise<boolean> {
    return (await this.#deps.files.find(key)) !== null;
  }

  async settled(key: string): Promise<void> {
    const deadline = Date.now() + deliveryWaitMs;
    while ((await this.#deps.documents.isBeingDelivered(key)) && Date.now() < deadline) {
      await sleep(deliveryPollMs);
    }
  }

  enter(key: string, sessionId: string): Promise<Admission> {
    return this.#deps.locks.inLine(key, () => this.#enter(key, sessionId));
  }

  async reenter(key: string): Promise<boolean> {
    const { files, locks } = this.#deps;
    return locks.inLine(key, async () => {
      const file = await files.find(key);
      return !file || (await locks.ensure(file, null)).kind !== 'conflict';
    });
  }

  async fetch(address: string, file: string): Promise<FetchedSource> {
    const session = await this.#deps.sessions.find(sessionIdIn(address));
    if (!session)
      throw new DownloadError(new RequestError('refused', 'The session with the storage is over'));
    return this.#deps.getFile.into(session, file);
  }

  async contentOf(key: string, sessionId: string): Promise<HostedContent | null> {
    const session = await this.#deps.sessions.find(sessionId);
    return session?.key === key ? this.#deps.getFile.contentOf(session) : null;
  }

  async refresh(address: string, wish: RefreshWish): Promise<RefreshedPage | null> {
    const session = await this.#deps.sessions.find(sessionIdIn(address));
    return session && this.#deps.reopenPage(session, wish);
  }

  deliver(save: SaveRow): Promise<CallbackOutcome> {
    return this.#deps.putFile.deliver(save);
  }

  async rename(address: string, name: string) {
    const { sessions, files, host, announceTitle } = this.#deps;
    const session = await sessions.find(sessionIdIn(address));
    const info = session && readFileInfo(session.fileInfo);
    if (!session || !info) return { ok: false as const, reason: 'the session with the storage is over' };
    if (!mayRename(info))
      return { ok: false as const, reason: 'the storage does not let you rename this file' };
    const clean = cleanText(name).trim();
    if (clean === '' || clean.length > (info.FileNameMaxLength ?? 250)) {
      return { ok: false as const, reason: 'the name is empty or too long' };
    }
    const file = await files.find(session.key);
    const renamed = await host.rename(accessOf(session), clean, file?.lockedAt ? file.key : null);
    if (renamed.ok) announceTitle(session.key, `${renamed.name}.${extensionOf(info)}`);
    return renamed;
  }

  async #enter(key: string, sessionId: string): Promise<Admission> {
    const { files, sessions, locks, documents } = this.#deps;
    const [file, session] = await Promise.all([files.find(key), sessions.find(sessionId)]);
    if (!file || !session) {
      return { mode: 'view', notice: 'The session with the storage is over. Open the document again.' };
    }
    const wasLocked = file.lockedAt !== null;
    const locked = await locks.ensure(file, session);
    if (locked.kind !== 'ok') return { mode: 'view', notice: noticeOf(locked.kind) };
    const row = await documents.find(key);
    const rests = row === null || ['idle', 'closed', 'failed', 'forgotten'].includes(row.state);
    if (!rests) return { mode: 'edit' };
    const info = await this.#infoNow(file, session, wasLocked);
    if (!info)
      return { mode: 'view', notice: 'The storage does not answer. The document cannot be edited now.' };
    if (row?.state === 'forgotten') {
      // People go on with what could not be delivered, unless the file has another content by now.
      if (!isChanged(file, info)) return { mode: 'edit' };
      await files.setAside(key, `${key.slice(0, 200)}.kept-${Date.now()}`);
    } else if (row && !(row.state === 'idle' && isKnownSame(file, info))) {
      await documents.renew(key, { url: hostAddress(sessionId), vouched: true });
    }
    await files.mark(key, markerOf(info));
    return { mode: 'edit' };
  }

  /** What the host says of the file: what the page learned, if that was just now and under our lock. */
  async #infoNow(file: WopiFileRow, session: WopiSessionRow, wasLocked: boolean): Promise<FileInfo | null> {
    const isFresh =
      session.createdAt > file.markedAt &&
      Date.now() - session.createdAt.getTime() < freshInfoMs &&
      wasLocked;
    if (isFresh) return readFileInfo(session.fileInfo);
    const checked = await this.#deps.host.checkFileInfo(accessOf(session));
    return checked.ok ? checked.info : null;
  }
}

function noticeOf(kind: 'conflict' | 'failed'): string {
  return kind === 'conflict'
    ? 'The file is locked by another application. The document is opened for reading only.'
    : 'The storage did not lock the file. The document is opened for reading only.';
}
