import { QuireError } from '../../../platform/quire-error.ts';

/** What `quire convert` ends with. */
export const exitCodes = { made: 0, someFailed: 1, usage: 2, engineMissing: 3, interrupted: 130 } as const;

/** The command was not called as it must be; nothing was done. */
export class UsageError extends QuireError {
  constructor(message: string) {
    super('usage', message, { level: 'info' });
  }
}
