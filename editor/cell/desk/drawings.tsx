import type { ReadonlySignal } from '@preact/signals';
import type { Drawing } from '../../../model/cell/items.ts';
import { itemsOf } from '../../../model/cell/workbook.ts';
import { t } from '../../strings/strings.ts';
import type { CellEditor } from '../cell-editor.ts';
import { ChartBox } from '../charts/chart-box.tsx';
import { placeOfAnchor, uprightPlace } from '../drawings/anchor-place.ts';
import { LaterRecoloring } from '../drawings/later-recoloring.tsx';
import { ShapeBox } from '../drawings/shape-box.tsx';
import type { GridLayout } from '../grid/grid-layout.ts';
import { meet, type Rect } from '../grid/rect.ts';

export interface DrawingsProps {
  editor: CellEditor;
  /** Followed only where there is something to be drawn. */
  layout: ReadonlySignal<GridLayout | null>;
}

/** Pictures, charts and shapes where they are anchored; what is not drawn is a box that says what it is. */
export function Drawings({ editor, layout: shown }: DrawingsProps) {
  const drawings = [...itemsOf(editor.page.view.value.sheet, 'drawing')]
    .filter(([, { hidden }]) => !hidden)
    .toSorted(([, one], [, other]) => one.order - other.order);
  const sheet = editor.page.view.value.sheet.id;
  const layout = drawings.length > 0 ? shown.value : null;
  if (!layout) return null;
  return (
    <>
      {layout.panes.map((pane) => {
        const { x, y, width, height } = pane.rect;
        const seen = drawings
          .map(([id, drawing]) => {
            const place = placeOfAnchor(drawing.anchor, layout.sheet);
            return { id, drawing, rect: layout.rectAt(pane, uprightPlace(place, drawing.rotation ?? 0)) };
          })
          .filter(({ rect }) => meet(rect, pane.rect));
        return seen.length === 0 ? null : (
          <div
            key={`${pane.scrollsAcross} ${pane.scrollsDown}`}
            class="drawings"
            style={{ left: `${x}px`, top: `${y}px`, width: `${width}px`, height: `${height}px` }}
          >
            {seen.map(({ id, drawing, rect }) => (
              <Shown
                key={`${sheet} ${id}`}
                editor={editor}
                drawing={drawing}
                rect={{ ...rect, x: rect.x - x, y: rect.y - y }}
                zoom={layout.sheet.zoom}
              />
            ))}
          </div>
        );
      })}
    </>
  );
}

interface ShownProps {
  readonly editor: CellEditor;
  readonly drawing: Drawing;
  readonly rect: Rect;
  readonly zoom: number;
}

function Shown({ editor, drawing, rect, zoom }: ShownProps) {
  const { chart, recolored } = drawing;
  const theme = editor.page.workbook.value.properties.theme?.colors;
  const turned = drawing.rotation ? `rotate(${drawing.rotation}deg)` : '';
  const transform = `${turned} ${drawing.mirrored ? mirrors[drawing.mirrored] : ''}`.trim();
  const style = {
    left: `${rect.x}px`,
    top: `${rect.y}px`,
    width: `${rect.width}px`,
    height: `${rect.height}px`,
    ...(transform !== '' && { transform }),
  };
  const url = drawing.src === undefined ? null : editor.mediaUrl(drawing.src);
  const name = drawing.description ?? drawing.name ?? '';
  const kind = t(`sheet.drawing_${drawing.kind}`);
  const called = [kind, chart?.title ?? name].filter((part) => part).join(': ');
  if (url !== null) {
    return (
      <div class="drawing" style={style}>
        {recolored ? (
          <LaterRecoloring {...{ url, name, recolored, theme }} style={cropped(drawing.crop)} />
        ) : (
          <img src={url} alt={name} draggable={false} style={cropped(drawing.crop)} />
        )}
      </div>
    );
  }
  if (chart) {
    const [width, height] = [rect.width, rect.height].map((px) => Math.max(1, Math.round(px / zoom)));
    return (
      <div class="drawing" style={style}>
        <ChartBox {...{ editor, chart, drawing }} width={width!} height={height!} name={called} />
      </div>
    );
  }
  if (drawing.kind === 'shape') {
    return (
      <div class="drawing" style={style}>
        <ShapeBox drawing={drawing} theme={theme} zoom={zoom} name={called} />
      </div>
    );
  }
  return (
    <div class="drawing drawing-opaque" style={style}>
      {called}
    </div>
  );
}

const mirrors = { across: 'scale(-1, 1)', down: 'scale(1, -1)', both: 'scale(-1, -1)' } as const;

/** Only the part of a picture that is not cut off fills its box. */
function cropped(crop: Drawing['crop']) {
  if (!crop) return undefined;
  const [left, top, right, bottom] = crop;
  const [width, height] = [1 - left - right, 1 - top - bottom];
  const percent = (part: number) => `${part * 100}%`;
  return {
    position: 'absolute',
    left: percent(-left / width),
    top: percent(-top / height),
    inlineSize: percent(1 / width),
    blockSize: percent(1 / height),
    maxInlineSize: 'none',
  } as const;
}
