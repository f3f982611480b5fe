import type { Axis } from '../../../model/cell/area.ts';
import { laterPart } from '../../kit/later.tsx';
import type { CellEditor } from '../cell-editor.ts';
import { actOnSelected } from './later-acts.ts';

/** What has cells repeat others comes behind the first look at a page. */
const repeating = laterPart(() => import('./repeated-cells.ts'));

/** Copies the first row, or the first column, of what is selected over the others; of one cell the one before it. */
export const fillSelection = (editor: CellEditor, axis: Axis): void =>
  actOnSelected(editor, repeating, (loaded) => loaded.fillSelection(editor, axis));
