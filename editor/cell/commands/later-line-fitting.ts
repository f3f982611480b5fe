import type { Axis } from '../../../model/cell/area.ts';
import type { CellOperation } from '../../../model/cell/operations.ts';
import { laterPart } from '../../kit/later.tsx';
import type { CellEditor } from '../cell-editor.ts';
import { actOnSelected } from './later-acts.ts';

/** What measures lines comes behind the first look at a page. */
const fitting = laterPart(() => import('./line-fitting.ts'));

/** Makes rows as high, or columns as wide, as what is in them. */
export const fitLines = (
  editor: CellEditor,
  axis: Axis,
  spans: readonly (readonly [from: number, to: number])[],
): void => actOnSelected(editor, fitting, (loaded) => loaded.fitLines(editor, axis, spans));

/** Makes rows as high as a change needs that was just made. Where that cannot be loaded they stay as they are. */
export const fitRowsAfter = (editor: CellEditor, changes: readonly CellOperation[]): void =>
  void fitting.load().then(
    (loaded) => loaded.fitTouchedRows(editor, changes),
    () => undefined,
  );
