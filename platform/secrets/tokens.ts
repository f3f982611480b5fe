import { inboxRules, outboxRules, type TokenRules } from '../config/token-rules.ts';
import type { Config } from '../config.ts';
import type { Secrets } from './secrets.ts';
import { type Claims, inItsTime, isOfAnotherSecret, SigningKey, type TokenResult } from './signing-key.ts';

export type { Claims, TokenResult } from './signing-key.ts';

/** What a callback is sent with. */
interface SignedCallback {
  headers: Record<string, string>;
  body: Claims;
}

/** A token that was found right a moment ago, and as whose. */
export interface KnownToken {
  readonly of: 'inbox' | 'session';
  readonly token: unknown;
  readonly claims: Claims;
}

/** Life of a session token, seconds. */
export const sessionTokenLifeS = 30 * 86_400;
/** From this many characters on, the token in a callback's header is reduced (docs-api 7.1). */
export const callbackHeaderLimit = 7168;

/** Headers as Node gives them: names in lower case. */
type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** Libraries refuse tokens that were signed in the future, and the clock of an integrator may be behind: ours are dated back, seconds. */
const datedBackS = 10;

/**
 * Signs and verifies the tokens of one server: of integrators' requests (inbox), of its own requests to them
 * (outbox) and of its sessions, each with a secret of its own.
 */
export class Tokens {
  readonly #inboxKeys: readonly SigningKey[];
  readonly #outboxKey: SigningKey;
  readonly #sessionKey: SigningKey;
  readonly #inbox: TokenRules;
  readonly #outbox: TokenRules;
  readonly #config: Config;
  readonly #now: () => number;

  /** `now` gives the time in milliseconds since 1970. */
  constructor(
    secrets: Pick<Secrets, 'inbox' | 'previousInbox' | 'outbox' | 'session'>,
    config: Config,
    now: () => number = Date.now,
  ) {
    const { inbox, previousInbox } = secrets;
    const inboxSecrets = previousInbox === undefined ? [inbox] : [inbox, previousInbox];
    this.#inboxKeys = inboxSecrets.map((secret) => new SigningKey(secret));
    this.#outboxKey = new SigningKey(secrets.outbox);
    this.#sessionKey = new SigningKey(secrets.session);
    this.#inbox = inboxRules(config);
    this.#outbox = outboxRules(config);
    this.#config = config;
    this.#now = now;
  }

  /** Whether commands and conversions need a token. Opened documents go by `JWT_ENABLED`. */
  get areDemanded(): boolean {
    return this.#inbox.enabled;
  }

  /**
   * Checks a token that an integrator signed: of a config, or of a request. Of one that is `known` as such only the times are
   * looked at again.
   */
  async verifyInbox(token: unknown, known: KnownToken | null = null): Promise<TokenResult> {
    if (known?.of === 'inbox' && known.token === token) return this.#stillRight(known);
    const [current, ...previous] = this.#inboxKeys;
    let result = this.#verify(current!, token);
    for (const key of previous) {
      if (isOfAnotherSecret(result)) result = this.#verify(key, token);
    }
    return result;
  }

  /** Checks a token that {@link signSession} made; `known` as for {@link verifyInbox}. */
  async verifySession(token: unknown, known: KnownToken | null = null): Promise<TokenResult> {
    if (known?.of === 'session' && known.token === token) return this.#stillRight(known);
    return this.#verify(this.#sessionKey, token);
  }

  /** A token for an editor, of its session unless it is to live less long. */
  async signSession(claims: Claims, lifeS = this.#config.sessionTokenLifeS): Promise<string> {
    return this.#sessionKey.sign(claims, this.#now(), lifeS, this.#config.jwtAlgorithm);
  }

  /** A token for a page of this server's own, as an integrator would sign it for a page of theirs. */
  async signOpening(claims: Claims, lifeS: number): Promise<string> {
    return this.#inboxKeys[0]!.sign(claims, this.#now(), lifeS, this.#config.jwtAlgorithm);
  }

  /**
   * The signed parameters of a request: the body's `token`, else the header's. Claims may lie under `payload`
   * and `query`, as in our own header tokens; those are merged and the body's win (docs-api 12.2).
   */
  async readInboxToken(body: Claims, headers: Headers): Promise<TokenResult> {
    const result = await this.verifyInbox(body.token || this.#headerToken(headers));
    return result.kind === 'ok' ? { kind: 'ok', claims: mergedParameters(result.claims) } : result;
  }

  /**
   * The header that goes with a GET of `url` (docs-api 12.5); none where this server sends no tokens, or none to
   * such an address.
   */
  async downloadHeaders(url: string): Promise<Record<string, string>> {
    if (!this.#outbox.enabled || this.#config.jwtOutboxExclude?.test(url)) return {};
    return this.#header(this.#signOutgoing({ payload: { url } }));
  }

  /**
   * A callback with its tokens. The body token always holds everything; the header's loses `changesurl` and
   * the history when it would grow to {@link callbackHeaderLimit}, and the plain body with it (docs-api 7.1).
   */
  async signCallback(body: Claims): Promise<SignedCallback> {
    if (!this.#outbox.enabled) return { headers: {}, body };
    let header = this.#signOutgoing({ payload: body });
    let plain = body;
    if (header.length >= callbackHeaderLimit) {
      const { changesurl: _changes, ...rest } = body;
      plain = { ...rest, history: {} };
      header = this.#signOutgoing({ payload: plain });
    }
    return { headers: this.#header(header), body: { ...plain, token: this.#signOutgoing(body) } };
  }

  #verify(key: SigningKey, token: unknown): TokenResult {
    return key.verify(token, this.#now(), this.#config.jwtClockToleranceS);
  }

  #stillRight({ claims }: KnownToken): TokenResult {
    return inItsTime(claims, this.#now(), this.#config.jwtClockToleranceS);
  }

  #headerToken(headers: Headers): string | undefined {
    const { header, prefix } = this.#inbox;
    const value = headers[header.toLowerCase()];
    return typeof value === 'string' ? tokenBehind(prefix, value) : undefined;
  }

  #header(token: string): Record<string, string> {
    return { [this.#outbox.header]: this.#outbox.prefix + token };
  }

  #signOutgoing(claims: Claims): string {
    const { jwtOutboxLifeS, jwtAlgorithm } = this.#config;
    const signedAtMs = this.#now() - datedBackS * 1_000;
    return this.#outboxKey.sign(claims, signedAtMs, datedBackS + jwtOutboxLifeS, jwtAlgorithm);
  }
}

/** The token behind the word of its scheme, which counts in upper and lower case (RFC 9110, 11.1); undefined behind another word. */
export function tokenBehind(prefix: string, header: string): string | undefined {
  const isIt = header.slice(0, prefix.length).toLowerCase() === prefix.toLowerCase();
  return isIt ? header.slice(prefix.length).trim() : undefined;
}

/** The parameters of a token, with the time of the token itself. */
function mergedParameters(claims: Claims): Claims {
  const { payload, query } = claims;
  if (!isObject(payload) && !isObject(query)) return claims;
  const { iat } = claims;
  const time = iat === undefined ? {} : { iat };
  return { ...(isObject(query) ? query : {}), ...(isObject(payload) ? payload : {}), ...time };
}

function isObject(value: unknown): value is Claims {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
