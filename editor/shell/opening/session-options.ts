import type { FrameConfig } from '../../frame/frame-config.ts';

/**
 * What a file is whatever its key: the page's own name of it, or else where its changes are to be sent. Null when the
 * page says neither; changes are then found again under the same key only.
 */
export function fileIdentity({ document, editorConfig }: FrameConfig): string | null {
  const { referenceData } = document;
  if (referenceData?.fileKey) return JSON.stringify([referenceData.instanceId, referenceData.fileKey]);
  return editorConfig.callbackUrl ?? null;
}
