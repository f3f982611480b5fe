import { QuireError } from '../../../platform/quire-error.ts';

/** Exit codes of `quire load`. */
export const exitCodes = { passed: 0, missed: 1, usage: 2, interrupted: 130 } as const;

/** The arguments are wrong; nothing was done. */
export class UsageError extends QuireError<'usage'> {
  constructor(message: string) {
    super('usage', message, { level: 'info' });
  }
}
