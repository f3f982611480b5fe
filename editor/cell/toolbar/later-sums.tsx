import { useEffect, useState } from 'preact/hooks';
import { laterPart } from '../../kit/later.tsx';
import type { CellEditor } from '../cell-editor.ts';

const part = laterPart(() => import('./selection-sums.tsx'));

/** What selected numbers come to, from when what adds them up is downloaded, behind the first look at the page. */
export function SelectionSums({ editor }: { editor: CellEditor }) {
  const [, setLoaded] = useState(part.loaded !== null);
  const selection = editor.selection.value;
  useEffect(() => {
    if (part.loaded !== null) return;
    part.load().then(
      () => setLoaded(true),
      // The next selection tries again.
      () => undefined,
    );
  }, [selection]);
  const Sums = part.loaded?.SelectionSums;
  return Sums ? <Sums editor={editor} /> : null;
}
