import { strFromU8, unzipSync } from 'fflate';
import type { CellFormula, CellValue, Change, Table } from '../../model/calculation/calculation.ts';
import { cellOf, formulaTokens } from '../../model/calculation/formula-tokens.ts';
import { columnName, columnNumber } from '../../model/cell-address.ts';

/** A workbook with the values that the program that wrote it had calculated. */
export interface WorkbookFile {
  readonly sheets: string[];
  readonly names: { name: string; sheet?: number; formula: string }[];
  readonly tables: Table[];
  readonly changes: Change[];
  readonly from1904: boolean;
  readonly iterates: boolean;
}

/**
 * Reads as much of an xlsx as a calculation needs. It is made for figures over many files, not for people's documents.
 * @throws Error when it is no such file
 */
export function readWorkbookFile(bytes: Uint8Array): WorkbookFile {
  const parts = new Map(Object.entries(unzipSync(bytes)).map(([name, part]) => [name.toLowerCase(), part]));
  const text = (name: string) => {
    const part = parts.get(name.toLowerCase());
    // Prefixes of elements say nothing here.
    return part && strFromU8(part).replaceAll(/<(\/?)[A-Za-z][A-Za-z0-9]*:(?=[A-Za-z])/g, '<$1');
  };
  const book = text('xl/workbook.xml');
  if (book === undefined) throw new Error('There is no workbook.');
  const links = relations(text('xl/_rels/workbook.xml.rels'), 'xl/');
  const strings = sharedStrings(text('xl/sharedStrings.xml') ?? '');
  const file: WorkbookFile = {
    sheets: [],
    names: [],
    tables: [],
    changes: [],
    from1904: /date1904="(1|true)"/.test(book),
    iterates: /iterate="(1|true)"/.test(book),
  };
  for (const [, attributes] of book.matchAll(/<sheet\b([^>]*?)\/?>/g)) {
    const sheet = file.sheets.push(attribute(attributes!, 'name') ?? '') - 1;
    const part = links.get(/\s[A-Za-z0-9]+:id="([^"]*)"/.exec(attributes!)?.[1] ?? '');
    const xml = part && text(part.target);
    if (!xml) continue;
    const own = part.target.replace(/([^/]+)$/, '_rels/$1.rels');
    const filters = [xml];
    for (const { target, type } of relations(text(own), 'xl/worksheets/').values()) {
      if (!type.endsWith('/table')) continue;
      file.tables.push(readTable(text(target) ?? '', sheet));
      filters.push(text(target) ?? '');
    }
    readCells(xml, filters.join(''), sheet, strings, file.changes);
  }
  for (const [, attributes, formula] of book.matchAll(/<definedName\b([^>]*)>([^<]*)</g)) {
    const name = attribute(attributes!, 'name')!;
    const scope = attribute(attributes!, 'localSheetId');
    if (!name.startsWith('_xlnm.')) {
      file.names.push({
        name,
        formula: unescaped(formula!),
        ...(scope !== undefined && { sheet: Number(scope) }),
      });
    }
  }
  return file;
}

function unescaped(text: string): string {
  const names: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };
  return text
    .replaceAll(/&(#x[0-9a-f]+|#\d+|\w+);/gi, (_, name: string) => {
      if (!name.startsWith('#')) return names[name] ?? '';
      return String.fromCodePoint(
        name[1] === 'x' ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1)),
      );
    })
    .replaceAll(/_x([0-9A-F]{4})_/gi, (_, digits: string) =>
      String.fromCharCode(Number.parseInt(digits, 16)),
    );
}

function attribute(attributes: string, name: string): string | undefined {
  const value = new RegExp(`(?:^|\\s)${name}="([^"]*)"`).exec(attributes)?.[1];
  return value === undefined ? undefined : unescaped(value);
}

function relations(xml: string | undefined, folder: string): Map<string, { target: string; type: string }> {
  const found = new Map<string, { target: string; type: string }>();
  for (const [, attributes] of (xml ?? '').matchAll(/<Relationship\b([^>]*)>/g)) {
    const target = attribute(attributes!, 'Target') ?? '';
    const absolute = target.startsWith('/')
      ? target.slice(1)
      : new URL(folder + target, 'file:///').pathname.slice(1);
    found.set(attribute(attributes!, 'Id') ?? '', {
      target: absolute,
      type: attribute(attributes!, 'Type') ?? '',
    });
  }
  return found;
}

function texts(xml: string): string {
  const plain = xml.replaceAll(/<rPh\b[\s\S]*?<\/rPh>/g, '');
  return [...plain.matchAll(/<t\b[^>]*?(?:\/>|>([^<]*)<)/g)]
    .map(([, text]) => unescaped(text ?? ''))
    .join('');
}

function sharedStrings(xml: string): string[] {
  return [...xml.matchAll(/<si\b[^>]*?(?:\/>|>([\s\S]*?)<\/si>)/g)].map(([, item]) => texts(item ?? ''));
}

function rangeOf(reference: string): [number, number, number, number] {
  const [first, last] = reference.replaceAll('$', '').split(':') as [string, string?];
  const from = cellOf(first);
  const to = last === undefined ? from : cellOf(last);
  return [from.row, from.column, to.row, to.column];
}

