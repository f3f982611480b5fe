import { randomUUID } from 'node:crypto';
import { ServiceError } from '../../client/protocol/index.ts';
import type { DocumentStateName } from '../../db/document-row.ts';
import type { Documents } from '../../db/documents.ts';
import type { WopiFileRow, WopiFiles } from '../../db/wopi-files.ts';
import type { WopiSessions } from '../../db/wopi-sessions.ts';
import type { KindName } from '../../model/kinds.ts';
import type { Config } from '../../platform/config.ts';
import { QuireError } from '../../platform/quire-error.ts';
import type { RequestBodies } from '../http/request-bodies.ts';
import type { Format } from '../integration/editor-formats.ts';
import type { BlankFiles } from './blank-files.ts';
import { extensionOf, type FileInfo, mayWrite } from './file-info.ts';
import { editKeys, viewKey } from './file-source.ts';
import type { GetFile } from './get-file.ts';
import type { HostAccess, HostRules } from './host-client.ts';
import type { Locks } from './locks.ts';
import type { PageQuery } from './page-query.ts';
import type { PageSession } from './page-session.ts';
import type { Problem } from './page-shell.ts';
import { isChanged } from './put-file.ts';
import type { Checked, WopiHost } from './wopi-host.ts';

export interface PageOpeningDependencies {
  config: Config;
  files: WopiFiles;
  sessions: WopiSessions;
  host: WopiHost;
  rules: HostRules;
  locks: Locks;
  blanks: BlankFiles;
  getFile: GetFile;
  formats: () => readonly Format[];
  documents: Documents;
  bodies: RequestBodies;
  warn: (key: string, message: string, code?: ServiceError) => void;
}

/** No page can be shown; the person is told why. */
export class PageProblem extends QuireError<Problem> {
  readonly detail: string;

  constructor(problem: Problem, detail = '') {
    super(problem, problem, { level: 'info' });
    this.detail = detail;
  }
}

type OpenQuery = PageSession['query'];

/** States in which there is work that the host has not got. */
const atWork: ReadonlySet<DocumentStateName> = new Set([
  'opening',
  'open',
  'closing',
  'assembling',
  'delivering',
]);

/**
 * Asks the host about the file, takes the lock where somebody wants to edit, and keeps the session.
 * @throws PageProblem
 */
export async function openSession(
  dependencies: PageOpeningDependencies,
  asked: PageQuery,
  kind: KindName,
  wantsToEdit: boolean,
): Promise<PageSession> {
  const query = checkQuery(asked, dependencies.rules);
  const access: HostAccess = {
    source: query.source.url,
    accessToken: query.accessToken,
    sessionId: randomUUID(),
  };
  const said = infoOf(await dependencies.host.checkFileInfo(access, query.sessionContext));
  const checked = await withProvenSize(dependencies, access, said);
  const format = dependencies.formats().find(({ extension }) => extension === extensionOf(checked.info));
  if (!format?.view) throw new PageProblem('format');
  const opened = { access, query, checked };
  const refusal = wantsToEdit ? whyNotEdit(checked.info, format) : null;
  const edited = wantsToEdit && refusal === null ? await beginEditing(dependencies, opened) : null;
  const viewNotice = refusal ?? (edited && 'notice' in edited ? edited.notice : null);
  const isEditing = edited !== null && 'file' in edited;
  const { info } = isEditing ? edited.checked : checked;
  const { source } = query;
  const key = isEditing ? edited.file.key : viewKey(source, info, access.sessionId);
  const session = {
    id: access.sessionId,
    key,
    source: source.url,
    accessToken: query.accessToken,
    expiresAt: query.expiresAt,
    writes: mayWrite(info),
    fileInfo: info,
  };
  await orGiveBack(dependencies, opened, isEditing ? edited.file : null, () =>
    dependencies.sessions.add(session),
  );
  return {
    id: access.sessionId,
    key,
    kind: format.kind === 'pdf' ? kind : format.kind,
    info,
    mode: isEditing ? 'edit' : 'view',
    viewNotice,
    query,
    userId: info.UserId || `guest-${access.sessionId.slice(0, 8)}`,
  };
}

/** @throws PageProblem */
export function checkQuery(query: PageQuery, rules: HostRules): OpenQuery {
  const { source } = query;
  if (source === null) throw new PageProblem('no-file');
  if (query.accessToken === '') throw new PageProblem('no-token');
  if (!rules.mayUse(source.url)) throw new PageProblem('host-not-allowed');
  return { ...query, source };
}

/** @throws PageProblem */
export function infoOf(checked: Checked): Extract<Checked, { ok: true }> {
  if (checked.ok) return checked;
  const { status, reason } = checked;
  if (status === 401 || status === 403) throw new PageProblem('host-refused', reason);
  if (status === 404) throw new PageProblem('host-without-file', reason);
  throw new PageProblem(status === 200 ? 'host-answer' : 'host-unreachable', reason);
}

