import type { Node } from 'prosemirror-model';
import { PHANTOM_ID } from './docx-source.ts';
import { writeParagraph } from './paragraph-writer.ts';
import type {
  BlockRecord,
  CellRecord,
  ContainerRecord,
  ParagraphRecord,
  RowRecord,
  TableRecord,
} from './source-map.ts';
import { TableWriter } from './table-writer.ts';
import type { WriteContext } from './write-context.ts';

const EMPTY_PARAGRAPH = '<w:p/>';

/**
 * Writes blocks. A block that equals that of the opened file is copied as it lies there, so it does not matter which
 * steps led to it, and undoing them gives the same bytes.
 */
export class BlockWriter {
  readonly #context: WriteContext;
  readonly #tables: TableWriter;

  constructor(context: WriteContext) {
    this.#context = context;
    this.#tables = new TableWriter(context, (cell, record) => this.#cellBlocks(cell, record));
  }

  /** Sibling blocks, with the blanks that the file has between those that are still neighbours. */
  write(parent: Node): string {
    const { text } = this.#context.source.xml;
    let xml = '';
    let previousEnd = -1;
    parent.forEach((block, _offset, index) => {
      const record = this.#claimed(block);
      if (record && record.previousEnd === previousEnd) xml += text.slice(previousEnd, record.start);
      xml += this.#block(block, record, parent.maybeChild(index + 1));
      previousEnd = record?.end ?? -1;
    });
    return xml;
  }

