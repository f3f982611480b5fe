import type { Command } from 'prosemirror-state';
import type { Finder } from '../../shell/bars/find-bar.tsx';
import { t } from '../../strings/strings.ts';
import { revealSelection } from '../commands/selection.ts';
import type { WordEditor } from '../word-editor.ts';
import { findNext, findPrevious, findState, replaceAll, replaceNext, updateFind } from './find-feature.ts';
import { Matches } from './matches.ts';
import './matches.css';

/** How a text document is searched, and matches in it are replaced. */
export function wordFinder(editor: WordEditor): Finder {
  const act = (command: Command) => {
    command(editor.session.state, (transaction) => editor.dispatch(transaction));
    if (editor.view) revealSelection(editor.view);
  };
  const replacing = {
    replace: (text: string) => act(replaceNext(text)),
    replaceAll: (text: string) => act(replaceAll(text)),
  };
  return {
    initialText: selectedText(editor),
    get found() {
      const { count = 0, isComplete = true } = findState(editor.state.value) ?? {};
      return { count, text: count > 0 || isComplete ? t('find.matches', { count }) : '' };
    },
    search({ text, ...options }) {
      const matches = text === '' ? null : new Matches({ search: text, ...options });
      editor.dispatch(updateFind(editor.session.state.tr, { matches, count: 0, isComplete: false }));
    },
    next: () => act(findNext),
    previous: () => act(findPrevious),
    get replacing() {
      return editor.role.canEdit ? replacing : undefined;
    },
  };
}

/** A short selection is most likely what is to be found. */
function selectedText(editor: WordEditor): string {
  const { doc, selection } = editor.session.state;
  const text = doc.textBetween(selection.from, selection.to, '\n');
  return text.length <= 100 && !text.includes('\n') ? text : '';
}
