import type { ReadonlySignal } from '@preact/signals';
import type { ItemOf } from '../../../model/cell/items.ts';
import { itemsOf } from '../../../model/cell/workbook.ts';
import { t } from '../../strings/strings.ts';
import type { CellEditor } from '../cell-editor.ts';
import { rangeOf } from '../grid/cell-range.ts';
import type { GridLayout, Pane, Rect } from '../grid/grid-layout.ts';

type Drawing = ItemOf<'drawing'>;

const emuPerPx = 9_525;

interface DrawingsProps {
  editor: CellEditor;
  /** Followed only where there is something to be drawn. */
  layout: ReadonlySignal<GridLayout | null>;
}

/** Pictures where they are anchored; charts and shapes, which are not drawn yet, as boxes that say what they are. */
export function Drawings({ editor, layout: shown }: DrawingsProps) {
  const drawings = [...itemsOf(editor.view.value.sheet, 'drawing')].toSorted(
    ([, one], [, other]) => one.order - other.order,
  );
  const layout = drawings.length > 0 ? shown.value : null;
  if (!layout) return null;
  return (
    <>
      {layout.panes.map((pane) => {
        const { x, y, width, height } = pane.rect;
        const seen = drawings
          .map(([id, drawing]) => ({ id, drawing, rect: rectOf(layout, pane, drawing) }))
          .filter(({ rect }) => meet(rect, pane.rect));
        return seen.length === 0 ? null : (
          <div
            key={`${pane.scrollsAcross} ${pane.scrollsDown}`}
            class="drawings"
            style={{ left: `${x}px`, top: `${y}px`, width: `${width}px`, height: `${height}px` }}
          >
            {seen.map(({ id, drawing, rect }) => (
              <Shown
                key={id}
                editor={editor}
                drawing={drawing}
                rect={{ ...rect, x: rect.x - x, y: rect.y - y }}
              />
            ))}
          </div>
        );
      })}
    </>
  );
}

function Shown({ editor, drawing, rect }: { editor: CellEditor; drawing: Drawing; rect: Rect }) {
  const style = {
    left: `${rect.x}px`,
    top: `${rect.y}px`,
    width: `${rect.width}px`,
    height: `${rect.height}px`,
    ...(drawing.rotation && { transform: `rotate(${drawing.rotation}deg)` }),
  };
  const url = drawing.src === undefined ? null : editor.mediaUrl(drawing.src);
  const name = drawing.description ?? drawing.name ?? '';
  if (url !== null) {
    return (
      <div class="drawing" style={style}>
        <img src={url} alt={name} draggable={false} />
      </div>
    );
  }
  const kind = t(`sheet.drawing_${drawing.kind}`);
  return (
    <div class="drawing drawing-opaque" style={style}>
      {[kind, drawing.chart?.title ?? drawing.text ?? name].filter((part) => part).join(': ')}
    </div>
  );
}

function rectOf(layout: GridLayout, pane: Pane, { anchor }: Drawing): Rect {
  const { zoom, isRightToLeft } = layout.sheet;
  const corner = ([row, column, across, down]: readonly [number, number, number, number]) => {
    const cell = layout.rectIn(pane, rangeOf({ row, column }));
    const shift = Math.min((across / emuPerPx) * zoom, cell.width);
    return {
      x: isRightToLeft ? cell.x + cell.width - shift : cell.x + shift,
      y: cell.y + Math.min((down / emuPerPx) * zoom, cell.height),
    };
  };
  const from = corner(anchor.from);
  if (!anchor.to) {
    const [width, height] = anchor.size ?? [0, 0];
    const size = { width: (width / emuPerPx) * zoom, height: (height / emuPerPx) * zoom };
    return { x: isRightToLeft ? from.x - size.width : from.x, y: from.y, ...size };
  }
  const to = corner(anchor.to);
  return {
    x: Math.min(from.x, to.x),
    y: from.y,
    width: Math.abs(to.x - from.x),
    height: Math.max(0, to.y - from.y),
  };
}

const meet = (one: Rect, other: Rect): boolean =>
  one.x < other.x + other.width &&
  other.x < one.x + one.width &&
  one.y < other.y + other.height &&
  other.y < one.y + one.height;
