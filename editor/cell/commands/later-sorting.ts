import { laterPart } from '../../kit/later.tsx';
import type { CellEditor } from '../cell-editor.ts';
import { actOnSelected } from './later-acts.ts';

/** What sorts rows comes behind the first look at a page. */
const sorting = laterPart(() => import('./sorting.ts'));

/** Sorts the rows of what is selected, or of what hangs together with it. */
export const sortRows = (editor: CellEditor, direction: 1 | -1): void =>
  actOnSelected(editor, sorting, (loaded) => loaded.sortRows(editor, direction));

/** Puts the buttons of a filter on what is selected, or on what hangs together with it, or takes them away. */
export const toggleFilter = (editor: CellEditor): void =>
  actOnSelected(editor, sorting, (loaded) => loaded.toggleFilter(editor));
