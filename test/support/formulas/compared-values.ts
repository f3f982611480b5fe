import { readFileSync } from 'node:fs';
import type { XmlDocument } from '../../../converter/engines/ooxml/package/xml-document.ts';
import type { XmlElement } from '../../../converter/engines/ooxml/package/xml-scanner.ts';
import { unescapeXml } from '../../../converter/engines/ooxml/package/xml-text.ts';
import {
  type CellContent,
  type CellValue,
  type Change,
  isFormula,
} from '../../../model/calculation/calculation.ts';
import { compileEngine } from '../../../model/calculation/engine-instance.ts';
import { cellOf } from '../../../model/calculation/formula-tokens.ts';
import { openCalculation } from '../../../model/calculation/workbook-calculation.ts';
import { columnName } from '../../../model/cell-address.ts';
import { buildWorkbook } from '../workbook-fixture.ts';
import { type DataCell, dataCells, dataNames } from './data-cells.ts';
import type { RandomFormula } from './random-formulas.ts';

/** What a cell shows; null where it is empty. */
export type Shown = CellValue | null;

const engine = compileEngine(
  readFileSync(new URL('../../../model/calculation/engine/calculation.wasm', import.meta.url)),
);
const firstColumn = 27;
const rowsOfFormulas = 25;

/** Where the formula of a number stands: beside the cells that formulas read, so that it has its own row of those. */
function placeOf(number: number): { row: number; column: number } {
  return {
    row: 1 + (number % rowsOfFormulas),
    column: firstColumn + Math.floor(number / rowsOfFormulas),
  };
}

const formulaCells = (formulas: readonly RandomFormula[]): DataCell[] =>
  formulas.map(({ formula, kind }, number) => {
    const { row, column } = placeOf(number);
    const content = kind === 'array' ? { formula, kind, rows: 1, columns: 1 } : { formula, kind };
    return { row, column: columnName(column - 1), content };
  });

