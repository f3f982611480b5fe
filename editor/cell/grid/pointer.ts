import type { Hit, Rect } from './grid-layout.ts';
import type { GridView } from './grid-view.ts';

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
  /** Two fingers are put down; what comes back is told how many times as far apart they are now. */
  pinch(): (ratio: number) => void;
  /** `cursor` of CSS at a place. */
  cursorAt(hit: Hit, place: { x: number; y: number }): string;
}

/** Places this near to the edge are beyond it, for a drag that goes on there. */
const scrollEveryMs = 40;
const furthestStepPx = 60;
const hoverDelayMs = 350;
const longPressPx = 8;

/** Follows the pointer over a grid. Returns how to stop. */
export function followPointer(view: GridView, gestures: GridGestures): () => void {
  const { scroller } = view;
  let drag: { readonly by: Drag; readonly id: number; last: PointerEvent } | null = null;
  let scrolling: ReturnType<typeof setInterval> | null = null;
  let hovering: ReturnType<typeof setTimeout> | null = null;
  /** Where a finger was put down: it selects when it is lifted there, and else scrolls. */
  let tapped: { readonly x: number; readonly y: number; readonly event: PointerEvent } | null = null;

  let pinched: { readonly apart: number; readonly by: (ratio: number) => void } | null = null;

  const hitOf = (place: { x: number; y: number }) => view.layout.hit(place.x, place.y);
  const stopScrolling = () => {
    if (scrolling) clearInterval(scrolling);
    scrolling = null;
  };
  const down = (event: PointerEvent) => {
    if (event.button !== 0 || isOnBar(scroller, event)) return;
    const place = view.placeOf(event);
    if (event.pointerType === 'touch') {
      const handle = gestures.pressHandle(place);
      if (handle) follow(handle, event);
      else tapped = { x: event.clientX, y: event.clientY, event };
      return;
    }
    // The press must not take the focus from the cell that is typed in.
    event.preventDefault();
    const by = gestures.press(hitOf(place), place, event);
    if (by) follow(by, event);
  };
  const follow = (by: Drag, event: PointerEvent) => {
    drag = { by, id: event.pointerId, last: event };
    scroller.setPointerCapture(event.pointerId);
    scrolling = setInterval(() => scrollBeyond(), scrollEveryMs);
  };
  const scrollBeyond = () => {
    if (!drag) return;
    const { x, y } = view.placeOf(drag.last);
    const { scrolled } = view.layout;
    const beyond = (at: number, start: number, length: number) =>
      at < start ? at - start : at > start + length ? at - start - length : 0;
    const step = (distance: number) => Math.sign(distance) * Math.min(furthestStepPx, Math.abs(distance));
    const across = step(beyond(x, scrolled.x, scrolled.width)) * (view.sheet.isRightToLeft ? -1 : 1);
    const along = step(beyond(y, scrolled.y, scrolled.height));
    if (across === 0 && along === 0) return;
    view.scrollTo({ x: view.place.x + across, y: view.place.y + along });
    drag.by.move({ x, y }, drag.last);
  };
  const move = (event: PointerEvent) => {
    const place = view.placeOf(event);
    if (drag && event.pointerId === drag.id) {
      drag.last = event;
      drag.by.move(place, event);
      return;
    }
    if (event.pointerType === 'touch') return;
    if (hovering) clearTimeout(hovering);
    if (isOnBar(scroller, event)) return;
    const hit = hitOf(place);
    scroller.style.cursor = gestures.cursorAt(hit, place);
    hovering = setTimeout(() => gestures.hover(hit, place), hoverDelayMs);
  };
  const up = (event: PointerEvent) => {
    stopScrolling();
    if (tapped && event.pointerId === tapped.event.pointerId) {
      const isHere = Math.hypot(event.clientX - tapped.x, event.clientY - tapped.y) < longPressPx;
      tapped = null;
      if (!isHere) return;
      const place = view.placeOf(event);
      gestures.press(hitOf(place), place, event)?.end(event);
      return;
    }
    if (drag?.id !== event.pointerId) return;
    const { by } = drag;
    drag = null;
    by.end(event);
  };
  const cancel = (event: PointerEvent) => {
    stopScrolling();
    tapped = null;
    if (drag?.id !== event.pointerId) return;
    const { by } = drag;
    drag = null;
    by.cancel();
  };
  const touch = (event: TouchEvent) => {
    const isPinch = event.touches.length === 2;
    if (event.cancelable && (drag || isPinch)) event.preventDefault();
    if (!isPinch) {
      pinched = null;
      return;
    }
    tapped = null;
    const apart = distanceOf(event);
    pinched ??= { apart, by: gestures.pinch() };
    if (event.type === 'touchmove') pinched.by(apart / pinched.apart);
  };
  const leave = () => {
    if (hovering) clearTimeout(hovering);
    gestures.hover(null, { x: 0, y: 0 });
  };
  const double = (event: MouseEvent) => {
    if (isOnBar(scroller, event)) return;
    const place = view.placeOf(event);
    gestures.doublePress(hitOf(place), place, event);
  };
  const menu = (event: MouseEvent) => {
    if (event.ctrlKey) return;
    event.preventDefault();
    const place = view.placeOf(event);
    gestures.openMenu(hitOf(place), place, event);
  };
  scroller.addEventListener('pointerdown', down);
  scroller.addEventListener('pointermove', move);
  scroller.addEventListener('pointerup', up);
  scroller.addEventListener('pointercancel', cancel);
  scroller.addEventListener('pointerleave', leave);
  // They keep the browser from scrolling, which passive listeners cannot.
  const touches = ['touchstart', 'touchmove', 'touchend', 'touchcancel'] as const;
  for (const name of touches) scroller.addEventListener(name, touch, { passive: false });
  scroller.addEventListener('dblclick', double);
  scroller.addEventListener('contextmenu', menu);
  return () => {
    stopScrolling();
    if (hovering) clearTimeout(hovering);
    scroller.removeEventListener('pointerdown', down);
    scroller.removeEventListener('pointermove', move);
    scroller.removeEventListener('pointerup', up);
    scroller.removeEventListener('pointercancel', cancel);
    scroller.removeEventListener('pointerleave', leave);
    for (const name of touches) scroller.removeEventListener(name, touch);
    scroller.removeEventListener('dblclick', double);
    scroller.removeEventListener('contextmenu', menu);
  };
}

/** How far two fingers are apart. */
function distanceOf({ touches: [one, other] }: TouchEvent): number {
  return Math.max(1, Math.hypot(one!.clientX - other!.clientX, one!.clientY - other!.clientY));
}

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
