import {
  chainCommands,
  createParagraphNear,
  deleteSelection,
  joinBackward,
  selectNodeBackward,
} from 'prosemirror-commands';
import { InputRule, inputRules } from 'prosemirror-inputrules';
import { type Command, Plugin, TextSelection } from 'prosemirror-state';
import { canSplit } from 'prosemirror-transform';
import type { EditorView } from 'prosemirror-view';
import type { WordList } from '../../../model/word/document.ts';
import { wordSchema } from '../../../model/word/schema.ts';
import type { Styles } from '../styles/styles.ts';
import { listPlace } from '../view/numbering/list-labels.ts';
import { kindOfList, type ListKind, leaveList, toggleList } from './lists.ts';
import { changeAttributes, indent } from './paragraph-format.ts';

const { nodes } = wordSchema;

/**
 * Splits the paragraph. What follows its end takes the style that its style names as the next (17.7.4.10); the new
 * paragraph is not a copy: it has no id, and takes what the model does not hold from the one it came from.
 */
function splitParagraph(styles: Styles): Command {
  return (state, dispatch) => {
    const { $from } = state.selection;
    if ($from.parent.type !== nodes.paragraph) return false;
    const { tr } = state;
    if (!state.selection.empty) tr.deleteSelection();
    const at = tr.doc.resolve(tr.mapping.map($from.pos));
    const { parent } = at;
    if (parent.type !== nodes.paragraph) return false;
    const atEnd = at.parentOffset === parent.content.size;
    const next = styles.style(styles.paragraphStyleId(parent.attrs.style))?.next;
    const attrs = {
      ...parent.attrs,
      id: null,
      origin: parent.attrs.id ?? parent.attrs.origin,
      markInserted: null,
      pageBreakBefore: null,
      ...(atEnd && next && next !== parent.attrs.style ? { style: next } : {}),
    };
    if (!canSplit(tr.doc, at.pos, 1, [{ type: nodes.paragraph, attrs }])) return false;
    if (dispatch) {
      const marks = state.storedMarks ?? $from.marks();
      tr.split(at.pos, 1, [{ type: nodes.paragraph, attrs }]);
      if (!(atEnd && next && next !== parent.attrs.style)) tr.ensureMarks(marks.filter(continues));
      dispatch(tr.scrollIntoView());
    }
    return true;
  };
}

const continues = ({ type }: { type: { name: string } }): boolean =>
  !['link', 'within', 'ins', 'del'].includes(type.name);

/** Enter: ends the list in an empty item, else splits the paragraph. */
export function enter(styles: Styles): Command {
  return chainCommands(
    (state, dispatch) =>
      state.selection.$from.parent.content.size === 0 && leaveList(styles)(state, dispatch),
    splitParagraph(styles),
    createParagraphNear,
  );
}

/** Backspace at the start: out of the list, then the indent back, then together with the paragraph before. */
export function backspace(styles: Styles): Command {
  return chainCommands(deleteSelection, undoParagraphStart(styles), joinBackward, selectNodeBackward);
}

function undoParagraphStart(styles: Styles): Command {
  return (state, dispatch) => {
    const { $from, empty } = state.selection;
    const { parent } = $from;
    if (!empty || $from.parentOffset > 0 || parent.type !== nodes.paragraph) return false;
    if (listPlace(parent, styles)) return leaveList(styles)(state, dispatch);
    const { indentFirst, indentLeft } = parent.attrs;
    if (!indentFirst && !indentLeft) return false;
    if (dispatch) {
      const { tr } = state;
      const change = indentFirst ? { indentFirst: null } : { indentLeft: null };
      changeAttributes(tr, $from.before(), parent, change);
      dispatch(tr.scrollIntoView());
    }
    return true;
  };
}

/** Moves all paragraphs when several are selected: a tab in their place would be the end of their text. */
export function indentSeveral(styles: Styles, direction: 1 | -1): Command {
  return (state, dispatch, view) => {
    const { $from, $to } = state.selection;
    return !$from.sameParent($to) && indent(styles, direction)(state, dispatch, view);
  };
}

export const insertTab: Command = (state, dispatch) => {
  if (!state.selection.$from.parent.inlineContent) return false;
  dispatch?.(state.tr.replaceSelectionWith(nodes.tab.create(), true).scrollIntoView());
  return true;
};

