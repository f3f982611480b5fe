import { laterPart } from '../../kit/later.tsx';
import type { CellEditor } from '../cell-editor.ts';
import { actOnSelected } from './later-acts.ts';

/** What makes number formats of others comes behind the first look at a page. */
const patterns = laterPart(() => import('./number-patterns.ts'));

/** One decimal more, or one less, of every kind of number. */
export const changeDecimals = (editor: CellEditor, by: 1 | -1): void =>
  actOnSelected(editor, patterns, (loaded) => loaded.changeDecimals(editor, by));

/** Shows what is selected as amounts of the page's region. */
export const setCurrency = (editor: CellEditor): void =>
  actOnSelected(editor, patterns, (loaded) => loaded.setCurrency(editor));

/** The same in columns, with the currency at the edge of the cell. */
export const setAccounting = (editor: CellEditor): void =>
  actOnSelected(editor, patterns, (loaded) => loaded.setAccounting(editor));
