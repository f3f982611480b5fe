import { createHash, createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import type { RequestHandler, Response } from 'express';
import { AdminError } from './admin-error.ts';
import type { AdminSecrets } from './admin-secrets.ts';

/** `full` may do everything, `read` may only look. */
export type Role = 'full' | 'read';

/** Who makes a request. The name is what they call themselves; it is for the log and gives no rights. */
export interface Operator {
  role: Role;
  name: string;
}

/** What the cookie of an operator says. */
export interface AdminSession {
  operator: Operator;
  id: string;
  /** Seconds since 1970. */
  expiresS: number;
}

/** How long a session lasts, seconds. */
export const adminSessionS = 12 * 3_600;
const longestName = 100;

/**
 * Who may administrate. A session is a signed cookie that any node can check. It ends after a time, when the passwords or
 * tokens change, or when the operator signs out.
 */
export class Access {
  readonly #secrets: AdminSecrets;
  readonly #key: Buffer;
  readonly #now: () => number;

  /** `sessionSecret` is the same on all nodes. `now` is the time in milliseconds since 1970. */
  constructor(secrets: AdminSecrets, sessionSecret: string, now: () => number = Date.now) {
    this.#secrets = secrets;
    const proofs = JSON.stringify([secrets.full, secrets.reading]);
    this.#key = createHmac('sha256', sessionSecret).update(`administration\n${proofs}`).digest();
    this.#now = now;
  }

  /** What a password or token allows; null: nothing. It takes the same time for each of them. */
  roleOf(proof: string): Role | null {
    const { full, reading } = this.#secrets;
    const isFull = isOneOf(proof, full);
    const mayRead = isOneOf(proof, reading);
    if (isFull) return 'full';
    return mayRead ? 'read' : null;
  }

  /** A session, as the value of a cookie. */
  begin({ role, name }: Operator): string {
    const expiresS = Math.floor(this.#now() / 1_000) + adminSessionS;
    const content = JSON.stringify([role, nameOf(name), expiresS, randomUUID()]);
    const text = Buffer.from(content).toString('base64url');
    return `${text}.${this.#signature(text)}`;
  }

  /** The session of a cookie; null when this server did not sign it, or it has expired. */
  sessionOf(cookie: string): AdminSession | null {
    const [text = '', signature = ''] = cookie.split('.');
    if (!isOneOf(signature, [this.#signature(text)])) return null;
    const [role, name, expiresS, id] = JSON.parse(Buffer.from(text, 'base64url').toString()) as [
      Role,
      string,
      number,
      // Sessions of earlier versions have no id.
      string | undefined,
    ];
    const isValid = expiresS * 1_000 > this.#now() && id !== undefined;
    return isValid ? { operator: { role, name }, id, expiresS } : null;
  }

  #signature(text: string): string {
    return createHmac('sha256', this.#key).update(text).digest('base64url');
  }
}

/** A name as it may be written to the log. */
export const nameOf = (text: string): string =>
  text
    .replace(/\p{Cc}/gu, '')
    .trim()
    .slice(0, longestName);

/** Compares digests, so that the time it takes shows neither content nor length of a secret. */
function isOneOf(given: string, expected: readonly string[]): boolean {
  const digest = digestOf(given);
  let found = false;
  for (const one of expected) found = timingSafeEqual(digest, digestOf(one)) || found;
  return found;
}

const digestOf = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Who makes the request; set before any resource is reached. */
export const operatorOf = (response: Response): Operator => response.locals.operator as Operator;

/** Refuses people who may only look. */
export const operatorsOnly: RequestHandler = (_request, response, next) => {
  if (operatorOf(response).role === 'full') return next();
  throw new AdminError(
    'read-only',
    'You signed in to look only: this needs the password or token of operators.',
  );
};
