import { Fragment, type Node } from 'prosemirror-model';
import { sharedChildren } from '../changed-nodes.ts';
import { wordSchema } from '../schema.ts';
import type { DocumentRights } from './document-rights.ts';

const { marks, nodes } = wordSchema;

/** A stretch of a document, by its content controls. */
interface Stretch {
  /**
   * The content of controls that are held, for each place where one stands. What may be changed there is left out: free
   * controls in them, and comments.
   */
  readonly held: Map<string, Node[][]>;
  /** Controls that stand in it. */
  readonly present: Set<string>;
  /** The control of the inline content before, which goes on. */
  open: string | null;
}

/** The control that inline content is in by its mark, or that a block or the content of a cell is. */
function refOf(node: Node): string | null {
  const isHolder = node.type === nodes.block_wrap || node.type === nodes.table_cell;
  if (!node.isInline) return isHolder ? String(node.attrs.id) : null;
  const within = marks.within.isInSet(node.marks);
  return within ? String(within.attrs.key) : null;
}

/**
 * The content control that forbids the change from one document to another; null when none does. The content of a held
 * control stays, but the control may be deleted or copied as a whole. A control that stays may be filled in, but not deleted.
 * Only the stretch in which the documents differ is looked at.
 */
export function controlInTheWay(before: Node, after: Node, rights: DocumentRights): string | null {
  if (rights.held.size === 0 && rights.staying.size === 0) return null;
  const comparison = new Comparison(rights);
  return comparison.differing(before, after, null) ?? comparison.damagedCopy(before);
}

class Comparison {
  readonly #rights: DocumentRights;
  /** What has come of controls to where they did not stand. */
  readonly #come: (readonly [ref: string, places: readonly Node[][]])[] = [];

  constructor(rights: DocumentRights) {
    this.#rights = rights;
  }

  /** @param holder the held control that both are in */
  differing(before: Node, after: Node, holder: string | null): string | null {
    if (before === after) return null;
    const { start, end } = sharedChildren(before, after);
    const one = before.children.slice(start, before.childCount - end);
    const other = after.children.slice(start, after.childCount - end);
    const [first, second] = [one[0], other[0]];
    const isPair = one.length === 1 && other.length === 1 && first!.sameMarkup(second!);
    if (isPair && !first!.isTextblock && !first!.isLeaf) {
      return this.differing(first!, second!, this.#holderIn(first!, holder));
    }
    // Text that is cut in two is one control: the paragraph as a whole is looked at.
    const [old, now] =
      before.isTextblock && after.isTextblock
        ? [this.#read(before.children, holder), this.#read(after.children, holder)]
        : [this.#read(one, holder), this.#read(other, holder)];
    return this.#changed(old, now, holder);
  }

  /** A control of which another has come that is not like it: a part of it, or with another content. */
  damagedCopy(before: Node): string | null {
    if (this.#come.length === 0) return null;
    const { held } = this.#read(before.children, null);
    for (const [ref, places] of this.#come) {
      const known = held.get(ref);
      if (known && !areAmong(places, known)) return ref;
    }
    return null;
  }

  #changed(old: Stretch, now: Stretch, holder: string | null): string | null {
    if (holder !== null && !sameOf(old.held.get(holder) ?? [], now.held.get(holder) ?? [])) return holder;
    for (const [ref, content] of old.held) {
      const kept = now.held.get(ref);
      if (!kept && !now.present.has(ref)) continue;
      if (!kept || !sameOf(content, kept)) return ref;
    }
    for (const [ref, places] of now.held) if (!old.held.has(ref)) this.#come.push([ref, places]);
    for (const ref of old.present) {
      if (this.#rights.staying.has(ref) && !now.present.has(ref)) return ref;
      if (!old.held.has(ref) && now.held.has(ref)) return ref;
    }
    return null;
  }

  #read(children: readonly Node[], holder: string | null): Stretch {
    const stretch: Stretch = { held: new Map(), present: new Set(), open: holder };
    if (holder !== null) stretch.held.set(holder, [[]]);
    for (const child of children) this.#visit(child, holder, stretch);
    return stretch;
  }

  #visit(node: Node, holder: string | null, stretch: Stretch): void {
    const ref = refOf(node);
    if (ref !== null) stretch.present.add(ref);
    if (node.type === nodes.opaque_inline || node.type === nodes.opaque_block)
      stretch.present.add(node.attrs.id);
    const inside = this.#holderIn(node, holder);
    if (node.isInline || node.isLeaf) {
      if (isNote(node)) return;
      const begins = inside !== holder && ref !== stretch.open;
      // A control counts as content of the held one that it is in.
      if (holder !== null && begins) add(stretch, holder, controlIn(ref), false);
      if (inside !== null) add(stretch, inside, node, begins);
      stretch.open = ref ?? inside;
      return;
    }
    // A block counts as content of the held control that it is in.
    if (holder !== null) add(stretch, holder, node.copy(Fragment.empty), false);
    if (inside !== null && inside !== holder) add(stretch, inside, null, true);
    stretch.open = null;
    for (const child of node.children) this.#visit(child, inside, stretch);
    stretch.open = null;
  }

  /** The held control that what is in a node is in; a control that may be filled in frees its content. */
  #holderIn(node: Node, holder: string | null): string | null {
    const ref = refOf(node);
    if (ref === null) return holder;
    if (this.#rights.held.has(ref)) return ref;
    return this.#rights.fillable.has(ref) ? null : holder;
  }
}

/** Adds to what stands in a control at one place; `begins` where another place begins. */
function add({ held }: Stretch, ref: string, node: Node | null, begins: boolean): void {
  const places = held.get(ref) ?? [];
  held.set(ref, places);
  if (begins || places.length === 0) places.push([]);
  if (node) places.at(-1)!.push(node);
}

/** Stands for a control in a line. */
const controlIn = (ref: string | null): Node =>
  wordSchema.text('\ufffc', [marks.within.create({ key: Number(ref) })]);

/** Comments and their ends may be set and taken away anywhere. */
const isNote = ({ type }: Node): boolean => type === nodes.anchor || type === nodes.comment;

/** Whether a control holds at each place what it held at one before, and nothing of that is lost. */
const sameOf = (before: readonly Node[][], now: readonly Node[][]): boolean =>
  areAmong(now, before) && areAmong(before, now);

/** Whether there is of everything that stands at some place the same among others. */
function areAmong(places: readonly Node[][], others: readonly Node[][]): boolean {
  const [some, all] = [places, others].map((each) => each.map((content) => Fragment.fromArray([...content])));
  return some!.every((one) => all!.some((other) => other.eq(one)));
}
