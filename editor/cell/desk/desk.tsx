import { effect, useSignal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { itemsOf, type Sheet } from '../../../model/cell/workbook.ts';
import { later } from '../../kit/later.tsx';
import { notify } from '../../kit/notices.tsx';
import { keyHandler } from '../../shell/actions.ts';
import { t } from '../../strings/strings.ts';
import { shownTheme } from '../../theme/theme.ts';
import type { CellEditor } from '../cell-editor.ts';
import { columnEntries } from '../commands/column-entries.ts';
import { filterAt } from '../commands/filtered-lists.ts';
import { fitRowsAfter } from '../commands/later-line-fitting.ts';
import { totalsAt } from '../commands/table-growth.ts';
import { validationAt } from '../commands/validation.ts';
import type { DrawingFrameProps } from '../drawings/drawing-frame.tsx';
import { followDrops } from '../drawings/dropped-pictures.ts';
import { followMissingPictures } from '../drawings/missing-pictures.ts';
import { rangesInFormula } from '../editing/references.ts';
import { type CellPosition, rangeOf } from '../grid/cell-areas.ts';
import type { GridLayout } from '../grid/grid-layout.ts';
import { GridView } from '../grid/grid-view.ts';
import type { Overlay } from '../grid/overlay-painter.ts';
import { GridPointer } from '../grid/pointer.ts';
import { followHeldSheets } from '../together/held-sheets.ts';
import { exchangeCursors } from '../together/remote-selections.ts';
import type { CellHintProps } from './cell-hint.tsx';
import type { CellMenuProps } from './cell-menu.tsx';
import type { ChoiceListProps } from './choice-list.tsx';
import type { DrawingsProps } from './drawings.tsx';
import { CellGestures } from './gestures/cell-gestures.ts';
import { GestureState } from './gestures/gesture-state.ts';
import { GridMirror } from './grid-mirror.tsx';
import { InputPrompt } from './input-prompt.tsx';
import { Suggestions } from './later-suggestions.tsx';
import type { OutlineBarsProps } from './outline-bars.tsx';
import type { OpenedProps } from './pick-list.tsx';
import { TypingField } from './typing-field.ts';
import './desk.css';

const OutlineBars = later<OutlineBarsProps & { readonly onClose: () => void }>(
  async () => (await import('./outline-bars.tsx')).OutlineBars,
);
const Drawings = later<DrawingsProps & { readonly onClose: () => void }>(
  async () => (await import('./drawings.tsx')).Drawings,
);
const DrawingFrame = later<DrawingFrameProps & { readonly onClose: () => void }>(
  async () => (await import('../drawings/drawing-frame.tsx')).DrawingFrame,
);
const ChoiceList = later<ChoiceListProps & { readonly onClose: () => void }>(
  async () => (await import('./choice-list.tsx')).ChoiceList,
);
const PickList = later<OpenedProps>(async () => (await import('./pick-list.tsx')).PickList);
const FilterMenu = later<OpenedProps>(async () => (await import('./filter-menu.tsx')).FilterMenu);
const CellHint = later<CellHintProps>(async () => (await import('./cell-hint.tsx')).CellHint);
const CellMenu = later<CellMenuProps>(async () => (await import('./cell-menu.tsx')).CellMenu);
const ReplacementDialog = later(async () => (await import('./replacement-dialog.tsx')).ReplacementDialog);

/** The cells of the sheet that is shown, with everything that lies over them. */
export function Desk({ editor, hidden = false }: { editor: CellEditor; hidden?: boolean }) {
  const place = useRef<HTMLDivElement>(null);
  const layout = useSignal<GridLayout | null>(null);
  const isMounted = useSignal(false);
  const state = useRef<GestureState>(null);
  state.current ??= new GestureState();
  useLayoutEffect(() => {
    const gestures = state.current!;
    const overlay = overlayOf(editor, gestures);
    const view = new GridView(editor.page.view.peek(), overlay, {
      measures: editor.page.measures,
      fitNumber: editor.page.fitNumber,
      onLayout: (next) => {
        layout.value = next;
      },
    });
    place.current!.prepend(view.element);
    const pointer = new GridPointer(view, new CellGestures(editor, view, gestures));
    const field = new TypingField(editor, {
      host: view.element,
      layout,
      opens: keyHandler({
        'Alt-ArrowDown': () => openList(editor, gestures),
        // It may not have the focus yet.
        Escape: () => closeList(gestures),
      }),
    });
    const stops = [
      () => pointer.stop(),
      () => field.stop(),
      effect(() => view.show(editor.page.view.value)),
      effect(() => view.showOverlay(overlayOf(editor, gestures))),
      effect(() => {
        shownTheme.value;
        // The colours of the page change with the attribute that is set by then.
        queueMicrotask(() => view.recolor());
      }),
      exchangeCursors(editor),
      followDrops(editor, view),
      followMissingPictures(editor),
      followHeldSheets(editor),
    ];
    void document.fonts?.ready.then(() => view.refresh());
    editor.whenMade = (made) => fitRowsAfter(editor, made);
    editor.mount(view);
    isMounted.value = true;
    editor.focus();
    return () => {
      for (const stop of stops) stop();
      editor.close();
    };
  }, [editor]);
  return (
    <main class="desk cell-desk" hidden={hidden} aria-label={t('page.document')} ref={place}>
      <p id="grid-help" class="visually-hidden">
        {t('sheet.gridHelp')}
      </p>
      {isMounted.value && (
        <>
          <SheetDrawings editor={editor} layout={layout} />
          <GroupBars editor={editor} layout={layout} />
          <SelectedDrawing editor={editor} layout={layout} framed={state.current.framed} />
          <GridMirror editor={editor} />
          <Choices editor={editor} state={state.current} />
          <InputPrompt editor={editor} />
          <HoveredHint editor={editor} state={state.current} />
          <Opened editor={editor} state={state.current} />
          <PressedMenu editor={editor} state={state.current} />
          <Replacement editor={editor} state={state.current} />
        </>
      )}
      <Suggestions editor={editor} />
    </main>
  );
}

/** What the active cell has to choose from, where that is a list. */
function Choices({ editor, state }: ChoiceListProps) {
  const close = () => {
    state.opened.value = null;
  };
  const hasList = hasChoices(editor.page.view.value.sheet, editor.selection.value.active);
  return hasList && <ChoiceList editor={editor} state={state} onClose={close} />;
}

/** Whether a cell has a list of its validation, or of totals. */
const hasChoices = (sheet: Sheet, cell: CellPosition): boolean =>
  validationAt(sheet, cell)?.type === 'list' || totalsAt(sheet, cell) !== null;

/** The filter, or the entries of its column, that somebody has opened for a cell. */
function Opened({ editor, state: { opened } }: { editor: CellEditor; state: GestureState }) {
  if (!opened.value) return null;
  const { cell, kind } = opened.value;
  const close = () => {
    opened.value = null;
    editor.focus();
  };
  if (kind === 'entries') return <PickList editor={editor} cell={cell} onClose={close} />;
  return kind === 'filter' && <FilterMenu editor={editor} cell={cell} onClose={close} />;
}

/** What is said of the cell under the pointer, while there is one. */
function HoveredHint({ editor, state }: { editor: CellEditor; state: GestureState }) {
  const close = () => {
    state.hovered.value = null;
  };
  return state.hovered.value && <CellHint editor={editor} state={state} onClose={close} />;
}

/** What can be done with what was pressed, while it is asked. */
function PressedMenu({ editor, state: { menu } }: { editor: CellEditor; state: GestureState }) {
  const open = menu.value;
  const close = () => {
    menu.value = null;
    editor.focus();
  };
  return open && <CellMenu editor={editor} open={open} onClose={close} />;
}

/** The question before cells come onto others, while it is asked. */
function Replacement({ editor, state: { replacing } }: { editor: CellEditor; state: GestureState }) {
  const move = replacing.value;
  const close = () => {
    replacing.value = null;
  };
  return move && <ReplacementDialog editor={editor} move={move} onClose={close} />;
}

/**
 * Opens what the active cell has to choose from: the values of its filtered column, those of its validation, the totals of its
 * column, or else the entries of that.
 */
function openList(editor: CellEditor, { opened }: GestureState): boolean {
  const cell = editor.selection.peek().active;
  const { sheet } = editor.page.view.peek();
  const kind = filterAt(editor, cell) ? 'filter' : hasChoices(sheet, cell) ? 'list' : 'entries';
  const isEmpty = kind === 'entries' && columnEntries(editor, cell).length === 0;
  if (isEmpty) notify({ text: t('sheet.noEntries'), kind: 'info', topic: 'sheet-entries' });
  else if (kind !== 'entries' || editor.canEdit) opened.value = { cell, kind };
  return true;
}

/** Whether something was open that a cell has to choose from; it is closed. */
function closeList({ opened }: GestureState): boolean {
  const isOpen = opened.peek() !== null;
  opened.value = null;
  return isOpen;
}

function overlayOf(editor: CellEditor, { target, sizing, isTouched }: GestureState): Overlay {
  const editing = editor.editing.value;
  const sheet = editor.page.sheetId.value;
  const copied = editor.clipboard.cells.value;
  const wrong = editor.marks.wrong.value.map((range) => ({ range, color: '#c00000', isFilled: false }));
  const found = editor.marks.found.value.map((range) => ({ range, color: '#b8860b', isFilled: true }));
  const different = editor.marks.differences.value.flatMap((one) =>
    one.kind === 'cell' && one.sheet === sheet
      ? [{ range: rangeOf(one.cell), color: '#2f6f3e', isFilled: true }]
      : [],
  );
  return {
    selection: editor.selection.value,
    isActive: true,
    mayFill: editor.canEdit && editing === null,
    hasTouchHandle: isTouched.value && editing === null,
    others: [...editor.others.value.values()].filter((other) => other.sheet === sheet),
    colored: editing
      ? rangesInFormula(editing, editor.page.workbook.value, sheet)
      : [...different, ...wrong, ...found],
    copied: copied?.isFramed && copied.sheet === sheet ? copied.areas : [],
    target: target.value,
    sizing: sizing.value,
  };
}

/** Groups of rows and columns, where there are any: most sheets do without what draws them. */
function GroupBars(props: OutlineBarsProps) {
  const { rowOutline, columnOutline } = props.editor.page.view.value;
  const hasGroups = rowOutline.depth + columnOutline.depth > 0;
  // They come with the next group where they could not be downloaded.
  return hasGroups ? <OutlineBars {...props} onClose={() => undefined} /> : null;
}

/** Pictures, charts and shapes, where there are any. */
function SheetDrawings(props: DrawingsProps) {
  const { sheet } = props.editor.page.view.value;
  const hasDrawings = itemsOf(sheet, 'drawing').size > 0;
  return hasDrawings ? <Drawings {...props} onClose={() => undefined} /> : null;
}

/** What is around the drawing that is selected. */
function SelectedDrawing(props: DrawingFrameProps) {
  const { drawing } = props.editor;
  // It comes with the next one that is selected where it could not be downloaded.
  return drawing.value === null ? null : <DrawingFrame {...props} onClose={() => undefined} />;
}
