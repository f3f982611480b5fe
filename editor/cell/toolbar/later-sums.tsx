import { laterPart, useLaterPart } from '../../kit/later.tsx';
import type { CellEditor } from '../cell-editor.ts';

const part = laterPart(() => import('./selection-sums.tsx'));

/** What selected numbers come to, from when what adds them up is downloaded, behind the first look at the page. */
export function SelectionSums({ editor }: { editor: CellEditor }) {
  // The next selection tries again.
  const Sums = useLaterPart(part, editor.selection.value)?.SelectionSums;
  return Sums ? <Sums editor={editor} /> : null;
}
