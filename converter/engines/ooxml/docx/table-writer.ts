import type { Node } from 'prosemirror-model';
import type { XmlElement } from '../package/xml-scanner.ts';
import type { DocxSource } from './docx-source.ts';
import type { CellRecord, RowRecord, TableRecord } from './source-map.ts';
import {
  cellProperties,
  gridOf,
  newTableProperties,
  rowHead,
  rowProperties,
  tableHead,
  tableProperties,
} from './table-property-writer.ts';
import { TWIPS_PER_PIXEL } from './table-reader.ts';
import { MOST_SPANNED, type RowGaps, type TableWrap } from './table-structure.ts';
import { settledXml } from './tracked-xml.ts';
import type { WriteContext } from './write-context.ts';

/** Writes the blocks of a cell, from a cell of the file or without. */
export type WriteCellBlocks = (cell: Node, record: CellRecord | undefined) => string;

const DEFAULT_COLUMN_TWIPS = 1_800;
const LEAST_COLUMN_TWIPS = 300;
/** Between the margins of A4. */
const DEFAULT_TEXT_TWIPS = 9_026;

/** Writes a table whose rows, cells or spans changed: its grid anew, its properties and known cells as they were. */
export class TableWriter {
  readonly #context: WriteContext;
  readonly #writeBlocks: WriteCellBlocks;
  #depth = 0;

  constructor(context: WriteContext, writeBlocks: WriteCellBlocks) {
    this.#context = context;
    this.#writeBlocks = writeBlocks;
  }

