import type { Node } from 'prosemirror-model';

/** What is searched for. */
export interface FindQuery {
  /** As it is: no pattern. Not empty. */
  readonly search: string;
  readonly caseSensitive: boolean;
  /** No letter stands before or behind. */
  readonly wholeWord: boolean;
}

/** A place in a document, or in a block from its start on. */
export interface Match {
  readonly from: number;
  readonly to: number;
}

const none: readonly Match[] = [];

/**
 * The places where a text stands, in any version of a document: what was found in a block is remembered with it, so that
 * a search after a change costs as much as the blocks that are new.
 */
export class Matches {
  readonly query: FindQuery;
  readonly #pattern: RegExp;
  readonly #found = new WeakMap<Node, readonly Match[]>();

  constructor(query: FindQuery) {
    this.query = query;
    this.#pattern = patternOf(query);
  }

  /** In order, counted from the position of the block itself. */
  inBlock(block: Node): readonly Match[] {
    const known = this.#found.get(block);
    if (known) return known;
    const found = block.inlineContent ? this.#inText(block) : this.#inChildren(block);
    this.#found.set(block, found);
    return found;
  }

  /** The first that begins at a position or behind it. */
  next(doc: Node, from: number): Match | null {
    let position = 0;
    for (const block of doc.children) {
      const start = position;
      position += block.nodeSize;
      if (position <= from) continue;
      const match = this.inBlock(block).find((one) => start + one.from >= from);
      if (match) return shifted(match, start);
    }
    return null;
  }

  /** The last that ends at a position or before it. */
  previous(doc: Node, to: number): Match | null {
    let position = doc.content.size;
    for (const block of doc.children.toReversed()) {
      position -= block.nodeSize;
      const start = position;
      if (start >= to) continue;
      const match = this.inBlock(block).findLast((one) => start + one.to <= to);
      if (match) return shifted(match, start);
    }
    return null;
  }

  /** All, in order. */
  all(doc: Node): Match[] {
    const all: Match[] = [];
    doc.forEach((block, start) => {
      for (const match of this.inBlock(block)) all.push(shifted(match, start));
    });
    return all;
  }

  #inText(block: Node): readonly Match[] {
    const text = block.textBetween(0, block.content.size, undefined, '\ufffc');
    let found: Match[] | null = null;
    for (const { index, 0: match } of text.matchAll(this.#pattern)) {
      found ??= [];
      // Behind the token that opens the block.
      found.push({ from: index + 1, to: index + 1 + match.length });
    }
    return found ?? none;
  }

  #inChildren(block: Node): readonly Match[] {
    const found: Match[] = [];
    block.forEach((child, offset) => {
      for (const match of this.inBlock(child)) found.push(shifted(match, offset + 1));
    });
    return found.length === 0 ? none : found;
  }
}

/** The same place, `by` positions later. */
export function shifted({ from, to }: Match, by: number): Match {
  return { from: from + by, to: to + by };
}

function patternOf({ search, caseSensitive, wholeWord }: FindQuery): RegExp {
  const literal = search.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  const pattern = wholeWord ? `(?<!\\p{L}(?=\\p{L}))${literal}(?<!\\p{L}(?=\\p{L}))` : literal;
  return new RegExp(pattern, caseSensitive ? 'gu' : 'giu');
}
