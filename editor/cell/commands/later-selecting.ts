import { laterPart } from '../../kit/later.tsx';
import type { CellEditor } from '../cell-editor.ts';
import { goFromSelected } from './later-acts.ts';

/** What looks through formulas and hidden lines to select something comes behind the first look at a page. */
const selecting = laterPart(() => import('./selecting.ts'));

/** Selects, as seen from what is selected: what its formulas read, the formulas that read it, or what of it is shown. */
export const select = (editor: CellEditor, which: 'read' | 'readers' | 'visible'): void =>
  goFromSelected(editor, selecting, (loaded) => loaded.selectors[which](editor));
