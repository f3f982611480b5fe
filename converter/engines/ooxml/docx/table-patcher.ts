import type { Node } from 'prosemirror-model';
import type { DocxSource } from './docx-source.ts';
import type { CellRecord, RowRecord, TableRecord } from './source-map.ts';
import {
  cellProperties,
  gridOf,
  rowHead,
  rowProperties,
  tableHead,
  tableProperties,
} from './table-property-writer.ts';
import { hasMarkupOf, isLeftOut, type WriteCellBlocks } from './table-writer.ts';
import type { WriteContext } from './write-context.ts';

/** Writes a table that has the rows and cells of the file: only properties that changed, and the content of cells. */
export class TablePatcher {
  readonly #context: WriteContext;
  readonly #writeBlocks: WriteCellBlocks;

  constructor(context: WriteContext, writeBlocks: WriteCellBlocks) {
    this.#context = context;
    this.#writeBlocks = writeBlocks;
  }

  /** True when the table has the rows and cells of the file with the spans and widths that they have there. */
  fits(original: Node, table: Node): boolean {
    if (original.childCount !== table.childCount) return false;
    for (let index = 0; index < table.childCount; index++) {
      const before = original.child(index);
      const after = table.child(index);
      if (before === after) continue;
      if (before.attrs.id !== after.attrs.id || before.childCount !== after.childCount) return false;
      for (let cell = 0; cell < after.childCount; cell++) {
        if (!fitsCell(this.#context.source, before.child(cell), after.child(cell))) return false;
      }
    }
    return true;
  }

  write(table: Node, record: TableRecord): string {
    const { xml, map } = this.#context.source;
    const { grid, end } = record;
    if (!hasLooksOf(table, record.node)) this.#context.changed.push(`${table.attrs.id}: looks of the table`);
    const properties = tableProperties(this.#context, table, record, true);
    let text = tableHead(xml, record, properties, grid ? gridOf(xml, grid, table) : '');
    let previousEnd = record.contentStart;
    table.forEach((row) => {
      const rowRecord = map.block(row.attrs.id, 'row');
      if (!rowRecord) return;
      this.#context.claim(row.attrs.id);
      text += xml.text.slice(previousEnd, rowRecord.start) + this.#row(row, rowRecord);
      previousEnd = rowRecord.end;
    });
    return text + xml.text.slice(previousEnd, end);
  }

  #row(row: Node, record: RowRecord): string {
    const { xml, map } = this.#context.source;
    const properties = rowProperties(this.#context, row, record, true, record.gaps);
    let text = rowHead(xml, record, properties, row.attrs.settled);
    let end = record.contentStart;
    let index = record.gaps.before > 0 ? 1 : 0;
    for (const { element, cellId, continues } of record.cells) {
      const cellRecord = continues ? undefined : map.block(cellId, 'cell');
      text += xml.text.slice(end, element.start);
      text += cellRecord ? this.#cell(row.child(index++), cellRecord) : xml.raw(element);
      end = element.end;
    }
    return text + xml.text.slice(end, record.end);
  }

  #cell(cell: Node, record: CellRecord): string {
    const { text } = this.#context.source.xml;
    this.#context.claim(cell.attrs.id);
    if (record.node === cell || record.node.eq(cell)) {
      this.#context.claimContent(cell.content);
      return text.slice(record.start, record.end);
    }
    const { element, properties } = record;
    // Same spans and widths, so the width is not asked for.
    const from = { properties, base: record, isBase: true, widthTwips: 0, continues: false };
    return (
      text.slice(record.start, properties?.start ?? element.openEnd) +
      cellProperties(this.#context, cell, from) +
      this.#writeBlocks(cell, record) +
      text.slice(record.contentEnd, record.end)
    );
  }
}

function fitsCell(source: DocxSource, before: Node, after: Node): boolean {
  if (source.map.block(before.attrs.id, 'gap')) return before.eq(after);
  if (isLeftOut(source, after)) return false;
  if (hasMarkupOf(after, before)) return true;
  const { rowspan, shading, verticalAlign, settled } = before.attrs;
  // The looks of a cell over several rows are said in each of them.
  return rowspan === 1 && before.hasMarkup(after.type, { ...after.attrs, shading, verticalAlign, settled });
}

function hasLooksOf(table: Node, original: Node): boolean {
  let same = hasMarkupOf(table, original);
  table.forEach((row, _offset, index) => {
    const before = original.child(index);
    same &&= row === before || hasMarkupOf(row, before);
    row.forEach((cell, _cellOffset, place) => {
      same &&= hasMarkupOf(cell, before.child(place));
    });
  });
  return same;
}
