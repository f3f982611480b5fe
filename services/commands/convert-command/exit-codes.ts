import { QuireError } from '../../../platform/quire-error.ts';

/** Exit codes of `quire convert`. */
export const exitCodes = { made: 0, someFailed: 1, usage: 2, engineMissing: 3, interrupted: 130 } as const;

/** The arguments are wrong; nothing was done. */
export class UsageError extends QuireError {
  constructor(message: string) {
    super('usage', message, { level: 'info' });
  }
}
