import type { Axis } from '../../../model/cell/area.ts';
import { laterPart } from '../../kit/later.tsx';
import type { CellEditor } from '../cell-editor.ts';
import { actOnSelected } from './later-acts.ts';

/** What puts lines into groups comes behind the first look at a page. */
const grouping = laterPart(() => import('./grouping.ts'));

/** Does something with groups, at once or when what does it is there. */
export const withGroups = (
  editor: CellEditor,
  act: (part: typeof import('./grouping.ts')) => unknown,
): void => actOnSelected(editor, grouping, act);

/** Whether some of the selected lines are in a group; true as long as that cannot be said. */
export const isGrouped = (editor: CellEditor, axis: Axis): boolean =>
  grouping.loaded?.isGrouped(editor, axis) ?? true;

/** Whether there is a group to close or to open; true as long as that cannot be said. */
export const canTurnGroup = (editor: CellEditor, closes: boolean): boolean =>
  grouping.loaded?.canTurnGroup(editor, closes) ?? true;
