import { Fragment, type Node } from 'prosemirror-model';
import { wordSchema } from '../schema.ts';
import type { DocumentRights } from './document-rights.ts';
import type { View } from './stretches.ts';

const { marks, nodes } = wordSchema;

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
