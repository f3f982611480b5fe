import { laterPart } from '../../kit/later.tsx';
import type { CellEditor } from '../cell-editor.ts';
import { goFromSelected } from './later-acts.ts';

/** What finds out of what sums are comes behind the first look at a page. */
const summing = laterPart(() => import('./summing.ts'));

/** Begins a sum of the numbers above or before the active cell, or puts in those of what is selected. */
export const sumUp = (editor: CellEditor): void =>
  goFromSelected(editor, summing, (loaded) => loaded.sumUp(editor));