export const insertLineBreak: Command = (state, dispatch) => {
  if (!state.selection.$from.parent.inlineContent) return false;
  dispatch?.(state.tr.replaceSelectionWith(nodes.line_break.create(), true).scrollIntoView());
  return true;
};

/** A break to the next page, with the text after it in a paragraph of its own, as Word does. */
export function insertPageBreak(styles: Styles): Command {
  return (state, dispatch) => {
    const { $from } = state.selection;
    if (!$from.parent.inlineContent) return false;
    if (!dispatch) return true;
    const { tr } = state;
    tr.replaceSelectionWith(nodes.line_break.create({ type: 'page' }), true);
    const after = state.apply(tr);
    let split = tr;
    splitParagraph(styles)(after, (second) => {
      for (const step of second.steps) split = split.step(step);
    });
    const end = Math.min(split.doc.content.size, split.mapping.map(state.selection.to));
    split.setSelection(TextSelection.near(split.doc.resolve(end), 1));
    dispatch(split.scrollIntoView());
    return true;
  };
}

/**
 * Letters go into the state at once, instead of into the page first and from there back into the state. That saves the
 * browser's own editing and the reading of what it did, more than half of what a letter costs, and leaves no moment in
 * which page and state differ. Composition (input methods, dead keys, touch keyboards) and corrections go the usual way.
 */
export function directTyping(): Plugin {
  return new Plugin({
    props: {
      handleDOMEvents: {
        beforeinput: (view, event) => {
          if (event.inputType !== 'insertText' || event.isComposing || view.composing || !event.data)
            return false;
          const place = placeOf(view, event);
          if (!place || !view.editable) return false;
          event.preventDefault();
          insert(view, event.data, place.from, place.to);
          return true;
        },
      },
    },
  });
}

/** Where the browser would put the letter; it knows of a new selection before it tells. */
function placeOf(view: EditorView, event: InputEvent): { from: number; to: number } | null {
  const [range] = event.getTargetRanges();
  if (!range || !view.dom.contains(range.startContainer) || !view.dom.contains(range.endContainer))
    return null;
  const from = view.posAtDOM(range.startContainer, range.startOffset);
  const to = range.collapsed ? from : view.posAtDOM(range.endContainer, range.endOffset);
  const $from = view.state.doc.resolve(from);
  // Across paragraphs, cells and pictures the browser's selection says less than the state's.
  return $from.parent.inlineContent && $from.sameParent(view.state.doc.resolve(to)) ? { from, to } : null;
}

function insert(view: EditorView, text: string, from: number, to: number): void {
  const typing = () => {
    const { selection, tr } = view.state;
    const isSelection = selection instanceof TextSelection && selection.from === from && selection.to === to;
    if (isSelection) return tr.insertText(text);
    // Where all was selected, a part was replaced; the next letter must not replace that again.
    tr.insertText(text, from, to);
    return tr.setSelection(TextSelection.create(tr.doc, from + text.length));
  };
  if (view.someProp('handleTextInput', (handle) => handle(view, from, to, text, typing))) return;
  view.dispatch(typing().scrollIntoView());
}

/** A beginning such as `1. ` or `- ` makes the paragraph a list. */
function listRule(pattern: RegExp, kind: ListKind, lists: readonly WordList[], styles: Styles): InputRule {
  return new InputRule(pattern, (state, _match, start, end) => {
    const $start = state.doc.resolve(start);
    if ($start.parent.type !== wordSchema.nodes.paragraph || listPlace($start.parent, styles)) return null;
    const deletion = state.tr.delete(start, end);
    let result = deletion;
    toggleList(
      kind,
      kindOfList(lists),
      styles,
    )(state.apply(deletion), (listing) => {
      for (const step of listing.steps) result = result.step(step);
    });
    return result;
  });
}

/** What typing turns into something else; Backspace right after it takes that back. */
export function typingRules(lists: readonly WordList[], styles: Styles): Plugin {
  return inputRules({
    rules: [
      listRule(/^[-*•]\s$/, 'bullet', lists, styles),
      listRule(/^1[.)]\s$/, 'decimal', lists, styles),
      listRule(/^a[.)]\s$/, 'alpha', lists, styles),
      listRule(/^i[.)]\s$/, 'roman', lists, styles),
    ],
  });
}
