import { redo, undo } from 'prosemirror-history';
import { AllSelection, type Command, type EditorState } from 'prosemirror-state';
import { isInTable } from 'prosemirror-tables';
import type { Action as SharedAction } from '../../shell/actions.ts';
import type { StringKey } from '../../strings/strings.ts';
import { beginComment } from '../review/comments/comment-actions.ts';
import { rangeToComment } from '../review/comments/comment-commands.ts';
import { commentKeys } from '../review/comments/comments-feature.ts';
import { trackingKeys } from '../review/tracking/tracking-switch.tsx';
import { effectiveRun, selectedParagraphs } from '../styles/effective.ts';
import type { WordEditor } from '../word-editor.ts';
import { removeLink } from './links.ts';
import { changeListLevel, kindOfList, type ListKind, listKind, toggleList } from './lists.ts';
import {
  indent,
  isRightToLeft,
  type Side,
  setAlignment,
  setLineSpacing,
  sideOf,
  toggleDirection,
} from './paragraph-format.ts';
import { clearFormatting, stepSize, type Toggle, toggleRun, toggleVertical } from './run-format.ts';
import * as tables from './tables.ts';
import { insertLineBreak, insertPageBreak } from './typing.ts';

/** Something a person can do in a text. */
export interface Action extends SharedAction {
  readonly command: (editor: WordEditor) => Command;
  /** For what is on or off. */
  readonly isOn?: (state: EditorState, editor: WordEditor) => boolean;
}

const edit = (label: StringKey, command: Action['command'], more: Partial<Action> = {}): Action => ({
  label,
  command,
  edits: true,
  ...more,
});

const run = (type: Toggle, label: StringKey, ...keys: string[]): Action =>
  edit(label, (editor) => toggleRun(editor.styles, type), {
    keys,
    isOn: (state, { styles }) => effectiveRun(state, styles)[type] === true,
  });

const vertical = (align: 'superscript' | 'subscript', label: StringKey, ...keys: string[]): Action =>
  edit(label, (editor) => toggleVertical(editor.styles, align), {
    keys,
    isOn: (state, { styles }) => effectiveRun(state, styles).vertical === align,
  });

const alignment = (side: Side, label: StringKey, key: string): Action =>
  edit(label, (editor) => setAlignment(side, editor.styles), {
    keys: [key],
    isOn: (state, { styles }) =>
      selectedParagraphs(state).every(({ node }) => sideOf(node.attrs, styles) === side),
  });

const list = (kind: ListKind, label: StringKey, ...keys: string[]): Action =>
  edit(label, (editor) => toggleList(kind, kindOfList(editor.document.lists), editor.styles), {
    keys,
    isOn: (state, { document, styles }) =>
      selectedParagraphs(state).every(
        ({ node }) => listKind(node, styles, kindOfList(document.lists)) === kind,
      ),
  });

const inTable = (label: StringKey, command: Command, more: Partial<Action> = {}): Action =>
  edit(label, () => (state, dispatch, view) => isInTable(state) && command(state, dispatch, view), more);

const selectAll: Command = (state, dispatch) => {
  dispatch?.(state.tr.setSelection(new AllSelection(state.doc)));
  return true;
};

/** Moves list items a level, other paragraphs by an indent. */
const indentOrLevel = (editor: WordEditor, direction: 1 | -1): Command => {
  return (state, dispatch, view) =>
    changeListLevel(direction, editor.styles)(state, dispatch, view) ||
    indent(editor.styles, direction)(state, dispatch, view);
};

