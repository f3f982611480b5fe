import type { PartName } from '../../platform/ports/cluster.ts';
import { QuireError } from '../../platform/quire-error.ts';

/** Why an operator's request can be refused, with its HTTP status. */
export const adminErrorStatus = {
  'bad-request': 400,
  'not-signed-in': 401,
  'wrong-password': 401,
  'read-only': 403,
  'other-site': 403,
  'unknown-address': 404,
  'unknown-document': 404,
  'unknown-save': 404,
  'unknown-node': 404,
  'no-file': 404,
  'not-confirmed': 409,
  'nothing-to-save': 409,
  'not-readable': 409,
  'not-forgotten': 409,
  'not-waiting': 409,
  'under-way': 409,
  'in-use': 409,
  'no-address': 409,
  'too-many-attempts': 429,
  internal: 500,
  unavailable: 503,
  'node-silent': 504,
  unanswered: 504,
} as const;
export type AdminErrorCode = keyof typeof adminErrorStatus;

/** A request that is refused. The message is a sentence for people. */
export class AdminError extends QuireError<AdminErrorCode> {
  readonly retryAfterS: number | undefined;
  /** What did not answer, for `unavailable` and `unanswered`. */
  readonly part: PartName | undefined;

  constructor(
    code: AdminErrorCode,
    message: string,
    { retryAfterS, part }: { retryAfterS?: number; part?: PartName } = {},
  ) {
    super(code, message, {
      retryable: retryAfterS !== undefined || part !== undefined,
      level: code === 'internal' ? 'error' : 'info',
    });
    this.retryAfterS = retryAfterS;
    this.part = part;
  }

  get status(): number {
    return adminErrorStatus[this.code];
  }
}