  /**
   * @param base the table of the file that it is, or was made from
   * @param isBase whether it is that one
   */
  write(table: Node, base: TableRecord | undefined, isBase: boolean): string {
    const { map, xml } = this.#context.source;
    const layout = layOutTable(table);
    const pixels = columnPixels(layout);
    const gridTwips = this.#gridTwips(pixels, base);
    const written: WrittenPiece[] = [];
    this.#depth++;
    for (const [index, placed] of layout.entries()) {
      const row = table.child(index);
      const rowBase = map.block(row.attrs.id, 'row') ?? map.block(row.attrs.origin, 'row');
      written.push(this.#row(row, rowBase, placed, gridTwips));
    }
    this.#depth--;
    const rows = wrappedXml(
      this.#context,
      written.filter(({ xml: rowXml }) => rowXml !== ''),
    );
    if (rows === '') return '';
    const same =
      gridTwips.length === base?.gridTwips.length &&
      gridTwips.every((width, column) => width === base.gridTwips[column]);
    const grid = same && base?.grid ? gridOf(xml, base.grid, table) : gridXml(gridTwips);
    if (!base) {
      const width = pixels.includes(undefined) ? 0 : gridTwips.reduce((sum, twips) => sum + twips, 0);
      return `<w:tbl>${newTableProperties(this.#context, table, width)}${grid}${rows}</w:tbl>`;
    }
    const properties = tableProperties(this.#context, table, base, isBase);
    if (!isBase) return `<w:tbl>${properties}${grid}${rows}</w:tbl>`;
    return tableHead(xml, base, properties, grid) + rows + xml.text.slice(base.contentEnd, base.end);
  }

  /** A width for each column: the file's while the model has its column, else what cells say, else an even share. */
  #gridTwips(pixels: readonly (number | undefined)[], base: TableRecord | undefined): number[] {
    const known = base?.gridTwips ?? [];
    const original = base ? columnPixels(layOutTable(base.node)) : [];
    const said = pixels.map((width, column) => {
      if (width === undefined) return undefined;
      const same = width === original[column] ? column : original.indexOf(width);
      return known[same] ?? width * TWIPS_PER_PIXEL;
    });
    const unsaid = said.filter((width) => width === undefined).length;
    const rest = textTwips(this.#context.source) - said.reduce<number>((sum, width) => sum + (width ?? 0), 0);
    const share = Math.max(LEAST_COLUMN_TWIPS, Math.floor(rest / Math.max(unsaid, 1)));
    const isNew = !base && this.#depth === 0;
    const otherwise = isNew ? share : DEFAULT_COLUMN_TWIPS;
    return said.map(
      (width, column) => width ?? ((pixels.length === known.length ? known[column] : 0) || otherwise),
    );
  }

  #row(
    row: Node,
    base: RowRecord | undefined,
    placed: readonly GridCell[],
    gridTwips: readonly number[],
  ): WrittenPiece {
    const { xml } = this.#context.source;
    const own = base?.node.attrs.id === row.attrs.id && this.#context.claim(row.attrs.id) ? base : undefined;
    const { cells, gaps } = this.#withoutGaps(placed);
    if (own && this.#isUnchanged(row, own, cells)) {
      this.#context.claimContent(row.content);
      return { xml: xml.text.slice(own.start, own.end), wraps: own.wraps, lead: own.lead };
    }
    const pieces: WrittenPiece[] = [];
    for (const cell of cells) {
      const width = gridTwips.slice(cell.column, cell.column + cell.cell.attrs.colspan);
      const widthTwips = width.reduce((sum, twips) => sum + twips, 0);
      const place = own?.cells.find(
        ({ cellId, continues }) => continues === cell.continues && cellId === cell.cell.attrs.id,
      );
      const cellXml = cell.continues
        ? this.#continuation(cell.cell, place?.element, widthTwips)
        : this.#cell(cell.cell, widthTwips);
      pieces.push({ xml: cellXml, wraps: place?.wraps, lead: place?.lead });
    }
    const content = wrappedXml(this.#context, pieces);
    if (content === '') return { xml: '', wraps: undefined };
    const properties = rowProperties(this.#context, row, base, own !== undefined, gaps);
    if (!own)
      return {
        xml: `<w:tr>${properties}${content}</w:tr>`,
        wraps: undefined,
        originWraps: base?.wraps,
      };
    const rowXml =
      rowHead(xml, own, properties, row.attrs.settled) + content + xml.text.slice(own.contentEnd, own.end);
    return { xml: rowXml, wraps: own.wraps, lead: own.lead };
  }

  /** The cells that become XML, and the columns left out at both sides: gaps of the file, and cells that went, while they are empty. */
  #withoutGaps(placed: readonly GridCell[]): { cells: readonly GridCell[]; gaps: RowGaps } {
    const { source } = this.#context;
    const columns = ({ cell, continues }: GridCell) =>
      !continues && isLeftOut(source, cell) ? (cell.attrs.colspan as number) : 0;
    const before =
      placed.length > 1 && source.map.block(placed[0]!.cell.attrs.id, 'gap') ? columns(placed[0]!) : 0;
    const cells = before > 0 ? placed.slice(1) : [...placed];
    let after = 0;
    while (cells.length > 1) {
      const more = columns(cells.at(-1)!);
      if (more === 0 || after + more > MOST_SPANNED) break;
      after += more;
      cells.pop();
    }
    return { cells, gaps: { before, after } };
  }

  /** True when neither the row nor what reaches into it from above differs from the file. */
  #isUnchanged(row: Node, base: RowRecord, cells: readonly GridCell[]): boolean {
    if (!base.node.eq(row) || base.cells.length !== cells.length) return false;
    return cells.every(({ cell, continues }, index) => {
      const original = base.cells[index]!;
      if (original.cellId !== cell.attrs.id || original.continues !== continues) return false;
      const record = this.#context.source.map.block(cell.attrs.id, 'cell');
      return record !== undefined && hasMarkupOf(cell, record.node);
    });
  }

  /** The lower part of a cell that spans rows (17.4.84): the file's element where it is one of the same cell. */
  #continuation(cell: Node, present: XmlElement | undefined, widthTwips: number): string {
    const { xml, map } = this.#context.source;
    const base = map.block(cell.attrs.id, 'cell') ?? map.block(cell.attrs.origin, 'cell');
    const inherited = present ? xml.child(present, 'w:tcPr') : base?.properties;
    const isBase = present !== undefined;
    const from = { properties: inherited, base, isBase, widthTwips, continues: true };
    const properties = cellProperties(this.#context, cell, from);
    if (!present || present.selfClosing) return `<w:tc>${properties}<w:p/></w:tc>`;
    const contentStart = inherited?.end ?? present.openEnd;
    const content = xml.text.slice(contentStart, present.closeStart);
    const { settled } = cell.attrs;
    return `${xml.openTag(present)}${properties}${settled ? settledXml(content, settled) : content}</w:tc>`;
  }

  #cell(cell: Node, widthTwips: number): string {
    const { map, xml } = this.#context.source;
    const claimed = this.#context.claim(cell.attrs.id);
    const own = map.block(cell.attrs.id, 'cell');
    const record = claimed ? own : undefined;
    const base = own ?? map.block(cell.attrs.origin, 'cell');
    const open = record ? xml.openTag(record.element) : '<w:tc>';
    const from = {
      properties: base?.properties,
      base,
      isBase: record !== undefined,
      widthTwips,
      continues: false,
    };
    return `${open}${cellProperties(this.#context, cell, from)}${this.#writeBlocks(cell, record)}</w:tc>`;
  }
}

