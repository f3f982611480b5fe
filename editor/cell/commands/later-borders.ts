import { laterPart } from '../../kit/later.tsx';
import type { CellEditor } from '../cell-editor.ts';
import type { BorderChoice } from './borders.ts';
import { actOnSelected } from './later-acts.ts';

/** What draws lines comes behind the first look at a page. */
const borders = laterPart(() => import('./borders.ts'));

/** Draws lines around, between and across what is selected. */
export const setBorders = (editor: CellEditor, choice: BorderChoice): void =>
  actOnSelected(editor, borders, (loaded) => loaded.setBorders(editor, choice));
