import type { Area } from '../../../model/cell/area.ts';
import type { CellFormat } from '../../../model/cell/cell-format.ts';
import { Formula, type FormulaJson } from '../../../model/cell/formula/formula.ts';
import type { CellValue } from '../../../model/cell/values.ts';
import type { Sheet, Workbook } from '../../../model/cell/workbook.ts';
import { cornerOf, heightOf, isOneCell, isSameCell, rangeName, widthOf } from '../grid/cell-areas.ts';
import type { SheetScene } from '../shown/sheet-scene.ts';
import type { CarriedLink, CellTable, LineSize, TableCell, TableOrigin } from './cell-table.ts';
import type { CopiedBlock } from './copied-block.ts';
import { linksIn } from './copied-links.ts';
import { type WrittenCell, writeHtml } from './html-writing.ts';
import { writeSeparated } from './separated-text.ts';

/** What the clipboard gets of cells. */
export interface CopiedCells {
  readonly text: string;
  readonly html: string;
  /** All that a spreadsheet of ours needs to paste the same. */
  readonly own: string;
}

/** As many cells as are copied at once. */
export const mostCopied = 300_000;
const formatVersion = 2;

/** Text, value, formula, place of the format, a link if there is one; 0 for nothing. */
type OwnCell =
  | readonly [text: string, value: CellValue, formula: FormulaJson | null, format: number, link?: CarriedLink]
  | 0;

/** How cells are written for spreadsheets of ours. */
interface OwnJson {
  readonly version: number;
  readonly id: string;
  readonly origin: TableOrigin;
  readonly formats: readonly CellFormat[];
  readonly rows: readonly (readonly OwnCell[])[];
  readonly merges: readonly Area[];
}

/**
 * Writes cells for the clipboard.
 * @param id tells this copy from others
 */
export function copyCells(
  { formats }: Workbook,
  view: SheetScene,
  block: CopiedBlock,
  id: string,
): CopiedCells {
  const placeInBlock = blockPlaces(block);
  const linkAt = linksIn(view.sheet, block.areas);
  const texts: string[][] = [];
  const written: (WrittenCell | null)[][] = [];
  const own: OwnJson['rows'][number][] = [];
  const places = new Map<number, number>();
  const used: CellFormat[] = [];
  const placeOf = (format: number) => {
    let place = places.get(format);
    if (place === undefined) {
      place = used.length;
      places.set(format, place);
      used.push(formats.at(format));
    }
    return place;
  };
  for (const row of block.rows) {
    const [rowTexts, rowWritten]: [string[], (WrittenCell | null)[]] = [[], []];
    const rowOwn: OwnJson['rows'][number][number][] = [];
    for (const column of block.columns) {
      const shown = view.cellAt(row, column) ?? view.plain;
      const cell = view.sheet.grid.cell(row, column);
      const value = view.valueAt(row, column);
      const merge = view.mergeAt(row, column);
      rowTexts.push(shown.text);
      if (merge && !isSameCell(cornerOf(merge), { row, column })) rowWritten.push(null);
      else {
        const pattern = formats.at(view.formatAt(row, column)).number;
        rowWritten.push({
          text: shown.text,
          look: shown.look,
          ...(typeof value === 'number' && { number: value }),
          ...(pattern !== undefined && { pattern }),
          ...(merge && spanOf(placeInBlock(merge))),
        });
      }
      const format = view.formatAt(row, column);
      const link = linkAt(row, column);
      const isEmpty = value === null && cell.formula === null && format === 0 && !link;
      const formula = cell.formula?.toJSON() ?? null;
      const content = [shown.text, value, formula] as const;
      if (isEmpty) rowOwn.push(0);
      else rowOwn.push(link ? [...content, placeOf(format), link] : [...content, placeOf(format)]);
    }
    texts.push(rowTexts);
    written.push(rowWritten);
    own.push(rowOwn);
  }
  const json: OwnJson = {
    version: formatVersion,
    id,
    origin: originOf(view.sheet, block),
    formats: used,
    rows: own,
    merges: mergesOf(view, block, placeInBlock),
  };
  return { text: writeSeparated(texts), html: writeHtml(written), own: JSON.stringify(json) };
}

function originOf({ grid, columns, properties }: Sheet, block: CopiedBlock): TableOrigin {
  const { columnWidth } = properties;
  const ownWidth: LineSize = columnWidth === undefined ? {} : { size: columnWidth };
  const sizeOf = ({ size, custom }: LineSize, own: LineSize): LineSize =>
    size === undefined ? own : { size, ...(custom && { custom }) };
  return {
    rows: block.rows,
    columns: block.columns,
    widths: block.columns.map((column) => sizeOf(columns.at(column), ownWidth)),
    heights: block.hasWholeRows ? block.rows.map((row) => sizeOf(grid.row(row)?.line ?? {}, {})) : null,
    hasWholeColumns: block.hasWholeColumns,
  };
}

/** Where a range is in a block, counted from its first cell, with what the block has of it; null for nothing. */
function blockPlaces({ rows, columns }: CopiedBlock): (range: Area) => Area | null {
  const placesOf = (lines: readonly number[]) => new Map(lines.map((line, place) => [line, place]));
  const [down, across] = [placesOf(rows), placesOf(columns)];
  const between = (places: ReadonlyMap<number, number>, from: number, to: number): number[] => {
    const found: number[] = [];
    for (let line = from; line <= to; line++) {
      const place = places.get(line);
      if (place !== undefined) found.push(place);
    }
    return found;
  };
  return (range) => {
    const own = between(down, range[0], range[2]);
    const ownColumns = between(across, range[1], range[3]);
    if (own.length === 0 || ownColumns.length === 0) return null;
    return [own[0]!, ownColumns[0]!, own.at(-1)!, ownColumns.at(-1)!];
  };
}

const spanOf = (range: Area | null) => range && { rowSpan: heightOf(range), colSpan: widthOf(range) };

function mergesOf(
  view: SheetScene,
  { areas }: CopiedBlock,
  placeInBlock: (range: Area) => Area | null,
): Area[] {
  const merges = new Map(areas.flatMap((area) => view.mergesIn(area)).map((one) => [rangeName(one), one]));
  return [...merges.values()].flatMap((merge) => {
    const place = placeInBlock(merge);
    return place && !isOneCell(place) ? [place] : [];
  });
}

/** Reads what {@link copyCells} wrote as `own`; null for anything else. */
export function readOwn(text: string): { readonly id: string; readonly table: CellTable } | null {
  try {
    const json = JSON.parse(text) as OwnJson;
    if (json.version !== formatVersion || !Array.isArray(json.rows)) return null;
    const rows = json.rows.map((row) =>
      row.map((cell: OwnCell): TableCell => {
        if (cell === 0) return { text: '', value: null, format: {} };
        const [shown, value, formula, format, link] = cell;
        return {
          text: shown,
          value,
          ...(formula !== null && { formula: Formula.ofJson(formula) }),
          format: json.formats[format] ?? {},
          ...(link && { link }),
        };
      }),
    );
    return {
      id: json.id,
      table: { rows, merges: json.merges, origin: json.origin },
    };
  } catch {
    return null;
  }
}
