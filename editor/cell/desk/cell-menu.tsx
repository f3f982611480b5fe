import { useState } from 'preact/hooks';
import { Menu } from '../../kit/menu.tsx';
import { t } from '../../strings/strings.ts';
import type { CellEditor } from '../cell-editor.ts';
import { linkAt, openLink } from '../commands/links.ts';
import { clipboardEntries, type EntryName, entriesOf } from '../toolbar/entries.ts';
import type { OpenMenu } from './gestures/gesture-state.ts';

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

export interface CellMenuProps {
  readonly editor: CellEditor;
  readonly open: OpenMenu;
  readonly onClose: () => void;
}

/** What can be done with what was pressed: cells, rows or columns, a drawing. */
export function CellMenu({ editor, open: { hit, x, y }, onClose }: CellMenuProps) {
  const [anchor, setAnchor] = useState<HTMLDivElement | null>(null);
  const isRow = hit.kind === 'rowHeader' || hit.kind === 'rowEdge';
  const isColumn = hit.kind === 'columnHeader' || hit.kind === 'columnEdge';
  const isDrawing = editor.drawing.value !== null;
  const names = isDrawing ? ofDrawings : isRow ? ofRows : isColumn ? ofColumns : ofCells;
  const { active } = editor.selection.peek();
  const link = !isDrawing && linkAt(editor, active);
  return (
    <>
      <div ref={setAnchor} class="cell-menu-anchor" style={{ left: `${x}px`, top: `${y}px` }} />
      {anchor && (
        <Menu
          label={t('toolbar.contextMenu')}
          anchor={anchor}
          entries={[
            ...(link
              ? [
                  { label: t('sheet.followLink'), run: () => void openLink(editor, active) },
                  'separator' as const,
                ]
              : []),
            ...entriesOf(editor, names),
          ]}
          onClose={onClose}
        />
      )}
    </>
  );
}
