import { history } from 'prosemirror-history';
import { keyboardFeature } from './commands/keyboard.ts';
import { placeholderText } from './controls/placeholder-text.ts';
import { findFeature } from './find/find-feature.ts';
import { actionLinkFeature } from './host/action-link.ts';
import { picturesFeature } from './pictures/picture-feature.ts';
import { commentsFeature } from './review/comments/comments-feature.ts';
import { trackingFeature } from './review/tracking/tracking-feature.ts';
import { heldBlockMarksFeature } from './together/held-block-marks.ts';
import { remoteCursorsFeature } from './together/remote-cursors.ts';
import { viewFeature } from './view/view-feature.ts';
import type { Feature } from './word-editor.ts';

/** Everything that takes part in the ProseMirror state, the first to be asked first. */
export const features: readonly Feature[] = [
  trackingFeature,
  commentsFeature,
  (editor) => [placeholderText(editor.document)],
  keyboardFeature,
  () => [history()],
  findFeature,
  remoteCursorsFeature,
  heldBlockMarksFeature,
  picturesFeature,
  viewFeature,
  actionLinkFeature,
];
