import type { Alignment, BorderLine, Borders, Color, FormatPatch } from '../../../model/cell/cell-format.ts';
import type { CellOperation } from '../../../model/cell/operations.ts';
import type { CellEditor } from '../cell-editor.ts';
import { type CellRange, heightOf, intersectionOf, widthOf } from '../grid/cell-range.ts';
import { areaOfRange } from '../shown/sheet-view.ts';

/** Has what is selected look otherwise. */
export function formatSelection(editor: CellEditor, patch: FormatPatch): boolean {
  const areas = editor.selection.peek().ranges.map(areaOfRange);
  return editor.change({ op: 'format', sheet: editor.sheetId.peek(), areas, patch });
}

export type FontToggle = 'bold' | 'italic' | 'strike' | 'underline';

/** The active cell says what a toggle is. */
export function isFontOn(editor: CellEditor, name: FontToggle): boolean {
  const font = editor.formatAt(editor.selection.value.active).font;
  return name === 'underline' ? font?.underline !== undefined : font?.[name] === true;
}

export function toggleFont(editor: CellEditor, name: FontToggle): boolean {
  const isOn = isFontOn(editor, name);
  const on = name === 'underline' ? ('single' as const) : true;
  return formatSelection(editor, { font: { [name]: isOn ? null : on } });
}

export const alignmentOf = (editor: CellEditor): Alignment =>
  editor.formatAt(editor.selection.value.active).align ?? {};

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

export const setNumberFormat = (editor: CellEditor, pattern: string): boolean =>
  formatSelection(editor, { number: pattern === 'General' ? null : pattern });

/** One decimal more, or one less, of every kind of number. */
export function changeDecimals(editor: CellEditor, by: 1 | -1): boolean {
  const { number = 'General' } = editor.formatAt(editor.selection.peek().active);
  return setNumberFormat(editor, withDecimals(number, by));
}

