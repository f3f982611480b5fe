import { showsText } from '../../../model/cell/formats/shown-value.ts';
import { isReference, partsOf } from '../../../model/cell/formula/formula-parts.ts';
import { CELL_LIMITS } from '../../../model/cell/limits.ts';
import type { CellOperation } from '../../../model/cell/operations.ts';
import { isLeftOpen } from '../../../model/cell/protection.ts';
import { sheetNamed, sheetOf } from '../../../model/cell/workbook.ts';
import { laterPart } from '../../kit/later.tsx';
import { dismissNotice, notify } from '../../kit/notices.tsx';
import { t } from '../../strings/strings.ts';
import type { CellEditor } from '../cell-editor.ts';
import { beginEditing, beginTyping, type Editing, typed, withFunction } from '../editing/cell-editing.ts';
import { formulaFault } from '../editing/formula-fault.ts';
import { isFormula } from '../editing/typed-tokens.ts';
import { formatOfFormula } from '../formats/formula-format.ts';
import { type CellPosition, cornerOf, heightOf, isSameCell, widthOf } from '../grid/cell-areas.ts';
import { setOperation } from './cell-input.ts';
import { numbersIn, widenForResults, widening } from './column-widening.ts';
import { tellForeignNames } from './foreign-names.ts';
import { datePattern } from './formatting.ts';
import { fitRowsAfter } from './later-line-fitting.ts';
import { pivotNotices } from './later-pivot-notice.ts';
import { tellProtected } from './later-refusal.ts';
import { seenCells } from './selected-areas.ts';
import { tableGrowth } from './table-growth.ts';
import { linkTyped } from './typed-links.ts';
import { isAllowed, validationAt } from './validation.ts';

const calculatedColumns = laterPart(() => import('./calculated-column.ts'));
const entryChecks = laterPart(() => import('./entry-check.ts'));

/** A text can be given to so many cells at once. */
const mostFilled = 10_000;

/** Begins to type over the active cell. */
export function typeOver(editor: CellEditor, text: string): void {
  if (!mayBegin(editor)) return;
  editor.clipboard.endFrame();
  const { active } = editor.selection.peek();
  editor.editing.value = beginTyping(editor.page.sheetId.peek(), active, text);
  editor.grid?.reveal(active);
}

/** Puts a function into the formula that is typed, or begins one in the active cell. */
export function insertFunction(editor: CellEditor, name: string): void {
  if (!editor.editing.peek()) typeOver(editor, '');
  const editing = editor.editing.peek();
  if (editing) editor.editing.value = withFunction(editing, name);
}

/** Begins to edit what the active cell has. */
export function editActive(editor: CellEditor, place: Editing['place'] = 'cell'): void {
  if (!mayBegin(editor)) return;
  editor.clipboard.endFrame();
  const { active } = editor.selection.peek();
  editor.editing.value = beginEditing(editor.page.sheetId.peek(), active, editor.page.textOf(active), place);
  editor.grid?.reveal(active);
}

/**
 * Gives the cell what was typed, or all that are selected. True if nothing stands in the way of going on. Where a rule of the
 * cell has to be calculated first, it is done later, and `then` is called.
 */
export function commit(
  editor: CellEditor,
  { toAll = false, then }: { toAll?: boolean; then?: () => void } = {},
): boolean {
  const editing = accepted(editor.editing.peek());
  const again = () => {
    const now = accepted(editor.editing.peek());
    const isSame = now?.text === editing?.text && now?.sheet === editing?.sheet;
    if (now && isSame && isSameCell(now.cell, editing!.cell) && commit(editor, { toAll })) then?.();
  };
  if (!editing) return true;
  const { text } = editing;
  if (isTooLong(text) || isFaulty(editor, editing) || !passes(editor, editing, again)) return false;
  if (toAll && areTooMany(editor)) return false;
  dismissNotice(faultTopic);
  editor.editing.value = null;
  editor.sheets.show(editing.sheet);
  if (!toAll && text === editor.page.textOf(editing.cell)) return true;
  const cells = toAll ? selectedCells(editor) : [editing.cell];
  const inputs = cells.map((cell) => typedInto(editor, cell, text));
  const growth = toAll ? [] : tableGrowth(editor.page, editing.cell, text, t('rules.columnStem'));
  const set = setOperation(editing.sheet, inputs, editor.page.settings, editing.cell);
  if (!editor.change(...growth, set, ...widening(editor, numbersIn(editor, set)))) {
    // What was typed is not lost with it.
    if (editor.canEdit) editor.editing.value = editing;
    return false;
  }
  if (!toAll) {
    linkTyped(editor, editing.cell, text);
    tellForeignNames(text, (english) => {
      editor.sheets.show(editing.sheet);
      if (editor.page.textOf(editing.cell) === text) enterEach(editor, [{ ...editing.cell, text: english }]);
      editor.focus();
    });
    calculateColumn(editor, editing);
  }
  editor.cells.entered(editor.session.workbook, editing.sheet, editing.cell, () => {
    widenForResults(editor, editing.sheet, cells);
    fitRowsAfter(editor, [set]);
  });
  return true;
}

