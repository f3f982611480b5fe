import type { Node } from 'prosemirror-model';
import {
  type Command,
  type EditorState,
  Plugin,
  PluginKey,
  type PluginView,
  type Selection,
  TextSelection,
  type Transaction,
} from 'prosemirror-state';
import { Decoration, DecorationSet, type EditorView } from 'prosemirror-view';
import { wordSchema } from '../../../model/word/schema.ts';
import type { ViewedDocument } from '../view/viewed-document.ts';
import { type Match, type Matches, shifted } from './matches.ts';

/** What is searched for, what is known of it, and what of that is marked. */
interface FindState {
  /** Null while nothing is searched for. */
  readonly matches: Matches | null;
  /** So far. */
  readonly count: number;
  /** All of the document has been searched. */
  readonly isComplete: boolean;
  /** Those in view. */
  readonly shown: readonly Match[];
  readonly decorations: DecorationSet;
}

type FindUpdate = Partial<Pick<FindState, 'matches' | 'count' | 'isComplete' | 'shown'>>;

const findKey = new PluginKey<FindState>('find');

/** The search of a state; undefined where nothing can be searched. */
export const findState = (state: EditorState): FindState | undefined => findKey.getState(state);

/** Changes what is known of the search. The document and its history stay as they are. */
export function updateFind(transaction: Transaction, update: FindUpdate): Transaction {
  return transaction.setMeta(findKey, update).setMeta('addToHistory', false);
}

const nothing: FindState = {
  matches: null,
  count: 0,
  isComplete: true,
  shown: [],
  decorations: DecorationSet.empty,
};

/**
 * Finds what the bar asks for. Only what is in view is marked; the rest is counted a slice at a time, so that people can
 * go on typing in the bar and in a document of any length.
 */
export const findFeature = (editor: ViewedDocument): Plugin[] => [
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
  readonly #editor: ViewedDocument;
  readonly #view: EditorView;
  readonly #resized: ResizeObserver;
  #slice: ReturnType<typeof setTimeout> | undefined;
  #frame = 0;

  constructor(editor: ViewedDocument, view: EditorView) {
    this.#editor = editor;
    this.#view = view;
    this.#resized = new ResizeObserver(this.#showSoon);
    this.#resized.observe(view.dom);
    // Any element may be the one that scrolls.
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

  /** Goes on with the document as it was when the count began: for another one the count begins again. */
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

/** Selects a match: the one behind the selection or before it, and from the other end on where there is none. */
function selectMatch(choose: (matches: Matches, doc: Node, selected: Match) => Match | null): Command {
  return (state, dispatch) => {
    const matches = findState(state)?.matches;
    const match = matches && choose(matches, state.doc, state.selection);
    if (!match) return false;
    dispatch?.(state.tr.setSelection(selectionOf(state.doc, match)).scrollIntoView());
    return true;
  };
}

const selectionOf = (doc: Node, { from, to }: Match) => TextSelection.create(doc, from, to);

export const findNext = selectMatch((matches, doc, { to }) => matches.next(doc, to) ?? matches.next(doc, 0));

export const findPrevious = selectMatch(
  (matches, doc, { from }) => matches.previous(doc, from) ?? matches.previous(doc, doc.content.size),
);

/** Replaces the selected match and selects the next; selects the next if none is selected. */
export function replaceNext(text: string): Command {
  return (state, dispatch) => {
    const { doc, selection, tr } = state;
    const matches = findState(state)?.matches;
    const match = matches && (matches.next(doc, selection.from) ?? matches.next(doc, 0));
    if (!match) return false;
    if (match.from !== selection.from || match.to !== selection.to) {
      dispatch?.(tr.setSelection(selectionOf(doc, match)).scrollIntoView());
      return true;
    }
    replace(tr, match, text);
    const next = matches.next(doc, match.to) ?? matches.next(doc, 0);
    const [from, to] = next
      ? [tr.mapping.map(next.from, 1), tr.mapping.map(next.to, -1)]
      : [match.from, tr.mapping.map(match.to)];
    if (from <= to) tr.setSelection(TextSelection.create(tr.doc, from, to));
    dispatch?.(tr.scrollIntoView());
    return true;
  };
}

/** Replaces every match. */
export function replaceAll(text: string): Command {
  return (state, dispatch) => {
    const all = findState(state)?.matches?.all(state.doc) ?? [];
    if (all.length === 0) return false;
    const { tr } = state;
    for (const match of all.toReversed()) replace(tr, match, text);
    dispatch?.(tr);
    return true;
  };
}

/** The new text has the marks of the text that it replaces. */
function replace(tr: Transaction, { from, to }: Match, text: string): void {
  const marks = tr.doc.resolve(from).marksAcross(tr.doc.resolve(to)) ?? [];
  if (text === '') tr.delete(from, to);
  else tr.replaceWith(from, to, wordSchema.text(text, marks));
}

interface PlacedBlock {
  readonly node: Node;
  readonly position: number;
}

/** Blocks whose children stand one below the other; those of others are in view when they are. */
const stacked = new Set(['doc', 'table', 'block_wrap']);

/**
 * The blocks that are on the screen, or as far from it as it is high. Only as many blocks
 * are measured as are needed to find where the screen begins and ends.
 */
function blocksInView(view: EditorView): PlacedBlock[] {
  const edges = { top: -innerHeight, bottom: 2 * innerHeight };
  const found: PlacedBlock[] = [];
  const look = (parent: Node, start: number) => {
    const children: PlacedBlock[] = [];
    parent.forEach((node, offset) => void children.push({ node, position: start + offset }));
    const rectOf = ({ position }: PlacedBlock) => {
      const dom = view.nodeDOM(position);
      return dom instanceof Element ? dom.getBoundingClientRect() : null;
    };
    const first = firstWhere(children, (one) => (rectOf(one)?.bottom ?? edges.top) >= edges.top);
    const end = firstWhere(children, (one) => (rectOf(one)?.top ?? edges.top) > edges.bottom);
    for (const block of children.slice(first, end)) {
      if (stacked.has(block.node.type.name)) look(block.node, block.position + 1);
      else found.push(block);
    }
  };
  look(view.state.doc, 0);
  return found;
}

/** Index of the first for which a condition holds that holds for all behind it, too; the length if there is none. */
function firstWhere<T>(all: readonly T[], holds: (one: T) => boolean): number {
  let [from, to] = [0, all.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (holds(all[middle]!)) to = middle;
    else from = middle + 1;
  }
  return from;
}
