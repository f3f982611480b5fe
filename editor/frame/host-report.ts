import { type StringKey, t } from '../strings/strings.ts';
import { HostCode, type HostCodeName } from './error-codes.ts';
import type { HostBridge } from './host-bridge.ts';

/** After these the document goes on, or can: the page is told by `onWarning`. Everything else is `onError`. */
const warnings: readonly HostCodeName[] = [
  'warning',
  'versionUpdated',
  'forcedView',
  'notAssembled',
  'storageConflict',
  'idleSession',
  'imageSize',
  'imageExtension',
  'imageCount',
  'imageUrl',
];

/** What has happened, as a sentence for people in the language of the interface. */
export const describeCode = (name: HostCodeName): string => t(`frame.${name}` satisfies StringKey);

/** Tells the page, by `onWarning` or `onError`. `description` takes the place of the usual sentence. */
export function reportToHost(host: HostBridge, name: HostCodeName, description = describeCode(name)): void {
  const code = HostCode[name];
  if (warnings.includes(name)) {
    host.send('onWarning', { warningCode: code, warningDescription: description });
  } else {
    host.send('onError', { errorCode: code, errorDescription: description });
  }
}
