import { laterPart } from '../../kit/later.tsx';
import type { CellEditor } from '../cell-editor.ts';

/** What merges cells comes behind the first look at a page. */
const merging = laterPart(() => import('./merging.ts'));

/** Merges what is selected to one cell, or parts merged cells. */
export const toggleMerged = (editor: CellEditor): void =>
  void merging.loadOrTell().then((loaded) => loaded?.toggleMerged(editor));
