import { isLawfulFormula } from '../../../../../model/calculation/formula-shape.ts';
import { withTableNamed } from '../../../../../model/calculation/table-columns.ts';
import { lastRow } from '../../../../../model/cell/area.ts';
import { type Cell, sameFormula, sameValue } from '../../../../../model/cell/cell.ts';
import { Formula } from '../../../../../model/cell/formula/formula.ts';
import type { Grid } from '../../../../../model/cell/grid.ts';
import { type Line, noLine } from '../../../../../model/cell/lines.ts';
import type { Row } from '../../../../../model/cell/row.ts';
import type { CellValue } from '../../../../../model/cell/values.ts';
import { cellAddress } from '../../../../../model/cell-address.ts';
import { escapeText, withAttributes } from '../../package/xml-text.ts';
import { encodeCellText } from '../cell-text.ts';
import { rowHeight } from '../sheet-properties.ts';
import type { SheetXml } from '../sheet-xml.ts';
import { formulaAttributes } from './cell-formulas.ts';
import { type MatchedRow, matchCells, type SourceCell, sourceCellsOf } from './cell-matches.ts';
import { matchRows, type RowMatches } from './row-matches.ts';
import { SharedPlan, type Survivor } from './shared-plan.ts';
import { textXml } from './shared-strings.ts';
import type { SheetRows, SourceRow } from './sheet-rows.ts';

/** What writing the rows of a sheet needs to know. */
export interface RowsContext {
  /** The index in the file of a format of the model. */
  readonly formatOf: (format: number) => number;
  /** The number of the metadata of a formula that spills. */
  readonly dynamicNumber: () => number;
  /** The value of a formula, or of a cell that it fills, as it was calculated; undefined where that is not known. */
  readonly calculated: (row: number, column: number) => CellValue | undefined;
  /** The name of the table that a cell is in. */
  readonly tableAt: (row: number, column: number) => string | null;
  /** Rows that have such values which the file has not. */
  readonly recalculatedRows: ReadonlySet<number>;
}

/** The rows of a sheet as they have to be. A row that nobody changed keeps its bytes. */
export function writeRows(sheet: SheetXml, before: SheetRows, grid: Grid, context: RowsContext): string {
  return new RowsWriter(sheet, before, grid, context).write();
}

class RowsWriter {
  readonly #sheet: SheetXml;
  readonly #before: SheetRows;
  readonly #grid: Grid;
  readonly #context: RowsContext;
  readonly #matches: RowMatches;
  readonly #cells = new Map<number, MatchedRow>();
  readonly #shared: SharedPlan;
  readonly #sharedRows: ReadonlySet<number>;

  constructor(sheet: SheetXml, before: SheetRows, grid: Grid, context: RowsContext) {
    this.#sheet = sheet;
    this.#before = before;
    this.#grid = grid;
    this.#context = context;
    this.#matches = matchRows(before, grid);
    this.#shared = new SharedPlan(before.groups, sheet.prefix, (place) => this.#survivorOf(place));
    this.#sharedRows = this.#shared.rows();
  }

