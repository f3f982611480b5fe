import { webcrypto } from 'node:crypto';
import { errors, type JWTPayload, jwtVerify, SignJWT } from 'jose';
import { DisconnectCode } from '../client/protocol/index.ts';
import type { Config } from './config.ts';
import type { Secrets } from './secrets.ts';

/** Claims of a token, or a request's parameters: any JSON members. */
export type Claims = Record<string, unknown>;

/** A refusal: `code` for the wire, `reason` safe to show (`token:<reason>` in a disconnect). */
export interface TokenRefusal {
  kind: 'expired' | 'invalid';
  code: typeof DisconnectCode.tokenExpired | typeof DisconnectCode.tokenError;
  reason: string;
}

/** Outcome of checking a token. */
export type TokenResult = { kind: 'ok'; claims: Claims } | TokenRefusal;

/** What a callback is sent with. */
export interface SignedCallback {
  headers: Record<string, string>;
  body: Claims;
}

/** How far the clocks of an integrator and of this server may differ, seconds. */
export const clockToleranceS = 60;
/** Life of a token that goes with a request of ours, seconds. */
export const outgoingTokenLifeS = 300;
/** Life of a session token, seconds. */
export const sessionTokenLifeS = 30 * 86_400;
/** From this many characters on, the token in a callback's header is reduced (docs-api 7.1). */
export const callbackHeaderLimit = 7168;

const algorithms = { HS256: 'SHA-256', HS384: 'SHA-384', HS512: 'SHA-512' } as const;
type Algorithm = keyof typeof algorithms;
const prefix = 'Bearer ';

/** Headers as Node gives them: names in lower case. */
type Headers = Readonly<Record<string, string | string[] | undefined>>;

/**
 * Signs and verifies the tokens of one server: of integrators' requests (inbox), of its own requests to them
 * (outbox, same secret) and of its sessions. All are HS256; HS384 and HS512 are accepted too.
 */
export class Tokens {
  readonly #integrator: SigningKey;
  readonly #session: SigningKey;
  readonly #headerName: string;
  readonly #now: () => number;

  /** `now` gives the time in milliseconds since 1970. */
  constructor(
    secrets: Pick<Secrets, 'jwt' | 'session'>,
    config: Pick<Config, 'jwtHeader'>,
    now: () => number = Date.now,
  ) {
    this.#integrator = new SigningKey(secrets.jwt);
    this.#session = new SigningKey(secrets.session);
    this.#headerName = config.jwtHeader;
    this.#now = now;
  }

  /** Checks a token that an integrator signed: of a config, or of a request. */
  verifyInbox(token: unknown): Promise<TokenResult> {
    return this.#integrator.verify(token, this.#now());
  }

  /** Checks a token that {@link signSession} made. */
  verifySession(token: unknown): Promise<TokenResult> {
    return this.#session.verify(token, this.#now());
  }

  /** A session token for an editor, valid 30 days. */
  signSession(claims: Claims): Promise<string> {
    return this.#session.sign(claims, this.#now(), sessionTokenLifeS);
  }

