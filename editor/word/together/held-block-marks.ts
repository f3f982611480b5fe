import { type EditorState, Plugin, PluginKey } from 'prosemirror-state';
import { Decoration, DecorationSet } from 'prosemirror-view';
import type { Lock } from '../../../client/protocol/lock.ts';
import { t } from '../../strings/strings.ts';
import type { Feature, WordEditor } from '../word-editor.ts';
import './held-block-marks.css';

/** Marks of the blocks that others hold. They are made anew when locks change, else they move with the text. */
const key = new PluginKey<DecorationSet>('held-block-marks');

/** Shows which paragraphs others are working on, and who. */
export const heldBlockMarksFeature: Feature = (editor) => [
  new Plugin<DecorationSet>({
    key,
    state: {
      init: () => DecorationSet.empty,
      apply: (tr, marks) =>
        (tr.getMeta(key) as DecorationSet | undefined) ??
        (tr.docChanged ? marks.map(tr.mapping, tr.doc) : marks),
    },
    props: { decorations: (state) => key.getState(state) },
    view: () => {
      const update = () => {
        editor.readCaret();
        const { state, locks } = editor.session;
        const marks = marksOf(editor, state, locks);
        if (marks !== key.getState(state)) editor.dispatch(state.tr.setMeta(key, marks));
      };
      const stop = editor.session.client.on('locks', update);
      return { destroy: stop };
    },
  }),
];

function marksOf(editor: WordEditor, { doc }: EditorState, locks: ReadonlyMap<string, Lock>): DecorationSet {
  if (locks.size === 0) return DecorationSet.empty;
  const people = editor.presence.people.peek();
  const marks: Decoration[] = [];
  doc.descendants((node, pos) => {
    const lock = node.isBlock ? locks.get(String(node.attrs.id ?? '')) : undefined;
    const holder = lock && people.find(({ id }) => id === lock.user);
    if (holder) {
      const title = t('together.lockedBy', { name: holder.name });
      const style = `--person: ${holder.color}`;
      marks.push(Decoration.node(pos, pos + node.nodeSize, { class: 'held-block', title, style }));
    }
    return node.isBlock && !node.isTextblock;
  });
  return DecorationSet.create(doc, marks);
}
