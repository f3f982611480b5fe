import type { ReadonlySignal } from '@preact/signals';
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { itemsOf, sheetOf } from '../../../model/cell/workbook.ts';
import { t } from '../../strings/strings.ts';
import type { CellEditor } from '../cell-editor.ts';
import type { GridLayout } from '../grid/grid-layout.ts';
import { meet, placedAt, type Rect } from '../grid/rect.ts';
import { placeOfAnchor } from './anchor-place.ts';
import { followDrawingClipboard } from './drawing-clipboard.ts';
import { handlePlace, handles } from './drawing-handles.ts';
import { drawingKeys } from './drawing-keys.ts';
import { drawingLabel, leaveDrawing, selectedDrawing } from './selected-drawing.ts';
import './drawing-frame.css';

export interface DrawingFrameProps {
  editor: CellEditor;
  layout: ReadonlySignal<GridLayout | null>;
  /** Where it is dragged to meanwhile, as a place of the sheet. */
  framed: ReadonlySignal<Rect | null>;
}

/**
 * What is around the selected drawing: its handles, and an element that has the focus while it is selected. Presses go
 * through it to the grid, which knows where it is.
 */
export function DrawingFrame({ editor, layout: shown, framed }: DrawingFrameProps) {
  const selected = selectedDrawing(editor);
  const id = selected?.[0] ?? null;
  const focused = useRef<HTMLDivElement>(null);
  const keys = useMemo(() => drawingKeys(editor), [editor]);
  useLayoutEffect(() => {
    if (id === null) return undefined;
    focused.current?.focus({ preventScroll: true });
    return followDrawingClipboard(editor, focused.current!);
  }, [editor, id]);
  useLayoutEffect(() => leaveWhatIsGone(editor));
  const layout = selected ? shown.value : null;
  if (!selected || !layout) return null;
  const [, drawing] = selected;
  const place = framed.value ?? placeOfAnchor(drawing.anchor, layout.sheet);
  const seen = layout.panes
    .map((pane) => ({ pane, rect: layout.rectAt(pane, place) }))
    .filter(({ pane, rect }) => meet(rect, pane.rect));
  const main = seen.at(-1)?.rect ?? { x: 0, y: 0, width: 1, height: 1 };
  return (
    <>
      <p id="drawing-help" class="visually-hidden">
        {t('drawings.help')}
      </p>
      <div
        ref={focused}
        class="drawing-focus"
        role="img"
        tabIndex={-1}
        aria-label={drawingLabel(drawing, layout.sheet)}
        aria-describedby="drawing-help"
        style={placedAt(main)}
        onKeyDown={(event) => {
          if (keys(event)) event.preventDefault();
        }}
      />
      {seen.map(({ pane, rect }) => (
        <div
          key={`${pane.scrollsAcross} ${pane.scrollsDown}`}
          class="drawing-frames"
          aria-hidden="true"
          style={placedAt(pane.rect)}
        >
          <div class="drawing-frame" style={placedAt(within(rect, pane.rect))}>
            {editor.canEdit &&
              handles.map((handle) => {
                const { x, y } = handlePlace(handle, { ...rect, x: 0, y: 0 });
                return <span key={`${x} ${y}`} style={{ left: `${x}px`, top: `${y}px` }} />;
              })}
          </div>
        </div>
      ))}
    </>
  );
}

/** Others may have taken out what is selected. */
function leaveWhatIsGone(editor: CellEditor): void {
  const id = editor.drawing.peek();
  if (id === null) return;
  const sheet = sheetOf(editor.session.workbook, editor.page.sheetId.peek());
  if (!sheet || !itemsOf(sheet, 'drawing').has(id)) leaveDrawing(editor);
}

const within = (rect: Rect, { x, y }: Rect): Rect => ({ ...rect, x: rect.x - x, y: rect.y - y });
