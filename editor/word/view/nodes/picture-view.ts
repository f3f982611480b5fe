import type { Node } from 'prosemirror-model';
import { type Command, NodeSelection } from 'prosemirror-state';
import type { EditorView, NodeView } from 'prosemirror-view';
import { announce } from '../../../kit/announce.tsx';
import { t } from '../../../strings/strings.ts';
import { emuToPx, pxToEmu } from '../style/css.ts';
import './picture.css';

const corners = [
  ['start', 'top', -1, -1],
  ['end', 'top', 1, -1],
  ['start', 'bottom', -1, 1],
  ['end', 'bottom', 1, 1],
] as const;

/** A picture in the text that is edited: with a place to hold while it loads, and handles to resize it. */
export class PictureView implements NodeView {
  readonly dom: HTMLElement;
  readonly #image = document.createElement('img');
  readonly #view: EditorView;
  readonly #getPos: () => number | undefined;
  readonly #media: Media;
  /** The path whose address was asked for. */
  #asked: string | null = null;
  /** The address that was given to the image, which may have been drawn as another since. */
  #url: string | null = null;
  #node: Node;
  #endDrag: (() => void) | null = null;

  constructor(node: Node, view: EditorView, getPos: () => number | undefined, media: Media) {
    this.#node = node;
    this.#view = view;
    this.#getPos = getPos;
    this.#media = media;
    this.dom = document.createElement('span');
    this.#image.decoding = 'async';
    this.#image.loading = 'lazy';
    this.#image.draggable = false;
    this.#image.addEventListener('load', () => this.#showState('shown'));
    this.#image.addEventListener('error', () => this.#showState('broken'));
    this.dom.append(this.#image);
    this.#draw();
  }

  update(node: Node): boolean {
    if (node.type !== this.#node.type) return false;
    this.#node = node;
    this.#draw();
    return true;
  }

  selectNode(): void {
    this.dom.classList.add('picture-selected');
    if (!this.#view.editable || this.dom.querySelector('.picture-handle')) return;
    for (const [inline, block, directionX, directionY] of corners) {
      const handle = document.createElement('span');
      handle.className = `picture-handle picture-handle-${inline} picture-handle-${block}`;
      handle.title = t('view.resizePicture');
      handle.addEventListener('pointerdown', (event) => this.#drag(event, directionX, directionY));
      this.dom.append(handle);
    }
  }

  deselectNode(): void {
    this.dom.classList.remove('picture-selected');
    for (const handle of this.dom.querySelectorAll('.picture-handle')) handle.remove();
  }

  stopEvent(event: Event): boolean {
    return event.target instanceof Element && event.target.classList.contains('picture-handle');
  }

  ignoreMutation(): boolean {
    return true;
  }

  destroy(): void {
    this.#endDrag?.();
  }

  #draw(): void {
    const { src, alt } = this.#node.attrs;
    const url = this.#media.url(src);
    this.#image.alt = alt;
    if (url === null) this.#ask(src);
    else if (this.#url !== url) {
      this.#url = url;
      this.#showState('loading');
      this.#image.src = url;
    }
    this.#size(pixelSize(this.#node));
  }

  #ask(src: string): void {
    this.#showState(this.#asked === src ? 'broken' : 'loading');
    if (this.#asked === src) return;
    this.#asked = src;
    const draw = () => this.#draw();
    this.#media.load(src).then(draw, draw);
  }

  #showState(state: 'loading' | 'shown' | 'broken'): void {
    this.dom.className = `picture-frame picture-${state}`;
    this.dom.title = state === 'broken' ? t('view.pictureBroken') : '';
    this.dom.dataset.alt = this.#node.attrs.alt || t('view.picture');
  }

  #size({ width, height }: PixelSize): void {
    const known = width > 0 && height > 0;
    this.dom.style.width = known ? `${width}px` : '';
    this.dom.style.aspectRatio = known ? `${width} / ${height}` : '';
  }

  #drag(start: PointerEvent, directionX: number, directionY: number): void {
    if (start.button !== 0) return;
    start.preventDefault();
    const handle = start.currentTarget as HTMLElement;
    handle.setPointerCapture(start.pointerId);
    const box = this.dom.getBoundingClientRect();
    const from = { width: this.dom.offsetWidth, height: this.dom.offsetHeight };
    // The page may be zoomed: pointers are measured on the screen.
    const zoom = box.width / from.width || 1;
    const sideways = getComputedStyle(this.dom).direction === 'rtl' ? -directionX : directionX;
    const maxWidth = columnWidth(this.#view, this.#getPos());
    let size = from;
    const move = (event: PointerEvent) => {
      const growX = (sideways * (event.clientX - start.clientX)) / zoom;
      const growY = (directionY * (event.clientY - start.clientY)) / zoom;
      size = resized({ from, growX, growY, free: event.shiftKey, maxWidth });
      this.#size(size);
    };
    const stop = () => {
      handle.removeEventListener('pointermove', move);
      handle.removeEventListener('pointerup', finish);
      handle.removeEventListener('pointercancel', cancel);
      this.#endDrag = null;
    };
    const finish = () => {
      stop();
      const pos = this.#getPos();
      if (pos !== undefined && size !== from) setSize(this.#view, pos, size);
    };
    const cancel = () => {
      stop();
      this.#size(pixelSize(this.#node));
    };
    this.#endDrag = stop;
    handle.addEventListener('pointermove', move);
    handle.addEventListener('pointerup', finish);
    handle.addEventListener('pointercancel', cancel);
  }
}

function pixelSize(node: Node): PixelSize {
  return { width: emuToPx(node.attrs.width), height: emuToPx(node.attrs.height) };
}

function setSize(view: EditorView, pos: number, { width, height }: PixelSize): void {
  const { tr } = view.state;
  tr.setNodeAttribute(pos, 'width', pxToEmu(width)).setNodeAttribute(pos, 'height', pxToEmu(height));
  view.dispatch(tr);
}

/** CSS pixels of the block that the picture stands in. */
function columnWidth(view: EditorView, pos: number | undefined): number {
  if (pos === undefined) return Number.POSITIVE_INFINITY;
  const { node } = view.domAtPos(pos);
  const block = (node instanceof Element ? node : node.parentElement)?.closest('td, .ProseMirror');
  if (!(block instanceof HTMLElement)) return Number.POSITIVE_INFINITY;
  const { paddingInlineStart, paddingInlineEnd } = getComputedStyle(block);
  return block.clientWidth - Number.parseFloat(paddingInlineStart) - Number.parseFloat(paddingInlineEnd);
}

const keyboardStep = 10;

/** Makes the selected picture larger or smaller in proportion. For Alt+Shift with an arrow key. */
export function resizeSelectedPicture(direction: 1 | -1): Command {
  return (state, dispatch, view) => {
    const { selection } = state;
    if (!(selection instanceof NodeSelection) || selection.node.type.name !== 'image') return false;
    if (dispatch && view) {
      const from = pixelSize(selection.node);
      const maxWidth = columnWidth(view, selection.from);
      const size = resized({ from, growX: direction * keyboardStep, growY: 0, free: false, maxWidth });
      setSize(view, selection.from, size);
      announce(t('view.pictureSize', { width: size.width, height: size.height }));
    }
    return true;
  };
}

interface PixelSize {
  readonly width: number;
  readonly height: number;
}

interface Resize {
  readonly from: PixelSize;
  /** How much the dragged corner moved away from the picture, CSS pixels. */
  readonly growX: number;
  readonly growY: number;
  /** The sides may change on their own. */
  readonly free: boolean;
  /** Width of the column. */
  readonly maxWidth: number;
}

const least = 8;

/** The size of a picture while it is resized: in proportion unless `free`, never wider than the column. */
export function resized({ from, growX, growY, free, maxWidth }: Resize): PixelSize {
  const limit = Math.max(least, maxWidth);
  const width = Math.min(limit, Math.max(least, from.width + growX));
  if (free) return rounded(width, Math.max(least, from.height + growY));
  // The side that changed more, in proportion, decides.
  const byWidth = Math.abs(growX) / from.width >= Math.abs(growY) / from.height;
  const wanted = byWidth ? width / from.width : Math.max(least, from.height + growY) / from.height;
  const scale = Math.min(wanted, limit / from.width);
  return rounded(Math.max(least, from.width * scale), Math.max(1, from.height * scale));
}

function rounded(width: number, height: number): PixelSize {
  return { width: Math.round(width), height: Math.round(height) };
}

/** Where the bytes of pictures are, by their path in the model. */
export interface Media {
  /** Null while it is not known. */
  url(path: string): string | null;
  /** Resolves when the address has been asked for; `url` has it then, or the picture is not there. */
  load(path: string): Promise<void>;
}

/** Asks for all pictures that a change brings at once. */
export class MediaLoader implements Media {
  readonly url: (path: string) => string | null;
  readonly #ask: (paths: readonly string[]) => Promise<void>;
  #next: { paths: Set<string>; done: Promise<void> } | null = null;

  constructor(url: (path: string) => string | null, ask: (paths: readonly string[]) => Promise<void>) {
    this.url = url;
    this.#ask = ask;
  }

  load(path: string): Promise<void> {
    if (!this.#next) {
      const paths = new Set<string>();
      const done = Promise.resolve().then(() => {
        this.#next = null;
        return this.#ask([...paths]);
      });
      this.#next = { paths, done };
    }
    this.#next.paths.add(path);
    return this.#next.done;
  }
}
