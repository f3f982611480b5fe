import { itemsOf } from '../../../model/cell/workbook.ts';
import type { Action as SharedAction } from '../../shell/actions.ts';
import type { StringKey } from '../../strings/strings.ts';
import type { CellEditor } from '../cell-editor.ts';
import { chartEditing } from '../charts/later-chart-panel.tsx';
import { copySelection, pasteFromClipboard } from '../clipboard/clipboard-actions.ts';
import { layerDrawing, removeDrawing } from '../drawings/drawing-changes.ts';
import { selectedDrawing, stepDrawing } from '../drawings/selected-drawing.ts';
import { isSameRange } from '../grid/cell-areas.ts';
import { currentRange, regionAround, selectAll, selectRange, wholeLines } from '../grid/selection.ts';
import type { BorderChoice } from './borders.ts';
import { hasFilterButtons, isFiltered } from './filtered-lists.ts';
import { togglePainter } from './format-painter.ts';
import * as formatting from './formatting.ts';
import * as inserting from './inserting.ts';
import { setBorders } from './later-borders.ts';
import { fillSelection } from './later-filling.ts';
import { filterAgain } from './later-filtering.ts';
import { canTurnGroup, isGrouped, withGroups } from './later-grouping.ts';
import { fitLines } from './later-line-fitting.ts';
import { toggleMerged } from './later-merging.ts';
import { changeDecimals, setAccounting, setCurrency } from './later-number-patterns.ts';
import { select } from './later-selecting.ts';
import { sortRows, toggleFilter } from './later-sorting.ts';
import { sumUp } from './later-summing.ts';
import { circleWrong } from './later-validating.ts';
import { isFormulaHidden, isLocked, toggleProtection } from './locked-cells.ts';
import { breaksHere, canBreakHere, hasBreaks, removeBreaks, toggleBreaks } from './page-breaks.ts';
import * as sheets from './sheets.ts';
import * as structure from './structure.ts';

/** Something a person can do in a workbook. */
export interface Action extends SharedAction {
  readonly run: (editor: CellEditor) => void;
  /** For what is on or off. */
  readonly isOn?: (editor: CellEditor) => boolean;
  /** Whether it could do something now; absent: whenever one may edit. */
  readonly can?: (editor: CellEditor) => boolean;
}

const edit = (label: StringKey, run: Action['run'], more: Partial<Action> = {}): Action => ({
  label,
  run,
  edits: true,
  ...more,
});

const font = (name: formatting.FontToggle, label: StringKey, ...keys: string[]): Action =>
  edit(label, (editor) => formatting.toggleFont(editor, name), {
    keys,
    isOn: (editor) => formatting.isFontOn(editor, name),
  });

const horizontal = (side: 'left' | 'center' | 'right', label: StringKey, ...keys: string[]): Action =>
  edit(label, (editor) => formatting.setHorizontal(editor, side), {
    keys,
    isOn: (editor) => formatting.alignmentOf(editor).horizontal === side,
  });

const vertical = (side: 'top' | 'center' | 'bottom', label: StringKey): Action =>
  edit(label, (editor) => formatting.setVertical(editor, side), {
    isOn: (editor) => (formatting.alignmentOf(editor).vertical ?? 'bottom') === side,
  });

const turned = (degrees: 45 | -45 | 0, label: StringKey): Action =>
  edit(label, (editor) => formatting.turnText(editor, degrees), {
    can: (editor) => degrees !== 0 || formatting.alignmentOf(editor).rotation !== undefined,
  });

const numberFormat = (pattern: string, label: StringKey, ...keys: string[]): Action =>
  edit(label, (editor) => formatting.setNumberFormat(editor, pattern), {
    keys,
    isOn: (editor) => (editor.page.formatAt(editor.selection.value.active).number ?? 'General') === pattern,
  });

const border = (choice: BorderChoice, label: StringKey, ...keys: string[]): Action =>
  edit(label, (editor) => setBorders(editor, choice), { keys });

/** How a sheet is shown to everybody. */
type Look = 'hidesGridlines' | 'showsFormulas' | 'rightToLeft';

function turnLook(editor: CellEditor, look: Look): boolean {
  const { id, properties } = editor.page.sheet;
  const patch: { [Name in Look]?: true | null } = {};
  patch[look] = properties[look] ? null : true;
  return editor.change({ op: 'sheet', sheet: id, patch });
}

