import type { Signal } from '@preact/signals';
import type { WordSection } from '../../../../model/word/document.ts';
import type { ViewedDocument } from '../viewed-document.ts';
import { pagePixels } from './geometry.ts';

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

/** Pixels beside the paper. */
const deskMargin = 48;

/** The size at which a page is as wide as the desk, or fits it, when a height is given. */
export function fittingZoom(
  sections: readonly WordSection[],
  deskWidth: number,
  deskHeight: number | null = null,
): number {
  const { width, height } = pagePixels(sections);
  const byHeight = deskHeight === null ? Number.POSITIVE_INFINITY : (deskHeight - deskMargin) / height;
  return clampZoom(Math.min((deskWidth - deskMargin) / width, byHeight));
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

/** `customization.zoom` of the embedding page (integration API, 4.5). */
const fitPage = -1;
const fitWidth = -2;

/**
 * Shows the page at the size that the embedding page asks for. A page that is to fit the window keeps fitting while the
 * window changes, until somebody chooses another size.
 */
export class ZoomFit {
  readonly #observer: ResizeObserver | null = null;

  constructor(desk: HTMLElement, { zoom, document, config }: ViewedDocument) {
    const wanted = config.editorConfig.customization.zoom;
    if (wanted !== fitPage && wanted !== fitWidth) {
      if (zoom.value === 1) zoom.value = wanted / 100;
      return;
    }
    let fitted = zoom.value;
    this.#observer = new ResizeObserver(() => {
      if (desk.clientWidth === 0 || zoom.value !== fitted) return;
      const height = wanted === fitPage ? desk.clientHeight : null;
      fitted = fittingZoom(document.sections, desk.clientWidth, height);
      zoom.value = fitted;
    });
    this.#observer.observe(desk);
  }

  stop(): void {
    this.#observer?.disconnect();
  }
}