/** An xlsx with formulas that have no values yet. */
export function workbookOf(formulas: readonly RandomFormula[]): Uint8Array {
  const cells = [...dataCells, ...formulaCells(formulas)]
    .map(({ row, column, content }) => ({ ...cellOf(`${column}${row}`), letters: column, content }))
    .sort((one, other) => one.row - other.row || one.column - other.column);
  const rows: string[] = [];
  for (const { row, letters, content } of cells)
    rows[row] = `${rows[row] ?? `<row r="${row}">`}${cellXml(`${letters}${row}`, content)}`;
  const names = Object.entries(dataNames).map(
    ([name, formula]) => `<definedName name="${name}">${formula}</definedName>`,
  );
  return buildWorkbook({
    sheets: [{ rows: rows.map((row) => `${row}</row>`).join('') }],
    after: `<definedNames>${names.join('')}</definedNames>`,
  });
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** A cell of a sheet, without a value where it is a formula. */
export function cellXml(reference: string, content: CellContent): string {
  if (content === null) return '';
  if (isFormula(content)) {
    const array = content.kind === 'array' ? ` t="array" ref="${reference}"` : '';
    return `<c r="${reference}"><f${array}>${escaped(content.formula)}</f></c>`;
  }
  if (typeof content === 'number') return `<c r="${reference}"><v>${content}</v></c>`;
  if (typeof content === 'boolean') return `<c r="${reference}" t="b"><v>${Number(content)}</v></c>`;
  if (typeof content === 'object') return `<c r="${reference}" t="e"><v>${content.error}</v></c>`;
  return `<c r="${reference}" t="inlineStr"><is><t xml:space="preserve">${escaped(content)}</t></is></c>`;
}

/** What our engine calculates; a text that begins with `stale:` where it does not. */
export function calculatedHere(formulas: readonly RandomFormula[]): Shown[] {
  const changes: Change[] = [...dataCells, ...formulaCells(formulas)].map(({ row, column, content }) => ({
    ...{ sheet: 0, row, content },
    column: cellOf(`${column}1`).column,
  }));
  const contents = new Map(
    changes.map((change) => ['column' in change ? `${change.row}:${change.column}` : '', change]),
  );
  const calculation = openCalculation(engine, {
    sheets: ['Sheet1'],
    names: Object.entries(dataNames).map(([name, formula]) => ({ name, formula })),
    ...{ tables: [], from1904: false, iterates: false },
    changes: () => changes,
    content: (_sheet, row, column) => {
      const change = contents.get(`${row}:${column}`);
      return change && 'content' in change ? change.content : null;
    },
  });
  calculation.recalculate({ timeMs: 0, timeZone: 'UTC', seed: 7 });
  const values = new Map(calculation.changed().map(({ row, column, value }) => [`${row}:${column}`, value]));
  return formulas.map((_, number) => {
    const { row, column } = placeOf(number);
    const why = calculation.stale(0, row, column);
    return why ? `stale: ${why}` : (values.get(`${row}:${column}`) ?? null);
  });
}

/** What the formulas show in a flat ODF of LibreOffice. */
export function calculatedThere(document: XmlDocument, count: number): Shown[] {
  const shown = shownCells(document, tablesOf(document)[0]!);
  return Array.from({ length: count }, (_, number) => {
    const place = placeOf(number);
    return shown.get(`${place.row}:${place.column}`) ?? null;
  });
}

/** The sheets of a flat ODF. */
export const tablesOf = (document: XmlDocument): XmlElement[] => all(document.root, 'table:table');

/** What the cells of a sheet show, by row and column (`2:1`). */
export function shownCells(document: XmlDocument, table: XmlElement): ReadonlyMap<string, Shown> {
  const shown = new Map<string, Shown>();
  let row = 1;
  for (const line of all(table, 'table:table-row')) {
    let column = 1;
    for (const cell of line.children.filter(({ name }) => /^table:(covered-)?table-cell$/.test(name))) {
      shown.set(`${row}:${column}`, shownIn(document, cell));
      column += Number(document.attribute(cell, 'table:number-columns-repeated') ?? 1);
    }
    row += Number(document.attribute(line, 'table:number-rows-repeated') ?? 1);
  }
  return shown;
}

function shownIn(document: XmlDocument, cell: XmlElement): Shown {
  const text = () =>
    cell.children
      .filter(({ name }) => name === 'text:p')
      .map((paragraph) => textOf(document, paragraph))
      .join('\n');
  if (document.attribute(cell, 'calcext:value-type') === 'error') return { error: text() };
  switch (document.attribute(cell, 'office:value-type')) {
    case 'float':
    case 'percentage':
    case 'currency':
      return Number(document.attribute(cell, 'office:value'));
    case 'boolean':
      return document.attribute(cell, 'office:boolean-value') === 'true';
    case 'date':
      return dayNumber(document.attribute(cell, 'office:date-value')!);
    case 'time':
      return timeNumber(document.attribute(cell, 'office:time-value')!);
    case 'string':
      return document.attribute(cell, 'office:string-value') ?? text();
    default:
      return null;
  }
}

function textOf(document: XmlDocument, element: XmlElement): string {
  const inner = document
    .inner(element)
    .replace(/<text:s text:c="(\d+)"\/>/g, (_, count) => ' '.repeat(Number(count)))
    .replace(/<text:s\/>/g, ' ')
    .replace(/<text:tab\/>/g, '\t')
    .replace(/<[^>]*>/g, '');
  return unescapeXml(inner);
}

const dayMs = 86_400_000;

/** The serial number of a day, which ISO 8601 has there. */
function dayNumber(text: string): number {
  const [date, time] = text.split('T');
  const ms = Date.parse(`${date}T00:00:00Z`) - Date.UTC(1899, 11, 30);
  const [hours, minutes, seconds] = (time ?? '0:0:0').split(':').map(Number);
  return ms / dayMs + (hours! * 3600 + minutes! * 60 + seconds!) / 86_400;
}

function timeNumber(text: string): number {
  const [, sign, hours, minutes, seconds] = /^(-?)PT(\d+)H(\d+)M([\d.]+)S$/.exec(text)!;
  return (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) / (sign ? -86_400 : 86_400);
}

const all = (element: XmlElement, name: string): XmlElement[] =>
  element.children.flatMap((child) => (child.name === name ? [child] : all(child, name)));

const isError = (shown: Shown): shown is { readonly error: string } =>
  typeof shown === 'object' && shown !== null;

/**
 * Errors of LibreOffice that say little: those that Excel does not have, and `#VALUE!` and `#NUM!`, which it does not tell apart as
 * Excel does.
 */
const isAnyError = ({ error }: { readonly error: string }): boolean =>
  /^(Err:\d+|#VALUE!|#NUM!)$/.test(error);

/** Whether two programs say the same: numbers to nine digits, truths as the numbers that LibreOffice takes them for. */
export function areAlike(ours: Shown, theirs: Shown): boolean {
  if (isError(ours) || isError(theirs)) {
    if (!isError(ours) || !isError(theirs)) return false;
    return isAnyError(theirs) || ours.error === theirs.error;
  }
  if (typeof ours === 'string' && typeof theirs === 'string') return areAlikeTexts(ours, theirs);
  if (typeof ours === 'string' || typeof theirs === 'string') return (ours ?? '') === (theirs ?? '');
  return areNear(Number(ours), Number(theirs));
}

function areNear(one: number, other: number): boolean {
  const size = Math.max(Math.abs(one), Math.abs(other));
  // LibreOffice writes no more than twenty decimals.
  return Math.abs(one - other) <= Math.max(1e-9 * size, 1e-19) || size < 1e-14;
}

const partsOfComplex =
  /^(?:([+-]?[\d.]+(?:E[+-]?\d+)?)(?![\d.]*[ij]))?(?:([+-]?[\d.]*(?:E[+-]?\d+)?)[ij])?$/i;

/** A sign alone is one of 1. */
const partOfComplex = (text: string): number => Number(/^[+-]?$/.test(text) ? `${text}1` : text);

/** Complex numbers, which are texts, are compared by their parts. */
function areAlikeTexts(one: string, other: string): boolean {
  if (one === other) return true;
  const [first, second] = [one, other].map((text) => partsOfComplex.exec(text));
  if (!first || !second || one.slice(-1) !== other.slice(-1)) return false;
  const numbers = [first, second].map((match) => [match[1] ?? '0', match[2] ?? '0'].map(partOfComplex));
  const whole = Math.max(...numbers[0]!.map(Math.abs));
  return [0, 1].every((part) => {
    const [ours, theirs] = [numbers[0]![part]!, numbers[1]![part]!];
    return areNear(ours, theirs) || Math.abs(ours - theirs) <= 1e-12 * whole;
  });
}
