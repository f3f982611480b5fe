import { laterPart } from '../../kit/later.tsx';
import type { CellEditor } from '../cell-editor.ts';

/** What finds out of what sums are comes behind the first look at a page. */
const summing = laterPart(() => import('./summing.ts'));

/** Begins a sum of the numbers above or before the active cell, or puts in those of what is selected. */
export function sumUp(editor: CellEditor): void {
  // Keys that follow at once are typed into the sum.
  if (summing.loaded) summing.loaded.sumUp(editor);
  else void summing.loadOrTell().then((loaded) => loaded?.sumUp(editor));
}
