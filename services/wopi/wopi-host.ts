import type { Logger } from 'pino';
import { cleanText, headerText, shortText } from '../../platform/foreign-text.ts';
import { RequestError } from '../../platform/outgoing/request-error.ts';
import { type FileInfo, readFileInfo } from './file-info.ts';
import { type HostAccess, type HostAnswer, type HostClient, shortTimeoutMs } from './host-client.ts';

/** What CheckFileInfo gave. `status` 0: there was no answer. */
export type Checked = { ok: true; info: FileInfo } | { ok: false; status: number; reason: string };

/**
 * What became of a request about a lock: `conflict` names the lock that is in the way, empty where the host names none;
 * `failed` with status 0: there was no answer.
 */
export type LockOutcome =
  | { kind: 'ok' }
  | { kind: 'conflict'; lock: string }
  | { kind: 'failed'; status: number; reason: string };

/** What became of a PutFile. `marker`: what the host says of the file now, as far as it does. */
export type PutOutcome =
  | { kind: 'ok'; marker: { version: string | null; lastModified: string | null } }
  | Exclude<LockOutcome, { kind: 'ok' }>;

/** What goes with a PutFile. */
export interface PutDetails {
  lock: string | null;
  /** The host's id of who made the last change. */
  editors: string | null;
  modifiedByUser: boolean;
  autosave: boolean;
  exitSave: boolean;
  /** When our copy and the host's were last the same, as the host says; null when it does not. */
  lastModified: string | null;
  timeoutMs: number;
}

/** A file that PutRelativeFile made. */
export interface RelativeFile {
  name: string;
  url: string;
  editUrl: string | null;
  viewUrl: string | null;
}

/** Of what a host says in its answer to anything but CheckFileInfo, characters. */
const longestText = 10_000;

type LockOperation = 'LOCK' | 'UNLOCK' | 'REFRESH_LOCK';

/** The operations of a WOPI host that are used (integration API, 13.4). None of them throws for what a host does. */
export class WopiHost {
  readonly #client: HostClient;
  readonly #log: Logger;

  constructor(client: HostClient, log: Logger) {
    this.#client = client;
    this.#log = log;
  }

  async checkFileInfo(access: HostAccess, sessionContext: string | null = null): Promise<Checked> {
    const answer = await this.#ask(() =>
      this.#client.ask({
        access,
        method: 'GET',
        headers: headers({ 'X-WOPI-SessionContext': sessionContext }),
        timeoutMs: shortTimeoutMs,
      }),
    );
    if ('reason' in answer) return { ok: false, ...answer };
    if (answer.status !== 200) return { ok: false, status: answer.status, reason: refusalOf(answer) };
    const info = readFileInfo(answer.body);
    if (!info) return { ok: false, status: 200, reason: 'the answer to CheckFileInfo names no file' };
    return { ok: true, info };
  }

  async lock(operation: LockOperation, access: HostAccess, lock: string): Promise<LockOutcome> {
    const answer = await this.#ask(() =>
      this.#client.ask({
        access,
        method: 'POST',
        headers: { 'X-WOPI-Override': operation, 'X-WOPI-Lock': lock },
        isRepeatable: true,
        timeoutMs: shortTimeoutMs,
      }),
    );
    if ('reason' in answer) return { kind: 'failed', ...answer };
    return answer.status === 200 || answer.status === 204 ? { kind: 'ok' } : refused(answer);
  }

  async putFile(access: HostAccess, bytes: Uint8Array, details: PutDetails): Promise<PutOutcome> {
    const answer = await this.#ask(() =>
      this.#client.ask({
        access,
        method: 'POST',
        subPath: '/contents',
        // Without a lock only an empty file is written, and after the first time it is none.
        isRepeatable: details.lock !== null,
        headers: headers({
          'X-WOPI-Override': 'PUT',
          'X-WOPI-Lock': details.lock,
          'X-WOPI-Editors': details.editors,
          ...saveHeaders(details),
        }),
        body: bytes,
        timeoutMs: details.timeoutMs,
      }),
    );
    if ('reason' in answer) return { kind: 'failed', ...answer };
    if (answer.status !== 200 && answer.status !== 204) return refused(answer);
    return {
      kind: 'ok',
      marker: {
        version: answer.header('x-wopi-itemversion'),
        lastModified: textIn(answer.body, 'LastModifiedTime'),
      },
    };
  }

  /**
   * `target`: a whole name, or `.ext` for the name of the file with another extension. A host that wants another name, and says
   * which, is given that one.
   */
  async putRelative(
    access: HostAccess,
    bytes: Uint8Array,
    { target, isConversion, timeoutMs }: { target: string; isConversion: boolean; timeoutMs: number },
  ): Promise<{ ok: true; file: RelativeFile } | { ok: false; status: number; reason: string }> {
    const put = (suggested: string) =>
      this.#ask(() =>
        this.#client.ask({
          access,
          method: 'POST',
          headers: {
            'X-WOPI-Override': 'PUT_RELATIVE',
            'X-WOPI-SuggestedTarget': suggested,
            'X-WOPI-Size': String(bytes.byteLength),
            ...(isConversion ? { 'X-WOPI-FileConversion': 'true' } : {}),
          },
          body: bytes,
          timeoutMs,
        }),
      );
    let answer = await put(encodeUtf7(target));
    const wanted = 'reason' in answer ? null : wantedTargetOf(answer);
    if (wanted !== null) answer = await put(wanted);
    if ('reason' in answer) return { ok: false, ...answer };
    const name = textIn(answer.body, 'Name');
    const url = textIn(answer.body, 'Url');
    if (answer.status !== 200 || name === null || url === null) {
      return { ok: false, status: answer.status, reason: refusalOf(answer) };
    }
    const editUrl = textIn(answer.body, 'HostEditUrl');
    const viewUrl = textIn(answer.body, 'HostViewUrl');
    return { ok: true, file: { name, url, editUrl, viewUrl } };
  }

  /** `name` has no extension, and neither has the name that the host gives back. */
  async rename(
    access: HostAccess,
    name: string,
    lock: string | null,
  ): Promise<{ ok: true; name: string } | { ok: false; reason: string }> {
    const answer = await this.#ask(() =>
      this.#client.ask({
        access,
        method: 'POST',
        headers: {
          'X-WOPI-Override': 'RENAME_FILE',
          'X-WOPI-RequestedName': encodeUtf7(name),
          ...(lock === null ? {} : { 'X-WOPI-Lock': lock }),
        },
        timeoutMs: shortTimeoutMs,
      }),
    );
    if ('reason' in answer) return { ok: false, reason: answer.reason };
    if (answer.status === 200) return { ok: true, name: textIn(answer.body, 'Name') ?? name };
    return { ok: false, reason: answer.header('x-wopi-invalidfilenameerror') ?? refusalOf(answer) };
  }

  async #ask(ask: () => Promise<HostAnswer>): Promise<HostAnswer | { status: 0; reason: string }> {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      const { message: reason, level } = error;
      this.#log[level]({ reason }, 'A WOPI host gave no answer');
      return { status: 0, reason };
    }
  }
}

