import { type Area, intersection } from '../../../model/cell/area.ts';
import type { Alignment, BorderLine, Borders, Color, FormatPatch } from '../../../model/cell/cell-format.ts';
import { type FormatSettings, shownValue } from '../../../model/cell/formats/shown-value.ts';
import type { CellOperation } from '../../../model/cell/operations.ts';
import type { CellValue } from '../../../model/cell/values.ts';
import type { CellEditor } from '../cell-editor.ts';
import { decimalsOf, formatsOf, kindOfFormat } from '../formats/format-kinds.ts';
import { cellsOf, heightOf, widthOf } from '../grid/cell-areas.ts';
import { type EnteredNumber, mostMeasured, widening } from './column-widening.ts';
import { doRepeatably } from './repeating.ts';
import { selectedAreas } from './selected-areas.ts';

/** Has what is selected look otherwise. */
export function formatSelection(editor: CellEditor, patch: FormatPatch): boolean {
  return doRepeatably(editor, () => editor.change(...formatOperations(editor, patch)));
}

function formatOperations(editor: CellEditor, patch: FormatPatch): CellOperation[] {
  const sheet = editor.page.sheetId.peek();
  return selectedAreas(editor).map((areas) => ({ op: 'format', sheet, areas, patch }));
}

export type FontToggle = 'bold' | 'italic' | 'strike' | 'underline';

/** The active cell says what a toggle is. */
export function isFontOn(editor: CellEditor, name: FontToggle): boolean {
  const font = editor.page.formatAt(editor.selection.value.active).font;
  return name === 'underline' ? font?.underline !== undefined : font?.[name] === true;
}

export function toggleFont(editor: CellEditor, name: FontToggle): boolean {
  const isOn = isFontOn(editor, name);
  const on = name === 'underline' ? ('single' as const) : true;
  return formatSelection(editor, { font: { [name]: isOn ? null : on } });
}

export const alignmentOf = (editor: CellEditor): Alignment =>
  editor.page.formatAt(editor.selection.value.active).align ?? {};

export function setHorizontal(editor: CellEditor, side: NonNullable<Alignment['horizontal']>): boolean {
  const isOn = alignmentOf(editor).horizontal === side;
  return formatSelection(editor, { align: { horizontal: isOn ? null : side } });
}

export const setVertical = (editor: CellEditor, side: NonNullable<Alignment['vertical']>): boolean =>
  formatSelection(editor, { align: { vertical: side === 'bottom' ? null : side } });

export const toggleWrap = (editor: CellEditor): boolean =>
  formatSelection(editor, { align: { wrap: alignmentOf(editor).wrap ? null : true } });

export function changeIndent(editor: CellEditor, by: 1 | -1): boolean {
  const indent = Math.min(15, Math.max(0, (alignmentOf(editor).indent ?? 0) + by));
  return formatSelection(editor, { align: { indent: indent === 0 ? null : indent, horizontal: 'left' } });
}

/** Turns text counter-clockwise, or clockwise below 0; to upright where it is turned that way already. */
export function turnText(editor: CellEditor, degrees: 45 | -45 | 0): boolean {
  // As xlsx counts: what is turned clockwise goes on behind 90.
  const stored = (angle: number) => (angle < 0 ? 90 - angle : angle);
  const isTurned = alignmentOf(editor).rotation === stored(degrees);
  const rotation = stored(isTurned ? degrees * 2 : degrees);
  return formatSelection(editor, { align: { rotation: rotation === 0 ? null : rotation } });
}

export function setNumberFormat(editor: CellEditor, pattern: string): boolean {
  const patch = { number: pattern === 'General' ? null : pattern };
  return doRepeatably(editor, () => {
    const wide = widening(editor, selectedNumbers(editor, pattern));
    return editor.change(...formatOperations(editor, patch), ...wide);
  });
}

/** The numbers that are selected, as they are shown by another number format. */
function selectedNumbers(editor: CellEditor, pattern: string): EnteredNumber[] {
  const view = editor.page.view.peek();
  const { used } = view;
  const numbers: EnteredNumber[] = [];
  for (const range of used ? editor.selection.peek().ranges : []) {
    const part = intersection(range, used!);
    for (const { row, column } of part ? cellsOf(part) : []) {
      const value = view.valueAt(row, column);
      if (typeof value === 'number') numbers.push({ row, column, value, pattern });
      if (numbers.length >= mostMeasured) return numbers;
    }
  }
  return numbers;
}

