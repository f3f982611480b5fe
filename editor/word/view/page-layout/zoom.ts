import type { WordSection } from '../../../../model/word/document.ts';
import { clampZoom } from '../../../shell/zoom.ts';
import type { ViewedDocument } from '../viewed-document.ts';
import { pagePixels } from './geometry.ts';

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
