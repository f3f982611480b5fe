import { laterPart } from '../../kit/later.tsx';
import type { CellEditor } from '../cell-editor.ts';

/** What looks through the rules of cells comes behind the first look at a page. */
const validating = laterPart(() => import('./validating.ts'));

/** Draws a line around the cells that hold what they may not, and says how many there are. */
export const circleWrong = (editor: CellEditor): void =>
  void validating.loadOrTell().then((loaded) => loaded?.circleWrong(editor));
