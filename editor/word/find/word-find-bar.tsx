import { useMemo } from 'preact/hooks';
import { FindBar } from '../../shell/bars/find-bar.tsx';
import type { WordEditor } from '../word-editor.ts';
import { wordFinder } from './word-finder.ts';

/** Finds and replaces in a text. */
export function WordFindBar({ editor }: { editor: WordEditor }) {
  const finder = useMemo(() => wordFinder(editor), [editor]);
  return <FindBar editor={editor} finder={finder} />;
}
