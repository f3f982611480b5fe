import type { Mark, Node } from 'prosemirror-model';
import type { FieldMark } from '../../../../model/word/fields/field-pairs.ts';
import type { ContentControl } from '../../../../model/word/rights/document-rights.ts';
import type { XmlElement } from '../package/xml-scanner.ts';
import { fieldElementsIn, looseElements } from './complex-fields.ts';
import type { ModelBudget } from './model-budget.ts';
import type { RowGaps, TableWrap } from './table-structure.ts';

/** Where a node of the opened document lies in the text of its part. */
interface Span {
  readonly node: Node;
  readonly start: number;
  readonly end: number;
}

interface BlockSpan extends Span {
  /** End of the sibling before it, or its own start: the blanks between belong to the two together. */
  readonly previousEnd: number;
}

/** An element around runs that the model shows as a mark: a hyperlink, tracked change, content control, smart tag. */
export interface Wrapper {
  readonly mark: Mark;
  readonly openXml: string;
  readonly closeXml: string;
}

const WRAPPING = new Set(['link', 'within', 'ins', 'del']);

/** Whether a mark stands for an element around runs, and not for a property of them. */
export function isWrapping(mark: Mark): boolean {
  return WRAPPING.has(mark.type.name);
}

/** A stretch of a paragraph's XML (usually a run) and how much of the model it makes. */
export interface InlineItem {
  readonly start: number;
  readonly end: number;
  /** ProseMirror positions. */
  readonly size: number;
  /** Outermost first. */
  readonly wrappers: readonly Wrapper[];
}

export interface ParagraphRecord extends BlockSpan {
  readonly kind: 'paragraph';
  readonly element: XmlElement;
  readonly properties: XmlElement | undefined;
  readonly items: readonly InlineItem[];
}

interface OpaqueRecord extends BlockSpan {
  readonly kind: 'opaque';
}

/** A block that holds blocks: content control, table cell. */
export interface ContainerRecord extends BlockSpan {
  readonly kind: 'wrap';
  readonly contentStart: number;
  readonly contentEnd: number;
}

export interface TableRecord extends BlockSpan {
  readonly kind: 'table';
  readonly element: XmlElement;
  readonly properties: XmlElement | undefined;
  readonly grid: XmlElement | undefined;
  /** Widths in twips of the columns that the file declares. */
  readonly gridTwips: readonly number[];
  readonly contentStart: number;
  readonly contentEnd: number;
}

export interface RowRecord extends BlockSpan {
  readonly kind: 'row';
  readonly element: XmlElement;
  readonly properties: XmlElement | undefined;
  readonly cells: readonly RowCell[];
  readonly gaps: RowGaps;
  /** What is around the row, outermost first, and what stands before it. */
  readonly wraps: readonly TableWrap[];
  readonly lead: string;
  readonly contentStart: number;
  readonly contentEnd: number;
}

/** A cell element of a row: one that the model has, or the continuation of one that is merged downwards. */
export interface RowCell {
  readonly element: XmlElement;
  readonly cellId: string;
  readonly continues: boolean;
  readonly wraps: readonly TableWrap[];
  readonly lead: string;
}

export interface CellRecord extends BlockSpan {
  readonly kind: 'cell';
  readonly element: XmlElement;
  readonly properties: XmlElement | undefined;
  readonly contentStart: number;
  readonly contentEnd: number;
}

/** A cell of the model for columns that a row leaves out. It has no XML, and gets none while it is empty. */
interface GapRecord extends BlockSpan {
  readonly kind: 'gap';
}

interface InlineRecord extends Span {
  readonly kind: 'inline';
  /** Whether the XML stands in a run, or beside runs. */
  readonly inRun: boolean;
}

export type BlockRecord =
  | ParagraphRecord
  | OpaqueRecord
  | ContainerRecord
  | TableRecord
  | RowRecord
  | CellRecord
  | GapRecord;

/**
 * Where each node of an opened document comes from, by its id. Ids are a letter and an ordinal in document order, so
 * the same bytes always give the same ids.
 */
export class SourceMap {
  readonly #blocks = new Map<string, BlockRecord>();
  readonly #continuations = new Map<string, XmlElement[]>();
  readonly #inlines = new Map<string, InlineRecord>();
  /** By the `key` of their marks. */
  readonly wrappers: Wrapper[] = [];
  /** Content controls whose content may be changed, as `WordDocumentJson` names them. */
  readonly fillable: string[] = [];
  /** Of these and others what else is to be said, as `WordDocumentJson` has it. */
  readonly controls: ContentControl[] = [];
  /** Characters of fields that no node holds as a whole, in document order. */
  readonly fieldMarks: FieldMark[] = [];
  readonly #budget: ModelBudget;
  #ordinal = 0;

  constructor(budget: ModelBudget) {
    this.#budget = budget;
  }

  /** @throws ConversionError limits */
  nextId(prefix: string): string {
    this.#budget.takePlace();
    return prefix + (this.#ordinal++).toString(36);
  }

  addBlock(record: BlockRecord): void {
    this.#blocks.set(record.node.attrs.id, record);
    if (record.kind !== 'row') return;
    for (const { cellId, element, continues } of record.cells) {
      if (!continues) continue;
      const known = this.#continuations.get(cellId);
      if (known) known.push(element);
      else this.#continuations.set(cellId, [element]);
    }
  }

  /** The elements that go on with a cell in rows below its own. */
  continuationsOf(cellId: string): readonly XmlElement[] {
    return this.#continuations.get(cellId) ?? [];
  }

  addInline(record: InlineRecord): void {
    this.#inlines.set(record.node.attrs.id, record);
  }

  /** Notes which halves of fields a node holds whose XML is a stretch of a text. */
  addFieldMarks(id: string, text: string, start: number, end: number): void {
    const source = text.slice(start, end);
    if (!source.includes('<w:fldChar')) return;
    const [story] = fieldElementsIn(source);
    for (const { type } of looseElements(story!)) {
      if (type !== 'instruction') this.fieldMarks.push([id, type]);
    }
  }

  block<K extends BlockRecord['kind']>(
    id: string | null,
    kind: K,
  ): Extract<BlockRecord, { kind: K }> | undefined {
    const record = id === null ? undefined : this.#blocks.get(id);
    return record?.kind === kind ? (record as Extract<BlockRecord, { kind: K }>) : undefined;
  }

  inline(node: Node): InlineRecord | undefined {
    const { id } = node.attrs;
    const record = id === null ? undefined : this.#inlines.get(id);
    return record?.node.type === node.type ? record : undefined;
  }
}
