import { type FormatSettings, shownValue } from '../../../model/cell/formats/shown-value.ts';
import { typedValue } from '../../../model/cell/formats/typed-value.ts';
import { copiedParts } from '../../../model/cell/formula/formula.ts';
import { isReference, partsOf } from '../../../model/cell/formula/formula-parts.ts';
import type { ItemOf } from '../../../model/cell/items.ts';
import { type CellValue, isErrorValue, textOfValue } from '../../../model/cell/values.ts';
import { itemsOf, type Sheet, sheetNamed, type Workbook } from '../../../model/cell/workbook.ts';
import { type CellPosition, isIn } from '../grid/cell-areas.ts';

export type Validation = ItemOf<'validation'>;

/** So many choices are listed. */
export const mostChoices = 1_000;

/** What the formulas of a rule come to, by their places; undefined for one that is not known. */
export type Operands = readonly (CellValue | undefined)[];

/** What may be typed into a cell; null where everything may. */
export function validationAt(sheet: Sheet, cell: CellPosition): Validation | null {
  for (const rule of itemsOf(sheet, 'validation').values()) {
    if (rule.type !== 'any' && rule.areas.some((area) => isIn(cell, area))) return rule;
  }
  return null;
}

/** The choices of a list: words, or what cells have; null where they would have to be calculated. */
export function choicesOf(
  rule: Validation,
  workbook: Workbook,
  sheet: Sheet,
  cell: CellPosition,
  settings: FormatSettings,
): string[] | null {
  const [formula = ''] = rule.formulas;
  if (rule.type !== 'list') return null;
  const quoted = /^"((?:[^"]|"")*)"$/.exec(formula.trim());
  if (quoted) {
    return quoted[1]!
      .replaceAll('""', '"')
      .split(',')
      .map((choice) => choice.trim());
  }
  const [top, left] = rule.areas[0]!;
  const [part, ...rest] = copiedParts(partsOf(formula), cell.row - top, cell.column - left);
  if (part === undefined || rest.length > 0 || typeof part === 'string' || !isReference(part)) return null;
  const source = part.sheet === null ? sheet : sheetNamed(workbook, part.sheet);
  if (!source) return null;
  const [first, from, last, to] = part.area;
  const choices: string[] = [];
  for (const [, { columns, cells }] of source.grid.rows(first, last)) {
    for (const [at, column] of columns.entries()) {
      if (column < from || column > to || choices.length >= mostChoices) continue;
      const { value, format } = cells[at]!;
      const pattern = workbook.formats.at(format).number ?? 'General';
      if (typeof value === 'number' || typeof value === 'string') {
        choices.push(shownValue(value, pattern, settings).text);
      }
    }
  }
  return choices;
}

/** Values of a formula as choices of a list; null for a formula that comes to an error, which lets in everything. */
export function choicesOfValues(values: readonly CellValue[], settings: FormatSettings): string[] | null {
  const [first = null] = values;
  if (values.length === 1 && isErrorValue(first)) return null;
  return values.flatMap((value) => {
    if (value === null || value === '') return [];
    return [typeof value === 'number' ? shownValue(value, 'General', settings).text : textOfValue(value)];
  });
}

/** The places of the formulas of a rule that have to be calculated. @param choices of a list, as \`choicesOf\` says */
export function calculatedFormulas(rule: Validation, choices: readonly string[] | null): number[] {
  const { type, formulas } = rule;
  if (type === 'any' || (type === 'list' && choices !== null)) return [];
  if (type === 'list' || type === 'custom') return formulas.length > 0 ? [0] : [];
  return formulas.flatMap((formula, place) => (constantOf(formula) === null ? [place] : []));
}

/** The number that a formula is, as files write it; null for another formula. */
function constantOf(formula: string): number | null {
  const constant = typedValue(formula, 'General', { locale: 'en' });
  return constant.kind === 'number' ? constant.number : null;
}

/**
 * Whether a text may be typed into a cell that a rule is for. What is not known is let pass.
 * @param operands what those of the rule's formulas come to that have to be calculated
 */
export function isAllowed(
  rule: Validation,
  text: string,
  choices: readonly string[] | null,
  settings: FormatSettings,
  operands: Operands = [],
): boolean {
  const typed = typedValue(text, 'General', settings);
  if (rule.type === 'custom' && typed.kind !== 'nothing') {
    const [result] = operands;
    return result === undefined || result === true || (typeof result === 'number' && result !== 0);
  }
  if (typed.kind === 'formula') return true;
  if (typed.kind === 'nothing') return rule.allowsBlank !== false;
  if (rule.type === 'list') {
    const number = typed.kind === 'number' ? shownValue(typed.number, 'General', settings).text : null;
    const isChoice = (choice: string) =>
      choice === number || choice.toLowerCase() === text.trim().toLowerCase();
    return choices === null || choices.some(isChoice);
  }
  const number = rule.type === 'textLength' ? text.length : typed.kind === 'number' ? typed.number : null;
  if (rule.type === 'custom' || rule.type === 'any') return true;
  if (number === null) return false;
  if (rule.type === 'whole' && !Number.isInteger(number)) return false;
  const bounds = rule.formulas.map((formula, place) => {
    const operand = operands[place];
    return constantOf(formula) ?? (typeof operand === 'number' ? operand : null);
  });
  const [one, other = null] = bounds;
  if (one === undefined || one === null) return true;
  switch (rule.operator ?? 'between') {
    case 'equal':
      return number === one;
    case 'notEqual':
      return number !== one;
    case 'greaterThan':
      return number > one;
    case 'greaterThanOrEqual':
      return number >= one;
    case 'lessThan':
      return number < one;
    case 'lessThanOrEqual':
      return number <= one;
    case 'notBetween':
      return other === null || number < one || number > other;
    default:
      return other === null || (number >= one && number <= other);
  }
}
