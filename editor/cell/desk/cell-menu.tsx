import { useRef } from 'preact/hooks';
import { Menu } from '../../kit/menu.tsx';
import { t } from '../../strings/strings.ts';
import type { CellEditor } from '../cell-editor.ts';
import { linkAt, openLink } from '../commands/links.ts';
import { clipboardEntries, type EntryName, entriesOf } from '../toolbar/entries.ts';
import type { GestureState } from './gestures/gesture-state.ts';

const ofCells: readonly EntryName[] = [
  ...clipboardEntries,
  '-',
  'rowsAbove',
  'columnsBefore',
  'insertCellsDown',
  'insertCellsRight',
  'insertCopied',
  'insertCopiedRight',
  '-',
  'deleteRows',
  'deleteColumns',
  'deleteCellsUp',
  'deleteCellsLeft',
  '-',
  'clearContents',
  'clearFormats',
  '-',
  'sortRising',
  'sortFalling',
  'filter',
  '-',
  'comment',
  'link',
  'numberFormat',
];

const ofRows: readonly EntryName[] = [
  ...clipboardEntries,
  '-',
  'rowsAbove',
  'rowsBelow',
  'insertCopied',
  'deleteRows',
  'clearContents',
  '-',
  'rowHeight',
  'fitRows',
  'hideRows',
  'showRows',
  '-',
  'groupRows',
  'ungroupRows',
];

const ofColumns: readonly EntryName[] = [
  ...clipboardEntries,
  '-',
  'columnsBefore',
  'columnsAfter',
  'insertCopied',
  'deleteColumns',
  'clearContents',
  '-',
  'columnWidth',
  'fitColumns',
  'hideColumns',
  'showColumns',
  '-',
  'groupColumns',
  'ungroupColumns',
  '-',
  'sortRising',
  'sortFalling',
];

const ofDrawings: readonly EntryName[] = [
  'cut',
  'copy',
  'paste',
  '-',
  'editChart',
  '-',
  'drawingToFront',
  'drawingToBack',
  '-',
  'drawing',
  'removeDrawing',
];

/** What can be done with what was pressed: cells, rows or columns, a drawing. */
export function CellMenu({ editor, state }: { editor: CellEditor; state: GestureState }) {
  const anchor = useRef<HTMLDivElement>(null);
  const open = state.menu.value;
  const close = () => {
    state.menu.value = null;
    editor.focus();
  };
  const isRow = open?.hit.kind === 'rowHeader' || open?.hit.kind === 'rowEdge';
  const isColumn = open?.hit.kind === 'columnHeader' || open?.hit.kind === 'columnEdge';
  const isDrawing = editor.drawing.value !== null;
  const names = isDrawing ? ofDrawings : isRow ? ofRows : isColumn ? ofColumns : ofCells;
  const { active } = editor.selection.peek();
  const link = open && !isDrawing && linkAt(editor, active);
  return (
    <>
      <div
        ref={anchor}
        class="cell-menu-anchor"
        style={open ? { left: `${open.x}px`, top: `${open.y}px` } : {}}
      />
      {open && anchor.current && (
        <Menu
          label={t('toolbar.contextMenu')}
          anchor={anchor.current}
          entries={[
            ...(link
              ? [
                  { label: t('sheet.followLink'), run: () => void openLink(editor, active) },
                  'separator' as const,
                ]
              : []),
            ...entriesOf(editor, names),
          ]}
          onClose={close}
        />
      )}
    </>
  );
}
