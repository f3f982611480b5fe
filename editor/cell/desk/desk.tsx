import { effect, useSignal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { t } from '../../strings/strings.ts';
import { shownTheme } from '../../theme/theme.ts';
import type { CellEditor } from '../cell-editor.ts';
import { rangesInFormula } from '../editing/references.ts';
import type { GridLayout } from '../grid/grid-layout.ts';
import { GridView } from '../grid/grid-view.ts';
import type { Overlay } from '../grid/overlay-painter.ts';
import { followPointer } from '../grid/pointer.ts';
import { exchangeCursors } from '../together/remote-selections.ts';
import { CellHint } from './cell-hint.tsx';
import { makeCellInput } from './cell-input.ts';
import { CellMenu } from './cell-menu.tsx';
import { ChoiceList } from './choice-list.tsx';
import { Drawings } from './drawings.tsx';
import { FilterMenu } from './filter-menu.tsx';
import { cellGestures, type GestureState, gestureState } from './gestures.ts';
import { GridMirror } from './grid-mirror.tsx';
import { Suggestions } from './suggestions.tsx';
import './desk.css';

/** The cells of the sheet that is shown, with everything that lies over them. */
export function Desk({ editor, hidden = false }: { editor: CellEditor; hidden?: boolean }) {
  const place = useRef<HTMLDivElement>(null);
  const layout = useSignal<GridLayout | null>(null);
  const isMounted = useSignal(false);
  const state = useRef<GestureState>(null);
  state.current ??= gestureState();
  useLayoutEffect(() => {
    const gestures = state.current!;
    const overlay = overlayOf(editor, gestures);
    const view = new GridView(editor.view.peek(), overlay, {
      measures: editor.measures,
      fitNumber: editor.fitNumber,
      hasHeaders: editor.sheet.properties.hidesHeadings !== true,
      onLayout: (next) => {
        layout.value = next;
        editor.placeInput();
      },
    });
    place.current!.prepend(view.element);
    const stops = [
      followPointer(view, cellGestures(editor, view, gestures)),
      makeCellInput(editor, view.element),
      effect(() => view.show(editor.view.value)),
      effect(() => view.showOverlay(overlayOf(editor, gestures))),
      effect(() => {
        shownTheme.value;
        // The colours of the page change with the attribute that is set by then.
        queueMicrotask(() => view.recolor());
      }),
      exchangeCursors(editor),
    ];
    void document.fonts?.ready.then(() => view.refresh());
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
          <Drawings editor={editor} layout={layout} />
          <GridMirror editor={editor} />
          <ChoiceList editor={editor} />
          <CellHint editor={editor} state={state.current} />
          <FilterMenu editor={editor} state={state.current} />
          <CellMenu editor={editor} state={state.current} />
        </>
      )}
      <Suggestions editor={editor} />
    </main>
  );
}

function overlayOf(editor: CellEditor, { target, sizing }: GestureState): Overlay {
  const editing = editor.editing.value;
  const sheet = editor.sheetId.value;
  const copied = editor.copied.value;
  const found = editor.found.value.map((range) => ({ range, color: '#b8860b', isFilled: true }));
  return {
    selection: editor.selection.value,
    isActive: true,
    mayFill: editor.canEdit && editing === null,
    others: [...editor.others.value.values()].filter((other) => other.sheet === sheet),
    colored: editing ? rangesInFormula(editing, editor.workbook.value, sheet) : found,
    copied: copied?.sheet === sheet ? copied.range : null,
    target: target.value,
    sizing: sizing.value,
  };
}
