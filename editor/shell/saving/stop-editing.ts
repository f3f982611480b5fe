import { notify } from '../../kit/notices.tsx';
import type { WordEditor } from '../../word/word-editor.ts';
import type { Way } from '../opening/failed-screen.tsx';
import { offerUnsent } from './recovered-text.tsx';

/** Topic of what is said about the session as a whole. */
export const sessionTopic = 'session';

/**
 * Ends the editing with a sentence. What was typed before that is sent while the session lasts; of what cannot be
 * sent any more the text is offered for copying.
 */
export function stopEditing(editor: WordEditor, sentence: string, action?: Way): void {
  const { session } = editor;
  editor.denyEditing();
  notify({ text: sentence, kind: 'warning', topic: sessionTopic, stays: true, ...(action && { action }) });
  if (session.client.status.connection === 'ended') offerUnsent(session.unsentText());
  else session.save().catch(() => offerUnsent(session.unsentText()));
}
