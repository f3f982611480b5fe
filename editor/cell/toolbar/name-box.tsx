import { ChevronDown } from 'lucide-preact';
import { useState } from 'preact/hooks';
import { laterPart } from '../../kit/later.tsx';
import { MenuButton } from '../../kit/menu.tsx';
import { t } from '../../strings/strings.ts';
import type { CellEditor } from '../cell-editor.ts';
import { commit } from '../commands/entering.ts';
import { actOnSelected } from '../commands/later-acts.ts';
import { goToName, namesOfCells } from '../commands/names.ts';

const making = laterPart(() => import('../commands/name-making.ts'));

interface Part {
  editor: CellEditor;
}

/** The name of what is selected; another one that is typed goes there, and a new one is given to it. */
export function NameBox({ editor }: Part) {
  const [text, setText] = useState<string | null>(null);
  const go = (written: string) => {
    const target = written.trim();
    setText(null);
    if (target === '' || target === editor.selectionName) return editor.focus();
    if (!goToName(editor, target))
      actOnSelected(editor, making, (part) => part.nameSelection(editor, target));
    editor.focus();
  };
  return (
    <>
      <input
        class="name-box"
        aria-label={t('sheet.goTo')}
        spellcheck={false}
        value={text ?? editor.selectionName}
        onFocus={({ currentTarget }) => {
          // What others do may not take the selection away from under what is typed next.
          setText(currentTarget.value);
          currentTarget.select();
        }}
        onInput={(event) => setText(event.currentTarget.value)}
        onBlur={() => setText(null)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') {
            event.preventDefault();
            // What is drawn may be behind what was typed.
            go(event.currentTarget.value);
          }
          if (event.key === 'Escape') {
            setText(null);
            editor.focus();
          }
        }}
      />
      <NameList editor={editor} />
    </>
  );
}

/** The names of cells and tables, one of which is gone to. */
function NameList({ editor }: Part) {
  return (
    <MenuButton
      label={t('sheet.goToNamed')}
      class="name-list"
      disabled={namesOfCells(editor).length === 0}
      entries={() =>
        namesOfCells(editor).map((name) => ({
          label: name,
          run: () => {
            if (commit(editor)) goToName(editor, name);
          },
        }))
      }
    >
      <ChevronDown size={14} />
    </MenuButton>
  );
}