/** Has a formula that was entered calculate the column of its table; it is taken back by itself, before the formula. */
function calculateColumn(editor: CellEditor, { sheet: id, cell, text }: Editing): void {
  if (!isFormula(text)) return;
  void calculatedColumns.loadOrTell().then((part) => {
    const sheet = sheetOf(editor.session.workbook, id);
    const operations = (sheet && part?.calculatedColumn(sheet, cell)) ?? [];
    if (operations.length > 0) editor.makes(...operations);
  });
}

/** What is typed, with the entry that is proposed for it. */
const accepted = (editing: Editing | null): Editing | null =>
  editing?.proposed ? typed(editing, editing.proposed, editing.proposed.length) : editing;

/** Gives cells of the sheet that is shown each a text of its own, as if it were typed there. */
export function enterEach(
  editor: CellEditor,
  texts: readonly (CellPosition & { readonly text: string })[],
): boolean {
  const [first] = texts;
  if (!first) return false;
  const sheet = editor.page.sheetId.peek();
  const inputs = texts.map(({ text, ...cell }) => typedInto(editor, cell, text));
  const set = setOperation(sheet, inputs, editor.page.settings);
  if (!editor.change(set, ...widening(editor, numbersIn(editor, set)))) return false;
  editor.cells.entered(editor.session.workbook, sheet, first, () => {
    widenForResults(editor, sheet, texts);
  });
  return true;
}

/** A text for a cell, with what the cell has. */
const typedInto = (editor: CellEditor, cell: CellPosition, text: string) => ({
  ...{ ...cell, text },
  cell: {
    ...editor.page.editedCell(cell),
    formatOfFormula: (formula: string) => typedFormat(editor, formula),
  },
});

/** Whether a cell has no room for what was typed, which is said. */
function isTooLong(text: string): boolean {
  const { formulaChars, textChars } = CELL_LIMITS;
  const count = isFormula(text) ? formulaChars : textChars;
  if (text.length - (isFormula(text) ? 1 : 0) <= count) return false;
  notify({ text: t('sheet.tooLong', { count }), kind: 'warning', topic: 'sheet-refused' });
  return true;
}

/** Of what is said about a formula, until it is entered or given up. */
const faultTopic = 'sheet-formula';

/** Whether what was typed begins as a formula and cannot be one, which is said: it stays in the field. */
function isFaulty(editor: CellEditor, { sheet: id, cell, text }: Editing): boolean {
  const sheet = sheetOf(editor.page.workbook.peek(), id);
  if (!sheet || !isFormula(text) || text.length === 1) return false;
  const view = editor.page.viewOf(sheet);
  const { format, table } = editor.page.editedCell(cell, view);
  if (showsText(format.number ?? 'General') || text === editor.page.textOf(cell, view)) return false;
  const fault = formulaFault(text, editor.page.settings.locale, table !== null);
  if (!fault) return false;
  notify({ text: `${fault} ${t('sheet.faultyFormula')}`, kind: 'warning', topic: faultTopic });
  editor.focus();
  return true;
}

