import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto';
import { exactJson, isLargeInteger } from '../../client/protocol/exact-json.ts';
import { DisconnectCode } from '../../client/protocol/index.ts';

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

/** The hash of each algorithm that is accepted. */
const algorithms = { HS256: 'sha256', HS384: 'sha384', HS512: 'sha512' } as const;
type Algorithm = keyof typeof algorithms;

/**
 * A secret that signs and verifies JSON Web Tokens (RFC 7519) by HMAC. Everybody who comes has two tokens verified and one
 * signed, so this is done at once with `node:crypto`: through WebCrypto, the only way of `jose`, each costs a job in
 * another thread.
 */
export class SigningKey {
  readonly #key: KeyObject;

  constructor(secret: string) {
    this.#key = createSecretKey(secret, 'utf8');
  }

  /** A token with these claims and the times of its making and its end; `lifeS`: seconds. */
  sign(claims: Claims, nowMs: number, lifeS: number, algorithm: Algorithm): string {
    const iat = Math.floor(nowMs / 1000);
    const signed = `${headers[algorithm]}.${encoded({ ...claims, iat, exp: iat + lifeS })}`;
    return `${signed}.${this.#signatureOf(signed, algorithm)}`;
  }

  /** HS256, HS384 and HS512 are accepted, whichever this server signs with. `clockToleranceS`: seconds. */
  verify(token: unknown, nowMs: number, clockToleranceS: number): TokenResult {
    if (token === undefined || token === null || token === '') return invalid('jwt must be provided');
    if (typeof token !== 'string') return invalid('jwt must be a string');
    const parts = token.split('.');
    const [header, payload, signature] = parts;
    const algorithm = parts.length === 3 ? decoded(header!) : null;
    // What a header calls critical has to be understood, and nothing of that kind is here.
    if (!algorithm || algorithm.crit !== undefined) return invalid('jwt malformed');
    if (!isAlgorithm(algorithm.alg)) return invalid('invalid algorithm');
    // The text is compared: a signature written in another way would make another token of it, with a digest of its own.
    const expected = this.#signatureOf(`${header}.${payload}`, algorithm.alg);
    if (!isSame(signature!, expected)) return invalid(wrongSignature);
    const claims = decoded(payload!);
    return claims ? inItsTime(claims, nowMs, clockToleranceS) : invalid('jwt malformed');
  }

  #signatureOf(signed: string, algorithm: Algorithm): string {
    return createHmac(algorithms[algorithm], this.#key).update(signed).digest('base64url');
  }
}

const wrongSignature = 'invalid signature';

/** Whether a token may still be one of another secret. */
export const isOfAnotherSecret = (result: TokenResult): boolean =>
  result.kind === 'invalid' && result.reason === wrongSignature;

const isAlgorithm = (name: unknown): name is Algorithm =>
  typeof name === 'string' && Object.hasOwn(algorithms, name);

/** Compares in constant time. */
function isSame(given: string, expected: string): boolean {
  const bytes = Buffer.from(given);
  const others = Buffer.from(expected);
  return bytes.length === others.length && timingSafeEqual(bytes, others);
}

/** When a token was signed, by the clock of who signed it, seconds since 1970; null where it does not say, or not in seconds. */
export function signedAtS({ iat }: Claims): number | null {
  const isNumber = typeof iat === 'number' || (typeof iat === 'string' && /^\d+(?:\.\d+)?$/.test(iat));
  return isNumber && Number(iat) >= 0 && Number(iat) <= latestS ? Number(iat) : null;
}

/** The last time of JavaScript, seconds since 1970. */
const latestS = 8.64e12;

/** Refuses a token out of its time, which does not depend on when it was signed. The reasons use the words that integrators find in forums and logs of existing servers. */
export function inItsTime(claims: Claims, nowMs: number, toleranceS: number): TokenResult {
  const nowS = Math.floor(nowMs / 1000);
  const [nbf, exp] = [timeIn(claims.nbf), timeIn(claims.exp)];
  if (nbf === null) return invalid('invalid claim nbf');
  if (exp === null) return invalid('invalid claim exp');
  if (nbf !== undefined && nbf > nowS + toleranceS) return invalid('jwt not active');
  if (exp !== undefined && exp <= nowS - toleranceS) {
    return { kind: 'expired', code: DisconnectCode.tokenExpired, reason: 'jwt expired' };
  }
  return { kind: 'ok', claims };
}

/** Seconds since 1970 of a claim, also as many as are meant to be never; null for what is no number. */
function timeIn(claim: unknown): number | null | undefined {
  if (claim === undefined || typeof claim === 'number') return claim;
  return isLargeInteger(claim) ? Number(claim) : null;
}

const encoded = (part: Claims): string => Buffer.from(JSON.stringify(part)).toString('base64url');

const headerOf = (alg: Algorithm): string => encoded({ alg, typ: 'JWT' });
/** What each token of an algorithm begins with. */
const headers: Readonly<Record<Algorithm, string>> = {
  HS256: headerOf('HS256'),
  HS384: headerOf('HS384'),
  HS512: headerOf('HS512'),
};

const base64url = /^[A-Za-z0-9_-]+$/;
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The JSON object in a part of a token; null where there is none. */
function decoded(part: string): Claims | null {
  if (!base64url.test(part)) return null;
  try {
    const value = exactJson(utf8.decode(Buffer.from(part, 'base64url')));
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Claims) : null;
  } catch {
    return null;
  }
}

function invalid(reason: string): TokenRefusal {
  return { kind: 'invalid', code: DisconnectCode.tokenError, reason };
}