export function withDecimals(pattern: string, by: 1 | -1): string {
  if (/^general$/i.test(pattern)) return by > 0 ? '0.0' : '0';
  return pattern.replace(
    /([0#?])(\.(0+))?(?![0#?.,])/g,
    (whole, digit: string, _point: string, decimals = '') => {
      const count = Math.min(30, Math.max(0, decimals.length + by));
      if (count === decimals.length) return whole;
      return count === 0 ? digit : `${digit}.${'0'.repeat(count)}`;
    },
  );
}

export const cssToColor = (value: string | null): Color | null => (value === null ? null : { rgb: value });

export const setTextColor = (editor: CellEditor, value: string | null): boolean =>
  formatSelection(editor, { font: { color: cssToColor(value) } });

export const setFillColor = (editor: CellEditor, value: string | null): boolean =>
  formatSelection(editor, { fill: value === null ? null : { pattern: 'solid', color: { rgb: value } } });

export type BorderChoice =
  | 'all'
  | 'outer'
  | 'inner'
  | 'top'
  | 'bottom'
  | 'left'
  | 'right'
  | 'thickOuter'
  | 'none';

/** Draws lines around and between what is selected. */
export function setBorders(editor: CellEditor, choice: BorderChoice): boolean {
  const sheet = editor.sheetId.peek();
  const operations = editor.selection
    .peek()
    .ranges.flatMap((range) => borderOperations(sheet, boundedRange(editor, range), choice));
  return editor.change(...operations);
}

/** Whole rows and columns get lines only where something is. */
function boundedRange(editor: CellEditor, range: CellRange): CellRange {
  const { used } = editor.view.peek();
  const isLarge = heightOf(range) * widthOf(range) > 1_000_000;
  return isLarge && used ? (intersectionOf(range, used) ?? range) : range;
}

const thin: BorderLine = { style: 'thin' };
const medium: BorderLine = { style: 'medium' };

type Edges = { readonly [Side in 'top' | 'right' | 'bottom' | 'left']?: Borders[Side] | null };

export function borderOperations(sheet: string, range: CellRange, choice: BorderChoice): CellOperation[] {
  const { top, left, bottom, right } = range;
  const format = (part: CellRange, border: Edges): CellOperation => ({
    op: 'format',
    sheet,
    areas: [areaOfRange(part)],
    patch: { border },
  });
  const edge = (side: keyof Edges, line: BorderLine | null): CellOperation =>
    format(
      {
        top: side === 'bottom' ? bottom : top,
        bottom: side === 'top' ? top : bottom,
        left: side === 'right' ? right : left,
        right: side === 'left' ? left : right,
      },
      { [side]: line },
    );
  const outer = (line: BorderLine | null) =>
    (['top', 'right', 'bottom', 'left'] as const).map((side) => edge(side, line));
  // A cell beside the range may say of the same line that it is there.
  const beside = (): CellOperation[] => {
    const parts: (readonly [CellRange, Edges])[] = [
      [{ top: top - 1, bottom: top - 1, left, right }, { bottom: null }],
      [{ top: bottom + 1, bottom: bottom + 1, left, right }, { top: null }],
      [{ top, bottom, left: left - 1, right: left - 1 }, { right: null }],
      [{ top, bottom, left: right + 1, right: right + 1 }, { left: null }],
    ];
    return parts
      .filter(([part]) => part.top >= 0 && part.left >= 0)
      .map(([part, border]) => format(part, border));
  };
  switch (choice) {
    case 'all':
      return [format(range, { top: thin, right: thin, bottom: thin, left: thin })];
    case 'none':
      return [format(range, { top: null, right: null, bottom: null, left: null }), ...beside()];
    case 'outer':
      return outer(thin);
    case 'thickOuter':
      return outer(medium);
    case 'inner': {
      const lines: CellOperation[] = [];
      if (bottom > top) lines.push(format({ ...range, bottom: bottom - 1 }, { bottom: thin }));
      if (bottom > top) lines.push(format({ ...range, top: top + 1 }, { top: thin }));
      if (right > left) lines.push(format({ ...range, right: right - 1 }, { right: thin }));
      if (right > left) lines.push(format({ ...range, left: left + 1 }, { left: thin }));
      return lines;
    }
    default:
      return [edge(choice, thin)];
  }
}

export function clearFormats(editor: CellEditor): boolean {
  const areas = editor.selection.peek().ranges.map(areaOfRange);
  return editor.change({ op: 'clear', sheet: editor.sheetId.peek(), areas, part: 'format' });
}

export function clearContents(editor: CellEditor): boolean {
  const areas = editor.selection.peek().ranges.map(areaOfRange);
  return editor.change({ op: 'clear', sheet: editor.sheetId.peek(), areas, part: 'content' });
}

/** Amounts as people of the page's region write them. */
export function currencyPattern({ settings }: CellEditor): string {
  const { locale } = settings;
  const currency = regionCurrencies[new Intl.Locale(locale).maximize().region ?? ''] ?? 'USD';
  const parts = new Intl.NumberFormat(locale, { style: 'currency', currency }).formatToParts(1234.5);
  const symbol = parts.find(({ type }) => type === 'currency')?.value ?? currency;
  const isBefore =
    parts.findIndex(({ type }) => type === 'currency') < parts.findIndex(({ type }) => type === 'integer');
  const digits = parts.some(({ type }) => type === 'fraction') ? '#,##0.00' : '#,##0';
  return isBefore ? `[$${symbol}]${digits}` : `${digits} [$${symbol}]`;
}

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
export function datePattern({ settings }: CellEditor): string {
  const parts = new Intl.DateTimeFormat(settings.locale, { dateStyle: 'short' }).formatToParts(
    new Date(2024, 10, 23),
  );
  const names: Readonly<Record<string, string>> = { day: 'dd', month: 'mm', year: 'yyyy' };
  return parts.map(({ type, value }) => names[type] ?? value.replace(/[^\s./-]/g, '')).join('');
}
