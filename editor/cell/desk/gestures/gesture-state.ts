import { type Signal, signal } from '@preact/signals';
import type { Area, Axis } from '../../../../model/cell/area.ts';
import type { CellMove } from '../../commands/cell-moving.ts';
import type { CellPosition } from '../../grid/cell-areas.ts';
import type { Hit } from '../../grid/grid-layout.ts';
import type { Rect } from '../../grid/rect.ts';

/** Where a menu is open, and what it is about. */
export interface OpenMenu {
  readonly hit: Hit;
  readonly x: number;
  readonly y: number;
}

/** What a drag shows while it goes on, and what a press has opened. */
export class GestureState {
  /** The cells that are filled or moved to, if it is let go now. */
  readonly target: Signal<Area | null> = signal(null);
  /** What is dragged onto cells with content, while the person is asked. */
  readonly replacing: Signal<CellMove | null> = signal(null);
  readonly sizing: Signal<{ readonly axis: Axis; readonly at: number } | null> = signal(null);
  readonly menu: Signal<OpenMenu | null> = signal(null);
  /** The cell whose filter or list is open, or for which the entries of its column are. */
  readonly opened: Signal<{
    readonly cell: CellPosition;
    readonly kind: 'filter' | 'list' | 'entries';
  } | null> = signal(null);
  readonly hovered: Signal<CellPosition | null> = signal(null);
  /** Where the frame of a drawing that is dragged is, as a place of the sheet. */
  readonly framed: Signal<Rect | null> = signal(null);
  /** The last press was one by a finger. */
  readonly isTouched: Signal<boolean> = signal(false);
}
