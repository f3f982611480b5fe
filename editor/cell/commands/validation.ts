import { copiedParts } from '../../../model/cell/formula/formula.ts';
import { isReference, partsOf } from '../../../model/cell/formula/formula-parts.ts';
import type { ItemOf } from '../../../model/cell/items.ts';
import { itemsOf, type Sheet, sheetNamed, type Workbook } from '../../../model/cell/workbook.ts';
import { type FormatSettings, shownValue } from '../formats/shown-value.ts';
import { typedValue } from '../formats/typed-value.ts';
import { type CellPosition, isIn } from '../grid/cell-range.ts';
import { rangeOfArea } from '../shown/sheet-view.ts';

export type Validation = ItemOf<'validation'>;

/** So many choices are listed. */
const mostChoices = 1_000;

/** What may be typed into a cell; null where everything may. */
export function validationAt(sheet: Sheet, cell: CellPosition): Validation | null {
  for (const rule of itemsOf(sheet, 'validation').values()) {
    if (rule.type !== 'any' && rule.areas.some((area) => isIn(cell, rangeOfArea(area)))) return rule;
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

/** Whether a text may be typed into a cell that a rule is for. What would have to be calculated is let pass. */
export function isAllowed(
  rule: Validation,
  text: string,
  choices: readonly string[] | null,
  settings: FormatSettings,
): boolean {
  const typed = typedValue(text, 'General', settings);
  if (typed.kind === 'formula') return true;
  if (typed.kind === 'nothing') return rule.allowsBlank !== false;
  if (rule.type === 'list') {
    return choices === null || choices.some((choice) => choice.toLowerCase() === text.trim().toLowerCase());
  }
  const number = rule.type === 'textLength' ? text.length : typed.kind === 'number' ? typed.number : null;
  if (rule.type === 'custom' || rule.type === 'any') return true;
  if (number === null) return false;
  if (rule.type === 'whole' && !Number.isInteger(number)) return false;
  const bounds = rule.formulas.map((formula) => {
    const bound = typedValue(formula, 'General', { locale: 'en' });
    return bound.kind === 'number' ? bound.number : null;
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
