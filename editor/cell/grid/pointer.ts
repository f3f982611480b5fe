import { EdgeScrolling } from './edge-scrolling.ts';
import type { Hit } from './grid-layout.ts';
import type { GridView } from './grid-view.ts';
import { Pinch } from './pinch.ts';
import type { Rect } from './rect.ts';

/** What a drag that was begun does. */
export interface Drag {
  /** Also where the pointer stays and the sheet is scrolled beneath it. */
  move(place: { readonly x: number; readonly y: number }, event: PointerEvent): void;
  end(event: PointerEvent): void;
  cancel(): void;
}

/** What presses on the grid do. */
export interface GridGestures {
  /** A press; what comes back follows the pointer until it is let go. */
  press(hit: Hit, place: { x: number; y: number }, event: PointerEvent): Drag | null;
  doublePress(hit: Hit, place: { x: number; y: number }, event: MouseEvent): void;
  openMenu(hit: Hit, place: { x: number; y: number }, event: MouseEvent): void;
  /** The pointer rests over something; null when it has left. */
  hover(hit: Hit | null, place: { x: number; y: number }): void;
  /** A finger is put down: on a handle it drags that; null where it selects or scrolls. */
  pressHandle(place: { x: number; y: number }): Drag | null;
  /** Two fingers are put down around a place; what comes back is told how many times as far apart they are now. */
  pinch(place: { x: number; y: number }): (ratio: number) => void;
  /** `cursor` of CSS at a place. */
  cursorAt(hit: Hit, place: { x: number; y: number }): string;
}

const hoverDelayMs = 350;
const longPressPx = 8;
/** A finger that rests so long opens the menu. Not all browsers send an event for that. */
const longPressMs = 500;

/** Events of the pointer by which something is dragged, tapped or rested on. */
type PointerEventName = 'pointerdown' | 'pointermove' | 'pointerup' | 'pointercancel' | 'pointerleave';

/** Follows the pointer over a grid. */
export class GridPointer {
  readonly #view: GridView;
  readonly #gestures: GridGestures;
  readonly #scrolling: EdgeScrolling;
  readonly #pinch: Pinch;
  readonly #stopped = new AbortController();
  #drag: { readonly by: Drag; readonly id: number; last: PointerEvent } | null = null;
  #hovering: ReturnType<typeof setTimeout> | undefined;
  /** Where a finger was put down: it selects when it is lifted there, and else scrolls. */
  #tapped: PointerEvent | null = null;
  #resting: ReturnType<typeof setTimeout> | undefined;

  constructor(view: GridView, gestures: GridGestures) {
    this.#view = view;
    this.#gestures = gestures;
    this.#scrolling = new EdgeScrolling(view);
    this.#pinch = new Pinch((middle) => gestures.pinch(view.placeOf(middle)));
    this.#listen();
  }