/**
 * Whether a cell stands for columns that its row leaves out: a gap of the file, or a cell of it that went when its tracked deletion
 * was accepted or its insertion rejected (17.13.5). It is empty and without looks.
 */
export function isLeftOut({ map, xml }: DocxSource, cell: Node): boolean {
  const { id, rowspan, shading, verticalAlign, settled } = cell.attrs;
  if (rowspan !== 1 || shading !== null || verticalAlign !== null) return false;
  const gap = map.block(id, 'gap');
  if (gap) return gap.node.content.eq(cell.content);
  const went = settled === 'accepted' ? 'w:cellDel' : settled === 'rejected' ? 'w:cellIns' : undefined;
  if (!went || !xml.child(map.block(id, 'cell')?.properties, went)) return false;
  const { firstChild } = cell;
  return cell.childCount === 1 && firstChild!.type.name === 'paragraph' && firstChild!.content.size === 0;
}

/** True for cells whose spans, widths and looks are the same. */
export function hasMarkupOf(cell: Node, original: Node): boolean {
  return cell.hasMarkup(original.type, original.attrs);
}

function gridXml(gridTwips: readonly number[]): string {
  return `<w:tblGrid>${gridTwips.map((width) => `<w:gridCol w:w="${width}"/>`).join('')}</w:tblGrid>`;
}

/** The space between the margins of the document's last section. */
function textTwips({ xml, sections }: DocxSource): number {
  const section = sections.at(-1);
  const [size, margins] = [xml.child(section, 'w:pgSz'), xml.child(section, 'w:pgMar')];
  const width = Number(xml.attribute(size, 'w:w') ?? Number.NaN);
  const sides = ['w:left', 'w:right'].map((side) => Number(xml.attribute(margins, side) ?? Number.NaN));
  const space = width - sides[0]! - sides[1]!;
  return space >= LEAST_COLUMN_TWIPS && space < 32_000 ? Math.round(space) : DEFAULT_TEXT_TWIPS;
}

/** A cell of the model, or the continuation of one that spans rows, at its place in a table's grid. */
interface GridCell {
  readonly cell: Node;
  readonly column: number;
  readonly continues: boolean;
}

/**
 * Places the cells of a table row by row, as HTML does: a cell goes to the first column that no cell above spans into.
 * A span ends with the table, or where a cell lies across its way.
 */
export function layOutTable(table: Node): GridCell[][] {
  /** Spans still open, by their first column. */
  let open = new Map<number, { cell: Node; rows: number }>();
  const rows: GridCell[][] = [];
  table.forEach((row) => {
    const placed: GridCell[] = [];
    const next = new Map<number, { cell: Node; rows: number }>();
    let column = 0;
    const place = (cell: Node, continues: boolean, rowsBelow: number) => {
      placed.push({ cell, column, continues });
      if (rowsBelow > 0) next.set(column, { cell, rows: rowsBelow });
      column += cell.attrs.colspan;
    };
    const continueSpans = () => {
      for (let span = open.get(column); span; span = open.get(column)) place(span.cell, true, span.rows - 1);
    };
    row.forEach((cell) => {
      continueSpans();
      place(cell, false, cell.attrs.rowspan - 1);
    });
    continueSpans();
    rows.push(placed);
    open = next;
  });
  return rows;
}

