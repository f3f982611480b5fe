import type { PastedPicture } from '../../pictures/insert-pictures.ts';
import { cssPoints } from './css-values.ts';
import { flattenLists, markWordLists, type NewTag } from './pasted-lists.ts';

/** An element that stands for a break to the next page. */
export const pageBreakAttribute = 'data-paste-page';
/** An element that stands for a picture, with its place among those of the HTML. */
export const pictureAttribute = 'data-paste-picture';

const dropped =
  'script, style, meta, link, title, base, template, noscript, iframe, object, embed, xml, head, svg, canvas, audio, video, button, select, input, textarea';
const blocks = 'p, h1, h2, h3, h4, h5, h6, div, pre, blockquote, table, ul, ol';

/**
 * Makes HTML of Word, Google Docs and the web plain: what cannot be seen is removed, lists become paragraphs that know
 * their list and level, and an empty element stands for each picture. Works on a detached element in place.
 * @returns the pictures that the HTML holds itself; pictures elsewhere are replaced by their description
 */
export function cleanHtml(root: Element, newTag: NewTag): PastedPicture[] {
  removeComments(root);
  markWordLists(root, newTag);
  for (const element of root.querySelectorAll(dropped)) element.remove();
  for (const element of root.querySelectorAll(
    '[hidden], [style*="display:none" i], [style*="display: none" i], [style*="mso-hide:all" i]',
  )) {
    element.remove();
  }
  // Elements of Word's own namespaces (o:p, w:sdt, st1:place): their names have a colon.
  for (const element of root.querySelectorAll('*')) {
    if (element.tagName.includes(':')) element.replaceWith(...element.childNodes);
  }
  unwrapNormal(root);
  const pictures = takePictures(root);
  moveBackgrounds(root);
  breakLines(root);
  flattenLists(root, newTag);
  emptyParagraphs(root);
  cleanText(root);
  return pictures;
}

function removeComments(root: Element): void {
  const walker = root.ownerDocument.createTreeWalker(root, NodeFilter.SHOW_COMMENT);
  const found: Node[] = [];
  while (walker.nextNode()) found.push(walker.currentNode);
  for (const comment of found) comment.parentNode?.removeChild(comment);
}

/** Google Docs wraps everything in a `b` that is not bold. */
function unwrapNormal(root: Element): void {
  for (const bold of root.querySelectorAll(
    'b[style*="font-weight:normal" i], b[style*="font-weight: normal" i], b[id^="docs-internal"]',
  )) {
    bold.replaceWith(...bold.childNodes);
  }
}

/** The background of a cell is shading; behind other blocks it is that of a page, not of their text. */
function moveBackgrounds(root: Element): void {
  for (const element of root.querySelectorAll<HTMLElement>('[style*="background" i]')) {
    if (!element.matches(`td, th, tr, tbody, li, body, section, article, main, ${blocks}`)) continue;
    const color = element.style.backgroundColor;
    if (element.matches('td, th') && color !== '') element.setAttribute('bgcolor', color);
    element.style.removeProperty('background');
    element.style.removeProperty('background-color');
  }
}

function takePictures(root: Element): PastedPicture[] {
  const pictures: PastedPicture[] = [];
  for (const image of root.querySelectorAll('img')) {
    const file = fileOf(image.getAttribute('src') ?? '', pictures.length + 1);
    const alt = image.getAttribute('alt') ?? '';
    if (!file) {
      image.replaceWith(...(alt === '' ? [] : [root.ownerDocument.createTextNode(`[${alt}]`)]));
      continue;
    }
    const place = root.ownerDocument.createElement('span');
    place.setAttribute(pictureAttribute, String(pictures.length));
    image.replaceWith(place);
    const percent = /^\s*([\d.]+)%\s*$/.exec(image.style.width || (image.getAttribute('width') ?? ''))?.[1];
    pictures.push({
      file,
      alt: cleanCharacters(alt).slice(0, 4_000),
      widthPixels: sidePixels(image, 'width'),
      heightPixels: sidePixels(image, 'height'),
      share: percent === undefined ? null : Number(percent) / 100,
    });
  }
  return pictures;
}