  /**
   * The signed parameters of a request: the body's `token`, else the header's. Claims may lie under `payload`
   * and `query`, as in our own header tokens; those are merged and the body's win (docs-api 12.2).
   */
  async readInboxToken(body: Claims, headers: Headers): Promise<TokenResult> {
    const result = await this.verifyInbox(body.token || this.#headerToken(headers));
    return result.kind === 'ok' ? { kind: 'ok', claims: mergedParameters(result.claims) } : result;
  }

  /** The header that goes with a GET of `url` (docs-api 12.5). */
  async downloadHeaders(url: string): Promise<Record<string, string>> {
    return this.#header(await this.#signOutgoing({ payload: { url } }));
  }

  /**
   * A callback with its tokens. The body token always holds everything; the header's loses `changesurl` and
   * the history when it would grow to {@link callbackHeaderLimit}, and the plain body with it (docs-api 7.1).
   */
  async signCallback(body: Claims): Promise<SignedCallback> {
    let header = await this.#signOutgoing({ payload: body });
    let plain = body;
    if (header.length >= callbackHeaderLimit) {
      const { changesurl: _changes, ...rest } = body;
      plain = { ...rest, history: {} };
      header = await this.#signOutgoing({ payload: plain });
    }
    return { headers: this.#header(header), body: { ...plain, token: await this.#signOutgoing(body) } };
  }

  #headerToken(headers: Headers): string | undefined {
    const value = headers[this.#headerName.toLowerCase()];
    return typeof value === 'string' && value.startsWith(prefix) ? value.slice(prefix.length) : undefined;
  }

  #header(token: string): Record<string, string> {
    return { [this.#headerName]: prefix + token };
  }

  #signOutgoing(claims: Claims): Promise<string> {
    return this.#integrator.sign(claims, this.#now(), outgoingTokenLifeS);
  }
}

/**
 * A secret, imported once per algorithm: importing it for each token costs jose another 20 to 30 microseconds
 * on top of about 70.
 */
class SigningKey {
  readonly #bytes: Uint8Array;
  readonly #imported = new Map<Algorithm, Promise<webcrypto.CryptoKey>>();

  constructor(secret: string) {
    this.#bytes = Buffer.from(secret, 'utf8');
  }

  async sign(claims: Claims, nowMs: number, lifeS: number): Promise<string> {
    const issuedAt = Math.floor(nowMs / 1000);
    return new SignJWT(claims as JWTPayload)
      .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
      .setIssuedAt(issuedAt)
      .setExpirationTime(issuedAt + lifeS)
      .sign(await this.#key('HS256'));
  }

  async verify(token: unknown, nowMs: number): Promise<TokenResult> {
    if (token === undefined || token === null || token === '') return invalid('jwt must be provided');
    if (typeof token !== 'string') return invalid('jwt must be a string');
    try {
      const { payload } = await jwtVerify(token, (header) => this.#key(header.alg as Algorithm), {
        algorithms: Object.keys(algorithms),
        clockTolerance: clockToleranceS,
        currentDate: new Date(nowMs),
      });
      return { kind: 'ok', claims: payload };
    } catch (err) {
      return refusal(err);
    }
  }

  #key(algorithm: Algorithm): Promise<webcrypto.CryptoKey> {
    let key = this.#imported.get(algorithm);
    if (!key) {
      const form = { name: 'HMAC', hash: algorithms[algorithm] };
      key = webcrypto.subtle.importKey('raw', this.#bytes, form, false, ['sign', 'verify']);
      this.#imported.set(algorithm, key);
    }
    return key;
  }
}

function mergedParameters(claims: Claims): Claims {
  const { payload, query } = claims;
  if (!isObject(payload) && !isObject(query)) return claims;
  return { ...(isObject(query) ? query : {}), ...(isObject(payload) ? payload : {}) };
}

function isObject(value: unknown): value is Claims {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The reasons use the words that integrators find in forums and logs of existing servers. */
function refusal(err: unknown): TokenRefusal {
  if (err instanceof errors.JWTExpired) {
    return { kind: 'expired', code: DisconnectCode.tokenExpired, reason: 'jwt expired' };
  }
  if (err instanceof errors.JWTClaimValidationFailed) {
    return invalid(err.claim === 'nbf' ? 'jwt not active' : `invalid claim ${err.claim}`);
  }
  if (err instanceof errors.JWSSignatureVerificationFailed) return invalid('invalid signature');
  if (err instanceof errors.JOSEAlgNotAllowed) return invalid('invalid algorithm');
  if (err instanceof errors.JOSEError) return invalid('jwt malformed');
  throw err;
}

function invalid(reason: string): TokenRefusal {
  return { kind: 'invalid', code: DisconnectCode.tokenError, reason };
}