const selects = (label: StringKey, which: Parameters<typeof select>[1], key: string): Action => ({
  label,
  run: (editor) => select(editor, which),
  keys: [key],
  edits: false,
});

const ofDrawing = (label: StringKey, run: Action['run']): Action =>
  edit(label, run, { can: (editor) => selectedDrawing(editor) !== null });

/** What hangs together first, everything the second time. */
function selectMore(editor: CellEditor): void {
  const selection = editor.selection.peek();
  const view = editor.page.view.peek();
  const region = regionAround(view, selection.active);
  const isRegion =
    isSameRange(region, currentRange(selection)) ||
    isSameRange(region, [
      selection.active.row,
      selection.active.column,
      selection.active.row,
      selection.active.column,
    ]);
  const next = isRegion ? selectAll(selection) : selectRange(view, region, selection.active);
  editor.select(next, { reveals: false });
}

export const actions = {
  undo: edit('actions.undo', (editor) => editor.undo(), {
    keys: ['Mod-z'],
    can: (editor) => editor.page.workbook.value !== undefined && editor.session.shown.canUndo,
  }),
  redo: edit('actions.redo', (editor) => editor.redo(), {
    keys: ['Mod-y', 'Mod-Shift-z'],
    can: (editor) => editor.page.workbook.value !== undefined && editor.session.shown.canRedo,
  }),
  cut: edit('actions.cut', (editor) => void copySelection(editor, true)),
  copy: {
    label: 'actions.copy',
    run: (editor: CellEditor) => void copySelection(editor, false),
    edits: false,
  },
  paste: edit('actions.paste', (editor) => void pasteFromClipboard(editor)),
  pasteValues: edit('sheet.pasteValues', (editor) => void pasteFromClipboard(editor, { part: 'values' })),
  pasteFormulas: edit(
    'sheet.pasteFormulas',
    (editor) => void pasteFromClipboard(editor, { part: 'formulas' }),
  ),
  pasteFormats: edit('sheet.pasteFormats', (editor) => void pasteFromClipboard(editor, { part: 'formats' })),
  pasteTransposed: edit(
    'sheet.pasteTransposed',
    (editor) => void pasteFromClipboard(editor, { isTransposed: true }),
  ),
  selectAll: { label: 'actions.selectAll', run: selectMore, keys: ['Mod-a'], edits: false },
  selectRows: {
    label: 'sheet.selectRows',
    run: (editor: CellEditor) =>
      editor.select(wholeLines(editor.selection.peek(), 'row'), { reveals: false }),
    keys: ['Shift-Space'],
    edits: false,
  },
  selectColumns: {
    label: 'sheet.selectColumns',
    run: (editor: CellEditor) =>
      editor.select(wholeLines(editor.selection.peek(), 'column'), { reveals: false }),
    keys: ['Ctrl-Space'],
    edits: false,
  },
  selectRead: selects('sheet.selectRead', 'read', 'Ctrl-['),
  selectReaders: selects('sheet.selectReaders', 'readers', 'Ctrl-]'),
  selectVisible: selects('sheet.selectVisible', 'visible', 'Alt-;'),
  clearContents: edit(
    'sheet.clearContents',
    (editor) => removeDrawing(editor) || formatting.clearContents(editor),
    {
      keys: ['Delete', 'Backspace'],
    },
  ),
  clearFormats: edit('actions.clearFormatting', (editor) => formatting.clearFormats(editor), {
    keys: ['Mod-\\'],
  }),
  paintFormat: edit('sheet.paintFormat', (editor) => togglePainter(editor), {
    isOn: (editor) => editor.painter.value !== null,
  }),
  bold: font('bold', 'actions.bold', 'Mod-b', 'Mod-2'),
  italic: font('italic', 'actions.italic', 'Mod-i', 'Mod-3'),
  underline: font('underline', 'actions.underline', 'Mod-u', 'Mod-4'),
  strike: font('strike', 'actions.strike', 'Mod-5', 'Alt-Shift-5'),
  alignLeft: horizontal('left', 'actions.alignLeft'),
  alignCenter: horizontal('center', 'actions.alignCenter', 'Mod-Shift-e'),
  alignRight: horizontal('right', 'actions.alignRight', 'Mod-Shift-r'),
  alignTop: vertical('top', 'sheet.alignTop'),
  alignMiddle: vertical('center', 'sheet.alignMiddle'),
  alignBottom: vertical('bottom', 'sheet.alignBottom'),
  wrap: edit('sheet.wrap', (editor) => formatting.toggleWrap(editor), {
    isOn: (editor) => formatting.alignmentOf(editor).wrap === true,
  }),
  turnUp: turned(45, 'sheet.turnUp'),
  turnDown: turned(-45, 'sheet.turnDown'),
  turnBack: turned(0, 'sheet.turnBack'),
  indent: edit('actions.indent', (editor) => formatting.changeIndent(editor, 1)),
  outdent: edit('actions.outdent', (editor) => formatting.changeIndent(editor, -1)),
  merge: edit('actions.mergeCells', (editor) => toggleMerged(editor), {
    isOn: (editor) => structure.isMerged(editor),
  }),
  general: numberFormat('General', 'sheet.general', 'Ctrl-Shift-`'),
  number: numberFormat('#,##0.00', 'sheet.number', 'Ctrl-Shift-1'),
  percent: numberFormat('0%', 'sheet.percent', 'Ctrl-Shift-5'),
  currency: edit('sheet.currency', setCurrency, { keys: ['Ctrl-Shift-4'] }),
  date: edit(
    'sheet.date',
    (editor) => formatting.setNumberFormat(editor, formatting.datePattern(editor.page.settings)),
    {
      keys: ['Ctrl-Shift-3'],
    },
  ),
  time: numberFormat('hh:mm', 'sheet.time', 'Ctrl-Shift-2'),
  accounting: edit('sheet.accounting', setAccounting),
  fraction: numberFormat('# ??/??', 'sheet.fraction'),
  dateTime: edit('sheet.dateTime', (editor) =>
    formatting.setNumberFormat(editor, `${formatting.datePattern(editor.page.settings)} hh:mm`),
  ),
  duration: numberFormat('[h]:mm:ss', 'sheet.duration'),
  scientific: numberFormat('0.00E+00', 'sheet.scientific', 'Ctrl-Shift-6'),
  plainText: numberFormat('@', 'sheet.plainText'),
  moreDecimals: edit('sheet.moreDecimals', (editor) => changeDecimals(editor, 1)),
  fewerDecimals: edit('sheet.fewerDecimals', (editor) => changeDecimals(editor, -1)),
  bordersAll: border('all', 'sheet.bordersAll'),
  bordersOuter: border('outer', 'sheet.bordersOuter', 'Ctrl-Shift-7'),
  bordersThick: border('thickOuter', 'sheet.bordersThick'),
  bordersInner: border('inner', 'sheet.bordersInner'),
  borderTop: border('top', 'sheet.borderTop'),
  borderBottom: border('bottom', 'sheet.borderBottom'),
  borderLeft: border('left', 'sheet.borderLeft'),
  borderRight: border('right', 'sheet.borderRight'),
  bordersNone: border('none', 'sheet.bordersNone', 'Ctrl-Shift--'),
  rowsAbove: edit('actions.rowAbove', (editor) => structure.insertLines(editor, 'row', 'before'), {
    keys: ['Ctrl-Alt-='],
  }),
  rowsBelow: edit('actions.rowBelow', (editor) => structure.insertLines(editor, 'row', 'after')),
  columnsBefore: edit('actions.columnBefore', (editor) => structure.insertLines(editor, 'column', 'before')),
  columnsAfter: edit('actions.columnAfter', (editor) => structure.insertLines(editor, 'column', 'after')),
  deleteRows: edit('sheet.deleteRows', (editor) => structure.deleteLines(editor, 'row'), {
    keys: ['Ctrl-Alt--'],
  }),
  deleteColumns: edit('sheet.deleteColumns', (editor) => structure.deleteLines(editor, 'column')),
  insertCopied: edit('sheet.insertCopied', (editor) => inserting.insertFramed(editor, 'row'), {
    can: (editor) => inserting.canInsertFramed(editor, 'row'),
  }),
  insertCopiedRight: edit('sheet.insertCopiedRight', (editor) => inserting.insertFramed(editor, 'column'), {
    can: (editor) => inserting.canInsertFramed(editor, 'column'),
  }),
  insertCellsDown: edit('sheet.insertCellsDown', (editor) => structure.shiftCells(editor, 'insert', 'row'), {
    keys: ['Ctrl-+'],
  }),
  insertCellsRight: edit('sheet.insertCellsRight', (editor) =>
    structure.shiftCells(editor, 'insert', 'column'),
  ),
  deleteCellsUp: edit('sheet.deleteCellsUp', (editor) => structure.shiftCells(editor, 'delete', 'row'), {
    keys: ['Ctrl--'],
  }),
  deleteCellsLeft: edit('sheet.deleteCellsLeft', (editor) =>
    structure.shiftCells(editor, 'delete', 'column'),
  ),
  hideRows: edit('sheet.hideRows', (editor) => structure.hideLines(editor, 'row'), { keys: ['Ctrl-9'] }),
  hideColumns: edit('sheet.hideColumns', (editor) => structure.hideLines(editor, 'column'), {
    keys: ['Ctrl-0'],
  }),
  showRows: edit('sheet.showRows', (editor) => structure.showLines(editor, 'row'), {
    keys: ['Ctrl-Shift-9'],
  }),
  showColumns: edit('sheet.showColumns', (editor) => structure.showLines(editor, 'column'), {
    keys: ['Ctrl-Shift-0'],
  }),
  group: edit('sheet.group', (editor) => withGroups(editor, (groups) => groups.groupSelected(editor, 1)), {
    keys: ['Alt-Shift-ArrowRight'],
  }),
  ungroup: edit(
    'sheet.ungroup',
    (editor) => withGroups(editor, (groups) => groups.groupSelected(editor, -1)),
    {
      keys: ['Alt-Shift-ArrowLeft'],
    },
  ),
  groupRows: edit('sheet.groupRows', (editor) =>
    withGroups(editor, (groups) => groups.groupLines(editor, 'row', 1)),
  ),
  ungroupRows: edit(
    'sheet.ungroupRows',
    (editor) => withGroups(editor, (groups) => groups.groupLines(editor, 'row', -1)),
    {
      can: (editor) => isGrouped(editor, 'row'),
    },
  ),
  groupColumns: edit('sheet.groupColumns', (editor) =>
    withGroups(editor, (groups) => groups.groupLines(editor, 'column', 1)),
  ),
  ungroupColumns: edit(
    'sheet.ungroupColumns',
    (editor) => withGroups(editor, (groups) => groups.groupLines(editor, 'column', -1)),
    {
      can: (editor) => isGrouped(editor, 'column'),
    },
  ),
  closeGroup: edit(
    'sheet.closeGroup',
    (editor) => withGroups(editor, (groups) => groups.turnGroup(editor, true)),
    {
      keys: ['Alt-Shift-ArrowUp'],
      can: (editor) => canTurnGroup(editor, true),
    },
  ),
  openGroup: edit(
    'sheet.openGroup',
    (editor) => withGroups(editor, (groups) => groups.turnGroup(editor, false)),
    {
      keys: ['Alt-Shift-ArrowDown'],
      can: (editor) => canTurnGroup(editor, false),
    },
  ),
  sumsAbove: edit(
    'sheet.sumsAbove',
    (editor) => withGroups(editor, (groups) => groups.turnSummary(editor, 'row')),
    {
      isOn: (editor) => editor.page.sheet.properties.summaryAbove === true,
    },
  ),
  sumsLeft: edit(
    'sheet.sumsLeft',
    (editor) => withGroups(editor, (groups) => groups.turnSummary(editor, 'column')),
    {
      isOn: (editor) => editor.page.sheet.properties.summaryLeft === true,
    },
  ),
  fitRows: edit('sheet.fitRows', (editor) => fitLines(editor, 'row', structure.selectedSpans(editor, 'row'))),
  fitColumns: edit('sheet.fitColumns', (editor) =>
    fitLines(editor, 'column', structure.selectedSpans(editor, 'column')),
  ),
  sumUp: edit('sheet.sumUp', (editor) => sumUp(editor), { keys: ['Alt-='] }),
  freeze: edit('sheet.freeze', (editor) => structure.toggleFrozen(editor), {
    isOn: (editor) => editor.page.sheet.properties.frozen !== undefined,
  }),
  freezeRow: edit('sheet.freezeRow', (editor) => structure.freeze(editor, 1, 0)),
  freezeColumn: edit('sheet.freezeColumn', (editor) => structure.freeze(editor, 0, 1)),
  gridlines: edit('sheet.gridlines', (editor) => turnLook(editor, 'hidesGridlines'), {
    isOn: (editor) => editor.page.sheet.properties.hidesGridlines !== true,
  }),
  showFormulas: edit('sheet.showFormulas', (editor) => turnLook(editor, 'showsFormulas'), {
    keys: ['Ctrl-`'],
    isOn: (editor) => editor.page.sheet.properties.showsFormulas === true,
  }),
  rightToLeft: edit('sheet.rightToLeft', (editor) => turnLook(editor, 'rightToLeft'), {
    isOn: (editor) => editor.page.sheet.properties.rightToLeft === true,
  }),
  pageBreak: edit('actions.pageBreak', (editor) => toggleBreaks(editor), {
    can: canBreakHere,
    isOn: breaksHere,
  }),
  removeBreaks: edit('sheet.removeBreaks', (editor) => removeBreaks(editor), { can: hasBreaks }),
  sortRising: edit('sheet.sortRising', (editor) => sortRows(editor, 1)),
  sortFalling: edit('sheet.sortFalling', (editor) => sortRows(editor, -1)),
  filter: edit('sheet.filter', (editor) => toggleFilter(editor), {
    keys: ['Mod-Shift-l', 'Mod-Shift-f'],
    isOn: hasFilterButtons,
    can: (editor) => editor.role.canFilter,
  }),
  filterAgain: edit('sheet.filterAgain', (editor) => filterAgain(editor), {
    keys: ['Ctrl-Alt-l'],
    can: (editor) => editor.role.canFilter && isFiltered(editor),
  }),
  fillDown: edit('sheet.fillDown', (editor) => fillSelection(editor, 'row'), { keys: ['Mod-d'] }),
  fillRight: edit('sheet.fillRight', (editor) => fillSelection(editor, 'column'), { keys: ['Mod-r'] }),
  lockCells: edit('rules.lockCells', (editor) => toggleProtection(editor, 'locked'), {
    isOn: isLocked,
    can: (editor) => editor.role.canProtect,
  }),
  hideFormulas: edit('rules.hideFormulas', (editor) => toggleProtection(editor, 'hidden'), {
    isOn: isFormulaHidden,
    can: (editor) => editor.role.canProtect,
  }),
  circleWrong: { label: 'rules.circleWrong', run: circleWrong, edits: false },
  nextDrawing: {
    label: 'drawings.goTo',
    run: (editor: CellEditor) => void stepDrawing(editor, 1),
    keys: ['Ctrl-Alt-5'],
    edits: false,
    can: (editor: CellEditor) => itemsOf(editor.page.sheet, 'drawing').size > 0,
  },
  insertChart: edit(
    'charts.insert',
    (editor) => void chartEditing().then((charts) => charts?.insertChart(editor)),
    {
      keys: ['Alt-F1'],
    },
  ),
  editChart: edit(
    'charts.edit',
    (editor) => {
      editor.panel.value = 'chart';
    },
    {
      can: (editor) => selectedDrawing(editor)?.[1].chart !== undefined,
    },
  ),
  drawingToFront: ofDrawing('drawings.toFront', (editor) => layerDrawing(editor, 'front')),
  drawingToBack: ofDrawing('drawings.toBack', (editor) => layerDrawing(editor, 'back')),
  removeDrawing: ofDrawing('drawings.remove', (editor) => removeDrawing(editor)),
  addSheet: edit('sheet.addSheet', (editor) => sheets.addSheet(editor), { keys: ['Shift-F11'] }),
  copySheet: edit('sheet.copySheet', (editor) => sheets.copySheet(editor)),
  removeSheet: edit('sheet.removeSheet', (editor) => sheets.removeSheet(editor)),
  hideSheet: edit('sheet.hideSheet', (editor) => sheets.hideSheet(editor)),
  sheetBefore: edit('sheet.moveSheetBefore', (editor) => sheets.moveSheet(editor, -1)),
  sheetAfter: edit('sheet.moveSheetAfter', (editor) => sheets.moveSheet(editor, 1)),
} as const satisfies Record<string, Action>;

export type ActionName = keyof typeof actions;

/** The action of a name, as an action. */
export const actionOf = (name: ActionName): Action => actions[name];
