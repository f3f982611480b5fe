import type { FrameConfig } from '../../frame/frame-config.ts';
import { roleOf } from '../../frame/role.ts';
import { Button } from '../../kit/button.tsx';
import { Notice } from '../notice.tsx';

/** What else there is to do for somebody who cannot go on. */
export type Way = { readonly label: string; readonly run: () => void };

/** Why there is no document, and what to press. */
export interface Failure {
  readonly sentence: string;
  readonly action: Way;
}

/** Why there is no document, and what can be done about it. */
export function FailedScreen({ config, failure }: { config: FrameConfig; failure: Failure }) {
  const { document } = config;
  const mayDownload = roleOf(config).canDownload;
  return (
    <Notice
      sentence={failure.sentence}
      fileName={document.title}
      download={mayDownload ? (document.directUrl ?? document.url) : null}
    >
      <Button onClick={() => failure.action.run()}>{failure.action.label}</Button>
    </Notice>
  );
}
