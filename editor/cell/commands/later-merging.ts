import { laterPart } from '../../kit/later.tsx';
import type { CellEditor } from '../cell-editor.ts';
import { actOnSelected } from './later-acts.ts';

/** What merges cells comes behind the first look at a page. */
const merging = laterPart(() => import('./merging.ts'));

/** Merges what is selected to one cell, or parts merged cells. */
export const toggleMerged = (editor: CellEditor): void =>
  actOnSelected(editor, merging, (loaded) => loaded.toggleMerged(editor));
