import {
  type Attrs,
  DOMParser,
  type Node,
  type ParseOptions,
  type ParseRule,
  type Slice,
} from 'prosemirror-model';
import { accepts } from '../../../../model/word/attributes.ts';
import { wordSchema } from '../../../../model/word/schema.ts';
import { name as nameCheck } from '../../../../model/word/values.ts';
import type { PastedPicture } from '../../pictures/insert-pictures.ts';
import type { Styles } from '../../styles/styles.ts';
import { linkTarget } from '../nodes/links.ts';
import { nearestHighlight } from '../style/colors.ts';
import { cleanHtml, pageBreakAttribute, pictureAttribute } from './clean-html.ts';
import { cssPoints, fontName, halfPoints, hexColor, twips } from './css-values.ts';
import { listIdAttribute, listLevelAttribute, type NewTag } from './pasted-lists.ts';

/**
 * Reads HTML of the clipboard. Pictures in it are kept for the code that inserts what was read; a node of their kind stands
 * for each, with a source that no document has.
 */
export class ClipboardParser extends DOMParser {
  readonly #newTag: NewTag;
  #pictures: PastedPicture[] = [];

  constructor(styles: Styles, newTag: NewTag) {
    super(wordSchema, parseRules(styles));
    this.#newTag = newTag;
  }

  override parse(dom: globalThis.Node, options?: ParseOptions): Node {
    this.#clean(dom);
    return super.parse(dom, options);
  }

  override parseSlice(dom: globalThis.Node, options?: ParseOptions): Slice {
    this.#clean(dom);
    return super.parseSlice(dom, options);
  }

  /** The pictures of what was read last; once. */
  takePictures(): PastedPicture[] {
    const pictures = this.#pictures;
    this.#pictures = [];
    return pictures;
  }

  #clean(dom: globalThis.Node): void {
    if (dom instanceof Element) this.#pictures = cleanHtml(dom, this.#newTag);
  }
}

/** What the sources of nodes begin with that stand for pictures of pasted HTML. */
const standInPath = 'media/quire-pasted.';

/** Whether a node stands for a picture of pasted HTML that has to be uploaded first. */
export const standsForPicture = ({ type, attrs }: Node): boolean =>
  type === wordSchema.nodes.image && String(attrs.src).startsWith(standInPath);

const monospace = 'Courier New';

/** How cleaned HTML becomes nodes and marks of the model. Styles are found by their names, which files keep in English. */
function parseRules(styles: Styles): ParseRule[] {
  return [
    ...blockRules(styles),
    { tag: 'span[style*="mso-tab-count"]', node: 'tab' },
    { tag: `span[${pageBreakAttribute}]`, node: 'line_break', attrs: { type: 'page' } },
    {
      tag: `span[${pictureAttribute}]`,
      node: 'image',
      getAttrs: (element) => ({ src: `${standInPath}${element.getAttribute(pictureAttribute)}` }),
    },
    { tag: 'br', node: 'line_break' },
    { tag: 'hr', ignore: true },
    ...markRules,
    ...styleRules,
  ];
}

function blockRules(styles: Styles): ParseRule[] {
  const byName = new Map(
    styles.all.filter(({ type }) => type === 'paragraph').map(({ id, name }) => [name.toLowerCase(), id]),
  );
  const styled = (tag: string, ...names: string[]): ParseRule => ({
    tag,
    node: 'paragraph',
    getAttrs: (element) => ({
      ...paragraphAttributes(element),
      style: names.map((name) => byName.get(name)).find((id) => id !== undefined) ?? null,
    }),
  });
  const headings = [1, 2, 3, 4, 5, 6].map((level) => styled(`h${level}`, `heading ${level}`));
  return [
    ...headings,
    styled('p.MsoTitle', 'title'),
    styled('p.MsoSubtitle', 'subtitle'),
    styled('p.MsoQuote', 'quote'),
    { tag: 'p', node: 'paragraph', getAttrs: paragraphAttributes },
    { tag: `[${listIdAttribute}]`, node: 'paragraph', getAttrs: paragraphAttributes },
    styled('pre', 'html preformatted', 'plain text'),
    { tag: 'table', node: 'table', getAttrs: tableAttributes },
    { tag: 'tr', node: 'table_row', getAttrs: (element) => ({ header: element.closest('thead') !== null }) },
    { tag: 'td, th', node: 'table_cell', getAttrs: cellAttributes },
  ];
}

const alignments: Readonly<Record<string, string>> = {
  center: 'center',
  right: 'right',
  end: 'right',
  justify: 'both',
};

function paragraphAttributes(element: HTMLElement): Attrs {
  const { style } = element;
  const listId = element.getAttribute(listIdAttribute);
  const indents = listId !== null ? {} : indentsOf(element);
  const isRtl = (element.getAttribute('dir') ?? style.direction) === 'rtl';
  const align = alignments[(style.textAlign || element.getAttribute('align') || '').toLowerCase()] ?? null;
  return {
    align,
    listId,
    listLevel: listId === null ? null : Number(element.getAttribute(listLevelAttribute) ?? 0),
    rtl: isRtl ? true : null,
    pageBreakBefore: /page-break-before:\s*always/i.test(element.getAttribute('style') ?? '') ? true : null,
    ...indents,
  };
}

function indentsOf(element: HTMLElement): Attrs {
  const { style } = element;
  const quote = element.closest('blockquote') ? 720 : null;
  const left = twips(style.marginLeft) || quote;
  const first = twips(style.textIndent) || null;
  return { indentLeft: left !== null && left > 0 ? left : null, indentFirst: first };
}

