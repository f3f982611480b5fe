import type { Node } from 'prosemirror-model';
import { diffSequences } from './sequence-diff.ts';

/** What a version has that the one before had not (positions in the version), or the other way round. */
export type Difference =
  | { readonly kind: 'inserted'; readonly from: number; readonly to: number; readonly isBlock: boolean }
  | { readonly kind: 'deleted'; readonly pos: number; readonly text: string; readonly isBlock: boolean };

/** Paragraphs with less than this share of their words in common are not the same paragraph. */
const leastAlike = 0.3;

/** What the reader of a version has to see as new or gone: blocks, and words inside of blocks that are still there. */
export function compareDocuments(older: Node, newer: Node): Difference[] {
  const found: Difference[] = [];
  compareChildren(older, newer, 0, found);
  return found;
}

/** `start` is where the content of `newer` begins. */
function compareChildren(older: Node, newer: Node, start: number, found: Difference[]): void {
  const places = placesOf(newer, start);
  for (const hunk of diffSequences(older.children.map(keyOf), newer.children.map(keyOf))) {
    const olds = older.children.slice(hunk.oldFrom, hunk.oldTo);
    const news = newer.children.slice(hunk.newFrom, hunk.newTo);
    let next = 0;
    for (const [old, index] of partnersOf(olds, news)) {
      if (index === null) {
        goneBlock(old, places[hunk.newFrom + next]!, found);
        continue;
      }
      for (; next < index; next++) newBlock(places, hunk.newFrom + next, found);
      compareBlocks(old, news[index]!, places[hunk.newFrom + next++]!, found);
    }
    for (; next < news.length; next++) newBlock(places, hunk.newFrom + next, found);
  }
}

/** Hunks with more blocks are not searched for those that were only changed. */
const mostPartners = 60;

/** Which new block each old one has become, in order; null for those that are gone. */
function partnersOf(olds: readonly Node[], news: readonly Node[]): (readonly [Node, number | null])[] {
  const isSmall = olds.length * news.length <= mostPartners ** 2;
  const likeness = news.map((one) => wordsOf(one));
  let first = 0;
  return olds.map((old) => {
    const own = wordsOf(old);
    let best: { index: number; alike: number } | null = null;
    for (let index = first; isSmall && index < news.length; index++) {
      const alike = news[index]!.type === old.type ? share(own, likeness[index]!) : 0;
      if (alike >= leastAlike && alike > (best?.alike ?? 0)) best = { index, alike };
    }
    if (best) first = best.index + 1;
    return [old, best?.index ?? null] as const;
  });
}

const wordsOf = (node: Node): ReadonlySet<string> =>
  new Set(node.textBetween(0, node.content.size, ' ').match(/[\p{L}\p{N}]+/gu) ?? []);

/** How much of the smaller set is in the other, 0 to 1. */
function share(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const smaller = Math.min(one.size, other.size);
  return smaller === 0 ? 0 : [...one].filter((word) => other.has(word)).length / smaller;
}

function newBlock(places: readonly number[], index: number, found: Difference[]): void {
  found.push({ kind: 'inserted', from: places[index]!, to: places[index + 1]!, isBlock: true });
}

function compareBlocks(older: Node, newer: Node, pos: number, found: Difference[]): void {
  if (newer.isTextblock) found.push(...compareInline(older, newer, pos + 1));
  else if (!newer.isLeaf) compareChildren(older, newer, pos + 1, found);
  else found.push({ kind: 'inserted', from: pos, to: pos + newer.nodeSize, isBlock: true });
}

function goneBlock(block: Node, pos: number, found: Difference[]): void {
  const text = block.textBetween(0, block.content.size, '\n');
  if (text !== '') found.push({ kind: 'deleted', pos, text, isBlock: true });
}

/** Differences by words. */
function compareInline(older: Node, newer: Node, start: number): Difference[] {
  const before = tokensOf(older);
  const after = tokensOf(newer);
  const hunks = diffSequences(before.keys, after.keys);
  const placeOf = (index: number) => start + (after.offsets[index] ?? newer.content.size);
  const found: Difference[] = [];
  for (const { oldFrom, oldTo, newFrom, newTo } of hunks) {
    const text = before.texts.slice(oldFrom, oldTo).join('');
    if (text !== '') found.push({ kind: 'deleted', pos: placeOf(newFrom), text, isBlock: false });
    if (newTo > newFrom)
      found.push({ kind: 'inserted', from: placeOf(newFrom), to: placeOf(newTo), isBlock: false });
  }
  return found;
}

interface Tokens {
  readonly keys: string[];
  /** What a reader sees of each. */
  readonly texts: string[];
  /** Where each begins in the content of its block. */
  readonly offsets: number[];
}

/** A word, a stretch of spaces, or one other character. */
const words = /[\p{L}\p{N}\p{M}_]+|\s+|./gsu;

function tokensOf(block: Node): Tokens {
  const tokens: Tokens = { keys: [], texts: [], offsets: [] };
  const add = (key: string, text: string, offset: number) => {
    tokens.keys.push(key);
    tokens.texts.push(text);
    tokens.offsets.push(offset);
  };
  block.forEach((node, offset) => {
    // Bookmarks and ranges of comments are not seen.
    if (node.type.name === 'anchor') return;
    if (!node.isText) add(keyOf(node), '', offset);
    else for (const match of node.text!.matchAll(words)) add(match[0], match[0], offset + match.index);
  });
  return tokens;
}

function placesOf(parent: Node, start: number): number[] {
  const places = [start];
  for (const child of parent.children) places.push(places.at(-1)! + child.nodeSize);
  return places;
}

/** Alike are those that read alike. */
function keyOf(node: Node): string {
  const { src, ref, label } = node.attrs;
  const own = node.isLeaf ? JSON.stringify([src, ref, label]) : '';
  return `${node.type.name} ${own} ${contentKey(node)}`;
}

function contentKey(node: Node): string {
  let key = '';
  node.descendants((inside) => {
    if (inside.isText) key += inside.text;
    else if (inside.isLeaf && inside.type.name !== 'anchor')
      key += `\u0001${inside.attrs.src ?? inside.type.name}`;
    else if (inside.isBlock) key += '\u0002';
    return true;
  });
  return key;
}
