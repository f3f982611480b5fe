import type { Node } from 'prosemirror-model';
import {
  type FieldPairs,
  type FileField,
  isInstruction,
  isStruck,
  type KnownMark,
  visitShown,
} from './field-pairs.ts';

export interface PlacedNode {
  readonly node: Node;
  readonly position: number;
}

/** A field character where it stands in a document. */
export interface PlacedMark extends PlacedNode, KnownMark {
  readonly cell: Node | null;
}

/** A field that a document has with all its characters. */
export interface PlacedField {
  readonly source: FileField;
  readonly begin: PlacedMark;
  readonly separate: PlacedMark | null;
  readonly end: PlacedMark;
  /** In document order. */
  readonly instructions: readonly PlacedNode[];
  /** What the page shows of what stands before the result. */
  readonly shownInstruction: string;
}

/** The field characters of a document. */
export interface PlacedFields {
  /** In the order in which they end. */
  readonly whole: readonly PlacedField[];
  /** Characters whose others are not where they must be, and instructions of no field, in no certain order. */
  readonly stray: readonly (PlacedMark | PlacedNode)[];
}

interface OpenField {
  readonly source: FileField;
  readonly begin: PlacedMark;
  /** The innermost field around it whose instruction it stands in: an instruction in its result is a part of that. */
  readonly within: OpenField | undefined;
  separate: PlacedMark | null;
  readonly instructions: PlacedNode[];
  /** Where its instruction begins and ends in what has been shown. */
  readonly from: number;
  to: number | null;
}

/** Finds the fields of a document: characters of one field of the file, in order, well nested, and in one table cell. */
export function placeFields(doc: Node, pairs: FieldPairs): PlacedFields {
  const finder = new FieldFinder();
  visitShown(doc, (node, position, cell, shown) => {
    finder.show(shown);
    if (isInstruction(node)) finder.instruct({ node, position });
    else for (const mark of pairs.of(node)) finder.take({ ...mark, node, position, cell });
  });
  finder.finish();
  return finder;
}

class FieldFinder implements PlacedFields {
  readonly whole: (PlacedField & { shownInstruction: string })[] = [];
  readonly stray: (PlacedMark | PlacedNode)[] = [];
  readonly #open: OpenField[] = [];
  /** The end of a field of which the rest follows once more, in a change of the other kind. */
  #twofold: PlacedMark | null = null;

  /** Cut into instructions at the end: fields in each other share it, however many they are. */
  #shown = '';
  /** Of each whole field. */
  readonly #spans: (readonly [from: number, to: number])[] = [];

  show(shown: string): void {
    this.#shown += shown;
  }

  instruct(node: PlacedNode): void {
    if (this.#twofold && isStruck(node.node) !== isStruck(this.#twofold.node)) return;
    (this.#instructed()?.instructions ?? this.stray).push(node);
  }

  take(mark: PlacedMark): void {
    const { type, field: source } = mark;
    if (this.#isSecond(mark)) {
      if (type === 'end') this.#twofold = null;
      return;
    }
    if (type === 'begin' && source) {
      const within = this.#instructed();
      const from = this.#shown.length;
      this.#open.push({ source, begin: mark, within, separate: null, instructions: [], from, to: null });
      return;
    }
    const field = source && this.#reach(source, mark);
    if (!field) this.stray.push(mark);
    else if (type === 'separate') {
      field.separate = mark;
      field.to = this.#shown.length;
    } else {
      this.#open.pop();
      if (source.hasSeparate && !field.separate) {
        this.#lose(field);
        this.stray.push(mark);
      } else {
        const { begin, separate, instructions, from, to } = field;
        this.whole.push({ source, begin, separate, end: mark, instructions, shownInstruction: '' });
        this.#spans.push([from, to ?? this.#shown.length]);
        this.#twofold = source.isTwofold ? mark : null;
      }
    }
  }

  /** The field that an instruction is of which stands here. */
  #instructed(): OpenField | undefined {
    const last = this.#open.at(-1);
    return last?.separate ? last.within : last;
  }

  #isSecond({ node, field }: PlacedMark): boolean {
    return (
      this.#twofold !== null &&
      field === this.#twofold.field &&
      isStruck(node) !== isStruck(this.#twofold.node)
    );
  }

  finish(): void {
    for (const field of this.#open.splice(0)) this.#lose(field);
    for (const [at, span] of this.#spans.entries())
      this.whole[at]!.shownInstruction = this.#shown.slice(...span);
  }

  /** The open field that a mark goes on with; those that began in it can end no more. */
  #reach(source: FileField, { type, cell }: PlacedMark): OpenField | undefined {
    const at = this.#open.findLastIndex(
      (field) =>
        field.source === source &&
        (type === 'end' || !field.separate) &&
        (field.begin.cell === cell || source.crossesCells),
    );
    if (at < 0) return undefined;
    for (const inner of this.#open.splice(at + 1)) this.#lose(inner);
    return this.#open[at];
  }

  #lose({ begin, separate, instructions }: OpenField): void {
    this.stray.push(begin, ...instructions);
    if (separate) this.stray.push(separate);
  }
}
