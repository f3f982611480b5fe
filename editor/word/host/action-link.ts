import type { Node } from 'prosemirror-model';
import { Plugin } from 'prosemirror-state';
import type { FrameConfig } from '../../frame/frame-config.ts';
import { notify } from '../../kit/notices.tsx';
import { t } from '../../strings/strings.ts';
import { goTo } from '../commands/selection.ts';
import { headingsOf } from '../outline/outline.ts';
import { bookmarkPosition } from '../view/nodes/links.ts';
import type { Feature, WordEditor } from '../word-editor.ts';

const followed = new WeakSet<FrameConfig>();

/** Goes where the embedding page's link leads, once the document is on the screen for the first time. */
export const actionLinkFeature: Feature = (editor) => {
  const { config } = editor;
  const action = config.editorConfig.actionLink?.action;
  // The review opens comments.
  if (action?.type !== 'bookmark') return [];
  const { data } = action;
  const follow = () => {
    if (followed.has(config)) return;
    followed.add(config);
    followLink(editor, data);
  };
  return [
    new Plugin({
      view: () => {
        requestAnimationFrame(follow);
        return {};
      },
    }),
  ];
};

/** The first bookmark inside a paragraph. Word keeps names that begin with an underscore to itself, but they last. */
function bookmarkIn(paragraph: Node): string | null {
  let name: string | null = null;
  paragraph.descendants(({ type, attrs }) => {
    if (type.name === 'anchor' && attrs.kind === 'bookmarkStart') name ??= attrs.ref;
    return name === null;
  });
  return name;
}

/** Where the cursor is, for a link: the bookmark in its paragraph, or the heading that it stands under. */
function placeOfCursor({ session, styles }: WordEditor): string | null {
  const { doc, selection } = session.state;
  const own = bookmarkIn(selection.$from.parent);
  if (own !== null) return own;
  const heading = headingsOf(doc, styles).findLast(({ pos }) => pos <= selection.from);
  if (!heading) return null;
  const node = doc.nodeAt(heading.pos);
  return (node && bookmarkIn(node)) ?? heading.text;
}

/** Asks the embedding page for a link to where the cursor is; it answers with `setActionLink`. */
export function askForLink(editor: WordEditor): void {
  const data = placeOfCursor(editor);
  if (data === null) notify({ text: t('host.noPlace'), kind: 'info' });
  else editor.host.send('onMakeActionLink', { action: { type: 'bookmark', data } });
}

/** Goes where a link leads that `onMakeActionLink` made. What it named may be gone. */
export function followLink(editor: WordEditor, data: string): void {
  const pos = positionOf(editor, data);
  if (pos === null) notify({ text: t('host.placeGone'), kind: 'info' });
  else goTo(editor, pos, pos);
}

function positionOf({ session, styles }: WordEditor, data: string): number | null {
  const { doc } = session.state;
  const bookmark = bookmarkPosition(doc, data);
  if (bookmark !== null) return bookmark;
  const heading = headingsOf(doc, styles).find(({ text }) => text === data);
  return heading ? heading.pos + 1 : null;
}