/** One decimal more, or one less, of every kind of number. */
export function changeDecimals(editor: CellEditor, by: 1 | -1): boolean {
  const { active } = editor.selection.peek();
  const { number = 'General' } = editor.page.formatAt(active);
  return setNumberFormat(editor, withDecimals(plainPattern(number, editor.page.valueAt(active)), by));
}

/** A number format for a general number, by the decimals that it has; any other stays what it is. */
export function plainPattern(pattern: string, value: CellValue): string {
  if (kindOfFormat(pattern) !== 'general' || typeof value !== 'number') return pattern;
  const decimals = /^-?\d+\.(\d+)$/.exec(shownValue(value, pattern, { locale: 'en' }).text)?.[1];
  return decimals ? `0.${'0'.repeat(decimals.length)}` : '0';
}

/** What stands for itself or is no number: texts, conditions, colours, languages, exponents; and the last digit with its decimals. */
const lastDigits =
  /"-"(\?+)|"[^"]*"|\[[^\]]*\]|\\.|[_*].|E[+-][0#?]+|([0#])(?:\.([0#?]+))?(?![0#?.]|,[0#?])/gi;

/** A number format with a decimal more or less; fractions, days, times and texts have none. */
export function withDecimals(pattern: string, by: 1 | -1): string {
  const kind = kindOfFormat(pattern);
  if (kind === 'general') return by > 0 ? '0.0' : '0';
  if (['fraction', 'date', 'time', 'text'].includes(kind)) return pattern;
  return pattern.replace(lastDigits, (whole, blanks?: string, digit?: string, decimals = '') => {
    // The line that stands for nothing in accounting is as far from the edge as numbers are.
    if (blanks) return `"-"${'?'.repeat(Math.min(30, Math.max(0, blanks.length + by)))}`;
    if (!digit) return whole;
    const count = Math.min(30, Math.max(0, decimals.length + by));
    if (count === decimals.length) return whole;
    return count === 0 ? digit : `${digit}.${decimals.slice(0, count).padEnd(count, '0')}`;
  });
}

export const setTextColor = (editor: CellEditor, color: Color | null): boolean =>
  formatSelection(editor, { font: { color } });

export const setFillColor = (editor: CellEditor, color: Color | null): boolean =>
  formatSelection(editor, { fill: color && { pattern: 'solid', color } });

export type BorderChoice =
  | 'all'
  | 'outer'
  | 'inner'
  | 'top'
  | 'bottom'
  | 'left'
  | 'right'
  | 'thickOuter'
  | 'diagonalDown'
  | 'diagonalUp'
  | 'none';

const thin: BorderLine = { style: 'thin' };

/** Draws lines around, between and across what is selected. */
export function setBorders(editor: CellEditor, choice: BorderChoice, line: BorderLine = thin): boolean {
  return doRepeatably(editor, () => {
    const sheet = editor.page.sheetId.peek();
    const operations = editor.selection
      .peek()
      .ranges.flatMap((range) => borderOperations(sheet, boundedRange(editor, range), choice, line));
    return editor.change(...operations);
  });
}

/** Whole rows and columns get lines only where something is. */
function boundedRange(editor: CellEditor, range: Area): Area {
  const { used } = editor.page.view.peek();
  const isLarge = heightOf(range) * widthOf(range) > 1_000_000;
  return isLarge && used ? (intersection(range, used) ?? range) : range;
}

const medium: BorderLine = { style: 'medium' };

type Edges = { readonly [Part in keyof Borders]?: Borders[Part] | null };

