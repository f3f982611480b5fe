import { type CellRange, readRange } from '../grid/cell-range.ts';
import type { Editing } from './cell-editing.ts';

/** The range that is being picked for a formula; null while none is. */
export function readPickedRange({ text, picked }: Editing): CellRange | null {
  if (!picked) return null;
  const reference = text.slice(picked.from, picked.to);
  return readRange(reference.slice(reference.lastIndexOf('!') + 1));
}
