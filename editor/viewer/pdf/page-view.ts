import { type Signal, signal } from '@preact/signals';
import type { EventBus, PDFFindController, PDFLinkService, PDFViewer } from 'pdfjs-dist/web/pdf_viewer.mjs';
import type { Finder, SearchQuery } from '../../shell/bars/find-bar.tsx';
import { t } from '../../strings/strings.ts';
import { ownLabels } from './own-labels.ts';
import type { PdfDocument, PdfLibrary } from './pdf-library.ts';
import { linksOf } from './safe-links.ts';

/** How many matches there are and which of them is shown, both 0 without any; `isSearching`: pages are still looked at. */
export interface Matches {
  readonly current: number;
  readonly total: number;
  readonly isSearching: boolean;
}

/** How large pages are: 1 is the size on paper, or as large as fits. */
export type Zoom = number | 'page-width' | 'page-fit';

const noMatches: Matches = { current: 0, total: 0, isSearching: false };
export const smallestZoom = 0.1;
export const largestZoom = 5;
/** A step of the wheel of a mouse is about so many pixels. */
const wheelPixelsPerStep = 100;
/** Of a page that is larger than this only what is in view is drawn in full detail, pixels. */
const mostDrawnPixels = 16_777_216;

interface FindEvent {
  matchesCount?: { current: number; total: number };
  state?: number;
}

/** The pages of a PDF in an element, drawn as they come into view and given up when they are out of it. */
export class PageView {
  readonly pageCount: number;
  readonly page: Signal<number> = signal(1);
  /** 1 is the size on paper. */
  readonly scale: Signal<number> = signal(1);
  readonly matches: Signal<Matches> = signal(noMatches);
  /** Resolves when the first page is on the screen. */
  readonly shown: Promise<void>;
  readonly #container: HTMLDivElement;
  readonly #bus: EventBus;
  readonly #viewer: PDFViewer;
  readonly #links: PDFLinkService;
  readonly #find: PDFFindController;
  readonly #library: PdfLibrary;
  readonly #gone = new AbortController();

