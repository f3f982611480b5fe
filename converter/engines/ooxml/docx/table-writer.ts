import type { Node } from 'prosemirror-model';
import { attributesXml } from '../xml-text.ts';
import { type GridCell, layOutTable } from './grid.ts';
import { CELL_ORDER, inOrder, type PropertyXml } from './property-order.ts';
import type { CellRecord, RowRecord, TableRecord } from './source-map.ts';
import { TWIPS_PER_PIXEL } from './table-reader.ts';
import type { WriteContext } from './write-context.ts';

/** Writes the blocks of a cell, from a cell of the file or without. */
export type WriteCellBlocks = (cell: Node, record: CellRecord | undefined) => string;

const DEFAULT_COLUMN_TWIPS = 1_800;
const NEW_TABLE_BORDERS = ['top', 'left', 'bottom', 'right', 'insideH', 'insideV']
  .map((side) => `<w:${side} w:val="single" w:sz="4" w:space="0" w:color="auto"/>`)
  .join('');
const NEW_TABLE_PROPERTIES = `<w:tblPr><w:tblW w:w="0" w:type="auto"/><w:tblBorders>${NEW_TABLE_BORDERS}</w:tblBorders></w:tblPr>`;

/** Writes a table whose rows, cells or spans changed: its grid anew, its properties and known cells as they were. */
export class TableWriter {
  readonly #context: WriteContext;
  readonly #writeBlocks: WriteCellBlocks;

  constructor(context: WriteContext, writeBlocks: WriteCellBlocks) {
    this.#context = context;
    this.#writeBlocks = writeBlocks;
  }

  write(table: Node, base: TableRecord | undefined, isBase: boolean): string {
    const { map, xml } = this.#context.source;
    const rowBase = (row: Node) => map.block(row.attrs.id, 'row') ?? map.block(row.attrs.origin, 'row');
    const layout = layOutTable(table, (row) => rowBase(row)?.skippedColumns ?? 0);
    const grid = this.#grid(table, layout, base);
    let rows = '';
    for (const [index, cells] of layout.entries()) {
      rows += this.#row(table.child(index), rowBase(table.child(index)), cells, grid.changedColumns);
    }
    if (rows === '') return '';
    if (!base) return `<w:tbl>${NEW_TABLE_PROPERTIES}${grid.xml}${rows}</w:tbl>`;
    const { text } = xml;
    const gridStart = base.grid?.start ?? base.contentStart;
    const head = isBase
      ? text.slice(base.start, gridStart)
      : text.slice(base.start, gridStart).replace(/^<w:tbl\b[^>]*>/, '<w:tbl>');
    return `${head}${grid.xml}${rows}${text.slice(base.contentEnd, base.end)}`;
  }