export function borderOperations(
  sheet: string,
  range: Area,
  choice: BorderChoice,
  line: BorderLine = thin,
): CellOperation[] {
  const [top, left, bottom, right] = range;
  const format = (part: Area, border: Edges): CellOperation => ({
    op: 'format',
    sheet,
    areas: [part],
    patch: { border },
  });
  const edge = (side: 'top' | 'right' | 'bottom' | 'left', drawn: BorderLine): CellOperation =>
    format(
      [
        side === 'bottom' ? bottom : top,
        side === 'right' ? right : left,
        side === 'top' ? top : bottom,
        side === 'left' ? left : right,
      ],
      { [side]: drawn },
    );
  const outer = (drawn: BorderLine) =>
    (['top', 'right', 'bottom', 'left'] as const).map((side) => edge(side, drawn));
  // A cell beside the range may say of the same line that it is there.
  const beside = (): CellOperation[] => {
    const parts: (readonly [Area, Edges])[] = [
      [[top - 1, left, top - 1, right], { bottom: null }],
      [[bottom + 1, left, bottom + 1, right], { top: null }],
      [[top, left - 1, bottom, left - 1], { right: null }],
      [[top, right + 1, bottom, right + 1], { left: null }],
    ];
    return parts
      .filter(([part]) => part[0] >= 0 && part[1] >= 0)
      .map(([part, border]) => format(part, border));
  };
  switch (choice) {
    case 'all':
      return [format(range, { top: line, right: line, bottom: line, left: line })];
    case 'none':
      return [
        format(range, {
          ...{ top: null, right: null, bottom: null, left: null },
          ...{ diagonal: null, diagonalUp: null, diagonalDown: null },
        }),
        ...beside(),
      ];
    case 'diagonalDown':
    case 'diagonalUp':
      return [format(range, { diagonal: line, [choice]: true })];
    case 'outer':
      return outer(line);
    case 'thickOuter':
      return outer(medium);
    case 'inner': {
      const lines: CellOperation[] = [];
      if (bottom > top) lines.push(format([range[0], range[1], bottom - 1, range[3]], { bottom: line }));
      if (bottom > top) lines.push(format([top + 1, range[1], range[2], range[3]], { top: line }));
      if (right > left) lines.push(format([range[0], range[1], range[2], right - 1], { right: line }));
      if (right > left) lines.push(format([range[0], left + 1, range[2], range[3]], { left: line }));
      return lines;
    }
    default:
      return [edge(choice, line)];
  }
}

export const clearFormats = (editor: CellEditor): boolean => clearSelection(editor, 'format');
export const clearContents = (editor: CellEditor): boolean => clearSelection(editor, 'content');

function clearSelection(editor: CellEditor, part: 'format' | 'content'): boolean {
  const sheet = editor.page.sheetId.peek();
  return editor.change(
    ...selectedAreas(editor).map((areas): CellOperation => ({ op: 'clear', sheet, areas, part })),
  );
}

/** Amounts as people of the page's region write them. */
export function currencyPattern({ locale }: FormatSettings): string {
  const currency = regionCurrencies[new Intl.Locale(locale).maximize().region ?? ''] ?? 'USD';
  const parts = new Intl.NumberFormat(locale, { style: 'currency', currency }).formatToParts(1234.5);
  const symbol = parts.find(({ type }) => type === 'currency')?.value ?? currency;
  const isBefore =
    parts.findIndex(({ type }) => type === 'currency') < parts.findIndex(({ type }) => type === 'integer');
  const digits = parts.some(({ type }) => type === 'fraction') ? '#,##0.00' : '#,##0';
  return isBefore ? `[$${symbol}]${digits}` : `${digits} [$${symbol}]`;
}

/** Amounts in columns, with the currency at the edge of the cell. */
export const accountingPattern = (settings: FormatSettings): string =>
  formatsOf('accounting', decimalsOf(currencyPattern(settings)), {
    currency: currencyPattern(settings),
    date: datePattern(settings),
  })[0]!;

/** The currencies of regions; others have dollars. */
const regionCurrencies: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    'AT BE CY DE EE ES FI FR GR HR IE IT LT LU LV MT NL PT SI SK'.split(' ').map((region) => [region, 'EUR']),
  ),
  ...{ GB: 'GBP', CH: 'CHF', JP: 'JPY', CN: 'CNY', IN: 'INR', BR: 'BRL', PL: 'PLN', CZ: 'CZK', SE: 'SEK' },
  ...{ NO: 'NOK', DK: 'DKK', RU: 'RUB', KR: 'KRW', TR: 'TRY', MX: 'MXN', ZA: 'ZAR', EG: 'EGP', SA: 'SAR' },
  ...{ AE: 'AED', IL: 'ILS', UA: 'UAH', CA: 'CAD', AU: 'AUD', NZ: 'NZD', HU: 'HUF', RO: 'RON', BG: 'BGN' },
};

/** Days in numbers, in the order of the page's region. */
export function datePattern({ locale }: FormatSettings): string {
  const parts = new Intl.DateTimeFormat(locale, { dateStyle: 'short' }).formatToParts(new Date(2024, 10, 23));
  const names: Readonly<Record<string, string>> = { day: 'dd', month: 'mm', year: 'yyyy' };
  return parts.map(({ type, value }) => names[type] ?? value.replace(/[^\s./-]/g, '')).join('');
}