/** What CSS, or else an attribute, says of a side; null for nothing, and for what depends on something else. */
function sidePixels(image: HTMLImageElement, side: 'width' | 'height'): number | null {
  const css = image.style[side];
  const points = cssPoints(css);
  const attribute =
    css === '' ? /^\s*([\d.]+)(?:px)?\s*$/.exec(image.getAttribute(side) ?? '')?.[1] : undefined;
  const pixels = points === null ? Number(attribute) : points / 0.75;
  return Number.isFinite(pixels) && pixels >= 1 ? pixels : null;
}

/** A picture whose bytes are in its address. */
function fileOf(address: string, number: number): File | null {
  const [, type, data] = /^data:(image\/[\w.+-]+);base64,([A-Za-z0-9+/=\s]+)$/.exec(address) ?? [];
  if (type === undefined || data === undefined) return null;
  try {
    const bytes = Uint8Array.from(atob(data), (char) => char.charCodeAt(0));
    return new File([bytes], `picture-${number}.${type.slice('image/'.length).replace(/\+.*/, '')}`, {
      type,
    });
  } catch {
    // The data is cut off or no base64.
    return null;
  }
}

/** Ends of lines in `pre` are breaks; a break between blocks is an empty paragraph; the browser's own are nothing. */
function breakLines(root: Element): void {
  const { ownerDocument } = root;
  for (const element of root.querySelectorAll('br.Apple-interchange-newline')) element.remove();
  for (const pre of root.querySelectorAll('pre')) {
    const walker = ownerDocument.createTreeWalker(pre, NodeFilter.SHOW_TEXT);
    const texts: Node[] = [];
    while (walker.nextNode()) texts.push(walker.currentNode);
    for (const text of texts) {
      const lines = (text.nodeValue ?? '').replace(/\n$/, '').split('\n');
      const parts = lines.flatMap((line, index) => [
        ...(index > 0 ? [ownerDocument.createElement('br')] : []),
        ownerDocument.createTextNode(
          line.replaceAll('\t', '    ').replace(/ {2,}|^ /g, (blanks) => '\u00a0'.repeat(blanks.length)),
        ),
      ]);
      (text as Text).replaceWith(...parts);
    }
  }
  for (const element of root.querySelectorAll('br')) {
    if (/page-break-before:\s*always/i.test(element.getAttribute('style') ?? '')) {
      // A parser drops breaks at the end of a paragraph.
      const page = ownerDocument.createElement('span');
      page.setAttribute(pageBreakAttribute, '');
      element.replaceWith(page);
      continue;
    }
    const { previousElementSibling: before, nextElementSibling: after } = element;
    const besideBlock = [before, after].some((one) => one?.matches(blocks));
    const besideText = [element.previousSibling, element.nextSibling].some(
      (node) => node?.nodeType === 3 && node.nodeValue?.trim(),
    );
    if (besideBlock && !besideText && !element.parentElement?.matches('p, h1, h2, h3, h4, h5, h6, span')) {
      element.replaceWith(ownerDocument.createElement('p'));
    }
  }
}

/** Word and browsers hold empty paragraphs open with a space that does not break. */
function emptyParagraphs(root: Element): void {
  for (const element of root.querySelectorAll('p, h1, h2, h3, h4, h5, h6, td, th')) {
    if (
      /^[\s\u00a0]+$/.test(element.textContent ?? '') &&
      !element.querySelector(`[style*="mso-tab-count"], [${pictureAttribute}], br, p, table`)
    ) {
      element.replaceChildren();
    }
  }
}

function cleanText(root: Element): void {
  const walker = root.ownerDocument.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const text = walker.currentNode as Text;
    const clean = cleanCharacters(text.data);
    if (clean !== text.data) text.data = clean;
  }
}

/** Text as a document can hold it: no control characters but tabs and ends of lines, no half characters. */
export function cleanCharacters(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\ufffe\uffff\u200b\ufeff]/g, '');
}
