import { QuireError } from '../quire-error.ts';
import { AddressRefusedError } from './address-rules.ts';
import { causesOf, isOfDecoder, networkCause, networkSentence } from './network-cause.ts';

/**
 * Why a request of ours gave no usable answer:
 * `address` not http(s) or malformed; `refused` by the address rules; `redirects` too many or to nowhere;
 * `network` no connection, or it broke; `timeout` in any phase; `size` more bytes than allowed; `status` not
 * what was hoped for; `encoding` unknown, or not what was sent; `cancelled` by our caller.
 */
export type RequestFailure =
  | 'address'
  | 'refused'
  | 'redirects'
  | 'network'
  | 'timeout'
  | 'size'
  | 'status'
  | 'encoding'
  | 'cancelled';

/** A request of ours failed. `message` is safe to show; `cause` has the detail. */
export class RequestError extends QuireError<RequestFailure> {
  /** HTTP status, where the code is `status`. */
  readonly status: number | undefined;

  constructor(code: RequestFailure, message: string, options?: ErrorOptions & { status?: number }) {
    const { status, ...cause } = options ?? {};
    super(code, message, { ...cause, retryable: isPassing(code, status) });
    this.status = status;
  }
}

/** Statuses that another attempt may not meet again. */
const passingStatuses: readonly number[] = [408, 425, 429, 500, 502, 503, 504];
const isPassing = (code: RequestFailure, status = 0): boolean =>
  code === 'status' ? passingStatuses.includes(status) : code === 'network';

/** An address for messages and logs: credentials, query and fragment, which may hold secrets, are left out. */
export function safeAddress(address: URL | string): string {
  if (!URL.canParse(String(address))) return '(malformed address)';
  const { origin, pathname } = new URL(address);
  return `${origin}${pathname}`;
}

/**
 * Turns what Node's HTTP client, the resolver or a decoder threw into a RequestError, whose message names what was wrong on
 * the wire; an aborted `signal` is the reason.
 */
export function asRequestError(thrown: unknown, address: URL, signal: AbortSignal): RequestError {
  if (thrown instanceof RequestError) return thrown;
  const err: unknown = signal.aborted ? signal.reason : thrown;
  const refused = causesOf(err).find((cause) => cause instanceof AddressRefusedError);
  if (refused) return new RequestError('refused', refused.message, { cause: err });
  const at = safeAddress(address);
  const { name, code } = err as { name?: string; code?: string };
  if (name === 'TimeoutError' || code === 'ETIMEDOUT') {
    return new RequestError('timeout', `${at} did not answer in time`, { cause: err });
  }
  if (name === 'AbortError') {
    return new RequestError('cancelled', `The request to ${at} was cancelled`, { cause: err });
  }
  return new RequestError(failureOf(err), networkSentence(at, err), { cause: err });
}

/** A compressed body that ends early was cut off; one that is something else stays that. */
function failureOf(err: unknown): RequestFailure {
  const { code = '' } = networkCause(err) ?? {};
  return isOfDecoder(code) && code !== 'Z_BUF_ERROR' ? 'encoding' : 'network';
}
