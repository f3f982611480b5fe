import { Plugin, PluginKey } from 'prosemirror-state';
import { Decoration, DecorationSet, type EditorView } from 'prosemirror-view';
import { t } from '../../../strings/strings.ts';
import type { Difference } from './document-diff.ts';
import './change-marks.css';

/** A difference with who made it, as far as that is known. */
export interface MarkedDifference {
  readonly difference: Difference;
  readonly author: { readonly name: string; readonly color: string } | null;
}

const key = new PluginKey<DecorationSet>('version-changes');

/** Shows what has changed in a version. Its document never changes while it is shown. */
export function changeMarks(): Plugin {
  return new Plugin<DecorationSet>({
    key,
    state: {
      init: () => DecorationSet.empty,
      apply: (transaction, marks) => transaction.getMeta(key) ?? marks,
    },
    props: { decorations: (state) => key.getState(state) },
  });
}

export function showChangeMarks({ state }: Pick<EditorView, 'state'>, marks: readonly MarkedDifference[]) {
  const set = DecorationSet.create(state.doc, marks.map(decorationOf));
  return state.tr.setMeta(key, set);
}

function decorationOf({ difference, author }: MarkedDifference): Decoration {
  const style = author ? `--author: ${author.color}` : '';
  if (difference.kind === 'deleted') {
    const { pos, text, isBlock } = difference;
    return Decoration.widget(
      pos,
      () => {
        const gone = document.createElement('del');
        gone.className = `version-deleted ${isBlock ? 'version-block' : ''}`;
        gone.style.cssText = style;
        gone.title = titleOf('deleted', author);
        gone.textContent = text;
        return gone;
      },
      { side: -1, ignoreSelection: true },
    );
  }
  const { from, to, isBlock } = difference;
  const attributes = { class: 'version-inserted', style, title: titleOf('inserted', author) };
  return isBlock ? Decoration.node(from, to, attributes) : Decoration.inline(from, to, attributes);
}

const titleOf = (kind: Difference['kind'], author: MarkedDifference['author']): string =>
  author ? t(`history.${kind}By`, { name: author.name }) : t(`history.${kind}`);