export const actions = {
  undo: edit('actions.undo', () => undo, { keys: ['Mod-z'] }),
  redo: edit('actions.redo', () => redo, { keys: ['Mod-y', 'Mod-Shift-z'] }),
  selectAll: { label: 'actions.selectAll', command: () => selectAll, keys: ['Mod-a'], edits: false },
  bold: run('bold', 'actions.bold', 'Mod-b'),
  italic: run('italic', 'actions.italic', 'Mod-i'),
  underline: run('underline', 'actions.underline', 'Mod-u'),
  strike: run('strike', 'actions.strike', 'Alt-Shift-5'),
  superscript: vertical('superscript', 'actions.superscript', 'Mod-.'),
  subscript: vertical('subscript', 'actions.subscript', 'Mod-,'),
  grow: edit('actions.grow', (editor) => stepSize(editor.styles, 1), { keys: ['Mod-Shift-.', 'Mod-]'] }),
  shrink: edit('actions.shrink', (editor) => stepSize(editor.styles, -1), { keys: ['Mod-Shift-,', 'Mod-['] }),
  clearFormatting: edit('actions.clearFormatting', (editor) => clearFormatting(editor.document.rx), {
    keys: ['Mod-\\', 'Mod-Space'],
  }),
  alignLeft: alignment('left', 'actions.alignLeft', 'Mod-l'),
  alignCenter: alignment('center', 'actions.alignCenter', 'Mod-e'),
  alignRight: alignment('right', 'actions.alignRight', 'Mod-r'),
  justify: alignment('both', 'actions.justify', 'Mod-j'),
  singleSpacing: edit('actions.singleSpacing', () => setLineSpacing(1), { keys: ['Mod-1'] }),
  wideSpacing: edit('actions.wideSpacing', () => setLineSpacing(1.5), { keys: ['Mod-5'] }),
  doubleSpacing: edit('actions.doubleSpacing', () => setLineSpacing(2), { keys: ['Mod-2'] }),
  indent: edit('actions.indent', (editor) => indentOrLevel(editor, 1), { keys: ['Mod-m'] }),
  outdent: edit('actions.outdent', (editor) => indentOrLevel(editor, -1), { keys: ['Mod-Shift-m'] }),
  direction: edit('actions.direction', (editor) => toggleDirection(editor.styles), {
    isOn: (state, { styles }) =>
      selectedParagraphs(state).every(({ node }) => isRightToLeft(node.attrs, styles)),
  }),
  bullets: list('bullet', 'actions.bullets', 'Mod-Shift-l', 'Mod-Shift-8'),
  numbers: list('decimal', 'actions.numbers', 'Mod-Shift-7'),
  letters: list('alpha', 'actions.letters'),
  romans: list('roman', 'actions.romans'),
  outline: list('outline', 'actions.outline'),
  lineBreak: edit('actions.lineBreak', () => insertLineBreak, { keys: ['Shift-Enter'] }),
  pageBreak: edit('actions.pageBreak', (editor) => insertPageBreak(editor.styles), { keys: ['Mod-Enter'] }),
  removeLink: edit('actions.removeLink', (editor) => removeLink(editor.styles)),
  comment: {
    label: 'review.comment',
    command: (editor) => (state, dispatch) =>
      editor.role.canComment && rangeToComment(state) !== null && (!dispatch || beginComment(editor)),
    keys: [commentKeys],
    edits: false,
  },
  trackChanges: edit(
    'review.track',
    ({ review }) =>
      (_state, dispatch) => {
        if (review.maySwitch && dispatch) review.switchTracking();
        return review.maySwitch;
      },
    {
      keys: [trackingKeys],
      isOn: (_state, { review }) => review.tracks.value,
    },
  ),
  rowAbove: inTable('actions.rowAbove', tables.addRowBefore),
  rowBelow: inTable('actions.rowBelow', tables.addRowAfter),
  columnBefore: inTable('actions.columnBefore', tables.addColumnBefore),
  columnAfter: inTable('actions.columnAfter', tables.addColumnAfter),
  deleteRow: inTable('actions.deleteRow', tables.deleteRow),
  deleteColumn: inTable('actions.deleteColumn', tables.deleteColumn),
  deleteTable: inTable('actions.deleteTable', tables.deleteTable),
  mergeCells: inTable('actions.mergeCells', tables.mergeCells),
  splitCell: inTable('actions.splitCell', tables.splitCell),
  headerRow: inTable('actions.headerRow', tables.toggleHeaderRow, { isOn: tables.isHeaderRow }),
} as const satisfies Record<string, Action>;

export type ActionName = keyof typeof actions;

/** The action of a name, as an action. */
export const actionOf = (name: ActionName): Action => actions[name];