/** The number format that a formula on the sheet that is shown gives to a cell that has none. */
function typedFormat(editor: CellEditor, formula: string): string | null {
  const day = datePattern(editor.page.settings);
  return formatOfFormula(formula, {
    patterns: { day, moment: `${day} hh:mm`, time: 'hh:mm' },
    formatOf(reference) {
      const [place] = partsOf(reference);
      if (typeof place !== 'object' || !isReference(place)) return null;
      const [row, column] = place.area;
      const workbook = editor.page.workbook.peek();
      const sheet = place.sheet === null ? undefined : sheetNamed(workbook, place.sheet);
      if (place.sheet !== null && !sheet) return null;
      const format = sheet
        ? workbook.formats.at(sheet.grid.cell(row, column).format)
        : editor.page.formatAt({ row, column });
      return format.number ?? null;
    },
  });
}

/** Leaves the cell as it was. */
export function cancel(editor: CellEditor): void {
  const editing = editor.editing.peek();
  editor.editing.value = null;
  dismissNotice(faultTopic);
  if (editing) editor.sheets.show(editing.sheet);
}

/**
 * Whether a cell takes what was typed; says why it does not. A mere warning does not stand in the way.
 * @param again called when more is known, where that has to be calculated
 */
function passes(editor: CellEditor, { sheet: id, cell, text }: Editing, again: () => void): boolean {
  const sheet = sheetOf(editor.page.workbook.peek(), id);
  const rule = sheet && text !== editor.page.textOf(cell) ? validationAt(sheet, cell) : null;
  if (!sheet || !rule || rule.showsError === false) return true;
  const checks = entryChecks.loaded;
  if (!checks) {
    void entryChecks.loadOrTell().then((part) => part && again());
    return false;
  }
  const facts = checks.ruleFacts(editor, rule, { sheet, cell, text }, again);
  if (!facts) return false;
  if (facts.isUnknown) notify({ text: t('sheet.notChecked'), kind: 'warning', topic: 'sheet-validation' });
  if (isAllowed(rule, text, facts.choices, editor.page.settings, facts.operands)) return true;
  const said = [rule.errorTitle, rule.error].filter((part) => part).join(': ');
  notify({ text: said || t('sheet.notAllowed'), kind: 'warning', topic: 'sheet-validation' });
  return rule.style === 'warning' || rule.style === 'information';
}

/** Whether the active cell can be typed into; says why it cannot. */
function mayBegin(editor: CellEditor): boolean {
  if (!editor.canEdit) return false;
  const { active } = editor.selection.peek();
  const sheet = editor.page.sheetId.peek();
  const holder = editor.held.peek().get(sheet)?.name;
  if (holder !== undefined) {
    notify({ text: t('sheet.openedBy', { name: holder }), kind: 'warning', topic: 'sheet-held' });
    return false;
  }
  const probe: CellOperation = { op: 'set', sheet, cells: [[active.row, active.column, { v: null }]] };
  if (!isLeftOpen(editor.page.workbook.peek(), probe)) {
    tellProtected(editor.page.workbook.peek(), [probe]);
    return false;
  }
  tellOfTyping(editor, sheet, active);
  const { sheet: shown } = editor.page.view.peek();
  void pivotNotices.load().then(
    (part) => part.tellOfTyping(shown, active),
    () => undefined,
  );
  return true;
}

/** Two who type into one cell are better told before than after. */
function tellOfTyping(editor: CellEditor, sheet: string, cell: CellPosition): void {
  for (const other of editor.others.peek().values()) {
    if (!other.isEditing || other.sheet !== sheet || !isSameCell(cornerOf(other.range), cell)) continue;
    notify({ text: t('sheet.typedIn', { name: other.name }), kind: 'info', topic: 'sheet-typed-in' });
  }
}

/** The cells that all get what is typed into one of them. */
const selectedCells = (editor: CellEditor): CellPosition[] =>
  editor.selection.peek().ranges.flatMap((range) => seenCells(editor.page.view.peek(), range));

/** Whether more cells are selected than can be given a text at once, which is said. */
function areTooMany(editor: CellEditor): boolean {
  const { ranges } = editor.selection.peek();
  const count = ranges.reduce((sum, range) => sum + heightOf(range) * widthOf(range), 0);
  if (count <= mostFilled) return false;
  notify({ text: t('sheet.tooManyCells', { count: mostFilled }), kind: 'warning', topic: 'sheet-refused' });
  return true;
}
