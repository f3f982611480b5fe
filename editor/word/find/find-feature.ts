import type { Node } from 'prosemirror-model';
import { type EditorState, Plugin, type PluginView, type Selection } from 'prosemirror-state';
import { Decoration, DecorationSet, type EditorView } from 'prosemirror-view';
import type { Feature, WordEditor } from '../word-editor.ts';
import { blocksInView } from './blocks-in-view.ts';
import { type FindState, type FindUpdate, findKey, findState, updateFind } from './find-state.ts';
import { type Match, shifted } from './matches.ts';

const nothing: FindState = {
  matches: null,
  count: 0,
  isComplete: true,
  shown: [],
  decorations: DecorationSet.empty,
};

/**
 * Finds what the bar asks for. Only what is in view is marked; the rest is counted a slice at a time, so that typing in
 * the bar and in a document of any length goes on meanwhile.
 */
export const findFeature: Feature = (editor) => [
  new Plugin<FindState>({
    key: findKey,
    state: {
      init: () => nothing,
      apply(transaction, now, _before, { doc, selection }) {
        const update = transaction.getMeta(findKey) as FindUpdate | undefined;
        if (update?.matches === null) return nothing;
        if (!update && !now.matches) return now;
        const shown =
          update?.shown ?? (transaction.docChanged ? mapped(now.shown, transaction.mapping) : now.shown);
        const changes = shown !== now.shown || transaction.selectionSet;
        return {
          ...now,
          ...update,
          shown,
          decorations: changes ? marked(doc, shown, selection) : now.decorations,
        };
      },
    },
    props: { decorations: (state) => findState(state)?.decorations },
    view: (view) => new Search(editor, view),
  }),
];

function mapped(shown: readonly Match[], mapping: { map(position: number, side: number): number }): Match[] {
  const places = shown.map(({ from, to }) => ({ from: mapping.map(from, 1), to: mapping.map(to, -1) }));
  return places.filter(({ from, to }) => from < to);
}

function marked(doc: Node, shown: readonly Match[], selection: Selection): DecorationSet {
  const decorations = shown.map(({ from, to }) => {
    const isActive = from === selection.from && to === selection.to;
    return Decoration.inline(from, to, { class: isActive ? 'found found-active' : 'found' });
  });
  return DecorationSet.create(doc, decorations);
}

/** Time that the search takes from the page at once. */
const sliceMs = 8;

/** Counts what is found and looks what of it is in view, after every change of either. */
class Search implements PluginView {
  readonly #editor: WordEditor;
  readonly #view: EditorView;
  readonly #resized: ResizeObserver;
  #slice: ReturnType<typeof setTimeout> | undefined;
  #frame = 0;

  constructor(editor: WordEditor, view: EditorView) {
    this.#editor = editor;
    this.#view = view;
    this.#resized = new ResizeObserver(this.#showSoon);
    this.#resized.observe(view.dom);
    // Whatever it is that scrolls.
    document.addEventListener('scroll', this.#showSoon, { capture: true, passive: true });
  }

  update({ state }: EditorView, before: EditorState): void {
    const matches = findState(state)?.matches;
    const isNew = matches !== findState(before)?.matches;
    if (!isNew && (!matches || state.doc === before.doc)) return;
    clearTimeout(this.#slice);
    if (!matches) return;
    this.#showSoon();
    this.#count(0, 0);
  }

  destroy(): void {
    clearTimeout(this.#slice);
    cancelAnimationFrame(this.#frame);
    this.#resized.disconnect();
    document.removeEventListener('scroll', this.#showSoon, { capture: true });
  }

  /** Goes on with the document as it was when the count began: another one begins anew. */
  #count(index: number, count: number): void {
    this.#slice = setTimeout(() => {
      const { doc } = this.#view.state;
      const matches = findState(this.#view.state)!.matches!;
      const endMs = performance.now() + sliceMs;
      let [at, sum] = [index, count];
      while (at < doc.childCount && performance.now() < endMs) sum += matches.inBlock(doc.child(at++)).length;
      const isComplete = at === doc.childCount;
      this.#tell({ count: sum, isComplete });
      if (!isComplete) this.#count(at, sum);
    });
  }

  readonly #showSoon = (): void => {
    if (this.#frame !== 0 || !findState(this.#view.state)?.matches) return;
    this.#frame = requestAnimationFrame(() => {
      this.#frame = 0;
      this.#show();
    });
  };

  #show(): void {
    const { matches, shown = [] } = findState(this.#view.state) ?? {};
    if (!matches) return;
    const inView = blocksInView(this.#view).flatMap(({ node, position }) =>
      matches.inBlock(node).map((match) => shifted(match, position)),
    );
    const isSame =
      shown.length === inView.length &&
      shown.every(({ from, to }, at) => from === inView[at]!.from && to === inView[at]!.to);
    if (!isSame) this.#tell({ shown: inView });
  }

  #tell(update: FindUpdate): void {
    this.#editor.dispatch(updateFind(this.#editor.session.state.tr, update));
  }
}