  /** `container`: a scrolling element with one child, which gets the pages. */
  constructor(library: PdfLibrary, pdf: PdfDocument, container: HTMLDivElement, zoom: Zoom) {
    const { core, viewer } = library;
    this.#library = library;
    this.#container = container;
    this.pageCount = pdf.numPages;
    this.#bus = new viewer.EventBus();
    this.#links = linksOf(library, this.#bus);
    this.#find = new viewer.PDFFindController({ linkService: this.#links, eventBus: this.#bus });
    this.#viewer = new viewer.PDFViewer({
      container,
      eventBus: this.#bus,
      linkService: this.#links,
      findController: this.#find,
      removePageBorders: true,
      annotationMode: core.AnnotationMode.ENABLE,
      annotationEditorMode: core.AnnotationEditorType.DISABLE,
      maxCanvasPixels: mostDrawnPixels,
      l10n: ownLabels,
    });
    this.#links.setViewer(this.#viewer);
    this.shown = new Promise((resolve) => this.#on('pagerendered', () => resolve()));
    this.#on('pagesinit', () => {
      this.zoom(zoom);
      this.#label();
    });
    this.#on('pagechanging', ({ pageNumber }: { pageNumber: number }) => {
      this.page.value = pageNumber;
    });
    this.#on('scalechanging', ({ scale }: { scale: number }) => {
      this.scale.value = scale;
    });
    const tell = ({ matchesCount, state }: FindEvent) => this.#found(matchesCount, state);
    this.#on('updatefindmatchescount', tell);
    this.#on('updatefindcontrolstate', tell);
    this.#viewer.setDocument(pdf);
    this.#links.setDocument(pdf);
    this.#followSize();
    this.#followPinching();
  }

  /** Shows a page, counted from 1; the nearest there is. */
  goTo(page: number): void {
    this.#viewer.currentPageNumber = Math.min(Math.max(Math.round(page), 1), this.pageCount);
  }

  zoom(zoom: Zoom): void {
    this.#viewer.currentScaleValue =
      typeof zoom === 'number' ? String(Math.min(Math.max(zoom, smallestZoom), largestZoom)) : zoom;
  }

  /** Makes pages one step larger or smaller. */
  zoomBy(steps: number): void {
    this.#viewer.updateScale({ steps });
  }

  /** Looks for a text from the beginning; an empty one ends the search. */
  search(wanted: SearchQuery): void {
    if (wanted.text === '') {
      this.#bus.dispatch('findbarclose', { source: this });
      this.matches.value = noMatches;
    } else this.#look(wanted, '', false);
  }

  /** Shows the next match of the search, or the one before. */
  searchOn(wanted: SearchQuery, isBackwards: boolean): void {
    this.#look(wanted, 'again', isBackwards);
  }

  focus(): void {
    this.#container.focus({ preventScroll: true });
  }

  /** Gives up everything that was drawn. */
  destroy(): void {
    this.#gone.abort();
    this.#viewer.setDocument(null as never);
    this.#links.setDocument(null);
    this.#viewer.cleanup();
  }

  #look({ text, caseSensitive, wholeWord }: SearchQuery, type: '' | 'again', findPrevious: boolean): void {
    this.matches.value = { ...this.matches.peek(), isSearching: true };
    this.#bus.dispatch('find', {
      ...{ source: this, type, query: text, caseSensitive, entireWord: wholeWord, findPrevious },
      ...{ highlightAll: true, matchDiacritics: false },
    });
  }

  #found(count: FindEvent['matchesCount'], state: number | undefined): void {
    const { FindState } = this.#library.viewer;
    const { current = 0, total = 0 } = count ?? {};
    const isSearching = state === undefined ? this.matches.peek().isSearching : state === FindState.PENDING;
    this.matches.value = { current, total, isSearching };
  }

  /** Screen readers tell the pages apart. */
  #label(): void {
    for (let index = 0; index < this.pageCount; index += 1) {
      const { div } = this.#viewer.getPageView(index) as { div: HTMLElement };
      div.setAttribute('aria-label', t('viewer.pageOf', { page: index + 1, count: this.pageCount }));
    }
  }

  /** Pages that fit into the window fit into it when it has another size. */
  #followSize(): void {
    const observer = new ResizeObserver(() => {
      const { currentScaleValue } = this.#viewer;
      if (currentScaleValue === 'page-width' || currentScaleValue === 'page-fit') {
        this.#viewer.currentScaleValue = currentScaleValue;
      }
      this.#viewer.update();
    });
    observer.observe(this.#container);
    this.#gone.signal.addEventListener('abort', () => observer.disconnect());
  }

  /** Two fingers, or the wheel with Ctrl, which is also what a pinch on a touchpad is. */
  #followPinching(): void {
    const { signal: isGone } = this.#gone;
    const wheel = (event: WheelEvent) => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      const origin = [event.clientX, event.clientY];
      const pixels = event.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? event.deltaY : event.deltaY * 30;
      const scaleFactor = 1.1 ** (-pixels / wheelPixelsPerStep);
      this.#viewer.updateScale({ scaleFactor, origin, drawingDelay: 200 } as object);
    };
    this.#container.addEventListener('wheel', wheel, { passive: false, signal: isGone });
    const pinch = (origin: number[], before: number, now: number) => {
      const options = { scaleFactor: now / before, origin, drawingDelay: 200 };
      this.#viewer.updateScale(options as object);
    };
    new this.#library.core.TouchManager({
      container: this.#container,
      onPinching: pinch as never,
      signal: isGone,
    });
  }

  #on(event: string, handle: (data: never) => void): void {
    this.#bus.on(event, handle, { signal: this.#gone.signal } as never);
  }
}

/** How the pages are searched. */
export function pageFinder(pages: PageView): Finder {
  let wanted: SearchQuery = { text: '', caseSensitive: false, wholeWord: false };
  const go = (isBackwards: boolean) => {
    if (pages.matches.peek().total > 0) pages.searchOn(wanted, isBackwards);
  };
  return {
    initialText: '',
    get found() {
      const { total } = pages.matches.value;
      return { count: total, text: foundText(pages.matches.value) };
    },
    search(query) {
      wanted = query;
      pages.search(query);
    },
    next: () => go(false),
    previous: () => go(true),
  };
}

function foundText({ current, total, isSearching }: Matches): string {
  if (total > 0) return t('viewer.matchOf', { current, total });
  return isSearching ? t('viewer.searching') : t('viewer.noMatch');
}
