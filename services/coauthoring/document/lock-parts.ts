import type { Lock, LockMap } from '../../../client/protocol/index.ts';
import { pieceCharacters } from './changes-message.ts';

/** So few are one part, whatever they are: the fields of a block are bounded. */
const fewItems = 50;

/** A list in parts of about the size that one message may have, in order; always one at least. */
export function partsOf<Item>(items: readonly Item[], mostCharacters = pieceCharacters): Item[][] {
  if (items.length <= fewItems) return [[...items]];
  const parts: Item[][] = [[]];
  let characters = 0;
  for (const item of items) {
    const size = JSON.stringify(item).length + 1;
    if (characters + size > mostCharacters && characters > 0) {
      parts.push([]);
      characters = 0;
    }
    parts.at(-1)!.push(item);
    characters += size;
  }
  return parts;
}

/** Locks by key in parts of about the size that one message may have; always one at least. */
export const lockPartsOf = (locks: LockMap, mostCharacters = pieceCharacters): LockMap[] =>
  partsOf<[string, Lock]>(Object.entries(locks), mostCharacters).map((part) => Object.fromEntries(part));
