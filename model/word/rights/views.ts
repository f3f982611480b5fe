import { Fragment, type Mark, type Node } from 'prosemirror-model';
import { sharedChildren } from '../changed-nodes.ts';
import { wordSchema } from '../schema.ts';
import type { DocumentRights } from './document-rights.ts';

const { marks, nodes } = wordSchema;

/** What of blocks that stand beside each other counts for somebody's rights. */
interface View {
  /** Whether a block goes together with the one behind it. */
  reachesOn(block: Node): boolean;
  /** Whether all that is inside of a block is looked at block by block. */
  isTransparent(block: Node): boolean;
  blocks(children: readonly Node[]): Node[];
}

/** Whether two documents are the same in a view. Only the stretch in which they differ is looked at. */
export function sameInView(before: Node, after: Node, view: View): boolean {
  if (before === after) return true;
  let { start, end } = sharedChildren(before, after);
  while (start > 0 && view.reachesOn(before.child(start - 1))) start--;
  const reachesEnd = ({ childCount, children }: Node) =>
    childCount - end > start && view.reachesOn(children[childCount - end - 1]!);
  while (end > 0 && (reachesEnd(before) || reachesEnd(after))) end--;
  const [one, other] = [before, after].map(({ children, childCount }) =>
    children.slice(start, childCount - end),
  );
  const [first] = one!;
  const [second] = other!;
  const isPair = one!.length === 1 && other!.length === 1;
  if (isPair && view.isTransparent(first!) && view.isTransparent(second!)) {
    return first!.sameMarkup(second!) && sameInView(first!, second!, view);
  }
  return Fragment.from(view.blocks(one!)).eq(Fragment.from(view.blocks(other!)));
}

/** A document without what stands in the content controls that may be filled. The controls themselves stay. */
export class FormView implements View {
  readonly #fillable: DocumentRights['fillable'];

  constructor(fillable: DocumentRights['fillable']) {
    this.#fillable = fillable;
  }

  reachesOn(): boolean {
    return false;
  }

  isTransparent(block: Node): boolean {
    return !block.isTextblock && !block.isLeaf && !this.#isFillable(block);
  }

  blocks(children: readonly Node[]): Node[] {
    return children.map((block) => {
      if (block.isLeaf) return block;
      if (this.#isFillable(block)) return block.copy(Fragment.from(this.#kept(block)));
      return block.copy(
        block.isTextblock ? this.#inline(block.children) : Fragment.from(this.blocks(block.children)),
      );
    });
  }

  #isFillable({ type, attrs }: Node): boolean {
    const isHolder = type === nodes.block_wrap || type === nodes.table_cell;
    return isHolder && this.#fillable.has(String(attrs.id));
  }

