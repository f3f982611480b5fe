import { badRequest } from './config-check.ts';
import type { CopiedConfig } from './opening.ts';
import { type Text, text } from './texts.ts';

/** What can be sent to the frame of the page's object, without its functions. The page's own object stays as it is. */
export function copyConfig(given: unknown): CopiedConfig {
  if (given === undefined || given === null) return failed(text('missing', { name: 'config' }));
  if (typeof given !== 'object' || Array.isArray(given)) return failed(text('notObject', { name: 'config' }));
  try {
    return { config: JSON.parse(JSON.stringify({ ...given, events: undefined })) };
  } catch (error) {
    return failed(text('notJson', { reason: String(error) }));
  }
}

const failed = (reason: Text): CopiedConfig => ({
  config: {},
  problem: { text: reason, errorCode: badRequest },
});