  stop(): void {
    this.#scrolling.stop();
    clearTimeout(this.#hovering);
    clearTimeout(this.#resting);
    this.#stopped.abort();
  }

  #listen(): void {
    const { scroller } = this.#view;
    const { signal } = this.#stopped;
    const on = (name: PointerEventName, follow: (event: PointerEvent) => void) =>
      scroller.addEventListener(name, follow, { signal });
    on('pointerdown', (event) => this.#down(event));
    on('pointermove', (event) => this.#move(event));
    on('pointerup', (event) => this.#up(event));
    on('pointercancel', (event) => this.#cancel(event));
    on('pointerleave', () => this.#leave());
    // They keep the browser from scrolling, which passive listeners cannot.
    for (const name of ['touchstart', 'touchmove', 'touchend', 'touchcancel'] as const)
      scroller.addEventListener(name, (event) => this.#touch(event), { signal, passive: false });
    // A tap is followed by one, which would take the focus from the cell.
    scroller.addEventListener(
      'mousedown',
      (event) => {
        if (!isOnBar(scroller, event)) event.preventDefault();
      },
      { signal },
    );
    scroller.addEventListener('dblclick', (event) => this.#double(event), { signal });
    scroller.addEventListener('contextmenu', (event) => this.#menu(event), { signal });
  }

  #down(event: PointerEvent): void {
    if (event.button !== 0 || isOnBar(this.#view.scroller, event)) return;
    const place = this.#view.placeOf(event);
    if (event.pointerType === 'touch') {
      const handle = this.#gestures.pressHandle(place);
      if (handle) {
        this.#follow(handle, event);
        // It is a tap on the cell beneath, unless it goes on.
        this.#tapped = event;
      } else this.#tap(event);
      return;
    }
    // The press must not take the focus from the cell that is typed in.
    event.preventDefault();
    const by = this.#gestures.press(this.#hitOf(place), place, event);
    if (by) this.#follow(by, event);
  }

  #tap(event: PointerEvent): void {
    this.#tapped = event;
    clearTimeout(this.#resting);
    this.#resting = setTimeout(() => {
      if (this.#tapped !== event) return;
      this.#tapped = null;
      this.#openMenu(event);
    }, longPressMs);
  }

  #follow(by: Drag, event: PointerEvent): void {
    const drag = { by, id: event.pointerId, last: event };
    this.#drag = drag;
    this.#view.scroller.setPointerCapture(event.pointerId);
    this.#scrolling.start(
      () => drag.last,
      (place) => by.move(place, drag.last),
    );
  }

  #move(event: PointerEvent): void {
    const place = this.#view.placeOf(event);
    if (this.#tapped && distanceBetween(event, this.#tapped) >= longPressPx) this.#tapped = null;
    if (this.#drag && event.pointerId === this.#drag.id) {
      this.#drag.last = event;
      this.#drag.by.move(place, event);
      return;
    }
    if (event.pointerType === 'touch') return;
    clearTimeout(this.#hovering);
    const { scroller } = this.#view;
    if (isOnBar(scroller, event)) return;
    const hit = this.#hitOf(place);
    scroller.style.cursor = this.#gestures.cursorAt(hit, place);
    this.#hovering = setTimeout(() => this.#gestures.hover(hit, place), hoverDelayMs);
  }

  #up(event: PointerEvent): void {
    this.#scrolling.stop();
    const tapped = this.#tapped;
    if (tapped && event.pointerId === tapped.pointerId) {
      this.#tapped = null;
      this.#ended(event)?.cancel();
      const place = this.#view.placeOf(event);
      this.#gestures.press(this.#hitOf(place), place, event)?.end(event);
      return;
    }
    this.#ended(event)?.end(event);
  }

  #cancel(event: PointerEvent): void {
    this.#scrolling.stop();
    this.#tapped = null;
    this.#ended(event)?.cancel();
  }

  /** What was dragged by this pointer, and is not any more. */
  #ended({ pointerId }: PointerEvent): Drag | null {
    if (this.#drag?.id !== pointerId) return null;
    const { by } = this.#drag;
    this.#drag = null;
    return by;
  }

  #touch(event: TouchEvent): void {
    const isPinch = event.touches.length === 2;
    // Two taps edit: a handle that is only tapped must not keep the browser from counting them.
    const isDragged = this.#drag !== null && event.type === 'touchmove';
    if (event.cancelable && (isDragged || isPinch)) event.preventDefault();
    if (isPinch) this.#tapped = null;
    this.#pinch.follow(event);
  }

  #leave(): void {
    clearTimeout(this.#hovering);
    this.#gestures.hover(null, { x: 0, y: 0 });
  }

  #double(event: MouseEvent): void {
    if (isOnBar(this.#view.scroller, event)) return;
    const place = this.#view.placeOf(event);
    this.#gestures.doublePress(this.#hitOf(place), place, event);
  }

  #menu(event: MouseEvent): void {
    if (event.ctrlKey) return;
    event.preventDefault();
    if (!isTouch(event)) this.#openMenu(event);
  }

  #openMenu(event: MouseEvent): void {
    const place = this.#view.placeOf(event);
    this.#gestures.openMenu(this.#hitOf(place), place, event);
  }

  #hitOf({ x, y }: { readonly x: number; readonly y: number }): Hit {
    return this.#view.layout.hit(x, y);
  }
}

/** Whether an event is of a finger: browsers give `contextmenu` the type of its pointer. */
const isTouch = (event: MouseEvent): boolean =>
  event instanceof PointerEvent && event.pointerType === 'touch';

const distanceBetween = (one: PointerEvent, other: PointerEvent): number =>
  Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY);

/** Bars for scrolling belong to the browser. */
function isOnBar(scroller: HTMLElement, { clientX, clientY }: MouseEvent): boolean {
  const { left, top } = scroller.getBoundingClientRect();
  const x = clientX - left - scroller.clientLeft;
  const y = clientY - top - scroller.clientTop;
  return x < 0 || y < 0 || x > scroller.clientWidth || y > scroller.clientHeight;
}

export const isInRect = ({ x, y }: { x: number; y: number }, rect: Rect): boolean =>
  x >= rect.x && x <= rect.x + rect.width && y >= rect.y && y <= rect.y + rect.height;

/** Whether a place is on the edge of a rectangle, by which what is in it is dragged. */
export function isOnEdge({ x, y }: { x: number; y: number }, rect: Rect, reachPx = 3): boolean {
  const outer = {
    x: rect.x - reachPx,
    y: rect.y - reachPx,
    width: rect.width + 2 * reachPx,
    height: rect.height + 2 * reachPx,
  };
  const inner = {
    x: rect.x + reachPx,
    y: rect.y + reachPx,
    width: rect.width - 2 * reachPx,
    height: rect.height - 2 * reachPx,
  };
  return isInRect({ x, y }, outer) && !isInRect({ x, y }, inner);
}