  #claimed(block: Node): BlockRecord | undefined {
    const record = this.#recordOf(block);
    return record && this.#context.claim(block.attrs.id) ? record : undefined;
  }

  #recordOf({ type, attrs }: Node): BlockRecord | undefined {
    const { map } = this.#context.source;
    switch (type.name) {
      case 'paragraph':
        return map.block(attrs.id, 'paragraph');
      case 'opaque_block':
        return map.block(attrs.id, 'opaque');
      case 'block_wrap':
        return map.block(attrs.id, 'wrap');
      default:
        return map.block(attrs.id, 'table');
    }
  }

  #block(block: Node, record: BlockRecord | undefined, next: Node | null): string {
    const { xml } = this.#context.source;
    const endsSection = this.#endsSection(block, next);
    if (record && endsSection !== false && (record.node === block || record.node.eq(block))) {
      this.#context.claimContent(block.content);
      return xml.text.slice(record.start, record.end);
    }
    switch (block.type.name) {
      case 'paragraph':
        return this.#paragraph(block, record as ParagraphRecord | undefined, endsSection === true);
      case 'block_wrap':
        return this.#contentControl(block, record as ContainerRecord | undefined);
      case 'table':
        return this.#table(block, record as TableRecord | undefined);
      default:
        return this.#copyOfOpaque(block);
    }
  }

  #paragraph(paragraph: Node, record: ParagraphRecord | undefined, endsSection: boolean): string {
    const isPhantom = paragraph.attrs.id === PHANTOM_ID && paragraph.content.size === 0;
    if (isPhantom && this.#context.source.doc.firstChild?.eq(paragraph)) return '';
    this.#context.changed.push(`${paragraph.attrs.id ?? 'new'}: ${excerpt(paragraph)}`);
    return writeParagraph(this.#context, paragraph, { record, base: this.#baseOf(paragraph), endsSection });
  }

  #baseOf({ attrs }: Node): ParagraphRecord | undefined {
    const { map } = this.#context.source;
    return map.block(attrs.id, 'paragraph') ?? map.block(attrs.origin, 'paragraph');
  }

  /**
   * Whether a paragraph carries the section break of the paragraph that it comes from; undefined when that has none.
   * Of the pieces of a split paragraph the last one does, as the break belongs to the paragraph's end.
   */
  #endsSection(block: Node, next: Node | null): boolean | undefined {
    if (block.type.name !== 'paragraph') return undefined;
    const base = this.#baseOf(block);
    if (!base?.properties?.children.some(({ name }) => name === 'w:sectPr')) return undefined;
    if (next?.type.name === 'paragraph' && this.#baseOf(next) === base) return false;
    return this.#context.claim(`section of ${base.node.attrs.id}`);
  }

  #contentControl(wrap: Node, record: ContainerRecord | undefined): string {
    const content = this.write(wrap) || EMPTY_PARAGRAPH;
    if (!record) return content;
    const { text } = this.#context.source.xml;
    return (
      text.slice(record.start, record.contentStart) + content + text.slice(record.contentEnd, record.end)
    );
  }

  #table(table: Node, record: TableRecord | undefined): string {
    const { map, xml } = this.#context.source;
    if (record && sameCells(record.node, table)) {
      const { start, contentStart, contentEnd, end } = record;
      return (
        xml.text.slice(start, contentStart) + this.#rowsOfSameCells(table) + xml.text.slice(contentEnd, end)
      );
    }
    this.#context.changed.push(`${table.attrs.id ?? 'new'}: table of ${table.childCount} rows`);
    return this.#tables.write(table, record ?? map.block(table.attrs.id, 'table'), record !== undefined);
  }

  #rowsOfSameCells(table: Node): string {
    const { text } = this.#context.source.xml;
    let xml = '';
    let previousEnd = -1;
    table.forEach((row) => {
      const record = this.#context.source.map.block(row.attrs.id, 'row');
      if (!record) return;
      this.#context.claim(row.attrs.id);
      if (previousEnd >= 0) xml += text.slice(previousEnd, record.start);
      xml += this.#rowOfSameCells(row, record);
      previousEnd = record.end;
    });
    return xml;
  }

  /** A row of which only the content of cells changed: everything else of it stays. */
  #rowOfSameCells(row: Node, record: RowRecord): string {
    const { xml, map } = this.#context.source;
    let text = '';
    let end = record.start;
    let index = 0;
    for (const { element, cellId, continues } of record.cells) {
      text += xml.text.slice(end, element.start);
      end = element.end;
      const cellRecord = map.block(cellId, 'cell');
      text +=
        continues || !cellRecord ? xml.raw(element) : this.#cellOfSameShape(row.child(index++), cellRecord);
    }
    return text + xml.text.slice(end, record.end);
  }

  #cellOfSameShape(cell: Node, record: CellRecord): string {
    const { text } = this.#context.source.xml;
    this.#context.claim(cell.attrs.id);
    if (record.node === cell || record.node.eq(cell)) {
      this.#context.claimContent(cell.content);
      return text.slice(record.start, record.end);
    }
    const head = record.properties?.end ?? record.element.openEnd;
    return (
      text.slice(record.start, head) +
      this.#cellBlocks(cell, record) +
      text.slice(record.contentEnd, record.end)
    );
  }

  /** The blocks of a cell, of which the last must be a paragraph (17.4.65). */
  #cellBlocks(cell: Node, record: CellRecord | undefined): string {
    const { text } = this.#context.source.xml;
    const lead = record
      ? text.slice(record.properties?.end ?? record.element.openEnd, record.contentStart)
      : '';
    const blocks = this.write(cell);
    const closed = blocks !== '' && cell.lastChild?.type.name !== 'table' && !blocks.endsWith('</w:tbl>');
    return lead + (closed ? blocks : blocks + EMPTY_PARAGRAPH);
  }

  #copyOfOpaque(block: Node): string {
    const record = this.#context.source.map.block(block.attrs.id, 'opaque');
    if (!record || !this.#context.mayDuplicate(record.end - record.start)) return '';
    return this.#context.source.xml.text.slice(record.start, record.end);
  }
}

/** True when both tables have the same rows and cells with the same spans and widths. */
function sameCells(original: Node, table: Node): boolean {
  if (original.childCount !== table.childCount) return false;
  for (let index = 0; index < table.childCount; index++) {
    const before = original.child(index);
    const after = table.child(index);
    if (before === after) continue;
    if (before.attrs.id !== after.attrs.id || before.childCount !== after.childCount) return false;
    for (let cell = 0; cell < after.childCount; cell++) {
      if (!before.child(cell).hasMarkup(after.child(cell).type, after.child(cell).attrs)) return false;
    }
  }
  return true;
}

const EXCERPT_CHARS = 40;

function excerpt(paragraph: Node): string {
  const text = paragraph.textBetween(0, paragraph.content.size).replace(/\s+/g, ' ');
  return text.length <= EXCERPT_CHARS ? text : `${text.slice(0, EXCERPT_CHARS)}…`;
}
