import { Fragment, type Node } from 'prosemirror-model';
import { wordSchema } from '../schema.ts';
import type { View } from './stretches.ts';

const { marks } = wordSchema;

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
