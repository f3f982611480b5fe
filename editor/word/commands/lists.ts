import type { Node } from 'prosemirror-model';
import type { Command, EditorState } from 'prosemirror-state';
import type { WordList } from '../../../model/word/document.ts';
import { NEW_LIST } from '../../../model/word/values.ts';
import { selectedParagraphs } from '../styles/effective.ts';
import type { Styles } from '../styles/styles.ts';
import { listPlace } from '../view/numbering/list-labels.ts';
import { changeAttributes, setParagraphs } from './paragraph-format.ts';

export type ListKind = 'bullet' | 'decimal' | 'alpha' | 'roman' | 'outline';

const deepestLevel = 8;

/** What kind of list a list of the file is; new lists say so in their name. */
export type KindOfList = (listId: string) => ListKind | 'other';

/** The kind of the list that a paragraph is in, itself or by its style; null for none. */
export function listKind(paragraph: Node, styles: Styles, kindOf: KindOfList): ListKind | 'other' | null {
  const place = listPlace(paragraph, styles);
  return place && kindOf(place.listId);
}

/** Makes the selected paragraphs a list of a kind, or, when they all are one, ordinary paragraphs again. */
export function toggleList(kind: ListKind, kindOf: KindOfList, styles: Styles): Command {
  return (state, dispatch) => {
    const paragraphs = selectedParagraphs(state);
    const first = paragraphs[0];
    if (!first) return false;
    const all = paragraphs.every(({ node }) => listKind(node, styles, kindOf) === kind);
    if (all) return setParagraphs((attrs) => noList(attrs.style, styles))(state, dispatch);
    const listId = neighbour(state, first.pos, kind, kindOf) ?? `new-${kind}-${newTag()}`;
    return setParagraphs((_attrs, node) => ({
      listId,
      listLevel: listPlace(node, styles)?.level ?? 0,
      indentLeft: null,
      indentFirst: null,
    }))(state, dispatch);
  };
}

/** List 0 is "no list" where the style of the paragraph says one (17.9.18). */
function noList(style: string | null, styles: Styles) {
  const byStyle = typeof styles.paragraph(style).paragraph.listId === 'string';
  return { listId: byStyle ? '0' : null, listLevel: null, indentLeft: null, indentFirst: null };
}

/** The list of the paragraph before, if a list of this kind can be continued there. */
function neighbour(state: EditorState, pos: number, kind: ListKind, kindOf: KindOfList): string | undefined {
  const before = state.doc.resolve(pos).nodeBefore;
  const listId = before?.type.name === 'paragraph' ? before.attrs.listId : null;
  return listId !== null && listId !== '0' && kindOf(listId) === kind ? listId : undefined;
}

/** Moves list paragraphs to a deeper or higher level; does nothing elsewhere. */
export function changeListLevel(direction: 1 | -1, styles: Styles): Command {
  return (state, dispatch) => {
    const listed = selectedParagraphs(state).flatMap(({ node, pos }) => {
      const place = listPlace(node, styles);
      return place ? [{ node, pos, place }] : [];
    });
    if (listed.length === 0) return false;
    if (!dispatch) return true;
    const { tr } = state;
    for (const { node, pos, place } of listed) {
      const level = Math.min(deepestLevel, Math.max(0, place.level + direction));
      if (level === place.level) continue;
      changeAttributes(tr, pos, node, {
        listId: place.listId,
        listLevel: level,
        indentLeft: null,
        indentFirst: null,
      });
    }
    tr.setStoredMarks(state.storedMarks);
    dispatch(tr.scrollIntoView());
    return true;
  };
}

/** For the Tab key, which writes a tab inside the text of an item. */
export function changeListLevelAtStart(direction: 1 | -1, styles: Styles): Command {
  const change = changeListLevel(direction, styles);
  return (state, dispatch, view) => {
    const { empty, $from } = state.selection;
    if (empty && $from.parentOffset > 0 && direction > 0) return false;
    return change(state, dispatch, view);
  };
}

/** Enter in an empty list paragraph, and Backspace at the start of one, end the list there. */
export function leaveList(styles: Styles): Command {
  return (state, dispatch) => {
    const { $from, empty } = state.selection;
    const { parent } = $from;
    const place = parent.type.name === 'paragraph' ? listPlace(parent, styles) : null;
    if (!empty || !place) return false;
    if (dispatch) {
      const { tr } = state;
      const goesUp = place.level > 0 && parent.content.size === 0;
      const change = goesUp
        ? { listId: place.listId, listLevel: place.level - 1 }
        : noList(parent.attrs.style, styles);
      changeAttributes(tr, $from.before(), parent, change);
      dispatch(tr.scrollIntoView());
    }
    return true;
  };
}

const kindOfFormat: Readonly<Record<string, ListKind>> = {
  bullet: 'bullet',
  decimal: 'decimal',
  lowerLetter: 'alpha',
  upperLetter: 'alpha',
  lowerRoman: 'roman',
  upperRoman: 'roman',
};

/** Tells what kind of list a list is: a new one by its name, one of the file by the labels of its first levels. */
export function kindOfList(lists: readonly WordList[]): KindOfList {
  return (listId) => {
    const kind = NEW_LIST.exec(listId)?.[1] as ListKind | undefined;
    if (kind) return kind;
    const levels = lists.find(({ id }) => id === listId)?.levels ?? [];
    const labelOf = (number: number) => levels.find(({ level }) => level === number);
    const first = labelOf(0);
    if (!first) return 'other';
    const isOutline = first.format === 'decimal' && /%1.*%2/.test(labelOf(1)?.text ?? '');
    return isOutline ? 'outline' : (kindOfFormat[first.format] ?? 'other');
  };
}

/** Tells new lists of different people and pages apart. `crypto.randomUUID` is missing where a page came without TLS. */
export function newTag(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(6));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
