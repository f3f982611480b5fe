import { networkCause } from '../../outgoing/network-cause.ts';
import { BlobStoreUnavailableError, type StoreFailure } from '../../ports/blob-store.ts';

/** What errors of the client have in common. */
interface ClientError extends Error {
  code?: string;
  $metadata?: { httpStatusCode?: number };
}

const failures: Readonly<Record<string, StoreFailure>> = {
  NoSuchBucket: 'no-bucket',
  AccessDenied: 'denied',
  Forbidden: 'denied',
  AllAccessDisabled: 'denied',
  InvalidAccessKeyId: 'credentials',
  SignatureDoesNotMatch: 'credentials',
  InvalidToken: 'credentials',
  ExpiredToken: 'credentials',
  ExpiredTokenException: 'credentials',
  CredentialsProviderError: 'credentials',
  RequestTimeTooSkewed: 'clock',
  AuthorizationHeaderMalformed: 'region',
  PermanentRedirect: 'region',
  IllegalLocationConstraintException: 'region',
  SlowDown: 'overloaded',
  ServiceUnavailable: 'overloaded',
  TooManyRequests: 'overloaded',
  TimeoutError: 'timeout',
  RequestTimeout: 'timeout',
};

const networkCodes: Readonly<Record<string, StoreFailure>> = {
  ECONNREFUSED: 'unreachable',
  ECONNRESET: 'unreachable',
  EPIPE: 'unreachable',
  ENOTFOUND: 'unreachable',
  EAI_AGAIN: 'unreachable',
  EHOSTUNREACH: 'unreachable',
  ENETUNREACH: 'unreachable',
  ETIMEDOUT: 'timeout',
  ERR_STREAM_PREMATURE_CLOSE: 'unreachable',
};

const sentences: Readonly<Record<StoreFailure, string>> = {
  unreachable: 'it cannot be reached',
  timeout: 'it does not answer in time (S3_TIMEOUT_MS)',
  'no-bucket': 'there is no such bucket (S3_BUCKET); it is not made by this server',
  credentials: 'the access key or its secret is not accepted (S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY)',
  denied:
    'the access key may not do this; it needs to read, write, delete and list objects and multipart uploads',
  clock: 'the clocks of this machine and of the store differ too much',
  region: 'the bucket is in another region (S3_REGION)',
  overloaded: 'it is overloaded',
  refused: 'it refused the request',
};

/** The status of the answer that made a request fail, undefined when there was none. */
const statusOf = (error: unknown): number | undefined =>
  (error as ClientError | undefined)?.$metadata?.httpStatusCode;

/** Whether a request failed because there is no such object. */
export function isMissing(error: unknown): boolean {
  const { name } = error as Error;
  return name === 'NoSuchKey' || name === 'NotFound' || (statusOf(error) === 404 && name !== 'NoSuchBucket');
}

/** An error of the client in words that name its cause; `bucket` is where it happened. Secrets are in neither. */
export function asStoreError(error: unknown, bucket: string): Error {
  if (error instanceof BlobStoreUnavailableError) return error;
  const failure = failureOf(error as ClientError);
  return new BlobStoreUnavailableError(
    failure,
    `The blob store ${bucket} cannot be used: ${sentenceOf(failure, error as Error)}`,
    { cause: error },
  );
}

function sentenceOf(failure: StoreFailure, error: Error): string {
  const { name, message } = error;
  // What the client says of an answer without a body.
  if (failure === 'refused' && message === 'UnknownError') return `it answers with status ${statusOf(error)}`;
  if (failure === 'refused') return `${sentences.refused}: ${name} ${message}`;
  const cause = failure === 'unreachable' ? networkCause(error) : null;
  if (cause === null) return sentences[failure];
  return `${cause.isUnreached ? sentences.unreachable : 'it gives no whole answer'}: ${cause.sentence} (${cause.code})`;
}

function failureOf(error: ClientError): StoreFailure {
  // The code first: the client names every end of a connection a TimeoutError.
  const known = networkCodes[error.code ?? ''] ?? failures[error.name] ?? networkCodes[error.name];
  if (known) return known;
  if (networkCause(error)) return 'unreachable';
  const status = statusOf(error);
  if (error instanceof AggregateError) return failureOf(error.errors[0] as ClientError);
  if (status === 401 || status === 403) return 'denied';
  if (status === 301) return 'region';
  if (status !== undefined && status >= 500) return 'overloaded';
  if (error.cause instanceof Error) return failureOf(error.cause);
  return 'refused';
}
