import { useEffect, useRef, useState } from 'preact/hooks';
import { NodeSelection, TextSelection } from 'prosemirror-state';
import { CellSelection, isInTable } from 'prosemirror-tables';
import type { EditorView } from 'prosemirror-view';
import { Menu, type MenuEntry } from '../../kit/menu.tsx';
import { notify } from '../../kit/notices.tsx';
import { shownShortcut } from '../../shell/actions.ts';
import { pictureOnClipboard } from '../../shell/pictures/upload-pictures.ts';
import { t } from '../../strings/strings.ts';
import { selectedLink } from '../commands/links.ts';
import { isPictureSelected } from '../commands/picture.ts';
import { insertPictureFiles } from '../pictures/insert-pictures.ts';
import type { WordEditor } from '../word-editor.ts';
import { entriesOf, tableEntries } from './entries.ts';

interface Place {
  readonly left: number;
  readonly top: number;
}

/**
 * The menu of a place in the text, for the right button, the menu key and Shift+F10. In plain text, and everywhere
 * with Ctrl or Shift, the right button opens the browser's own menu, which has the suggestions for misspelt words.
 */
export function ContextMenu({ editor }: { editor: WordEditor }) {
  const [place, setPlace] = useState<Place | null>(null);
  const anchor = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    const press = (event: MouseEvent) => {
      const { view } = editor;
      if (!view?.editable || event.ctrlKey || event.shiftKey || !isInside(view, event.target)) return;
      selectAt(view, event);
      if (isPlain(editor)) return;
      event.preventDefault();
      setPlace({ left: event.clientX, top: event.clientY });
    };
    // The browser would put its caret into the cell, and the selection of cells would be gone.
    const hold = (event: MouseEvent) => {
      const { view } = editor;
      if (event.button !== 2 || !view || !isInside(view, event.target)) return;
      if (view.state.selection instanceof CellSelection && isSelectedAt(view, event)) event.preventDefault();
    };
    const key = (event: KeyboardEvent) => {
      const { view } = editor;
      const asks = event.key === 'ContextMenu' || (event.key === 'F10' && event.shiftKey);
      if (!asks || !view?.editable || !isInside(view, event.target)) return;
      event.preventDefault();
      const { left, bottom } = view.coordsAtPos(view.state.selection.head);
      setPlace({ left, top: bottom });
    };
    document.addEventListener('mousedown', hold, { capture: true });
    document.addEventListener('contextmenu', press);
    document.addEventListener('keydown', key);
    return () => {
      document.removeEventListener('mousedown', hold, { capture: true });
      document.removeEventListener('contextmenu', press);
      document.removeEventListener('keydown', key);
    };
  }, [editor]);
  const close = () => {
    setPlace(null);
    editor.view?.focus();
  };
  return (
    <>
      <span
        ref={anchor}
        style={{ position: 'fixed', left: `${place?.left ?? 0}px`, top: `${place?.top ?? 0}px` }}
      />
      {place && (
        <Menu
          key={`${place.left} ${place.top}`}
          label={t('toolbar.contextMenu')}
          anchor={anchor.current!}
          entries={contextEntries(editor)}
          onClose={close}
        />
      )}
    </>
  );
}

const isInside = (view: EditorView, target: EventTarget | null): boolean =>
  target instanceof Node && view.dom.contains(target);

function isSelectedAt(view: EditorView, { clientX, clientY }: MouseEvent): boolean {
  const at = view.posAtCoords({ left: clientX, top: clientY });
  const { ranges, empty } = view.state.selection;
  return !!at && !empty && ranges.some(({ $from, $to }) => $from.pos <= at.pos && at.pos <= $to.pos);
}

/** Selects the picture, or puts the cursor where the button was pressed, unless that is selected already. */
function selectAt(view: EditorView, event: MouseEvent): void {
  const at = view.posAtCoords({ left: event.clientX, top: event.clientY });
  if (!at || isSelectedAt(view, event)) return;
  const { doc, tr } = view.state;
  const isPicture = at.inside >= 0 && doc.nodeAt(at.inside)?.type.name === 'image';
  view.dispatch(
    tr.setSelection(
      isPicture ? NodeSelection.create(doc, at.inside) : TextSelection.near(doc.resolve(at.pos)),
    ),
  );
}

/** Nothing is there that the browser does not know as well. */
function isPlain({ session: { state } }: WordEditor): boolean {
  return state.selection.empty && !isInTable(state) && !selectedLink(state);
}

function contextEntries(editor: WordEditor): MenuEntry[] {
  const { state } = editor.session;
  const isPicture = isPictureSelected(state);
  const nothing = state.selection.empty || !editor.role.canCopy;
  const byBrowser = (command: 'cut' | 'copy', key: string): MenuEntry => ({
    label: t(`actions.${command}`),
    run: () => document.execCommand(command),
    shortcut: shownShortcut(key),
    disabled: nothing,
  });
  return [
    byBrowser('cut', 'Mod-x'),
    byBrowser('copy', 'Mod-c'),
    { label: t('actions.paste'), run: () => void clipboardPaste(editor), shortcut: shownShortcut('Mod-v') },
    'separator',
    ...entriesOf(editor, isPicture ? ['pictureProperties'] : ['link', 'comment']),
    ...entriesOf(editor, selectedLink(state) && !isPicture ? ['removeLink'] : []),
    ...entriesOf(editor, isInTable(state) ? tableEntries : []),
  ];
}

/** Pastes without the key for it. Where the browser does not allow that, says which key does it. */
async function clipboardPaste(editor: WordEditor): Promise<void> {
  try {
    for (const item of await navigator.clipboard.read()) await pasteItem(editor, item);
  } catch {
    notify({ text: t('actions.pasteByKey', { keys: shownShortcut('Mod-v') ?? '' }), kind: 'info' });
  }
}

async function pasteItem(editor: WordEditor, item: ClipboardItem): Promise<void> {
  const text = async (type: string) => (await item.getType(type)).text();
  if (item.types.includes('text/html')) editor.view?.pasteHTML(await text('text/html'));
  else if (item.types.includes('text/plain')) editor.view?.pasteText(await text('text/plain'));
  else {
    const picture = await pictureOnClipboard(item);
    if (picture) await insertPictureFiles(editor, [picture]);
  }
}
