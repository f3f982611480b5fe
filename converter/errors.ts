import { ServiceError } from '../client/protocol/index.ts';
import { QuireError, type QuireErrorOptions } from '../platform/quire-error.ts';

/**
 * What a conversion can end with, as the service error numbers that editors know
 * (co-authoring protocol, "service error numbers").
 */
export const CONVERSION_ERROR = {
  convert: ServiceError.convert,
  unknownFormat: ServiceError.convertUnknownFormat,
  timeout: ServiceError.convertTimeout,
  protected: ServiceError.convertDrmUnsupported,
  corrupted: ServiceError.convertCorrupted,
  params: ServiceError.convertParams,
  needParams: ServiceError.convertNeedParams,
  passwordRequired: ServiceError.convertPasswordRequired,
  wrongPassword: ServiceError.convertWrongPassword,
  limits: ServiceError.convertLimits,
} as const;

export type ConversionErrorName = keyof typeof CONVERSION_ERROR;

/** A file that cannot be opened or written. The message holds no content of the file and may be shown to users. */
export class ConversionError extends QuireError<ConversionErrorName> {
  /** The number that clients get. */
  readonly serviceError: number;

  constructor(code: ConversionErrorName, message: string, options?: QuireErrorOptions) {
    super(code, message, { retryable: code === 'convert' || code === 'timeout', level: 'info', ...options });
    this.serviceError = CONVERSION_ERROR[code];
  }
}

/** An engine was ended because it took too long or too much memory; on a machine with less load it may succeed. */
export class EngineEnded extends ConversionError {
  readonly limit: 'time' | 'memory';

  constructor(limit: 'time' | 'memory', options?: ErrorOptions) {
    const message = `The conversion took too ${limit === 'time' ? 'long' : 'much memory'}`;
    super('limits', message, { ...options, retryable: true, level: 'warn' });
    this.limit = limit;
  }
}

/** An engine failed where it should have said what is wrong with the file: a fault of ours. */
export class EngineFault extends ConversionError {
  constructor(cause: unknown) {
    super('convert', 'The conversion failed', { cause, level: 'error' });
  }
}

/** The error number of a conversion. One that took too long has its own number; an opening that took too long has not. */
export function conversionErrorNumber(error: ConversionError): number {
  const isTimeout = error instanceof EngineEnded && error.limit === 'time';
  return isTimeout ? CONVERSION_ERROR.timeout : error.serviceError;
}

export function corrupted(message: string, cause?: unknown): ConversionError {
  return new ConversionError('corrupted', message, cause === undefined ? undefined : { cause });
}

export function overLimit(message: string): ConversionError {
  return new ConversionError('limits', message);
}
