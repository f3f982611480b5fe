import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { type DiscoveredKeys, keysIn, whyNotProven } from './wopi-proof.ts';

/** The requests that a host knows, by what they are called. */
export type WopiOperation =
  | 'CheckFileInfo'
  | 'GetFile'
  | 'LOCK'
  | 'UNLOCK'
  | 'REFRESH_LOCK'
  | 'PUT'
  | 'PUT_RELATIVE'
  | 'RENAME_FILE';

/** A file of the host. */
export interface HostedFile {
  id: string;
  name: string;
  bytes: Buffer;
  version: number;
  modifiedAtMs: number;
  lock: { id: string; expiresAtMs: number } | null;
}

/** A request as it came. */
export interface SeenRequest {
  operation: WopiOperation;
  fileId: string;
  token: string;
  headers: IncomingMessage['headers'];
  body: Buffer;
  /** Of the answer; 0 when there was none. */
  status: number;
}

/** How a request is made to fail: with a status, by never answering, or by breaking the connection. */
export type Failure = { status: number; headers?: Record<string, string> } | 'silence' | 'break';

/** What a person may do; members of CheckFileInfo. */
export type Rights = Readonly<Record<string, unknown>>;

const lockLifeMs = 30 * 60_000;
const editorRights: Rights = {
  UserCanWrite: true,
  SupportsUpdate: true,
  SupportsLocks: true,
  SupportsRename: true,
  UserCanRename: true,
};

/**
 * A WOPI host as its documentation describes one: files with versions, locks that end after half an hour, and no request
 * served whose proof does not hold. What it does wrong is switched on by tests.
 */
export class WopiTestHost {
  readonly requests: SeenRequest[] = [];
  readonly files = new Map<string, HostedFile>();
  /** Members of CheckFileInfo for everybody. */
  info: Record<string, unknown> = {};
  /** Whether versions are told; hosts without them tell the time of the last change. */
  tellsVersions = true;
  /** The version and the time that it tells of a file, where these are not its own; undefined: it does not tell them. */
  tells: {
    version?: (file: HostedFile) => string | undefined;
    time?: (file: HostedFile, operation: WopiOperation) => string | undefined;
  } = {};
  /** PutFile is refused as for a file of another version, although CheckFileInfo says nothing of it. */
  conflicts = false;
  /** Whose lock it names when it refuses so; the lock that there is, unless set. */
  conflictLock: string | null = null;
  /** What is wrong with the proofs that came, in words. */
  readonly badProofs: string[] = [];
  readonly #server: Server;
  readonly #people = new Map<string, { name: string; rights: Rights }>();
  readonly #failures = new Map<WopiOperation, { failure: Failure; times: number }>();
  readonly #pages = new Map<string, string>();
  /** Tells who a token belongs to; replaced where tokens are not those of {@link person}. */
  readonly #infoOfToken: ((token: string) => Rights | null) | null;
  #keys: DiscoveredKeys | null = null;