/**
 * An empty file is begun anew, and so with bytes of ours. Hosts say of files that they have not counted yet that they have no bytes, or
 * nothing, and name a template all the same: then what they give decides.
 */
async function withProvenSize(
  { getFile }: PageOpeningDependencies,
  access: HostAccess,
  checked: Opened['checked'],
): Promise<Opened['checked']> {
  const { Size, TemplateSource } = checked.info;
  const mayBeEmpty = Size === 0 || (Size === undefined && TemplateSource !== undefined);
  if (!mayBeEmpty) return checked;
  const proven = (await getFile.hasBytes(access)) ? undefined : 0;
  return { ...checked, info: { ...checked.info, Size: proven } };
}

function whyNotEdit(info: FileInfo, format: Format): string | null {
  if (!format.edit) return 'Files of this kind can only be looked at.';
  return mayWrite(info) ? null : 'The storage does not let you change this file.';
}

interface Opened {
  access: HostAccess;
  query: OpenQuery;
  checked: Extract<Checked, { ok: true }>;
}

type Editing = { file: WopiFileRow; checked: Opened['checked'] } | { notice: string };

/** The lock of a file that somebody wants to edit, and a beginning for a file that is empty. */
async function beginEditing(dependencies: PageOpeningDependencies, opened: Opened): Promise<Editing> {
  const { files, locks, documents, warn } = dependencies;
  const { access, query, checked } = opened;
  const { plain, distinct } = editKeys(query.source.url, query.source.fileId);
  const supportsLocks = checked.info.SupportsLocks === true;
  const file = await files.claim(query.source.url, plain, distinct, supportsLocks);
  return locks.inLine(file.key, async () => {
    if (supportsLocks) {
      const locked = await locks.take(file.key, access);
      if (locked.kind === 'conflict') {
        return {
          notice: 'The file is locked by another application. The document is opened for reading only.',
        };
      }
      if (locked.kind === 'failed') {
        return {
          notice: `The storage did not lock the file (${locked.reason}). It is opened for reading only.`,
        };
      }
    }
    return orGiveBack(dependencies, opened, file, async () => {
      if (!atWork.has((await documents.find(file.key))?.state ?? 'closed')) {
        return { file, checked: await beginEmpty(dependencies, opened, supportsLocks ? file.key : null) };
      }
      if (await isChangedByOthers(dependencies, opened, file)) {
        warn(
          file.key,
          'The file was changed at the storage meanwhile: this document cannot be stored there.',
          ServiceError.quireStorageConflict,
        );
      }
      return { file, checked };
    });
  });
}

/** Does something under a lock; when it fails, the lock is given back, unless it was held before this page was asked for. */
async function orGiveBack<Result>(
  { locks }: PageOpeningDependencies,
  { access }: Opened,
  file: WopiFileRow | null,
  act: () => Promise<Result>,
): Promise<Result> {
  try {
    return await act();
  } catch (error) {
    if (file?.supportsLocks && file.lockedAt === null) await locks.giveBack(file.key, access);
    throw error;
  }
}

/** Whether somebody else changed a file that is being edited. A save of ours that comes between two looks is none. */
async function isChangedByOthers(
  { files, host }: PageOpeningDependencies,
  { access, query, checked }: Opened,
  claimed: WopiFileRow,
): Promise<boolean> {
  const before = (await files.find(claimed.key)) ?? claimed;
  if (!isChanged(before, checked.info)) return false;
  const again = await host.checkFileInfo(access, query.sessionContext);
  const after = (await files.find(claimed.key)) ?? claimed;
  const isStill = before.markedAt.getTime() === after.markedAt.getTime();
  return isStill && again.ok && isChanged(after, again.info);
}

/** A file of no size gets the content of a blank document, unless the host has a template for it. */
async function beginEmpty(
  { host, blanks, config }: PageOpeningDependencies,
  { access, query, checked }: Opened,
  lock: string | null,
): Promise<Opened['checked']> {
  const { info } = checked;
  if (info.Size !== 0 || info.TemplateSource) return checked;
  const blank = await blanks.of(extensionOf(info), query.lang);
  if (!blank) return checked;
  const put = await host.putFile(access, blank, {
    lock,
    editors: info.UserId ?? null,
    modifiedByUser: false,
    autosave: false,
    exitSave: false,
    lastModified: info.LastModifiedTime ?? null,
    timeoutMs: config.callbackTimeoutMs,
  });
  // Without it the document is begun all the same, and stored when it is saved.
  if (put.kind !== 'ok') return checked;
  const again = await host.checkFileInfo(access, query.sessionContext);
  if (again.ok) return again;
  const { version, lastModified } = put.marker;
  const written = {
    Size: blank.byteLength,
    Version: version ?? undefined,
    LastModifiedTime: lastModified ?? undefined,
  };
  return { ...checked, info: { ...info, ...written } };
}
