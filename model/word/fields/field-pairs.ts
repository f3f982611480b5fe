import type { Node } from 'prosemirror-model';

/** The characters of a complex field (17.16.18): between `begin` and `separate` stands what it does, then its result. */
export type FieldMarkType = 'begin' | 'separate' | 'end';

/** A field character of the opened file: the node that it is, or that holds it, and which one. */
export type FieldMark = readonly [id: string, type: FieldMarkType];

/** A field of the opened file whose characters are nodes of their own. */
export interface FileField {
  readonly hasSeparate: boolean;
  /** Begins in another cell than it ends. */
  readonly crossesCells: boolean;
  /** Some of its characters are in a tracked deletion, and some are not. */
  readonly isHalfStruck: boolean;
  /**
   * What follows its beginning, or its instruction, stands twice in the file: once in a tracked deletion and once in an insertion, as
   * programs write that compare documents. Of the two, one is left when the changes are settled.
   */
  readonly isTwofold: boolean;
  /** What the page shows of its instruction, where programs that know fields show nothing. */
  readonly instruction: string;
}

/** A field character, and the field of the file that it is one of; null for a half that the file has alone. */
export interface KnownMark {
  readonly type: FieldMarkType;
  readonly field: FileField | null;
}

const NO_MARKS: readonly KnownMark[] = [];
const INSTRUCTIONS = new Set(['w:instrText', 'w:delInstrText']);

/** Whether a node is the instruction of a field, or a piece of it. */
export function isInstruction({ type, attrs }: Node): boolean {
  return type.name === 'opaque_inline' && INSTRUCTIONS.has(attrs.kind);
}

/** Whether a node is a character or an instruction of a field, and holds nothing beside that. */
export function isBare(node: Node): boolean {
  return isInstruction(node) || (node.type.name === 'opaque_inline' && node.attrs.kind === 'w:fldChar');
}

export function isStruck({ marks }: Node): boolean {
  return marks.some(({ type }) => type.name === 'del');
}

const isInserted = (node: Node): boolean =>
  !isStruck(node) && node.marks.some(({ type }) => type.name === 'ins');

interface OpenField {
  readonly begin: Found;
  separate: Found | null;
  /** Where its instruction begins and ends in what has been shown. */
  readonly from: number;
  to: number | null;
}

interface Found {
  readonly index: number;
  readonly cell: Node | null;
  readonly isStruck: boolean;
  readonly isInserted: boolean;
}

const isPlain = ({ isStruck, isInserted }: Found): boolean => !isStruck && !isInserted;

/**
 * Which field characters of an opened document belong together. No change can put in a new one (W10), so characters of a
 * later document belong together as they did in the file.
 */
export class FieldPairs {
  readonly #marks = new Map<string, KnownMark[]>();

  /**
   * @param base the document as it was opened
   * @param marks its field characters in document order, without those of fields that one node holds as a whole
   */
  constructor(base: Node, marks: readonly FieldMark[]) {
    if (marks.length === 0) return;
    const fields = pairUp(base, marks);
    for (const [index, [id, type]] of marks.entries()) {
      const known = this.#marks.get(id);
      const mark = { type, field: fields.get(index) ?? null };
      if (known) known.push(mark);
      else this.#marks.set(id, [mark]);
    }
  }

  get isEmpty(): boolean {
    return this.#marks.size === 0;
  }

  /** The field characters that a node is or holds, in order. */
  of({ attrs }: Node): readonly KnownMark[] {
    return this.#marks.get(attrs.id) ?? NO_MARKS;
  }
}

/** The field of each mark that has one, by the mark's index. */
function pairUp(base: Node, marks: readonly FieldMark[]): Map<number, FileField> {
  const pairing = new Pairing();
  const indexes = new Map<string, number[]>();
  for (const [index, [id]] of marks.entries()) indexes.set(id, [...(indexes.get(id) ?? []), index]);
  visitShown(base, (node, _position, cell, shown) => {
    pairing.show(shown);
    for (const index of indexes.get(node.attrs.id) ?? [])
      pairing.take(marks[index]![1], { index, cell, isStruck: isStruck(node), isInserted: isInserted(node) });
  });
  pairing.finish();
  return pairing.fields;
}

