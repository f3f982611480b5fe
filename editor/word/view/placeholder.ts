import { Plugin } from 'prosemirror-state';
import { Decoration, DecorationSet } from 'prosemirror-view';
import { t } from '../../strings/strings.ts';

/** Says in an empty document that one can type. */
export function placeholder(): Plugin {
  return new Plugin({
    props: {
      decorations: ({ doc }) => {
        const only = doc.childCount === 1 ? doc.firstChild : null;
        if (only?.type.name !== 'paragraph' || only.content.size > 0) return null;
        const attrs = { class: 'placeholder', 'data-placeholder': t('view.placeholder') };
        return DecorationSet.create(doc, [Decoration.node(0, only.nodeSize, attrs)]);
      },
    },
  });
}
