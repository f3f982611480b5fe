import { QuireError } from '../../../platform/quire-error.ts';
/** The command was not called as it must be; nothing was done. */
export class UsageError extends QuireError {
  constructor(message: string) {
    super('usage', message, { level: 'info' });
  }
}
