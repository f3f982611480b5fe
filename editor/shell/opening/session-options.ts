import type { DocumentClientOptions } from '../../../client/options.ts';
import { documentAuthOf } from '../../frame/document-auth.ts';
import type { FrameConfig } from '../../frame/frame-config.ts';
import { routingIn } from '../../frame/server-address.ts';
import type { Opening } from './opening.ts';

/** What the session of any kind of document begins with. Who works offline for a day is waited for as long. */
export function sessionOptions({
  config,
  serverUrl,
  answers,
}: Pick<Opening, 'config' | 'serverUrl' | 'answers'>) {
  const { token, key } = config.document;
  const auth = documentAuthOf(config);
  return {
    url: serverUrl,
    query: routingIn(location.search),
    key,
    auth: { ...auth, openCmd: { ...auth.openCmd, ...answers } },
    reconnect: { attempts: Number.POSITIVE_INFINITY },
    ...(token !== undefined && { token }),
  } satisfies DocumentClientOptions;
}

/**
 * What a file is whatever its key: the page's own name of it, or else where its changes are to be sent. Null when the
 * page says neither; changes are then found again under the same key only.
 */
export function fileIdentity({ document, editorConfig }: FrameConfig): string | null {
  const { referenceData } = document;
  if (referenceData?.fileKey) return JSON.stringify([referenceData.instanceId, referenceData.fileKey]);
  return editorConfig.callbackUrl ?? null;
}
