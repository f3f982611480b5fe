import { useMemo } from 'preact/hooks';
import { FindBar } from '../../shell/bars/find-bar.tsx';
import type { CellEditor } from '../cell-editor.ts';
import { CellFinder } from './cell-finder.ts';

/** Finds and replaces in a workbook. */
export function CellFindBar({ editor }: { editor: CellEditor; onClose: () => void }) {
  const finder = useMemo(() => new CellFinder(editor), [editor]);
  return <FindBar editor={editor} finder={finder} />;
}