/** Headers of these texts; those that have none, or too long a one, are left out. */
function headers(texts: Readonly<Record<string, string | null>>): Record<string, string> {
  const given = Object.entries(texts).flatMap(([name, text]) => {
    const value = text === null ? null : headerText(text);
    return value === null ? [] : [[name, value] as const];
  });
  return Object.fromEntries(given);
}

/** What hosts of Collabora's make ask about a save, under its older and its newer name. */
function saveHeaders(details: PutDetails): Record<string, string | null> {
  const said = {
    IsModifiedByUser: String(details.modifiedByUser),
    IsAutosave: String(details.autosave),
    IsExitSave: String(details.exitSave),
    Timestamp: details.lastModified,
  };
  return Object.fromEntries(
    ['LOOL', 'COOL'].flatMap((make) =>
      Object.entries(said).map(([name, value]) => [`X-${make}-WOPI-${name}`, value]),
    ),
  );
}

/** The name under which a host would take a file, as it goes into a header; null where it names none. It should be in UTF-7. */
function wantedTargetOf(answer: HostAnswer): string | null {
  const named = answer.header('x-wopi-validrelativetarget') ?? '';
  if (named === '' || ![400, 409].includes(answer.status) || named.length > longestText) return null;
  return /^[\x20-\x7e]*$/.test(named)
    ? named
    : encodeUtf7(cleanText(Buffer.from(named, 'latin1').toString()));
}

function refused(answer: HostAnswer): Exclude<LockOutcome, { kind: 'ok' }> {
  if (answer.status === 409) return { kind: 'conflict', lock: answer.header('x-wopi-lock') ?? '' };
  return { kind: 'failed', status: answer.status, reason: refusalOf(answer) };
}

function refusalOf(answer: HostAnswer): string {
  const said = answer.header('x-wopi-lockfailurereason') ?? answer.header('x-wopi-servererror');
  return `the storage answered with status ${answer.status}${said ? ` (${said.slice(0, 200)})` : ''}`;
}

function textIn(body: unknown, member: string): string | null {
  const value = (body as Record<string, unknown> | null | undefined)?.[member];
  return typeof value === 'string' ? shortText(cleanText(value), longestText) || null : null;
}

/** What stands for itself (RFC 2152, sets D and O but for the backslash and tilde, and blanks). */
const direct = /[A-Za-z0-9'(),\-./:? !"#$%&*;<=>@[\]^_`{|}]/;

/** Text in UTF-7 (RFC 2152), the form in which names travel in headers of WOPI. */
export function encodeUtf7(text: string): string {
  let encoded = '';
  let shifted = '';
  const flush = () => {
    if (shifted === '') return;
    const bytes = Buffer.from(shifted, 'utf16le').swap16();
    encoded += `+${bytes.toString('base64').replace(/=+$/, '')}-`;
    shifted = '';
  };
  for (const unit of text.split('')) {
    if (direct.test(unit)) {
      flush();
      encoded += unit;
    } else if (unit === '+' && shifted === '') encoded += '+-';
    else shifted += unit;
  }
  flush();
  return encoded;
}
