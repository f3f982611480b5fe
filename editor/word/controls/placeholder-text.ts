import type { Mark, Node } from 'prosemirror-model';
import { Plugin, type Selection, TextSelection } from 'prosemirror-state';
import type { WordDocumentJson } from '../../../model/word/document.ts';
import { wordSchema } from '../../../model/word/schema.ts';

/** The range of text that one content control holds. */
interface ControlRange {
  readonly from: number;
  readonly to: number;
}

/**
 * What is typed in a content control that shows its placeholder takes the place of all of it, in the formatting of the text around; a click
 * in it selects it.
 */
export function placeholderText(json: WordDocumentJson): Plugin {
  const placeholders = new Placeholders(json);
  if (placeholders.isEmpty) return new Plugin({});
  return new Plugin({
    props: {
      handleClick: (view, position) => {
        const held = placeholders.at(view.state.doc, position);
        if (!held || !view.editable) return false;
        view.dispatch(view.state.tr.setSelection(TextSelection.create(view.state.doc, held.from, held.to)));
        return true;
      },
      handleTextInput: (view, from, to, text) => {
        const { doc, tr } = view.state;
        const held = placeholders.at(doc, from);
        if (!held || to > held.to) return false;
        const marks = placeholders.typedMarks(doc.resolve(held.from).marksAcross(doc.resolve(held.to)) ?? []);
        tr.setSelection(TextSelection.create(doc, held.from, held.to));
        tr.replaceSelectionWith(wordSchema.text(text, marks), false);
        const end = held.from + text.length;
        view.dispatch(tr.setSelection(typedEnd(tr.doc, end)).setStoredMarks(marks).scrollIntoView());
        return true;
      },
    },
  });
}

const typedEnd = (doc: Node, position: number): Selection => TextSelection.create(doc, position);

/** The placeholders that a document was opened with, and which of them it still shows. */
class Placeholders {
  /** By the control, the text that it showed. */
  readonly #texts: ReadonlyMap<string, string>;
  readonly #styles: ReadonlySet<string>;

  constructor({ controls = [], doc, styles }: WordDocumentJson) {
    const shown = controls.filter(({ showsPlaceholder, held }) => showsPlaceholder && held === null);
    const opened = shown.length > 0 ? wordSchema.nodeFromJSON(doc) : null;
    const texts = new Map<string, string>();
    for (const { ref } of shown) {
      const held = opened && rangeOf(opened, ref);
      if (held) texts.set(ref, opened.textBetween(held.from, held.to, '\n'));
    }
    this.#texts = texts;
    const isPlaceholderStyle = ({ name }: { name: string }) => name.toLowerCase() === 'placeholder text';
    this.#styles = new Set(styles.filter(isPlaceholderStyle).map(({ id }) => id));
  }

  get isEmpty(): boolean {
    return this.#texts.size === 0;
  }

  /** The placeholder that stands at a position, as long as nobody changed it. */
  at(doc: Node, position: number): ControlRange | null {
    const $position = doc.resolve(position);
    for (const ref of controlsAround($position)) {
      const text = this.#texts.get(ref);
      const held = text === undefined ? null : rangeOf(doc, ref);
      if (
        held &&
        position >= held.from &&
        position <= held.to &&
        doc.textBetween(held.from, held.to, '\n') === text
      ) {
        return held;
      }
    }
    return null;
  }

  typedMarks(marks: readonly Mark[]): readonly Mark[] {
    return marks.filter(({ type, attrs }) => type.name !== 'character_style' || !this.#styles.has(attrs.id));
  }
}

/** The controls that a place is in, innermost first; that of inline content by what stands on either side. */
function controlsAround($position: ReturnType<Node['resolve']>): string[] {
  const refs: string[] = [];
  for (const node of [$position.nodeAfter, $position.nodeBefore]) {
    const within = node && wordSchema.marks.within.isInSet(node.marks);
    if (within) refs.push(String(within.attrs.key));
  }
  for (let depth = $position.depth; depth > 0; depth--) {
    const node = $position.node(depth);
    if (node.type === wordSchema.nodes.block_wrap) refs.push(String(node.attrs.id));
  }
  return refs;
}

/** Where the text of a control begins and ends; null where it has none. */
function rangeOf(doc: Node, ref: string): ControlRange | null {
  let from = -1;
  let to = -1;
  const take = (start: number, end: number): void => {
    if (from < 0) from = start;
    to = end;
  };
  doc.descendants((node, position, _parent) => {
    const within = node.isInline ? wordSchema.marks.within.isInSet(node.marks) : undefined;
    if (within && String(within.attrs.key) === ref) take(position, position + node.nodeSize);
    if (node.type === wordSchema.nodes.block_wrap && node.attrs.id === ref) {
      node.descendants((inner, offset) => {
        if (inner.isTextblock)
          take(position + 1 + offset + 1, position + 1 + offset + 1 + inner.content.size);
        return !inner.isTextblock;
      });
      return false;
    }
    return true;
  });
  return from < 0 || from === to ? null : { from, to };
}
