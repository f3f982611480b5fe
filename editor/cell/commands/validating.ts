import type { Area } from '../../../model/cell/area.ts';
import type { FormatSettings } from '../../../model/cell/formats/shown-value.ts';
import type { CellOperation } from '../../../model/cell/operations.ts';
import { itemsOf } from '../../../model/cell/workbook.ts';
import { notify } from '../../kit/notices.tsx';
import { t } from '../../strings/strings.ts';
import type { CellEditor } from '../cell-editor.ts';
import { type CellPosition, cornerOf } from '../grid/cell-areas.ts';
import { calculatedFacts, ruleFormula } from './entry-check.ts';
import { formulasFrom, ruleWithout } from './ruled-areas.ts';
import {
  choicesOf,
  choicesOfValues,
  isAllowed,
  mostChoices,
  type Validation,
  validationAt,
} from './validation.ts';

/** So many wrong cells are shown. */
const mostWrong = 1_000;

/** The rule of the active cell, with its formulas as they are seen from there; null where everything may be typed. */
export function validationHere(editor: CellEditor): Validation | null {
  const { active } = editor.selection.peek();
  const rule = validationAt(editor.page.sheet, active);
  if (!rule) return null;
  return { ...rule, formulas: formulasFrom(rule, [active.row, active.column, active.row, active.column]) };
}

/**
 * Gives what is selected another rule, or none: then everything may be typed.
 * @param rule its formulas are seen from the active cell
 */
export function setValidation(editor: CellEditor, rule: Omit<Validation, 'areas'> | null): boolean {
  const sheet = editor.page.sheetId.peek();
  const { active, ranges } = editor.selection.peek();
  const areas = [...ranges];
  const operations: CellOperation[] = [];
  for (const [id, item] of itemsOf(editor.page.sheet, 'validation')) {
    const left = ruleWithout(item, areas);
    if (left === item) continue;
    if (left === null) operations.push({ op: 'drop', sheet, kind: 'validation', id });
    else
      operations.push({
        ...{ op: 'patch', sheet, kind: 'validation', id },
        patch: { areas: left.areas, formulas: left.formulas },
      });
  }
  if (rule) {
    const seen = {
      areas: [[active.row, active.column, active.row, active.column]] as const,
      formulas: rule.formulas,
    };
    const item = { ...rule, areas, formulas: formulasFrom(seen, areas[0]!) };
    operations.push({ op: 'put', sheet, kind: 'validation', id: editor.newId(), item });
  }
  return operations.length === 0 || editor.change(...operations);
}

/** The choices for a cell of the sheet that is shown; null while they are not calculated. */
export function choicesHere(editor: CellEditor, rule: Validation, cell: CellPosition): string[] | null {
  const { sheet } = editor.page;
  const choices = choicesOf(rule, editor.page.workbook.value, sheet, cell, editor.page.settings);
  if (choices || rule.type !== 'list' || rule.formulas.length === 0) return choices;
  const values = editor.cells.formulaValues(sheet.id, ruleFormula(rule, 0), cell, mostChoices);
  return values && choicesOfValues(values, editor.page.settings);
}

/** Cells of the sheet that hold what their rule does not let in. */
async function wrongCells(editor: CellEditor): Promise<Area[]> {
  const view = editor.page.view.peek();
  const { sheet } = view;
  const found: Area[] = [];
  if (itemsOf(sheet, 'validation').size === 0) return found;
  for (const [row, { columns, cells }] of sheet.grid.rows()) {
    for (const [at, column] of columns.entries()) {
      const place = { row, column };
      const rule = cells[at]!.value === null ? null : validationAt(sheet, place);
      if (!rule) continue;
      const value = view.valueAt(row, column);
      const text =
        typeof value === 'number' ? plainNumber(value, editor.page.settings) : editor.page.textOf(place);
      const facts = await calculatedFacts(editor, rule, { sheet, cell: place, text });
      const shown = rule.type === 'list' ? (view.cellAt(row, column)?.text ?? text) : text;
      if (isAllowed(rule, shown, facts.choices, editor.page.settings, facts.operands)) continue;
      found.push([row, column, row, column]);
      if (found.length >= mostWrong) return found;
    }
  }
  return found;
}

/** Draws a line around the cells that hold what they may not, and says how many there are. */
export async function circleWrong(editor: CellEditor): Promise<void> {
  const wrong = await wrongCells(editor);
  editor.marks.wrong.value = wrong;
  const text = wrong.length === 0 ? t('rules.noneWrong') : t('rules.wrongCount', { count: wrong.length });
  notify({ text, kind: 'info', topic: 'sheet-validation' });
  if (wrong[0]) editor.grid?.reveal(cornerOf(wrong[0]));
}

/** A number as people who speak the language would type it, with all its digits. */
const plainNumber = (value: number, { locale }: FormatSettings): string =>
  new Intl.NumberFormat(locale, { useGrouping: false, maximumFractionDigits: 15 }).format(value);
