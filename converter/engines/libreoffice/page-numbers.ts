import { setImmediate as turn } from 'node:timers/promises';
import { typedValue } from '../../../model/cell/formats/typed-value.ts';
import { localeOfTable, type TableValue, tableValue } from '../ooxml/xlsx/table/table-values.ts';

/** Cells with the one number format are to get the other. */
interface MarkedFormat {
  readonly mark: string;
  readonly pattern: string;
}

/** A web page whose cells say which numbers they are, and what the marks of their number formats mean. */
interface PageNumbers {
  readonly page: string;
  readonly formats: readonly MarkedFormat[];
}

/** So many cells of a page say in which language its numbers and days are. */
const sampledCells = 200;
/** Others have their turn after so many cells. */
const cellsPerTurn = 500;

/** LibreOffice's number of US English. */
const ENGLISH = 1_033;

/**
 * What marks cells of one number format each: formats that LibreOffice has itself, because of others in a page it loses sight. Cells
 * of further formats are numbers without one.
 */
const marks: readonly string[] = [
  ...['0', '0.00', '#,##0', '#,##0.00', '0%', '0.00%', '0.00E+00', '# ?/?', '# ??/??'],
  ...['HH:MM', 'HH:MM:SS', '[HH]:MM:SS', 'MM/DD/YY', 'MM/DD/YYYY', 'YYYY-MM-DD'],
];

/** Excel's own words for number formats, which would be taken for marks. */
const ownFormats = /mso-number-format/gi;

/** The attribute by which LibreOffice knows that a cell is text. */
const textAttribute = ` sdnum="${ENGLISH};${ENGLISH};@"`;

/**
 * A page whose cells say which numbers, days and amounts they are: in the language of most of them, as those of a csv are found.
 * LibreOffice itself would read them in one language at a time, and give them formats of another one.
 */
export async function pageWithNumbers(page: string): Promise<PageNumbers> {
  // LibreOffice has written these, and says it better.
  if (/\ssd(?:val|num)\s*=/i.test(page)) return { page, formats: [] };
  const [head = '', ...cells] = page.replace(ownFormats, 'x-$&').split(/(?=<t[dh][\s>])/i);
  const locale = localeOfTable([cells.slice(0, sampledCells).map(textOf)], undefined);
  const formats = new Map<string, number>();
  const known = new Map<string, string>();
  const parts = [head];
  for (const [at, cell] of cells.entries()) {
    const text = textOf(cell);
    const said = known.get(text) ?? attributesFor(text, locale, formats);
    known.set(text, said);
    const end = cell.indexOf('>');
    parts.push(end < 0 ? cell : cell.slice(0, end) + said + cell.slice(end));
    if (at % cellsPerTurn === cellsPerTurn - 1) await turn();
  }
  return { page: parts.join(''), formats: [...formats.keys()].map(markedFormat) };
}

/** Signs of amounts stand in quotation marks: LibreOffice knows no currency without its country. */
function markedFormat(pattern: string, place: number): MarkedFormat {
  return { mark: marks[place]!, pattern: pattern.replace(/\[\$([^\]-]+)\]/g, '"$1"') };
}

/** What a cell says, which begins with its tag; empty where that has no digit. */
function textOf(cell: string): string {
  const [content = ''] = cell.slice(cell.indexOf('>') + 1).split(/<\/t[dhr]\b|<\/?table\b/i, 1);
  if (!/\d/.test(content)) return '';
  return content
    .replace(/<[^<>]*>/g, '')
    .replace(/&(?:nbsp|#160|#xa0);|\u00a0/gi, ' ')
    .replace(/&(?:euro|#8364|#x20ac);/gi, '€')
    .replace(/&(?:pound|#163|#xa3);/gi, '£')
    .trim();
}

/** What LibreOffice would take for a number by itself. */
const plainNumber = /^[+-]?[\d.,]+(?:e[+-]?\d+)?$/i;
/** Signs of shares, amounts and what is owed: such texts are numbers, however they are spaced. */
const signed = /[%\p{Sc}]|^\(.*\)$/u;

/** @param formats number formats so far, by the places of their marks */
function attributesFor(text: string, locale: string, formats: Map<string, number>): string {
  if (text === '') return '';
  const number = numberOf(text, locale);
  if (!number) return plainNumber.test(text) ? textAttribute : '';
  const { value, pattern } = number;
  if (pattern !== '' && !formats.has(pattern) && formats.size < marks.length)
    formats.set(pattern, formats.size);
  const mark = marks[formats.get(pattern) ?? -1];
  return ` sdval="${value}" sdnum="${ENGLISH};${ENGLISH};${mark ?? 'General'}"`;
}

function numberOf(text: string, locale: string): TableValue | undefined {
  const found = tableValue(text, locale);
  if (typeof found.value === 'number') return found;
  const typed = signed.test(text) && typedValue(text, '', { locale });
  return typed && typed.kind === 'number' ? { value: typed.number, pattern: typed.pattern ?? '' } : undefined;
}