function readTable(xml: string, sheet: number): Table {
  const attributes = /<table\b([^>]*)>/.exec(xml)![1]!;
  const [firstRow, firstColumn, lastRow, lastColumn] = rangeOf(attribute(attributes, 'ref')!);
  return {
    name: attribute(attributes, 'displayName') ?? attribute(attributes, 'name')!,
    sheet,
    firstRow,
    firstColumn,
    lastRow,
    lastColumn,
    headerRows: Number(attribute(attributes, 'headerRowCount') ?? 1),
    totalsRows: Number(attribute(attributes, 'totalsRowCount') ?? 0),
    columns: [...xml.matchAll(/<tableColumn\b([^>]*)>/g)].map(
      ([, column]) => attribute(column!, 'name') ?? '',
    ),
  };
}

interface SharedFormula {
  readonly row: number;
  readonly column: number;
  readonly formula: string;
}

function readCells(
  xml: string,
  filters: string,
  sheet: number,
  strings: readonly string[],
  changes: Change[],
): void {
  const isFiltering = /<autoFilter\b[^>]*>\s*<filterColumn\b/.test(filters);
  const shared = new Map<string, SharedFormula>();
  let row = 0;
  for (const [, rowAttributes, cells] of xml.matchAll(/<row\b([^>]*?)(?:\/>|>([\s\S]*?)<\/row>)/g)) {
    row = Number(attribute(rowAttributes!, 'r') ?? row + 1);
    if (/\bhidden="(1|true)"/.test(rowAttributes!)) {
      changes.push({ sheet, row, hidden: isFiltering ? 'by-filter' : 'by-hand' });
    }
    let column = 0;
    for (const [, cellAttributes, inside] of (cells ?? '').matchAll(
      /<c\b([^>]*?)(?:\/>|>([\s\S]*?)<\/c>)/g,
    )) {
      const reference = attribute(cellAttributes!, 'r');
      column = reference === undefined ? column + 1 : columnNumber(reference.replaceAll(/[^A-Za-z]/g, ''));
      if (inside === undefined) continue;
      // Errors that are younger than the format are `#VALUE!` with something more.
      const isYoung =
        attribute(cellAttributes!, 't') === 'e' && attribute(cellAttributes!, 'vm') !== undefined;
      const value = isYoung
        ? { error: '#CALC!' }
        : cellValue(attribute(cellAttributes!, 't') ?? 'n', inside, strings);
      const formula = formulaOf(inside, cellAttributes!, row, column, shared);
      if (formula !== undefined) {
        changes.push({
          sheet,
          row,
          column,
          content: { ...formula, ...(value !== undefined && { stored: value }) },
        });
      } else if (value !== undefined) changes.push({ sheet, row, column, content: value });
    }
  }
}

function cellValue(type: string, inside: string, strings: readonly string[]): CellValue | undefined {
  if (type === 'inlineStr') return texts(inside);
  const raw = /<v\b[^>]*>([^<]*)<\/v>/.exec(inside)?.[1];
  if (raw === undefined) return undefined;
  if (type === 's') return strings[Number(raw)] ?? '';
  if (type === 'b') return raw === '1' || raw === 'true';
  if (type === 'e') return { error: unescaped(raw) };
  if (type === 'n' && Number.isFinite(Number(raw)) && raw !== '') return Number(raw);
  return unescaped(raw);
}

function formulaOf(
  inside: string,
  cell: string,
  row: number,
  column: number,
  shared: Map<string, SharedFormula>,
): CellFormula | undefined {
  const [, attributes, raw] = /<f\b([^>]*?)(?:\/>|>([^<]*)<\/f>)/.exec(inside) ?? [];
  if (attributes === undefined) return undefined;
  const formula = raw === undefined ? '' : unescaped(raw);
  const index = attribute(attributes, 'si');
  switch (attribute(attributes, 't')) {
    case 'dataTable':
      return undefined;
    case 'array': {
      const [top, left, bottom, right] = rangeOf(attribute(attributes, 'ref')!);
      const kind = attribute(cell, 'cm') === undefined ? 'array' : 'dynamic';
      return { formula, kind, rows: bottom - top + 1, columns: right - left + 1 };
    }
    case 'shared': {
      if (formula !== '') shared.set(index!, { row, column, formula });
      const master = shared.get(index!);
      if (master === undefined) return undefined;
      return { formula: moved(master.formula, row - master.row, column - master.column), kind: 'single' };
    }
    default:
      return formula === '' ? undefined : { formula, kind: 'single' };
  }
}

/** A shared formula as it reads in a cell that is so many rows and columns away from the first. */
function moved(formula: string, rows: number, columns: number): string {
  const number = (text: string) => (text.startsWith('$') ? text : String(Number(text) + rows));
  const letters = (text: string) =>
    text.startsWith('$') ? text : columnName(columnNumber(text) + columns - 1);
  return formulaTokens(formula)
    .map(({ kind, text }) => {
      if (kind === 'cell') {
        const cell = cellOf(text);
        const column = cell.column + (cell.fixedColumn ? 0 : columns);
        const row = cell.row + (cell.fixedRow ? 0 : rows);
        if (row < 1 || column < 1) return '#REF!';
        return `${cell.fixedColumn ? '$' : ''}${columnName(column - 1)}${cell.fixedRow ? '$' : ''}${row}`;
      }
      if (kind === 'columns') return text.split(':').map(letters).join(':');
      if (kind === 'rows') return text.split(':').map(number).join(':');
      return text;
    })
    .join('');
}
