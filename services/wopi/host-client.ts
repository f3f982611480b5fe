import { randomUUID } from 'node:crypto';
import type { WopiSessionRow } from '../../db/wopi-sessions.ts';
import { type Config, protocolVersion } from '../../platform/config.ts';
import type { HttpClient, OutgoingResponse } from '../../platform/outgoing/http-client.ts';
import { Deadline } from '../../platform/outgoing/limits.ts';
import { RequestError } from '../../platform/outgoing/request-error.ts';
import { readJson } from '../../platform/outgoing/response-body.ts';
import { addressOf } from './file-source.ts';
import type { ProofKeys } from './proof-keys.ts';

/** In whose name a host is asked about which file. */
export interface HostAccess {
  /** The file's address. */
  source: string;
  accessToken: string;
  sessionId: string;
}

/** A request about a file. */
export interface HostRequest {
  access: HostAccess;
  method: 'GET' | 'POST';
  /** `/contents`, or nothing for the file itself. */
  subPath?: string;
  headers?: Readonly<Record<string, string>>;
  body?: Uint8Array;
  /** Whether it does no harm twice; true for GET and false for POST unless set. */
  isRepeatable?: boolean;
  timeoutMs: number;
}

/** A host's answer. `body` is undefined when it is not JSON, or longer than a mebibyte. */
export interface HostAnswer {
  status: number;
  header(name: string): string | null;
  body: unknown;
}

/** Longest that a host may take for anything that moves no file, milliseconds. */
export const shortTimeoutMs = 30_000;
const maxAnswerBytes = 1_048_576;

/** Requests to WOPI hosts: signed, to allowed addresses only, with the common headers (integration API, 13.4). */
export class HostClient {
  readonly #http: HttpClient;
  readonly #keys: ProofKeys;
  readonly #rules: HostRules;
  readonly #now: () => number;

  constructor(http: HttpClient, keys: ProofKeys, rules: HostRules, now: () => number = Date.now) {
    this.#http = http;
    this.#keys = keys;
    this.#rules = rules;
    this.#now = now;
  }

  /**
   * Resolves with whatever the host answers.
   * @throws RequestError when there is no answer
   */
  async ask(request: HostRequest): Promise<HostAnswer> {
    const { access, method, subPath = '', headers, body, isRepeatable, timeoutMs } = request;
    const url = addressOf(access.source, access.accessToken, subPath);
    const deadline = new Deadline(timeoutMs);
    try {
      const response = await this.#http.send({
        url,
        method,
        headers: {
          accept: 'application/json',
          ...(body ? { 'content-type': 'application/octet-stream' } : {}),
          ...this.headersFor(access, url),
          ...headers,
        },
        body: body ?? (method === 'POST' ? '' : undefined),
        fromVerifiedToken: this.vouched(url),
        isRepeatable,
        idleTimeoutMs: timeoutMs,
        signal: deadline.signal,
      });
      return {
        status: response.status,
        header: (name) => headerOf(response, name),
        body: await readJson(response, maxAnswerBytes, deadline.signal),
      };
    } finally {
      deadline.release();
    }
  }

  /** The headers of a request to an address of a host, signatures included. */
  headersFor(access: HostAccess, url: string): Record<string, string> {
    return {
      ...this.#keys.headers(access.accessToken, new URL(url).href, this.#now()),
      'X-WOPI-ClientVersion': protocolVersion.version,
      'X-WOPI-CorrelationId': randomUUID(),
      'X-WOPI-SessionId': access.sessionId,
    };
  }

  /** Whether it is an address of a host that the operator has named. */
  mayAsk(url: string): boolean {
    return this.#rules.mayUse(url);
  }

  /**
   * Hosts that the operator has not named get no requests.
   * @throws RequestError when it is of another host
   */
  vouched(url: string): true {
    if (!this.mayAsk(url)) throw new RequestError('refused', 'WOPI_HOSTS does not name this host');
    return true;
  }
}

function headerOf({ headers }: OutgoingResponse, name: string): string | null {
  const value = headers[name.toLowerCase()];
  return (Array.isArray(value) ? value[0] : value) ?? null;
}

/** In whose name a host is asked. */
export const accessOf = ({ id, source, accessToken }: WopiSessionRow): HostAccess => ({
  source,
  accessToken,
  sessionId: id,
});

/**
 * Which hosts may be spoken to. Anybody who reaches this server can name a host, so only those are used that the operator has named
 * (`WOPI_HOSTS`), which may be private; without a list none is.
 */
export class HostRules {
  readonly #allowed: readonly URL[];

  constructor({ wopiHosts }: Pick<Config, 'wopiHosts'>) {
    this.#allowed = wopiHosts?.split(',').map((text) => new URL(text.trim())) ?? [];
  }

  /** Whether the operator has named this host. */
  mayUse(address: string): boolean {
    if (!URL.canParse(address)) return false;
    const url = new URL(address);
    return this.#allowed.some(({ origin, pathname }) => {
      const below = pathname.replace(/\/+$/, '');
      return url.origin === origin && (url.pathname === below || url.pathname.startsWith(`${below}/`));
    });
  }
}
