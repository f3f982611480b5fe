import type { GridView } from './grid-view.ts';

const scrollEveryMs = 40;
const furthestStepPx = 60;

/** Scrolls a grid while something is dragged beyond its edge. */
export class EdgeScrolling {
  readonly #view: GridView;
  #timer: ReturnType<typeof setInterval> | null = null;

  constructor(view: GridView) {
    this.#view = view;
  }

  /**
   * @param pointer where the pointer is now
   * @param onScrolled called after each step, with the place of the pointer in the grid
   */
  start(pointer: () => PointerEvent, onScrolled: (place: { x: number; y: number }) => void): void {
    this.stop();
    this.#timer = setInterval(() => {
      const place = this.#view.placeOf(pointer());
      if (this.#step(place)) onScrolled(place);
    }, scrollEveryMs);
  }

  stop(): void {
    if (this.#timer) clearInterval(this.#timer);
    this.#timer = null;
  }

  /** Scrolls by as much as a place lies beyond the edge, up to a bound; false where it does not. */
  #step({ x, y }: { readonly x: number; readonly y: number }): boolean {
    const view = this.#view;
    const { scrolled } = view.layout;
    const across = stepOf(beyond(x, scrolled.x, scrolled.width)) * (view.sheet.isRightToLeft ? -1 : 1);
    const along = stepOf(beyond(y, scrolled.y, scrolled.height));
    if (across === 0 && along === 0) return false;
    view.scrollTo({ x: view.place.x + across, y: view.place.y + along });
    return true;
  }
}

/** How far a place is before a stretch, as a negative number, or behind it. */
const beyond = (at: number, start: number, length: number): number =>
  at < start ? at - start : at > start + length ? at - start - length : 0;

const stepOf = (distance: number): number =>
  Math.sign(distance) * Math.min(furthestStepPx, Math.abs(distance));