  private constructor(infoOfToken: ((token: string) => Rights | null) | null) {
    this.#infoOfToken = infoOfToken;
    this.#server = createServer((request, response) => {
      this.#handle(request, response).catch((error: unknown) => response.destroy(error as Error));
    });
  }

  static async start(
    options: { port?: number; infoOfToken?: (token: string) => Rights | null } = {},
  ): Promise<WopiTestHost> {
    const host = new WopiTestHost(options.infoOfToken ?? null);
    host.#server.listen(options.port ?? 0, '127.0.0.1');
    await once(host.#server, 'listening');
    return host;
  }

  get address(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Reads the keys of a server; from now on every request must prove that it comes from it. */
  async trust(server: string): Promise<void> {
    this.#keys = keysIn(await (await fetch(`${server}/hosting/discovery`)).text());
  }

  add(id: string, bytes: Uint8Array, name = `${id}.docx`): HostedFile {
    const file = { id, name, bytes: Buffer.from(bytes), version: 1, modifiedAtMs: Date.now(), lock: null };
    this.files.set(id, file);
    return file;
  }

  /** The address by which a server knows a file. */
  sourceOf(id: string): string {
    return `${this.address}/wopi/files/${encodeURIComponent(id)}`;
  }

  /** A token for somebody; whoever has it is them. */
  person(name: string, rights: Rights = editorRights): string {
    const token = `token of ${name} ${createHash('sha256').update(JSON.stringify(rights)).digest('hex').slice(0, 8)}`;
    this.#people.set(token, { name, rights });
    return token;
  }

  /** Takes a token back. */
  revoke(token: string): void {
    this.#people.delete(token);
  }

  /** Removes a file and what was asked about it. */
  remove(id: string): void {
    this.files.delete(id);
    const others = this.requests.filter(({ fileId }) => fileId !== id);
    this.requests.splice(0, this.requests.length, ...others);
  }

  /** Somebody else changes a file, as hosts do it without asking anybody. */
  change(id: string, bytes: Uint8Array): void {
    this.#store(this.files.get(id)!, Buffer.from(bytes));
  }

  /** Makes the next so many requests of a kind fail. */
  fail(operation: WopiOperation, failure: Failure, times = Number.POSITIVE_INFINITY): void {
    this.#failures.set(operation, { failure, times });
  }

  /** Nothing fails any more. */
  heal(): void {
    this.tells = {};
    this.conflicts = false;
    this.conflictLock = null;
    this.#failures.clear();
  }

  /** The requests of a kind about a file, in the order in which they came. */
  seen(id: string, operation: WopiOperation): SeenRequest[] {
    return this.requests.filter((request) => request.fileId === id && request.operation === operation);
  }

  /** Serves a page of the host's. Returns its address. */
  servePage(name: string, html: string): string {
    this.#pages.set(name, html);
    return `${this.address}/pages/${name}`;
  }

  async close(): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, 'close');
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', this.address);
    const page = /^\/pages\/([^/]+)$/.exec(url.pathname)?.[1];
    if (page) {
      response.writeHead(this.#pages.has(page) ? 200 : 404, { 'content-type': 'text/html; charset=utf-8' });
      response.end(this.#pages.get(page));
      return;
    }
    const [, id, contents] = /^\/wopi\/files\/([^/]+?)(\/contents)?$/.exec(url.pathname) ?? [];
    if (!id) return void response.writeHead(404).end();
    const seen: SeenRequest = {
      operation: operationOf(request, contents !== undefined),
      fileId: decodeURIComponent(id),
      token: url.searchParams.get('access_token') ?? '',
      headers: request.headers,
      body: await buffer(request),
      status: 0,
    };
    this.requests.push(seen);
    const answer = this.#answer(seen, url);
    if (answer === 'silence') return;
    if (answer === 'break') return void response.destroy();
    seen.status = answer.status;
    response.writeHead(answer.status, answer.headers);
    response.end(answer.body);
  }

  #answer(seen: SeenRequest, url: URL): Answer | 'silence' | 'break' {
    const unproven = this.#unproven(seen, url);
    if (unproven !== null) {
      this.badProofs.push(`${seen.operation}: ${unproven}`);
      return { status: 500, headers: { 'x-wopi-servererror': unproven } };
    }
    const failing = this.#failures.get(seen.operation);
    if (failing && failing.times > 0) {
      failing.times -= 1;
      return typeof failing.failure === 'string' ? failing.failure : { ...failing.failure };
    }
    const rights = this.#rightsOf(seen.token);
    if (!rights) return { status: 401 };
    const file = this.files.get(seen.fileId);
    if (!file) return { status: 404 };
    if (file.lock && file.lock.expiresAtMs < Date.now()) file.lock = null;
    switch (seen.operation) {
      case 'CheckFileInfo':
        return json(this.#infoOf(file, rights));
      case 'GetFile':
        return { status: 200, headers: this.#versionHeader(file), body: file.bytes };
      case 'LOCK':
      case 'REFRESH_LOCK':
      case 'UNLOCK':
        return this.#lock(file, seen);
      case 'PUT':
        return this.#put(file, seen, rights);
      case 'PUT_RELATIVE':
        return this.#putRelative(file, seen);
      case 'RENAME_FILE':
        return this.#rename(file, seen);
    }
  }

  #unproven({ token, headers }: SeenRequest, { pathname, search }: URL): string | null {
    if (!this.#keys) return null;
    const header = (name: string) => headers[name] as string | undefined;
    return whyNotProven(
      {
        url: `http://${headers.host}${pathname}${search}`,
        accessToken: token,
        proof: header('x-wopi-proof'),
        proofOld: header('x-wopi-proofold'),
        timestamp: header('x-wopi-timestamp'),
      },
      this.#keys,
    );
  }

  #rightsOf(token: string): Rights | null {
    if (this.#infoOfToken) return this.#infoOfToken(token);
    const person = this.#people.get(token);
    return person
      ? { UserId: person.name, UserFriendlyName: `Name of ${person.name}`, ...person.rights }
      : null;
  }

  #infoOf(file: HostedFile, rights: Rights): Record<string, unknown> {
    return {
      BaseFileName: file.name,
      OwnerId: 'owner',
      Size: file.bytes.length,
      ...rights,
      ...this.info,
      ...(this.tellsVersions ? { Version: this.#versionOf(file) } : {}),
      LastModifiedTime: this.#timeOf(file, 'CheckFileInfo'),
    };
  }

  #versionOf(file: HostedFile): string | undefined {
    return this.tells.version ? this.tells.version(file) : String(file.version);
  }

  #timeOf(file: HostedFile, operation: WopiOperation): string | undefined {
    return this.tells.time ? this.tells.time(file, operation) : new Date(file.modifiedAtMs).toISOString();
  }

  #versionHeader(file: HostedFile): Record<string, string> {
    const version = this.tellsVersions ? this.#versionOf(file) : undefined;
    return version === undefined ? {} : { 'x-wopi-itemversion': version };
  }

  #lock(file: HostedFile, { operation, headers }: SeenRequest): Answer {
    const id = String(headers['x-wopi-lock'] ?? '');
    if (id === '' || id.length > 1_024) return { status: 400 };
    const held = file.lock?.id ?? '';
    const isFree = operation === 'LOCK' && held === '';
    if (held !== id && !isFree) {
      return { status: 409, headers: { 'x-wopi-lock': held, 'x-wopi-lockfailurereason': 'another lock' } };
    }
    file.lock = operation === 'UNLOCK' ? null : { id, expiresAtMs: Date.now() + lockLifeMs };
    return { status: 200, headers: this.#versionHeader(file) };
  }

  #put(file: HostedFile, { headers, body }: SeenRequest, rights: Rights): Answer {
    if (rights.UserCanWrite !== true) return { status: 401 };
    if (this.conflicts) {
      return { status: 409, headers: { 'x-wopi-lock': this.conflictLock ?? file.lock?.id ?? '' } };
    }
    const held = file.lock?.id ?? '';
    const mayPut =
      held === '' ? file.bytes.length === 0 || !rights.SupportsLocks : held === headers['x-wopi-lock'];
    if (!mayPut) return { status: 409, headers: { 'x-wopi-lock': held } };
    this.#store(file, body);
    const told =
      this.tellsVersions && !this.tells.time ? {} : { LastModifiedTime: this.#timeOf(file, 'PUT') };
    return { ...json(told), headers: { 'content-type': 'application/json', ...this.#versionHeader(file) } };
  }

  #store(file: HostedFile, bytes: Buffer): void {
    file.bytes = bytes;
    file.version += 1;
    // Two changes within a millisecond are two changes.
    file.modifiedAtMs = Math.max(Date.now(), file.modifiedAtMs + 1);
  }

  #putRelative(file: HostedFile, { headers, body }: SeenRequest): Answer {
    const target = decodeUtf7(String(headers['x-wopi-suggestedtarget'] ?? ''));
    if (target === '') return { status: 400 };
    const stem = file.name.replace(/\.[^.]*$/, '');
    const name = target.startsWith('.') ? stem + target : target;
    const made = this.add(
      `${this.files.size + 1}-${createHash('sha256').update(name).digest('hex').slice(0, 8)}`,
      body,
      name,
    );
    const url = `${this.sourceOf(made.id)}?access_token=new`;
    return json({ Name: name, Url: url, HostEditUrl: this.servePage(made.id, `<h1>Edits ${made.id}</h1>`) });
  }

  #rename(file: HostedFile, { headers }: SeenRequest): Answer {
    const held = file.lock?.id ?? '';
    if (held !== '' && held !== headers['x-wopi-lock'])
      return { status: 409, headers: { 'x-wopi-lock': held } };
    const name = decodeUtf7(String(headers['x-wopi-requestedname'] ?? ''));
    if (name === '' || /[\\/:*?"<>|]/.test(name)) {
      return { status: 400, headers: { 'x-wopi-invalidfilenameerror': 'This name cannot be used' } };
    }
    file.name = name + /\.[^.]*$/.exec(file.name)![0];
    return json({ Name: name });
  }
}

interface Answer {
  status: number;
  headers?: Record<string, string>;
  body?: Buffer | string;
}

const json = (body: unknown): Answer => ({
  status: 200,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

function operationOf({ method, headers }: IncomingMessage, isContents: boolean): WopiOperation {
  if (method === 'GET') return isContents ? 'GetFile' : 'CheckFileInfo';
  return headers['x-wopi-override'] as WopiOperation;
}

/** UTF-7 back to text (RFC 2152). */
export function decodeUtf7(text: string): string {
  return text.replace(/\+([A-Za-z0-9+/]*)-?/g, (_whole, base64: string) => {
    if (base64 === '') return '+';
    const bytes = Buffer.from(base64, 'base64');
    return bytes
      .subarray(0, bytes.length - (bytes.length % 2))
      .swap16()
      .toString('utf16le');
  });
}
