import { redo, undo } from 'prosemirror-history';
import { AllSelection, type Command, type EditorState } from 'prosemirror-state';
import { isInTable } from 'prosemirror-tables';
import type { StringKey } from '../../strings/strings.ts';
import { effectiveRun, selectedParagraphs } from '../styles/effective.ts';
import type { WordEditor } from '../word-editor.ts';
import { removeLink } from './insert.ts';
import { kindOfList } from './kind-of-list.ts';
import { changeListLevel, inList, type ListKind, toggleList } from './lists.ts';
import { indent, setAlignment, setLineSpacing, toggleDirection } from './paragraph-format.ts';
import { clearFormatting, stepSize, type Toggle, toggleRun, toggleVertical } from './run-format.ts';
import * as tables from './tables.ts';
import { insertLineBreak, insertPageBreak } from './typing.ts';

/** Something a person can do, wherever it is offered: toolbar, menu, keyboard. */
export interface Action {
  readonly label: StringKey;
  /** Keys as `prosemirror-keymap` names them; the first are shown. */
  readonly keys?: readonly string[];
  readonly command: (editor: WordEditor) => Command;
  /** For what is on or off. */
  readonly isOn?: (state: EditorState, editor: WordEditor) => boolean;
  /** Needs the right to edit; the others are for everybody. */
  readonly edits: boolean;
}

const edit = (label: StringKey, command: Action['command'], more: Partial<Action> = {}): Action => ({
  label,
  command,
  edits: true,
  ...more,
});

const run = (type: Toggle, label: StringKey, ...keys: string[]): Action =>
  edit(label, (editor) => toggleRun(editor.sheet, type), {
    keys,
    isOn: (state, { sheet }) => effectiveRun(state, sheet)[type] === true,
  });

const vertical = (align: 'superscript' | 'subscript', label: StringKey, ...keys: string[]): Action =>
  edit(label, (editor) => toggleVertical(editor.sheet, align), {
    keys,
    isOn: (state, { sheet }) => effectiveRun(state, sheet).vertical === align,
  });

/** Alignments that look the same where text runs from left to right. */
const sameAlignment: Readonly<Record<string, string>> = { start: 'left', end: 'right' };

const alignment = (align: 'left' | 'center' | 'right' | 'both', label: StringKey, key: string): Action =>
  edit(label, () => setAlignment(align), {
    keys: [key],
    isOn: (state, { sheet }) =>
      selectedParagraphs(state).every(({ node }) => {
        const own = node.attrs.align ?? sheet.paragraph(node.attrs.style).paragraph.align ?? 'left';
        return (sameAlignment[own] ?? own) === align;
      }),
  });

const list = (kind: ListKind, label: StringKey, ...keys: string[]): Action =>
  edit(label, (editor) => toggleList(kind, kindOfList(editor.document.lists)), {
    keys,
    isOn: (state, { document }) =>
      selectedParagraphs(state).every(
        ({ node }) => inList(node) && kindOfList(document.lists)(node.attrs.listId) === kind,
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
    changeListLevel(direction)(state, dispatch, view) ||
    indent(editor.sheet, direction)(state, dispatch, view);
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
  grow: edit('actions.grow', (editor) => stepSize(editor.sheet, 1), { keys: ['Mod-Shift-.', 'Mod-]'] }),
  shrink: edit('actions.shrink', (editor) => stepSize(editor.sheet, -1), { keys: ['Mod-Shift-,', 'Mod-['] }),
  clearFormatting: edit('actions.clearFormatting', () => clearFormatting, { keys: ['Mod-\\', 'Mod-Space'] }),
  alignLeft: alignment('left', 'actions.alignLeft', 'Mod-l'),
  alignCenter: alignment('center', 'actions.alignCenter', 'Mod-e'),
  alignRight: alignment('right', 'actions.alignRight', 'Mod-r'),
  justify: alignment('both', 'actions.justify', 'Mod-j'),
  singleSpacing: edit('actions.singleSpacing', () => setLineSpacing(1), { keys: ['Mod-1'] }),
  wideSpacing: edit('actions.wideSpacing', () => setLineSpacing(1.5), { keys: ['Mod-5'] }),
  doubleSpacing: edit('actions.doubleSpacing', () => setLineSpacing(2), { keys: ['Mod-2'] }),
  indent: edit('actions.indent', (editor) => indentOrLevel(editor, 1), { keys: ['Mod-m'] }),
  outdent: edit('actions.outdent', (editor) => indentOrLevel(editor, -1), { keys: ['Mod-Shift-m'] }),
  direction: edit('actions.direction', () => toggleDirection, {
    isOn: (state) => selectedParagraphs(state).every(({ node }) => node.attrs.rtl === true),
  }),
  bullets: list('bullet', 'actions.bullets', 'Mod-Shift-l', 'Mod-Shift-8'),
  numbers: list('decimal', 'actions.numbers', 'Mod-Shift-7'),
  letters: list('alpha', 'actions.letters'),
  romans: list('roman', 'actions.romans'),
  outline: list('outline', 'actions.outline'),
  lineBreak: edit('actions.lineBreak', () => insertLineBreak, { keys: ['Shift-Enter'] }),
  pageBreak: edit('actions.pageBreak', (editor) => insertPageBreak(editor.sheet), { keys: ['Mod-Enter'] }),
  removeLink: edit('actions.removeLink', () => removeLink),
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
