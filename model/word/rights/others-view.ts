import { Fragment, type Mark, type Node } from 'prosemirror-model';
import { wordSchema } from '../schema.ts';
import type { View } from './stretches.ts';

const { marks, nodes } = wordSchema;

const commentEnds = new Set(['commentRangeStart', 'commentRangeEnd']);

/** The name of the comment that an inline node belongs to, or null. */
function commentPartOf({ type, attrs }: Node): string | null {
  if (type === nodes.comment) return attrs.ref;
  return type === nodes.anchor && commentEnds.has(attrs.kind) ? (attrs.ref ?? '') : null;
}

export interface ViewOwner {
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
