import { laterPart } from '../../kit/later.tsx';
import type { CellEditor } from '../cell-editor.ts';
import { actOnSelected } from './later-acts.ts';

/** What filters rows comes behind the first look at a page. */
const filtering = laterPart(() => import('./filtering.ts'));

/** Filters anew by what is set: for cells that have changed since, and for days that have gone by. */
export const filterAgain = (editor: CellEditor): void =>
  actOnSelected(editor, filtering, (loaded) => loaded.filterAgain(editor));