/** The width in pixels that cells say for each column of a layout, where one does; its length is that of the grid. */
function columnPixels(layout: readonly GridCell[][]): (number | undefined)[] {
  const pixels: (number | undefined)[] = [];
  for (const { cell, column } of layout.flat()) {
    const widths: readonly number[] = cell.attrs.colwidth ?? [];
    const known = widths.length === cell.attrs.colspan;
    for (let offset = 0; offset < cell.attrs.colspan; offset++)
      pixels[column + offset] ??= (known && widths[offset]) || undefined;
  }
  return Array.from(pixels);
}

/** A row or cell that is written, and what it was in in the file. */
interface WrittenPiece {
  readonly xml: string;
  /** Undefined for one that is not of the file. */
  readonly wraps: readonly TableWrap[] | undefined;
  /** Of a new one, those of the one of the file that it was made from. */
  readonly originWraps?: readonly TableWrap[] | undefined;
  readonly lead?: string | undefined;
}

/** Some of the wraps of the file, outermost first, and whether a new item of a repeating section is within them. */
interface Place {
  readonly wraps: readonly TableWrap[];
  readonly isItem: boolean;
}

const REPEATING_SECTION = /<w15:repeatingSection(?=[\s/>])/;
const ITEM_START = '<w:sdt><w:sdtPr><w15:repeatingSectionItem/></w:sdtPr><w:sdtContent>';
const ITEM_END = '</w:sdtContent></w:sdt>';

/**
 * Rows or cells one after the other, in what is around them in the file. Each wrap is written once, around those that
 * stand together; one whose content is gone is not written. What is new between two that share a wrap is in it, too, and
 * a new row of a repeating section ([MS-DOCX] 2.5.5.2) is an item of its own.
 */
function wrappedXml(context: WriteContext, pieces: readonly WrittenPiece[]): string {
  const open: TableWrap[] = [];
  let result = '';
  const closeDownTo = (count: number) => {
    while (open.length > count) result += open.pop()!.closeXml;
  };
  for (const [index, piece] of pieces.entries()) {
    const { wraps, isItem } = placeOf(pieces, index);
    let common = 0;
    while (common < open.length && open[common] === wraps[common]) common++;
    closeDownTo(common);
    for (const wrap of wraps.slice(common)) {
      // One that was closed is not opened again: what was in it is no neighbour any more.
      if (!context.claim(`wrap ${wrap.element.start}`)) break;
      result += wrap.lead + wrap.openXml;
      open.push(wrap);
    }
    const isInside = isItem && open.length === wraps.length;
    result += (piece.lead ?? '') + (isInside ? ITEM_START + piece.xml + ITEM_END : piece.xml);
  }
  closeDownTo(0);
  return result;
}

function placeOf(pieces: readonly WrittenPiece[], index: number): Place {
  const { wraps, originWraps } = pieces[index]!;
  if (wraps) return { wraps, isItem: false };
  const before = pieces.slice(0, index).findLast((piece) => piece.wraps)?.wraps ?? [];
  const after = pieces.slice(index + 1).find((piece) => piece.wraps)?.wraps ?? [];
  const parting = before.findIndex((wrap, at) => wrap !== after[at]);
  const shared = parting < 0 ? before : before.slice(0, parting);
  const section = originWraps && (originWraps === before || originWraps === after) ? originWraps : shared;
  const depth = section.findLastIndex(({ openXml }) => REPEATING_SECTION.test(openXml)) + 1;
  if (depth === 0 || shared.length > depth) return { wraps: shared, isItem: false };
  return { wraps: section.slice(0, depth), isItem: true };
}