function tableAttributes(element: HTMLElement): Attrs {
  const border = element.getAttribute('border');
  const cell = element.querySelector('td, th');
  const lines = `${element.getAttribute('style') ?? ''};${cell?.getAttribute('style') ?? ''}`;
  const hasNone =
    /border(?:-\w+)*:\s*(?:none|0)/i.test(lines) &&
    !/border(?:-\w+)*:[^;]*(?:solid|double|dotted|dashed)/i.test(lines);
  return { lined: border !== null && border !== '0' ? true : !(hasNone || border === '0') };
}

function cellAttributes(element: HTMLElement): Attrs {
  const span = (attribute: string, most: number) =>
    Math.min(most, Math.max(1, Number.parseInt(element.getAttribute(attribute) ?? '1', 10) || 1));
  const colspan = span('colspan', 63);
  const width = widthPixels(element);
  const shading = hexColor(element.getAttribute('bgcolor') ?? '');
  const vertical = element.style.verticalAlign || element.getAttribute('valign') || '';
  return {
    colspan,
    rowspan: span('rowspan', 1_000),
    colwidth: width === null ? null : Array(colspan).fill(Math.max(1, Math.round(width / colspan))),
    shading: shading === 'FFFFFF' ? null : shading,
    verticalAlign: { middle: 'center', bottom: 'bottom' }[vertical] ?? null,
  };
}

function widthPixels(element: HTMLElement): number | null {
  const points = cssPoints(element.style.width);
  const pixels = points === null ? Number(element.getAttribute('width') ?? Number.NaN) : points / 0.75;
  return Number.isFinite(pixels) && pixels >= 8 && pixels <= 10_000 ? pixels : null;
}

/** Other rules see the same element, too: a link may be underlined by its style. */
const mark = (tag: string, name: string, attrs: Attrs = {}): ParseRule => ({
  tag,
  mark: name,
  attrs,
  consuming: false,
});

const markRules: readonly ParseRule[] = [
  mark('b, strong, th', 'bold'),
  mark('i, em, cite, dfn, var', 'italic'),
  mark('u', 'underline', { style: 'single' }),
  mark('s, strike, del', 'strike'),
  mark('sup', 'vertical', { align: 'superscript' }),
  mark('sub', 'vertical', { align: 'subscript' }),
  mark('code, kbd, samp, tt, pre', 'font', { name: monospace }),
  mark('mark', 'highlight', { color: 'yellow' }),
  {
    tag: 'a[href]',
    mark: 'link',
    consuming: false,
    getAttrs: (element) => {
      const href = linkTarget(element.getAttribute('href'));
      const title = element.getAttribute('title');
      return href === null ? false : { href, tooltip: accepts(nameCheck, title) ? title : null };
    },
  },
  {
    tag: 'font[color]',
    mark: 'color',
    consuming: false,
    getAttrs: (element) => colorAttributes(element.getAttribute('color') ?? ''),
  },
  {
    tag: 'font[face]',
    mark: 'font',
    consuming: false,
    getAttrs: (element) => fontAttributes(element.getAttribute('face') ?? ''),
  },
];

/** Black is what text has anyway: explicit black could not follow the theme. */
function colorAttributes(value: string): Attrs | false {
  const hex = hexColor(value);
  return hex === null || hex === '000000' ? false : { value: hex };
}

function fontAttributes(value: string): Attrs | false {
  const name = fontName(value);
  return name === null || !accepts(nameCheck, name) ? false : { name };
}

const styleRules: ParseRule[] = [
  {
    style: 'font-weight',
    mark: 'bold',
    getAttrs: (value) => (/^(?:bold(?:er)?|[6-9]\d\d)$/.test(value) ? null : false),
  },
  { style: 'font-weight=normal', clearMark: ({ type }) => type === wordSchema.marks.bold },
  { style: 'font-weight=400', clearMark: ({ type }) => type === wordSchema.marks.bold },
  {
    style: 'font-style',
    mark: 'italic',
    getAttrs: (value) => (/^(?:italic|oblique)/.test(value) ? null : false),
  },
  { style: 'font-style=normal', clearMark: ({ type }) => type === wordSchema.marks.italic },
  ...['text-decoration', 'text-decoration-line'].flatMap((style): ParseRule[] => [
    {
      style,
      mark: 'underline',
      consuming: false,
      getAttrs: (value) => (/underline/.test(value) ? { style: 'single' } : false),
    },
    {
      style,
      mark: 'strike',
      consuming: false,
      getAttrs: (value) => (/line-through/.test(value) ? null : false),
    },
  ]),
  { style: 'color', mark: 'color', getAttrs: colorAttributes },
  ...['background-color', 'background'].map(
    (style): ParseRule => ({
      style,
      mark: 'highlight',
      getAttrs: (value) => {
        const hex = hexColor(value);
        const color = hex === null ? null : nearestHighlight(hex);
        return color === null ? false : { color };
      },
    }),
  ),
  {
    style: 'font-size',
    mark: 'size',
    getAttrs: (value) => {
      const size = halfPoints(value);
      return size === null ? false : { halfPoints: size };
    },
  },
  { style: 'font-family', mark: 'font', getAttrs: fontAttributes },
  {
    style: 'vertical-align',
    mark: 'vertical',
    getAttrs: (value) =>
      value === 'super' ? { align: 'superscript' } : value === 'sub' ? { align: 'subscript' } : false,
  },
];
