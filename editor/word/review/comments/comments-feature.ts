import { effect } from '@preact/signals';
import { keydownHandler } from 'prosemirror-keymap';
import { Plugin } from 'prosemirror-state';
import type { Feature, WordEditor } from '../../word-editor.ts';
import { beginComment, openCommentLink } from './comment-actions.ts';
import { commentMarks, commentsIn, markComments, threadsAt } from './comment-marks.ts';

/** Keys that begin a comment, as `prosemirror-keymap` names them. */
export const commentKeys = 'Mod-Alt-m';

/** Shows what comments are about, and leads from the text to them and from a link to the text. */
export const commentsFeature: Feature = (editor) => {
  const { review } = editor;
  const begin = keydownHandler({ [commentKeys]: () => beginComment(editor) });
  return [
    commentMarks((author) => review.rightsOn(author).see),
    new Plugin({
      props: {
        handleKeyDown: (_view, event) => review.typedAhead.hear(event),
        handleClick: (view, position) => {
          const [thread] = threadsAt(view.state, position);
          if (thread !== undefined) {
            review.thread.value = thread;
            editor.panel.value = 'comments';
          }
          return false;
        },
        // Those who may only comment have a text that takes no keys, where `handleKeyDown` is not asked.
        handleDOMEvents: {
          keydown: (view, event) => {
            if (view.editable || !begin(view, event)) return false;
            event.preventDefault();
            return true;
          },
        },
      },
      view: () => {
        const stop = effect(() => {
          const active = review.thread.value;
          const { state } = editor.session;
          if (commentsIn(state)?.active !== active) editor.dispatch(markComments(state.tr, { active }));
        });
        const frame = requestAnimationFrame(() => followLink(editor));
        return {
          destroy: () => {
            stop();
            cancelAnimationFrame(frame);
          },
        };
      },
    }),
  ];
};

/** The page that embeds the editor can ask it to open at a comment (integration API, 4.4). */
function followLink(editor: WordEditor): void {
  const action = editor.config.editorConfig.actionLink?.action;
  if (action?.type !== 'comment') return;
  openCommentLink(editor, action.data);
}
