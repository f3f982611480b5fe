import { DisconnectCode } from '../client/protocol/index.ts';

/*
 * Errors come in three families, told apart by class and code and never by message text:
 *   ProtocolError  what a peer did, or what it may be told;
 *   transient      errors of the network or the database that pass; `isTransient` knows them by code;
 *   all others     bugs and bad configuration: they fail the actor or the start-up they happen in.
 */

interface ErrorRow {
  /** Number inside JSON for the co-authoring protocol, and close code of a plain WebSocket. */
  closeCode: number;
  httpStatus: number;
  /** Whether the same request may succeed later without being changed. */
  retryable: boolean;
  /** How it is logged. */
  level: 'debug' | 'info' | 'warn';
  /** Safe to show to anybody. */
  message: string;
}

/**
 * What a peer may be told. 4001 to 4012 are the co-authoring protocol's own. Of the rest the range says
 * whether to retry, so that a client is right about codes added later: 4100 to 4199 retry after a pause,
 * 4200 to 4299 do not.
 */
const rows = {
  server_shutdown: row(DisconnectCode.serverShutdown, 503, true, 'info', 'server shutdown'),
  session_idle: row(DisconnectCode.sessionIdle, 403, true, 'info', 'idle session expires'),
  session_expired: row(DisconnectCode.sessionAbsolute, 403, false, 'info', 'absolute session expires'),
  access_denied: row(DisconnectCode.accessDeny, 403, false, 'info', 'access deny'),
  token_expired: row(DisconnectCode.tokenExpired, 403, false, 'info', 'token:jwt expired'),
  token_invalid: row(DisconnectCode.tokenError, 403, false, 'info', 'token:invalid token'),
  dropped: row(DisconnectCode.drop, 403, false, 'info', 'drop'),
  document_updated: row(DisconnectCode.updateVersion, 409, false, 'info', 'Update Version error'),
  document_missing: row(DisconnectCode.noCache, 404, false, 'info', 'Other error'),
  restore_failed: row(DisconnectCode.restore, 409, false, 'info', 'Restore error.'),
  overloaded: row(4100, 503, true, 'warn', 'the server is busy'),
  too_slow: row(4101, 503, true, 'warn', 'the connection is too slow'),
  auth_timeout: row(4102, 408, true, 'info', 'no authentication in time'),
  internal: row(4103, 500, true, 'warn', 'internal error'),
  message_invalid: row(4200, 400, false, 'info', 'the message is not valid'),
  message_too_large: row(4201, 413, false, 'info', 'the message is too large'),
  unknown_command: row(4202, 400, false, 'info', 'unknown command'),
  model_mismatch: row(4203, 409, false, 'info', 'the document is open in another kind of editor'),
  not_found: row(4204, 404, false, 'debug', 'not found'),
} satisfies Record<string, ErrorRow>;

/** Name of an error that a peer may be told. */
export type ProtocolErrorCode = keyof typeof rows;

/** Close code, HTTP status and the rest of each error that a peer may be told. */
export const protocolErrors: Readonly<Record<ProtocolErrorCode, Readonly<ErrorRow>>> = rows;

function row(
  closeCode: number,
  httpStatus: number,
  retryable: boolean,
  level: ErrorRow['level'],
  message: string,
): ErrorRow {
  return { closeCode, httpStatus, retryable, level, message };
}

/** An error whose `message` the peer may be told. Details for the log go into `cause`. */
export class ProtocolError extends Error {
  readonly code: ProtocolErrorCode;
  readonly closeCode: number;
  readonly httpStatus: number;
  readonly retryable: boolean;
  readonly level: ErrorRow['level'];

  /** `message` replaces the table's; it must hold nothing the peer may not know. */
  constructor(code: ProtocolErrorCode, message: string = rows[code].message, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ProtocolError';
    this.code = code;
    this.closeCode = rows[code].closeCode;
    this.httpStatus = rows[code].httpStatus;
    this.retryable = rows[code].retryable;
    this.level = rows[code].level;
  }
}

const transientCodes = new Set([
  // Sockets and name resolution.
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EAI_AGAIN',
  // undici.
  'UND_ERR_SOCKET',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
  // PostgreSQL, appendix A: serialization failure, deadlock, lock not available, query cancelled by a timeout.
  '40001',
  '40P01',
  '55P03',
  '57014',
  // Too many connections, and a server that is shutting down, crashed or starting.
  '53300',
  '57P01',
  '57P02',
  '57P03',
  // Connection exceptions.
  '08000',
  '08001',
  '08003',
  '08004',
  '08006',
]);

const deepestCause = 8;

/** Whether `err`, what caused it or any part of an AggregateError is known to pass by itself. */
export function isTransient(err: unknown, depth = 0): boolean {
  if (typeof err !== 'object' || err === null || depth > deepestCause) return false;
  const { code, cause, errors } = err as { code?: unknown; cause?: unknown; errors?: unknown };
  if (typeof code === 'string' && transientCodes.has(code)) return true;
  if (Array.isArray(errors) && errors.some((part) => isTransient(part, depth + 1))) return true;
  return isTransient(cause, depth + 1);
}