  /** `w:tblGrid`: the file's while its columns fit, else one with a width for each column. */
  #grid(
    table: Node,
    layout: GridCell[][],
    base: TableRecord | undefined,
  ): { xml: string; changedColumns: Set<number> } {
    const pixels = columnPixels(layout);
    const known = base?.gridTwips ?? [];
    const changedColumns = new Set<number>();
    const original = base ? columnPixels(layOutTable(base.node, (row) => this.#skipped(row))) : [];
    const twips = pixels.map((width, column) => {
      if (width === original[column] && known[column] !== undefined) return known[column];
      if (width !== original[column]) changedColumns.add(column);
      return width === undefined ? (known[column] ?? DEFAULT_COLUMN_TWIPS) : width * TWIPS_PER_PIXEL;
    });
    const same = twips.length === known.length && twips.every((width, column) => width === known[column]);
    if (same && base?.grid) return { xml: this.#context.source.xml.raw(base.grid), changedColumns };
    const columns = twips.map((width) => `<w:gridCol w:w="${width}"/>`).join('');
    return { xml: table.childCount > 0 ? `<w:tblGrid>${columns}</w:tblGrid>` : '', changedColumns };
  }

  #skipped(row: Node): number {
    return this.#context.source.map.block(row.attrs.id, 'row')?.skippedColumns ?? 0;
  }

  #row(row: Node, base: RowRecord | undefined, cells: GridCell[], changedColumns: Set<number>): string {
    const { xml } = this.#context.source;
    const isBase = base?.node.attrs.id === row.attrs.id && this.#context.claim(row.attrs.id);
    let content = '';
    for (const placed of cells) {
      content += placed.continues
        ? this.#continuation(placed, base)
        : this.#cell(placed.cell, isResized(placed, changedColumns));
    }
    if (content === '') return '';
    const firstCell = base?.cells[0]?.element;
    if (!base || !firstCell) return `<w:tr>${content}</w:tr>`;
    if (isBase)
      return (
        xml.text.slice(base.start, firstCell.start) + content + xml.text.slice(lastCellEnd(base), base.end)
      );
    return `<w:tr>${copiedRowProperties(xml.text.slice(base.start, firstCell.start))}${content}</w:tr>`;
  }

  /** The lower part of a cell that spans rows (17.4.84): the file's element where it is one of the same cell. */
  #continuation({ cell }: GridCell, row: RowRecord | undefined): string {
    const { xml, map } = this.#context.source;
    const present = row?.cells.find(({ cellId, continues }) => continues && cellId === cell.attrs.id);
    const original = map.block(cell.attrs.id, 'cell');
    if (present && original?.node.attrs.colspan === cell.attrs.colspan) return xml.raw(present.element);
    const width = widthOf(cell);
    const span = cell.attrs.colspan > 1 ? `<w:gridSpan w:val="${cell.attrs.colspan}"/>` : '';
    return `<w:tc><w:tcPr>${width}${span}<w:vMerge/></w:tcPr><w:p/></w:tc>`;
  }

  #cell(cell: Node, resized: boolean): string {
    const { map, xml } = this.#context.source;
    const claimed = this.#context.claim(cell.attrs.id);
    const own = map.block(cell.attrs.id, 'cell');
    const record = claimed ? own : undefined;
    const base = own ?? map.block(cell.attrs.origin, 'cell');
    const open = record ? xml.openTag(record.element) : '<w:tc>';
    const properties = this.#cellProperties(cell, base, resized);
    return `${open}${properties}${this.#writeBlocks(cell, record)}</w:tc>`;
  }

  #cellProperties(cell: Node, base: CellRecord | undefined, resized: boolean): string {
    const { xml } = this.#context.source;
    const { colspan, rowspan } = cell.attrs;
    const rewritten = new Set(['w:gridSpan', 'w:vMerge', 'w:hMerge']);
    const newWidth = !base || resized || base.node.attrs.colspan !== colspan;
    if (newWidth) rewritten.add('w:tcW');
    const parts: PropertyXml[] = (base?.properties?.children ?? [])
      .filter(
        ({ name }) => !rewritten.has(name) && !name.startsWith('w:cellIns') && !name.startsWith('w:cellDel'),
      )
      .map((element) => ({ name: element.name, xml: xml.raw(element) }));
    if (newWidth) parts.push({ name: 'w:tcW', xml: widthOf(cell) });
    if (colspan > 1) parts.push({ name: 'w:gridSpan', xml: `<w:gridSpan w:val="${colspan}"/>` });
    if (rowspan > 1) parts.push({ name: 'w:vMerge', xml: '<w:vMerge w:val="restart"/>' });
    const content = inOrder(parts, CELL_ORDER);
    return content === '' ? '' : `<w:tcPr>${content}</w:tcPr>`;
  }
}

function widthOf(cell: Node): string {
  const pixels = widthsOf(cell)?.reduce((sum, width) => sum + width, 0) ?? 0;
  const attributes =
    pixels > 0 ? { 'w:w': pixels * TWIPS_PER_PIXEL, 'w:type': 'dxa' } : { 'w:w': 0, 'w:type': 'auto' };
  return `<w:tcW${attributesXml(attributes)}/>`;
}

/** The pixel widths of the columns that a cell spans, if it says one for each. */
function widthsOf(cell: Node): readonly number[] | undefined {
  const widths: readonly number[] = cell.attrs.colwidth ?? [];
  return widths.length === cell.attrs.colspan ? widths : undefined;
}

/** The width in pixels that a cell says for each column, if one does; its length is the number of columns. */
function columnPixels(layout: readonly GridCell[][]): (number | undefined)[] {
  const pixels: (number | undefined)[] = [];
  for (const { cell, column } of layout.flat()) {
    const widths = widthsOf(cell);
    for (let offset = 0; offset < cell.attrs.colspan; offset++)
      pixels[column + offset] ??= widths?.[offset] || undefined;
  }
  return Array.from(pixels);
}

function isResized({ cell, column }: GridCell, changedColumns: ReadonlySet<number>): boolean {
  for (let offset = 0; offset < cell.attrs.colspan; offset++)
    if (changedColumns.has(column + offset)) return true;
  return false;
}

function lastCellEnd(row: RowRecord): number {
  return row.cells.at(-1)!.element.end;
}

/** What a new row takes from the row it is made from: its properties without tracked changes of that row. */
function copiedRowProperties(head: string): string {
  const properties = /<w:trPr\b[^>]*>[\s\S]*<\/w:trPr>/.exec(head)?.[0] ?? '';
  return properties.replace(/<w:(ins|del|trPrChange)\b[^>]*?(?:\/>|>[\s\S]*?<\/w:\1>)/g, '');
}
