import type { RefObject } from 'preact';
import { useRef, useState } from 'preact/hooks';

/** A press that moves less is a click. */
const dragPx = 6;

export interface TabDrag {
  /** The tab that what is dragged would come before; `end` for behind all, null while nothing is dragged. */
  readonly target: string | null;
  readonly handlers: {
    onPointerDown(event: PointerEvent): void;
    onPointerMove(event: PointerEvent): void;
    onPointerUp(event: PointerEvent): void;
    onPointerCancel(): void;
    onClickCapture(event: MouseEvent): void;
  };
}

/** The place among tabs, given by their middles from the first to the last, that a pointer is at. */
export function placeAmong(middles: readonly number[], x: number, isRightToLeft: boolean): number {
  const at = middles.findIndex((middle) => (isRightToLeft ? x > middle : x < middle));
  return at < 0 ? middles.length : at;
}

/**
 * Lets tabs be dragged to another place with a mouse; a finger scrolls them. Tabs have their ids in `data-tab`.
 * @param drop puts a tab before another one, or behind all
 */
export function useTabDrag(
  list: RefObject<HTMLElement>,
  drop: (id: string, before: string | null) => void,
): TabDrag {
  const pressed = useRef<{ id: string; x: number; isDrag: boolean } | null>(null);
  const dragged = useRef(false);
  const [target, setTarget] = useState<string | null>(null);
  const tabs = () => [...(list.current?.querySelectorAll<HTMLElement>('[data-tab]') ?? [])];
  const targetAt = (x: number): string => {
    const all = tabs();
    const middles = all.map((tab) => {
      const { left, width } = tab.getBoundingClientRect();
      return left + width / 2;
    });
    const isRightToLeft = list.current !== null && getComputedStyle(list.current).direction === 'rtl';
    return all[placeAmong(middles, x, isRightToLeft)]?.dataset.tab ?? 'end';
  };
  const stop = () => {
    pressed.current = null;
    setTarget(null);
  };
  return {
    target,
    handlers: {
      onPointerDown(event) {
        dragged.current = false;
        const id = (event.target as Element).closest<HTMLElement>('[data-tab]')?.dataset.tab;
        if (event.button !== 0 || event.pointerType === 'touch' || id === undefined) return;
        pressed.current = { id, x: event.clientX, isDrag: false };
      },
      onPointerMove(event) {
        const press = pressed.current;
        if (!press) return;
        if (!press.isDrag && Math.abs(event.clientX - press.x) < dragPx) return;
        if (!press.isDrag) list.current?.setPointerCapture(event.pointerId);
        press.isDrag = true;
        setTarget(targetAt(event.clientX));
      },
      onPointerUp(event) {
        const press = pressed.current;
        stop();
        if (!press?.isDrag) return;
        dragged.current = true;
        const before = targetAt(event.clientX);
        if (before !== press.id) drop(press.id, before === 'end' ? null : before);
      },
      onPointerCancel: stop,
      // The press that has dragged a tab may end with a click on what is beneath it. Keys click, too, and end no press.
      onClickCapture(event) {
        if (dragged.current && event.detail > 0) event.stopPropagation();
        dragged.current = false;
      },
    },
  };
}
