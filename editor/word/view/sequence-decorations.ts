import type { Node } from 'prosemirror-model';
import { Plugin, type PluginKey } from 'prosemirror-state';
import { Decoration, type DecorationAttrs, DecorationSet } from 'prosemirror-view';

/** Nodes of a kind that are numbered through the document: list paragraphs, footnote references. */
interface Sequence<T> {
  readonly key: PluginKey<SequenceState<T>>;
  /** What a node contributes, or null. */
  read(node: Node): T | null;
  /** Whether nodes inside of this one may contribute. */
  descends(node: Node): boolean;
  /** Two that are the same leave the numbers of all that follow as they are. */
  same(one: T, other: T): boolean;
  /** Attributes for the elements of all, in the order of the document. */
  label(all: readonly T[]): readonly DecorationAttrs[];
}

export interface SequenceState<T> {
  readonly decorations: DecorationSet;
  /** All in order; a new list whenever one came, went or changed. */
  readonly values: readonly T[];
}

interface Found<T> {
  /** From the start of the block that was searched. */
  readonly offset: number;
  readonly size: number;
  readonly value: T;
}

/**
 * Numbers nodes with node decorations. A change costs as much as the blocks it touches; only when the sequence itself
 * changes are the numbers counted again, from what is remembered for each block.
 */
export function sequenceDecorations<T>(sequence: Sequence<T>): Plugin<SequenceState<T>> {
  const counter = new SequenceCounter(sequence);
  return new Plugin<SequenceState<T>>({
    key: sequence.key,
    state: {
      init: (_config, { doc }) => counter.count(doc, DecorationSet.empty),
      apply: (transaction, current, { doc: before }, { doc: after }) =>
        transaction.docChanged
          ? counter.follow(
              { ...current, decorations: current.decorations.map(transaction.mapping, after) },
              before,
              after,
            )
          : current,
    },
    props: {
      decorations: (state) => sequence.key.getState(state)?.decorations,
    },
  });
}

/** Finds and numbers the nodes of one sequence. */
class SequenceCounter<T> {
  readonly #sequence: Sequence<T>;
  readonly #remembered = new WeakMap<Node, readonly Found<T>[]>();
  readonly #none: readonly Found<T>[] = [];

  constructor(sequence: Sequence<T>) {
    this.#sequence = sequence;
  }

  /** Numbers all nodes. Decorations that are right already stay as they are. */
  count(doc: Node, existing: DecorationSet): SequenceState<T> {
    const all = this.#placed(doc.children, 0);
    const values = all.map(({ value }) => value);
    const labels = this.#sequence.label(values);
    const wanted = all.map(({ at, to }, index) => decoration(at, to, labels[index] ?? {}));
    const present = new Map(existing.find().map((one) => [one.from, one]));
    const added: Decoration[] = [];
    for (const one of wanted) {
      const old = present.get(one.from);
      if (old && old.to === one.to && textOf(old) === textOf(one)) present.delete(one.from);
      else added.push(one);
    }
    return { values, decorations: existing.remove([...present.values()]).add(doc, added) };
  }

  /** The state after a change; its decorations are mapped already. Counts again only if the sequence changed. */
  follow({ values, decorations }: SequenceState<T>, before: Node, after: Node): SequenceState<T> {
    const changed = changedBlocks(before, after);
    const old = this.#placed(changed.before, changed.from);
    const now = this.#placed(changed.after, changed.from);
    const same =
      old.length === now.length && old.every(({ value }, at) => this.#sequence.same(value, now[at]!.value));
    if (!same) return this.count(after, decorations);
    if (now.length === 0) return { values, decorations };
    const kept = decorations.find(now[0]!.at, now.at(-1)!.to);
    const isWhole = now.every(({ at, to }) => kept.some((one) => one.from === at && one.to === to));
    return isWhole ? { values, decorations } : this.count(after, decorations);
  }

  #placed(blocks: readonly Node[], from: number): { at: number; to: number; value: T }[] {
    const all: { at: number; to: number; value: T }[] = [];
    let pos = from;
    for (const block of blocks) {
      for (const { offset, size, value } of this.#foundIn(block))
        all.push({ at: pos + offset, to: pos + offset + size, value });
      pos += block.nodeSize;
    }
    return all;
  }

  #foundIn(node: Node): readonly Found<T>[] {
    const known = this.#remembered.get(node);
    if (known) return known;
    const value = this.#sequence.read(node);
    const found: Found<T>[] = value === null ? [] : [{ offset: 0, size: node.nodeSize, value }];
    if (!node.isLeaf && this.#sequence.descends(node)) {
      node.forEach((child, offset) => {
        for (const inner of this.#foundIn(child)) found.push({ ...inner, offset: offset + 1 + inner.offset });
      });
    }
    const kept = found.length === 0 ? this.#none : found;
    if (!node.isText) this.#remembered.set(node, kept);
    return kept;
  }
}

function decoration(from: number, to: number, attrs: DecorationAttrs): Decoration {
  return Decoration.node(from, to, attrs, { text: JSON.stringify(attrs) });
}

function textOf(one: Decoration): string {
  return one.spec.text;
}

/** The top-level blocks that differ between two versions of a document; all before and after them are the same. */
interface ChangedBlocks {
  /** Index of the first that differs. */
  readonly first: number;
  /** Position of that block, the same in both documents. */
  readonly from: number;
  readonly before: readonly Node[];
  readonly after: readonly Node[];
}

/** Compares by identity, as documents share the blocks that a step does not touch: a few microseconds for a book. */
export function changedBlocks(before: Node, after: Node): ChangedBlocks {
  const shared = Math.min(before.childCount, after.childCount);
  let first = 0;
  let from = 0;
  while (first < shared && before.child(first) === after.child(first)) from += before.child(first++).nodeSize;
  let end = 0;
  const lastBefore = before.childCount - 1;
  const lastAfter = after.childCount - 1;
  while (end < shared - first && before.child(lastBefore - end) === after.child(lastAfter - end)) end++;
  return {
    first,
    from,
    before: before.children.slice(first, before.childCount - end),
    after: after.children.slice(first, after.childCount - end),
  };
}
