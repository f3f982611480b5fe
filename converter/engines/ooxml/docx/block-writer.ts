import type { Node } from 'prosemirror-model';
import { PHANTOM_ID } from './docx-source.ts';
import { writeParagraph } from './paragraph-writer.ts';
import type { BlockRecord, CellRecord, ContainerRecord, ParagraphRecord, TableRecord } from './source-map.ts';
import { TablePatcher } from './table-patcher.ts';
import { TableWriter } from './table-writer.ts';
import { settledXml } from './tracked-xml.ts';
import type { WriteContext } from './write-context.ts';

const EMPTY_PARAGRAPH = '<w:p/>';

/**
 * Writes blocks. A block that equals that of the opened file is copied as it lies there, so it does not matter which
 * steps led to it, and undoing them gives the same bytes.
 */
export class BlockWriter {
  readonly #context: WriteContext;
  readonly #tables: TableWriter;
  readonly #tablePatcher: TablePatcher;

  constructor(context: WriteContext) {
    this.#context = context;
    const writeCell = (cell: Node, cellRecord: CellRecord | undefined) => this.#cellBlocks(cell, cellRecord);
    this.#tables = new TableWriter(context, writeCell);
    this.#tablePatcher = new TablePatcher(context, writeCell);
  }

  /** Sibling blocks, with the blanks that the file has between those that are still neighbours. */
  write(parent: Node): string {
    const { text } = this.#context.source.xml;
    let xml = '';
    let previousEnd = -1;
    parent.forEach((block, _offset, index) => {
      const record = this.#claimed(block);
      const neighbours = record !== undefined && record.previousEnd === previousEnd;
      if (neighbours) xml += text.slice(previousEnd, record.start);
      const blockXml = this.#block(block, record, parent.maybeChild(index + 1));
      // Tables that touch are shown as one (17.4.37).
      const touches = !neighbours && /^<w:tbl[\s>]/.test(blockXml) && xml.endsWith('</w:tbl>');
      if (touches) xml += EMPTY_PARAGRAPH;
      xml += blockXml;
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
    if (record && this.#tablePatcher.fits(record.node, table)) return this.#tablePatcher.write(table, record);
    const { map } = this.#context.source;
    const { id, origin } = table.attrs;
    this.#context.changed.push(`${id ?? 'new'}: table of ${table.childCount} rows`);
    const base = record ?? map.block(id, 'table') ?? map.block(origin, 'table');
    return this.#tables.write(table, base, record !== undefined);
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
    const raw = this.#context.source.xml.text.slice(record.start, record.end);
    return block.attrs.settled ? settledXml(raw, block.attrs.settled) : raw;
  }
}

const EXCERPT_CHARS = 40;

function excerpt(paragraph: Node): string {
  const text = paragraph.textBetween(0, paragraph.content.size).replace(/\s+/g, ' ');
  return text.length <= EXCERPT_CHARS ? text : `${text.slice(0, EXCERPT_CHARS)}…`;
}