class Pairing {
  readonly fields = new Map<number, FileField>();
  readonly #open: OpenField[] = [];
  /** The field that has ended last at each depth, with its end. */
  readonly #ended: (OpenField & { field: FileField & { isTwofold: boolean }; end: Found })[] = [];
  /** At which depth the second half of a field goes on that has ended already. */
  #second: number | null = null;
  /** Cut into instructions at the end: fields in each other share it, however many they are. */
  #shown = '';
  readonly #instructions: { field: { instruction: string }; from: number; to: number }[] = [];

  show(shown: string): void {
    this.#shown += shown;
  }

  finish(): void {
    for (const { field, from, to } of this.#instructions) field.instruction = this.#shown.slice(from, to);
  }

  take(type: FieldMarkType, found: Found): void {
    const last = this.#open.at(-1);
    if (type !== 'begin' && this.#takeTwice(type, found)) return;
    if (type === 'begin') {
      this.#open.push({ begin: found, separate: null, from: this.#shown.length, to: null });
      this.#ended.length = Math.min(this.#ended.length, this.#open.length);
    } else if (type === 'separate' && last && !last.separate) {
      last.separate = found;
      last.to = this.#shown.length;
    } else if (type === 'end' && last) this.#end(last, found);
  }

  #end(last: OpenField, found: Found): void {
    this.#open.pop();
    const all = [last.begin, ...(last.separate ? [last.separate] : []), found];
    const field = {
      hasSeparate: last.separate !== null,
      crossesCells: all.some(({ cell }) => cell !== found.cell),
      isHalfStruck: all.some((one) => one.isStruck !== found.isStruck),
      isTwofold: false,
      instruction: '',
    };
    for (const one of all) this.fields.set(one.index, field);
    this.#instructions.push({ field, from: last.from, to: last.to ?? this.#shown.length });
    this.#ended[this.#open.length] = { ...last, field, end: found };
  }

  /** Whether a mark is one that the field before has already, in a change of the other kind. */
  #takeTwice(type: FieldMarkType, found: Found): boolean {
    const depth = this.#open.length;
    const ended = this.#ended[depth];
    if (!ended) return false;
    const { field, begin, separate, end } = ended;
    const isOther =
      isPlain(begin) && ((end.isStruck && found.isInserted) || (end.isInserted && found.isStruck));
    const isExpected = type === 'end' && (this.#second === depth || !separate || isPlain(separate));
    if (!isOther || !(type === 'separate' ? separate && !isPlain(separate) : isExpected)) return false;
    field.isTwofold = true;
    this.fields.set(found.index, field);
    this.#second = type === 'separate' ? depth : null;
    if (type === 'end') this.#ended.length = depth;
    return true;
  }
}

/** Opaque content that has no look of its own: marks of fields, notes and ranges. */
const HIDDEN =
  /^w:(?:fldChar|instrText|delInstrText|annotationRef|commentReference|(?:bookmark|commentRange|perm|moveFromRange|moveToRange)(?:Start|End)|proofErr|sectPr)$/;

/**
 * Visits every inline node and every opaque block of a document in order.
 * @param visit gets the node, its position, the table cell that it is in, and what readers see of it: its text, or one
 * character for anything else
 */
export function visitShown(
  doc: Node,
  visit: (node: Node, position: number, cell: Node | null, shown: string) => void,
): void {
  const visitChildren = (parent: Node, start: number, cell: Node | null) => {
    parent.forEach((node, offset) => {
      const position = start + offset;
      if (node.isLeaf) visit(node, position, cell, shownOf(node));
      else visitChildren(node, position + 1, node.type.name === 'table_cell' ? node : cell);
    });
  };
  visitChildren(doc, 0, null);
}

/** What readers see of a node: its text, a character for what is no text, nothing for what is invisible. */
export function shownOf({ type, attrs, text, isInline }: Node): string {
  switch (type.name) {
    case 'text':
      return text!;
    case 'tab':
      return '\t';
    case 'line_break':
      return '\n';
    case 'image':
      return '\ufffc';
    case 'opaque_inline':
    case 'opaque_block': {
      if (HIDDEN.test(attrs.kind)) return '';
      const isSeen = !isInline || attrs.label !== '' || attrs.picture !== null || attrs.kind !== 'field';
      return isSeen ? '\ufffc' : '';
    }
    default:
      return '';
  }
}
