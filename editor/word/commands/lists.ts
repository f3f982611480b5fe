import type { Node } from 'prosemirror-model';
import type { Command, EditorState } from 'prosemirror-state';
import { selectedParagraphs } from '../styles/effective.ts';
import { newTag } from './new-tag.ts';
import { changeAttributes, setParagraphs } from './paragraph-format.ts';

export type ListKind = 'bullet' | 'decimal' | 'alpha' | 'roman' | 'outline';

const deepestLevel = 8;

/** What kind of list a list of the file is; new lists say so in their name. */
export type KindOfList = (listId: string) => ListKind | 'other';

/** Makes the selected paragraphs a list of a kind, or, when they all are one, ordinary paragraphs again. */
export function toggleList(kind: ListKind, kindOf: KindOfList): Command {
  return (state, dispatch) => {
    const paragraphs = selectedParagraphs(state);
    const first = paragraphs[0];
    if (!first) return false;
    const all = paragraphs.every(({ node }) => inList(node) && kindOf(node.attrs.listId) === kind);
    if (all) return setParagraphs(noList)(state, dispatch);
    const listId = neighbour(state, first.pos, kind, kindOf) ?? `new-${kind}-${newTag()}`;
    return setParagraphs((attrs) => ({
      listId,
      listLevel: attrs.listLevel ?? 0,
      indentLeft: null,
      indentFirst: null,
    }))(state, dispatch);
  };
}

const noList = { listId: null, listLevel: null, indentLeft: null, indentFirst: null };

export function inList(node: Node): boolean {
  return node.attrs.listId !== null && node.attrs.listId !== '0';
}

/** The list of the paragraph before, if a list of this kind can be continued there. */
function neighbour(state: EditorState, pos: number, kind: ListKind, kindOf: KindOfList): string | undefined {
  const before = state.doc.resolve(pos).nodeBefore;
  const listId = before?.type.name === 'paragraph' && inList(before) ? before.attrs.listId : null;
  return listId !== null && kindOf(listId) === kind ? listId : undefined;
}

/** Moves list paragraphs to a deeper or higher level; does nothing elsewhere. */
export function changeListLevel(direction: 1 | -1): Command {
  return (state, dispatch) => {
    const listed = selectedParagraphs(state).filter(({ node }) => inList(node));
    if (listed.length === 0) return false;
    if (!dispatch) return true;
    const { tr } = state;
    for (const { node, pos } of listed) {
      const level = Math.min(deepestLevel, Math.max(0, Number(node.attrs.listLevel ?? 0) + direction));
      changeAttributes(tr, pos, node, { listLevel: level, indentLeft: null, indentFirst: null });
    }
    dispatch(tr);
    return true;
  };
}

/** Enter in an empty list paragraph, and Backspace at the start of one, end the list there. */
export const leaveList: Command = (state, dispatch) => {
  const { $from, empty } = state.selection;
  const { parent } = $from;
  if (!empty || parent.type.name !== 'paragraph' || !inList(parent)) return false;
  if (dispatch) {
    const { tr } = state;
    const level = Number(parent.attrs.listLevel ?? 0);
    const change = level > 0 && parent.content.size === 0 ? { listLevel: level - 1 } : noList;
    changeAttributes(tr, $from.before(), parent, change);
    dispatch(tr.scrollIntoView());
  }
  return true;
};