  #controlOf({ marks: set }: Node): string | null {
    const within = marks.within.isInSet(set);
    return within ? String(within.attrs.key) : null;
  }

  /** Each control is one character, with what may not be changed in it behind. */
  #inline(children: readonly Node[]): Fragment {
    const seen: Node[] = [];
    let open: string | null = null;
    for (const node of children) {
      const control = this.#controlOf(node);
      if (control === null || !this.#fillable.has(control)) {
        open = null;
        seen.push(node);
        continue;
      }
      const isFixed = isNoEntry(node);
      if (control !== open && !isFixed) {
        open = control;
        seen.push(wordSchema.text('\ufffc', [marks.within.create({ key: Number(control) })]));
      }
      if (isFixed) seen.push(node);
    }
    return Fragment.fromArray(seen);
  }

  /** What may not be changed in a control around blocks: controls in it that are locked, and what is no entry. */
  #kept(wrap: Node): Node[] {
    const kept: Node[] = [];
    const visit = (node: Node): void => {
      const control = this.#controlOf(node);
      const isLocked = node.type === nodes.block_wrap && !this.#isFillable(node);
      if (isLocked || isNoEntry(node) || (control !== null && !this.#fillable.has(control))) kept.push(node);
      else if (node.type === nodes.block_wrap) kept.push(node.copy(Fragment.from(this.#kept(node))));
      else node.forEach(visit);
    };
    wrap.forEach(visit);
    return kept;
  }
}

/** Comments, anchors and what the model does not know are in a form, but nobody fills them in. */
const isNoEntry = ({ type }: Node): boolean =>
  type === nodes.anchor ||
  type === nodes.comment ||
  type === nodes.opaque_inline ||
  type === nodes.opaque_block;

const commentEnds = new Set(['commentRangeStart', 'commentRangeEnd']);

/** The name of the comment that an inline node belongs to, or null. */
function commentPartOf({ type, attrs }: Node): string | null {
  if (type === nodes.comment) return attrs.ref;
  return type === nodes.anchor && commentEnds.has(attrs.kind) ? (attrs.ref ?? '') : null;
}

interface ViewOwner {
  readonly name: string;
  /** Their tracked changes count as not made. */
  readonly reviews: boolean;
  /** Whether a comment is theirs, or nobody's; null where they may not touch any. */
  readonly ownsComment: ((ref: string) => boolean) | null;
}

/**
 * A document without what one author has added to it as tracked changes and comments, and without what they would
 * delete: that is what such an author has to leave as it is. Breaks between paragraphs are taken out as the editor does
 * that when it rejects them.
 */
export class OthersView implements View {
  readonly #owner: ViewOwner;

  constructor(owner: ViewOwner) {
    this.#owner = owner;
  }

  reachesOn({ type, attrs }: Node): boolean {
    return type === nodes.paragraph && this.#isOwn(attrs.markInserted);
  }

  isTransparent({ isTextblock, isLeaf }: Node): boolean {
    return !isTextblock && !isLeaf;
  }

  blocks(children: readonly Node[]): Node[] {
    const seen: Node[] = [];
    for (const child of children.toReversed()) {
      if (child.type !== nodes.paragraph) {
        seen.push(child.isLeaf ? child : child.copy(Fragment.from(this.blocks(child.children))));
        continue;
      }
      const paragraph = child.type.create(this.#attributes(child), this.#inline(child.children), child.marks);
      if (!this.reachesOn(child)) seen.push(paragraph);
      else if (seen.at(-1)?.type === nodes.paragraph) seen.push(joined(paragraph, seen.pop()!));
      else if (paragraph.childCount > 0) seen.push(paragraph);
    }
    return seen.reverse();
  }

  #isOwn(revision: { readonly author: string } | null): boolean {
    return this.#owner.reviews && revision?.author === this.#owner.name;
  }

  #attributes({ attrs }: Node): Record<string, unknown> {
    const given = (name: 'markInserted' | 'markDeleted') => (this.#isOwn(attrs[name]) ? null : attrs[name]);
    return { ...attrs, markInserted: given('markInserted'), markDeleted: given('markDeleted') };
  }

  #inline(children: readonly Node[]): Fragment {
    return Fragment.fromArray(children.flatMap((node) => this.#seen(node) ?? []));
  }

  #seen(node: Node): Node | null {
    const ref = commentPartOf(node);
    if (ref !== null) return this.#commentPart(node, ref);
    const inserted = marks.ins.isInSet(node.marks);
    if (inserted && this.#isOwn(inserted.attrs as { author: string })) return null;
    return node.mark(node.marks.filter((mark) => !this.#isOwnDeletion(mark)));
  }

  #isOwnDeletion({ type, attrs }: Mark): boolean {
    return type === marks.del && this.#isOwn(attrs as { author: string });
  }

  /** For who tracks changes, where a comment stands inside of one is no matter of the comment. */
  #commentPart(node: Node, ref: string): Node | null {
    const { ownsComment, reviews } = this.#owner;
    if (ownsComment?.(ref)) return null;
    const isPlain = ({ type }: Mark) => !reviews || (type !== marks.ins && type !== marks.del);
    const plain = node.marks.filter(isPlain);
    if (node.type !== nodes.comment || !ownsComment) return node.mark(plain);
    return node.type.create({ ...node.attrs, done: false }, null, plain);
  }
}

/**
 * Two paragraphs without the break between them. The properties are those of the first, unless nothing of its text is
 * left and the second is not its own second half.
 */
function joined(first: Node, second: Node): Node {
  const isEmpty = first.children.every(({ type }) => type === nodes.anchor || type === nodes.comment);
  const { id, origin } = first.attrs;
  const half = second.attrs.origin;
  const isHalf = half !== null && (half === id || half === origin);
  const { markInserted, markDeleted } = second.attrs;
  const attrs = isEmpty && !isHalf ? second.attrs : { ...first.attrs, markInserted, markDeleted };
  return first.type.create(attrs, first.content.append(second.content));
}

/** A document with no marks but those of tracked changes, and of deletions only those that others made. */
export class RevisionsView implements View {
  readonly #name: string;

  constructor(name: string) {
    this.#name = name;
  }

  reachesOn(): boolean {
    return false;
  }

  isTransparent({ isTextblock, isLeaf }: Node): boolean {
    return !isTextblock && !isLeaf;
  }

  blocks(children: readonly Node[]): Node[] {
    return children.map((block) => {
      if (block.isLeaf) return block;
      const content = block.isTextblock ? block.children.map((node) => this.#seen(node)) : null;
      return block.copy(Fragment.fromArray(content ?? this.blocks(block.children)));
    });
  }

  #seen(node: Node): Node {
    const kept = node.marks.filter(
      ({ type, attrs }) => type === marks.ins || (type === marks.del && attrs.author !== this.#name),
    );
    return node.mark(kept);
  }
}
