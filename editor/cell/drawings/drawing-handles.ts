import type { GridLayout, Pane } from '../grid/grid-layout.ts';
import type { Rect } from '../grid/rect.ts';

interface Place {
  readonly x: number;
  readonly y: number;
}

/** One of the eight handles by which a drawing is made larger or smaller: which sides it moves, as they are seen. */
export interface Handle {
  readonly across: -1 | 0 | 1;
  readonly down: -1 | 0 | 1;
}

export const handles: readonly Handle[] = ([-1, 0, 1] as const).flatMap((down) =>
  ([-1, 0, 1] as const).filter((across) => across !== 0 || down !== 0).map((across) => ({ across, down })),
);

/** Where the middle of a handle is. */
export const handlePlace = ({ across, down }: Handle, { x, y, width, height }: Rect): Place => ({
  x: x + ((across + 1) * width) / 2,
  y: y + ((down + 1) * height) / 2,
});

/** The handle of a drawing nearest to a place, no further away than the reach; corners before edges. */
export function handleAt(place: Place, rect: Rect, reachPx: number): Handle | null {
  const near = handles
    .map((handle) => {
      const at = handlePlace(handle, rect);
      return { handle, far: Math.max(Math.abs(place.x - at.x), Math.abs(place.y - at.y)) };
    })
    .filter(({ far }) => far <= reachPx)
    .toSorted((one, other) => one.far - other.far);
  return near[0]?.handle ?? null;
}

/** `cursor` of CSS over a handle. */
export function cursorOfHandle({ across, down }: Handle): string {
  if (across === 0) return 'ns-resize';
  if (down === 0) return 'ew-resize';
  return across === down ? 'nwse-resize' : 'nesw-resize';
}

/** The pane that a place of the grid is in; the one that scrolls for places beyond all. */
export const paneAt = ({ panes }: GridLayout, { x, y }: Place): Pane =>
  panes.find(
    ({ rect }) => x >= rect.x && x < rect.x + rect.width && y >= rect.y && y < rect.y + rect.height,
  ) ?? panes.at(-1)!;

/** The place of the sheet, in pixels as it is shown, at a place of the grid. */
export function sheetPlace(layout: GridLayout, pane: Pane, { x, y }: Place): Place {
  const origin = layout.rectAt(pane, { x: 0, y: 0, width: 0, height: 0 });
  return { x: layout.sheet.isRightToLeft ? origin.x - x : x - origin.x, y: y - origin.y };
}

export interface Resizing {
  readonly handle: Handle;
  readonly isRightToLeft: boolean;
  readonly keepsProportion: boolean;
  readonly leastPx: number;
}

/** The place of a drawing after one of its handles was dragged by a distance of the sheet. The sides across from it stay. */
export function resizedPlace(
  before: Rect,
  by: Place,
  { handle, isRightToLeft, keepsProportion, leastPx }: Resizing,
): Rect {
  const across = isRightToLeft ? -handle.across : handle.across;
  const { down } = handle;
  // The edge of the sheet is the end.
  const most = {
    width: across < 0 ? before.x + before.width : Number.POSITIVE_INFINITY,
    height: down < 0 ? before.y + before.height : Number.POSITIVE_INFINITY,
  };
  let width = Math.min(most.width, Math.max(leastPx, before.width + across * by.x));
  let height = Math.min(most.height, Math.max(leastPx, before.height + down * by.y));
  if (keepsProportion && before.width > 0 && before.height > 0) {
    const wanted = Math.max(across === 0 ? 0 : width / before.width, down === 0 ? 0 : height / before.height);
    const factor = Math.min(wanted, most.width / before.width, most.height / before.height);
    [width, height] = [before.width * factor, before.height * factor];
  }
  return {
    x: across < 0 ? before.x + before.width - width : before.x,
    y: down < 0 ? before.y + before.height - height : before.y,
    width,
    height,
  };
}
