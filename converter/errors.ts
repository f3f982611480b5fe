import { QuireError } from '../platform/quire-error.ts';
/**
 * What a conversion can end with, as the service error numbers that editors know
 * (co-authoring protocol, "service error numbers").
 */
export const CONVERSION_ERROR = {
  convert: -80,
  unknownFormat: -82,
  timeout: -83,
  protected: -85,
  corrupted: -86,
  params: -88,
  needParams: -89,
  passwordRequired: -90,
  wrongPassword: -91,
  limits: -93,
} as const;

export type ConversionErrorName = keyof typeof CONVERSION_ERROR;

/** A file that cannot be opened or written. The message holds no content of the file and may be shown to users. */
export class ConversionError extends QuireError<ConversionErrorName> {
  /** What clients are told. */
  readonly serviceError: number;

  constructor(code: ConversionErrorName, message: string, options?: ErrorOptions) {
    super(code, message, { ...options, level: 'info' });
    this.serviceError = CONVERSION_ERROR[code];
  }
}

export function corrupted(message: string, cause?: unknown): ConversionError {
  return new ConversionError('corrupted', message, cause === undefined ? undefined : { cause });
}

export function overLimit(message: string): ConversionError {
  return new ConversionError('limits', message);
}
