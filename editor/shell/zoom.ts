import type { Signal } from '@preact/signals';

/** 1 is the size on paper. */
const zoomLimits = { least: 0.25, most: 4 } as const;

/** The nearest zoom within the limits, in whole percent. */
export function clampZoom(zoom: number): number {
  return Math.round(Math.min(zoomLimits.most, Math.max(zoomLimits.least, zoom)) * 100) / 100;
}

const steps = [0.25, 0.33, 0.5, 0.67, 0.75, 0.9, 1, 1.1, 1.25, 1.5, 1.75, 2, 2.5, 3, 4];

/** The next larger or smaller of the usual sizes. */
export function nextZoom(zoom: number, direction: 1 | -1): number {
  const next =
    direction > 0 ? steps.find((step) => step > zoom + 0.005) : steps.findLast((step) => step < zoom - 0.005);
  return next ?? clampZoom(zoom);
}

/** Ctrl with the wheel, and pinching on a touch pad, which browsers report the same way. */
export class ZoomByWheel {
  readonly #desk: HTMLElement;
  readonly #onWheel: (event: WheelEvent) => void;

  constructor(desk: HTMLElement, zoom: Signal<number>) {
    this.#desk = desk;
    this.#onWheel = (event) => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      zoom.value = clampZoom(zoom.value * Math.exp(-event.deltaY / 500));
    };
    desk.addEventListener('wheel', this.#onWheel, { passive: false });
  }

  stop(): void {
    this.#desk.removeEventListener('wheel', this.#onWheel);
  }
}