  write(): string {
    const { rows } = this.#sheet;
    const { source, isOrderly } = this.#before;
    const { firstMoved, sources } = this.#matches;
    const pieces: string[] = [];
    let next = 0;
    const passEmpty = (until: number) => {
      // Rows that say nothing stay where they are, unless rows around them move.
      for (; next < source.length && source[next]!.place < until; next++) {
        const row = source[next]!;
        if (isOrderly && !row.row && row.place < firstMoved && !sources.has(row.place))
          pieces.push(rows.slice(row.gapStart, row.end));
      }
    };
    for (const [place, row] of this.#grid.rows(0, lastRow)) {
      passEmpty(place);
      const from = sources.get(place);
      if (from) pieces.push(rows.slice(from.gapStart, from.start));
      pieces.push(this.#rowXml(place, row, from));
    }
    passEmpty(Number.POSITIVE_INFINITY);
    pieces.push(rows.slice(source.at(-1)?.end ?? 0));
    return pieces.join('');
  }

  #survivorOf({ row, column }: { row: number; column: number }): Survivor | 'same' | undefined {
    const place = this.#matches.places.get(row);
    if (place === undefined) return undefined;
    if (place === row && this.#matches.same.has(row)) return 'same';
    const target = this.#grid.row(place);
    const source = this.#matches.sources.get(place);
    if (!target || !source) return undefined;
    const found = this.#matched(place, target, source).cells.find((match) => match.source?.column === column);
    const formula = found?.cell.formula;
    if (!found || !formula || formula.span) return undefined;
    return { row: place, column: found.column, formula, source: { row, column } };
  }

  #matched(place: number, row: Row, source: SourceRow): MatchedRow {
    const known = this.#cells.get(place);
    if (known) return known;
    const matched = matchCells(row, sourceCellsOf(this.#sheet, source));
    this.#cells.set(place, matched);
    return matched;
  }

  #rowXml(place: number, row: Row, source: SourceRow | undefined): string {
    const { rows, prefix } = this.#sheet;
    if (!source) {
      const cells = row.columns.map((column, at) =>
        this.#cellXml({ row: place, column }, row.cells[at]!, undefined),
      );
      const tag = withAttributes(`<${prefix}row/>`, { r: place + 1, ...this.#lineAttributes(row.line) });
      return cells.length === 0 ? tag : `${tag.slice(0, -2)}>${cells.join('')}</${prefix}row>`;
    }
    const isSame =
      source.row === row &&
      source.place === place &&
      this.#before.isOrderly &&
      !this.#sharedRows.has(source.place) &&
      !this.#context.recalculatedRows.has(place);
    if (isSame) return rows.slice(source.start, source.end);
    const { cells, blanks } = this.#matched(place, row, source);
    const columns: [number, string][] = cells.map(({ column, cell, source: from }) => [
      column,
      this.#cellXml({ row: place, column }, cell, from),
    ]);
    for (const blank of blanks)
      columns.push([blank.column, withReference(rows.slice(blank.start, blank.end), place, blank.column)]);
    columns.sort(([one], [other]) => one - other);
    const inner = columns.map(([, text]) => text).join('');
    const tag = this.#rowTag(place, row, source, columns);
    return inner === '' ? `${tag.slice(0, -1)}/>` : `${tag}${inner}</${prefix}row>`;
  }

  /** The start tag of a row that has content. */
  #rowTag(place: number, row: Row, source: SourceRow, columns: readonly [number, string][]): string {
    const given = this.#sheet.rows.slice(source.start, source.openEnd);
    const changes: Record<string, string | number | null> = { r: place + 1 };
    const spans = /\sspans\s*=\s*["'](\d+):(\d+)["']/.exec(given);
    const [first, last] = [columns[0]?.[0] ?? 0, columns.at(-1)?.[0] ?? 0];
    if (spans && columns.length > 0 && (first + 1 < Number(spans[1]) || last + 1 > Number(spans[2])))
      changes.spans = `${Math.min(first + 1, Number(spans[1]))}:${Math.max(last + 1, Number(spans[2]))}`;
    if (row.line !== source.row?.line)
      Object.assign(changes, this.#changedLine(source.row?.line ?? noLine, row.line));
    return withAttributes(given, changes).replace(/\s*\/>$/, '>');
  }

  #changedLine(before: Line, after: Line): Record<string, string | number | null> {
    const [one, other] = [this.#lineAttributes(before), this.#lineAttributes(after)];
    return Object.fromEntries(Object.entries(other).filter(([name, value]) => value !== one[name]));
  }

  #lineAttributes({
    size,
    custom,
    hidden,
    filtered,
    level,
    collapsed,
    format,
  }: Line): Record<string, number | null> {
    return {
      s: format === undefined ? null : this.#context.formatOf(format),
      customFormat: format === undefined ? null : 1,
      ht: size === undefined ? null : rowHeight(size),
      customHeight: custom ? 1 : null,
      hidden: hidden || filtered ? 1 : null,
      outlineLevel: level ?? null,
      collapsed: collapsed ? 1 : null,
    };
  }

  #cellXml(place: { row: number; column: number }, given: Cell, source: SourceCell | undefined): string {
    const { rows, prefix } = this.#sheet;
    const { row, column } = place;
    const from = source?.cell;
    const cell = sameFormula(from?.formula ?? null, given.formula)
      ? given
      : lawfulCell(given, this.#context.tableAt(row, column));
    const value = (cell === given ? this.#context.calculated(row, column) : undefined) ?? cell.value;
    const shared = source && cell.formula ? this.#shared.elementOf(source) : undefined;
    const isFormulaSame = from !== undefined && sameFormula(from.formula, cell.formula);
    const isValueSame = from !== undefined && sameValue(from.value, value);
    const isMoved = source !== undefined && (source.row !== row || source.column !== column);
    const isPlain = !cell.formula?.span;
    const keepsFormula = isFormulaSame && shared === undefined && (isPlain || !isMoved);
    if (source && keepsFormula && isValueSame && from?.format === cell.format) {
      const raw = rows.slice(source.start, source.end);
      return isMoved || !this.#before.isOrderly ? withReference(raw, row, column) : raw;
    }
    const formula = !cell.formula
      ? ''
      : (shared ?? (keepsFormula ? source!.formula : this.#formulaXml(place, cell, source)));
    const keepsValue =
      isValueSame && source !== undefined && (cell.formula !== null) === (from?.formula !== null);
    const written = keepsValue
      ? { type: undefined, xml: source.value }
      : this.#valueXml(value, cell.formula !== null);
    const tag = source ? rows.slice(source.start, source.openEnd).replace(/\s*\/>$/, '>') : `<${prefix}c>`;
    const changes: Record<string, string | number | null> = { r: cellAddress(row, column) };
    if (from?.format !== cell.format) changes.s = this.#context.formatOf(cell.format) || null;
    if (written.type !== undefined) changes.t = written.type;
    if (!keepsValue) changes.vm = null;
    const wasDynamic = from?.formula?.span?.kind === 'dynamic';
    const isDynamic = cell.formula?.span?.kind === 'dynamic';
    if (wasDynamic !== isDynamic) changes.cm = isDynamic ? this.#context.dynamicNumber() : null;
    const inner = `${formula}${written.xml}${source?.extension ?? ''}`;
    const open = withAttributes(tag, changes);
    return inner === '' ? `${open.slice(0, -1)}/>` : `${open}${inner}</${prefix}c>`;
  }

  #formulaXml(place: { row: number; column: number }, cell: Cell, source: SourceCell | undefined): string {
    const { prefix } = this.#sheet;
    const formula = cell.formula!;
    const isOfSameKind = source?.cell?.formula && source.cell.formula.span?.kind === formula.span?.kind;
    const given = isOfSameKind ? (/^<(?:"[^"]*"|'[^']*'|[^>"'])*>/.exec(source.formula)?.[0] ?? '') : '';
    const base = given === '' ? `<${prefix}f>` : given.replace(/\s*\/>$/, '>');
    const tag = withAttributes(base, formulaAttributes(formula, place));
    if (formula.span?.kind === 'data') return `${tag.slice(0, -1)}/>`;
    return `${tag}${escapeText(formula.text)}</${prefix}f>`;
  }

  #valueXml(value: CellValue, isOfFormula: boolean): { type: string | null; xml: string } {
    const { prefix } = this.#sheet;
    const element = (text: string | number) => `<${prefix}v>${text}</${prefix}v>`;
    if (value === null) return { type: null, xml: '' };
    if (typeof value === 'number') return { type: null, xml: element(value) };
    if (typeof value === 'boolean') return { type: 'b', xml: element(value ? 1 : 0) };
    if (typeof value === 'object' && 'e' in value) return { type: 'e', xml: element(escapeText(value.e)) };
    const runs = typeof value === 'string' ? [{ t: value }] : value.r;
    if (isOfFormula) {
      const text = runs.map(({ t }) => t).join('');
      return { type: 'str', xml: element(escapeText(encodeCellText(text))) };
    }
    const inner = textXml(runs, typeof value !== 'string');
    const xml = `<is>${inner}</is>`;
    return { type: 'inlineStr', xml: prefix === '' ? xml : xml.replace(/<(\/?)/g, `<$1${prefix}`) };
  }
}

/**
 * A formula beyond what Excel says is the most, or of which a part is missing, is a text in the file. Columns have the name of their
 * table there.
 * @param table the name of the one that the cell is in
 */
function lawfulCell(cell: Cell, table: string | null): Cell {
  const { formula } = cell;
  if (!formula || formula.span?.kind === 'data') return cell;
  const text = withTableNamed(formula.text, table);
  if (text === null || !isLawfulFormula(text)) return { ...cell, formula: null, value: `=${formula.text}` };
  return text === formula.text ? cell : { ...cell, formula: Formula.of(text, formula.span) };
}

const REFERENCE =
  /^(<[^\s>]+(?:\s+(?!r\s*=)[^\s=]+\s*=\s*(?:"[^"]*"|'[^']*'))*\s+r\s*=\s*)(?:"[^"]*"|'[^']*')/;

/** The text of a cell at another place. */
function withReference(raw: string, row: number, column: number): string {
  const reference = cellAddress(row, column);
  const moved = raw.replace(REFERENCE, `$1"${reference}"`);
  return moved === raw && !raw.includes(`"${reference}"`) ? withAttributes(raw, { r: reference }) : moved;
}
