import { Fragment, type Mark, type Node } from 'prosemirror-model';
import { AddMarkStep, type Mappable, RemoveMarkStep, Step, StepResult } from 'prosemirror-transform';
import { wordSchema } from './schema.ts';

/** Gives a mark, or takes away one that is equal. */
export interface MarkChange {
  readonly adds: boolean;
  readonly mark: Mark;
}

/** Does so with all inline content of a range. */
export interface MarkPart extends MarkChange {
  readonly from: number;
  readonly to: number;
}

/**
 * Many changes of marks, made one after the other, as one step: the step type `markSet` of `prosemirror-transform`, whose
 * own class makes a new document for each part. This one makes one in one walk, and shares with the document before what
 * it does not change.
 */
export class MarkSet extends Step {
  readonly parts: readonly MarkPart[];

  constructor(parts: readonly MarkPart[]) {
    super();
    this.parts = parts;
  }

  override apply(doc: Node): StepResult {
    if (this.parts.some(({ from, to }) => from < 0 || from > to || to > doc.content.size)) {
      return StepResult.fail('a part lies outside of the document');
    }
    return StepResult.ok(changed(doc, 0, new Sweep(this.parts)));
  }

  /** Takes back exactly what the step does to this document: what had a mark before keeps it. */
  override invert(doc: Node): MarkSet {
    const sweep = new Sweep(this.parts);
    const inverted = new MarkParts();
    doc.nodesBetween(sweep.from, sweep.to, (node, position, parent) => {
      if (!node.isInline) return true;
      for (const { from, to, parts } of sweep.pieces(node, position)) {
        const after = marked(node.marks, parent!, parts);
        inverted.add(from, to, [
          ...after.filter((mark) => !mark.isInSet(node.marks)).map((mark) => ({ adds: false, mark })),
          ...node.marks.filter((mark) => !mark.isInSet(after)).map((mark) => ({ adds: true, mark })),
        ]);
      }
      return false;
    });
    return new MarkSet(inverted.parts);
  }

  override map(mapping: Mappable): MarkSet | null {
    const mapped = this.parts
      .map((part) => ({ ...part, from: mapping.map(part.from, 1), to: mapping.map(part.to, -1) }))
      .filter(({ from, to }) => from < to);
    return mapped.length === 0 ? null : new MarkSet(mapped);
  }

  override toJSON(): unknown {
    const steps = this.parts.map(({ adds, from, to, mark }) =>
      new (adds ? AddMarkStep : RemoveMarkStep)(from, to, mark).toJSON(),
    );
    return { stepType: 'markSet', steps };
  }
}

/** Parts as they are collected in the order of a document: what is the same for neighbours is said once. */
export class MarkParts {
  readonly parts: MarkPart[] = [];
  #last: readonly MarkChange[] = [];

  /** What is to happen to the inline content that follows that of the call before; empty for nothing. */
  add(from: number, to: number, changes: readonly MarkChange[]): void {
    const last = this.#last;
    const first = this.parts.length - last.length;
    const isSame =
      changes.length === last.length &&
      changes.every(({ adds, mark }, at) => adds === last[at]!.adds && mark.eq(last[at]!.mark));
    this.#last = changes;
    for (const [at, change] of changes.entries()) {
      if (isSame) this.parts[first + at] = { ...this.parts[first + at]!, to };
      else this.parts.push({ ...change, from, to });
    }
  }
}

/** Reads the JSON of a step of any type. @throws RangeError when it is none of this schema */
export function stepFromJson(json: unknown): Step {
  const step = Step.fromJSON(wordSchema, json);
  const { stepType, steps } = json as { stepType: string; steps: unknown[] };
  if (stepType !== 'markSet') return step;
  const parts = steps.map((one) => Step.fromJSON(wordSchema, one));
  return new MarkSet(parts.map((part) => markPart(part as AddMarkStep | RemoveMarkStep)));
}

const markPart = (step: AddMarkStep | RemoveMarkStep): MarkPart => ({
  adds: step instanceof AddMarkStep,
  from: step.from,
  to: step.to,
  mark: step.mark,
});

interface Piece {
  readonly from: number;
  readonly to: number;
  /** Those that concern it, in their order; may be none. */
  readonly parts: readonly MarkPart[];
}

/** Finds the parts that concern a place, for places in the order of a document. */
class Sweep {
  readonly #order: ReadonlyMap<MarkPart, number>;
  readonly #coming: readonly MarkPart[];
  #next = 0;
  #open: MarkPart[] = [];

  constructor(parts: readonly MarkPart[]) {
    this.#order = new Map(parts.map((part, at) => [part, at]));
    this.#coming = parts.filter(({ from, to }) => from < to).sort((one, other) => one.from - other.from);
  }

  get from(): number {
    return this.#coming[0]?.from ?? 0;
  }

  get to(): number {
    return this.#coming.reduce((end, { to }) => Math.max(end, to), 0);
  }

  /** Whether any part concerns a range. */
  concerns(from: number, to: number): boolean {
    const next = this.#coming[this.#next];
    return (next !== undefined && next.from < to) || this.#open.some((part) => part.to > from);
  }

  /** An inline node, cut where parts begin and end. */
  pieces({ nodeSize }: Node, from: number): Piece[] {
    const to = from + nodeSize;
    for (let next = this.#coming[this.#next]; next && next.from < to; next = this.#coming[this.#next]) {
      this.#open.push(next);
      this.#next += 1;
    }
    if (this.#open.some((part) => part.to <= from)) this.#open = this.#open.filter((part) => part.to > from);
    const cuts = new Set([from, to]);
    for (const part of this.#open) {
      if (part.from > from) cuts.add(part.from);
      if (part.to < to) cuts.add(part.to);
    }
    const places = [...cuts].sort((a, b) => a - b);
    return places.slice(1).map((end, at) => {
      const start = places[at]!;
      const parts = this.#open.filter((part) => part.from < end && part.to > start);
      if (parts.length > 1) parts.sort((a, b) => this.#order.get(a)! - this.#order.get(b)!);
      return { from: start, to: end, parts };
    });
  }
}

function marked(marks: readonly Mark[], parent: Node, changes: readonly MarkChange[]): readonly Mark[] {
  return changes.reduce((set, { adds, mark }) => {
    if (!adds) return mark.removeFromSet(set);
    return parent.type.allowsMarkType(mark.type) ? mark.addToSet(set) : set;
  }, marks);
}

/** The node, which begins to have content at a position, or another one with changed marks in its place. */
function changed(node: Node, start: number, sweep: Sweep): Node {
  let children: Node[] | null = null;
  let position = start;
  for (const [index, child] of node.children.entries()) {
    const from = position;
    position += child.nodeSize;
    if (!sweep.concerns(from, position)) {
      children?.push(child);
      continue;
    }
    const made = child.isInline ? changedInline(child, from, node, sweep) : [changed(child, from + 1, sweep)];
    const isSame = made.length === 1 && made[0] === child;
    if (!isSame) children ??= node.children.slice(0, index);
    children?.push(...made);
  }
  return children ? node.copy(Fragment.fromArray(children)) : node;
}

function changedInline(node: Node, position: number, parent: Node, sweep: Sweep): Node[] {
  const pieces = sweep
    .pieces(node, position)
    .map(({ from, to, parts }) => ({ from, to, marks: marked(node.marks, parent, parts) }));
  if (pieces.every(({ marks }) => marks === node.marks)) return [node];
  return pieces.map(({ from, to, marks }) =>
    (node.isText ? node.cut(from - position, to - position) : node).mark(marks),
  );
}
