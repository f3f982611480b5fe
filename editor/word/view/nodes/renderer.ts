import { type DOMOutputSpec, DOMSerializer, type Mark, type Node } from 'prosemirror-model';
import type { WordDocumentJson } from '../../../../model/word/document.ts';
import { directMarks, wordSchema } from '../../../../model/word/schema.ts';
import { t } from '../../../strings/strings.ts';
import { revisionSpec } from '../../review/tracking/revision-marks.ts';
import { outlineLevel, type Styles } from '../../styles/styles.ts';
import { background } from '../style/colors.ts';
import { className, cssText, type Declarations, emuToPx, twipsToPx } from '../style/css.ts';
import { paragraphCss } from '../style/paragraph-css.ts';
import { type ExtraRun, extraRun, markCss } from '../style/run-css.ts';
import { linkTarget } from './links.ts';
import { opaqueLook, opaqueName } from './opaque-look.ts';

type Attributes = Record<string, string>;

interface RendererSource {
  readonly document: Pick<WordDocumentJson, 'rx' | 'settings'>;
  readonly styles: Styles;
  mediaUrl(path: string): string | null;
}

const tags: Readonly<Record<string, string>> = { bold: 'b', italic: 'i', strike: 's', underline: 'u' };

/**
 * How nodes and marks look: the same functions draw the text that is edited, headers, footers and notes. Styles are
 * classes of the document's CSS; what a paragraph or run says itself is an inline style.
 */
export class WordRenderer {
  readonly nodes: Record<string, (node: Node) => DOMOutputSpec>;
  readonly marks: Record<string, (mark: Mark) => DOMOutputSpec>;
  readonly serializer: DOMSerializer;
  readonly #source: RendererSource;
  readonly #extras = new Map<number, ExtraRun>();

  constructor(source: RendererSource) {
    this.#source = source;
    this.nodes = {
      paragraph: (node) => this.#paragraph(node),
      table: (node) => tableSpec(node),
      table_row: rowSpec,
      table_cell: cellSpec,
      block_wrap: () => ['div', { class: 'wrap' }, 0],
      line_break: breakSpec,
      tab: () => ['span', { class: 'tab' }, '\t'],
      image: (node) => this.#image(node),
      opaque_inline: (node) => this.#opaque(node),
      opaque_block: (node) => this.#opaque(node),
      anchor: (node) => ['span', { class: 'anchor', 'data-kind': node.attrs.kind }],
      comment: (node) => ['span', { class: 'comment-mark', 'data-ref': node.attrs.ref }],
    };
    this.marks = {
      link: linkSpec,
      within: () => ['span', { class: 'within' }, 0],
      ins: revisionSpec,
      del: revisionSpec,
      character_style: (mark) => ['span', { class: className('c', mark.attrs.id) }, 0],
      settled: () => ['span', 0],
      rx: (mark) => this.#extra(mark.attrs.index),
    };
    for (const name of directMarks) {
      this.marks[name] = (mark) => [
        tags[name] ?? 'span',
        withStyle({ class: `m-${name}` }, markCss(name, mark.attrs, 'mark')),
        0,
      ];
    }
    const own = DOMSerializer.fromSchema(wordSchema);
    this.serializer = new DOMSerializer({ ...own.nodes, ...this.nodes }, { ...own.marks, ...this.marks });
  }

  #paragraph(node: Node): DOMOutputSpec {
    const { styles } = this.#source;
    const { id, style, rtl } = node.attrs;
    const styleId = styles.paragraphStyleId(style);
    const attributes: Attributes = {};
    if (styleId !== null) attributes.class = className('s', styleId);
    if (id !== null) attributes['data-id'] = id;
    if (rtl !== null) attributes.dir = rtl ? 'rtl' : 'ltr';
    const level = headingLevel(styles.style(styleId)?.name);
    if (level !== null) Object.assign(attributes, { role: 'heading', 'aria-level': String(level) });
    const breaks = node.attrs.pageBreakBefore ?? styles.paragraph(style).paragraph.pageBreakBefore;
    if (breaks === true) {
      attributes.class = `${attributes.class ?? ''} page-break-before`.trim();
      attributes['data-break'] = t('view.pageBreak');
    }
    return ['p', withStyle(attributes, paragraphCss(node.attrs)), 0];
  }

  #image(node: Node): DOMOutputSpec {
    const { src, alt } = node.attrs;
    const url = this.#source.mediaUrl(src);
    const size = { ...sizeOf(node) };
    if (url === null)
      return ['span', withStyle({ class: 'picture-missing', role: 'img', 'aria-label': alt }, size), alt];
    return ['img', withStyle({ class: 'picture', src: url, alt, loading: 'lazy', decoding: 'async' }, size)];
  }

  #opaque(node: Node): DOMOutputSpec {
    const { kind, label, picture } = node.attrs;
    const tag = node.isInline ? 'span' : 'div';
    const attributes: Attributes = { class: `opaque opaque-${opaqueLook(node)}`, 'data-kind': kind };
    const name = t(opaqueName(kind));
    switch (opaqueLook(node)) {
      case 'note':
        return [tag, { ...attributes, role: 'doc-noteref', tabindex: '-1', 'data-ref': node.attrs.ref }];
      case 'text':
        return [tag, { ...attributes, title: name }, kind === 'w:ptab' ? '\t' : label];
      case 'hidden':
        return [tag, attributes];
      case 'picture': {
        const url = this.#source.mediaUrl(picture);
        const spec: DOMOutputSpec = url
          ? [
              'img',
              withStyle({ class: 'picture', src: url, alt: label || name, loading: 'lazy' }, sizeOf(node)),
            ]
          : [
              'span',
              withStyle({ class: 'picture-missing', role: 'img', 'aria-label': label || name }, sizeOf(node)),
              name,
            ];
        return [tag, { ...attributes, title: name }, spec];
      }
      case 'box':
        return [
          tag,
          {
            ...attributes,
            role: node.isInline ? 'img' : 'group',
            'aria-label': label ? `${name}: ${label}` : name,
          },
          ['span', { class: 'opaque-name' }, name],
          ['span', { class: 'opaque-label' }, label],
        ];
    }
  }

  #extra(index: number): DOMOutputSpec {
    let extra = this.#extras.get(index);
    if (!extra) {
      const { rx, settings } = this.#source.document;
      extra = extraRun(rx[index] ?? '', settings);
      this.#extras.set(index, extra);
    }
    return [
      'span',
      withStyle(extra.hidden ? { class: 'hidden-text', title: t('view.hiddenText') } : {}, extra.css),
      0,
    ];
  }
}

function withStyle(attributes: Attributes, css: Declarations): Attributes {
  const style = cssText(css);
  return style === '' ? attributes : { ...attributes, style };
}

/** Height is left to the picture's proportions where the page is too narrow for its width. */
function sizeOf(node: Node): Declarations {
  const width = emuToPx(node.attrs.width);
  const height = emuToPx(node.attrs.height);
  if (width <= 0 || height <= 0) return {};
  return { width: `${width}px`, 'aspect-ratio': `${width} / ${height}` };
}

/** The level of the HTML heading, 1 to 6, for paragraphs of a heading style; null for others. */
export function headingLevel(styleName: string | undefined): number | null {
  const level = outlineLevel(styleName);
  return level === null ? null : Math.min(6, level);
}

function linkSpec(mark: Mark): DOMOutputSpec {
  const { href, anchor, tooltip, key } = mark.attrs;
  const target = linkTarget(href);
  const attributes: Attributes = {
    class: key === null ? 'link link-new' : 'link',
    title: tooltip ?? href ?? anchor ?? '',
  };
  if (target)
    Object.assign(attributes, { href: target, target: '_blank', rel: 'noopener noreferrer nofollow' });
  if (anchor) attributes['data-anchor'] = anchor;
  return ['a', attributes, 0];
}

function breakSpec(node: Node): DOMOutputSpec {
  const { type } = node.attrs;
  if (type !== 'page' && type !== 'column') return ['br'];
  const label = t(type === 'page' ? 'view.pageBreak' : 'view.columnBreak');
  return [
    'span',
    { class: `break break-${type}`, role: 'separator', 'aria-label': label, 'data-label': label },
  ];
}

/** Classes and style of a table, for the specification below and for the view of tables that are edited. */
export function tableAttributes(node: Node): Attributes {
  const { style, lined, align } = node.attrs;
  const classes = [lined ? 'lined' : 'unlined', ...(style === null ? [] : [className('t', style)])];
  if (align !== null) classes.push(`table-${align}`);
  return { class: classes.join(' ') };
}

function tableSpec(node: Node): DOMOutputSpec {
  const columns: (readonly [string, Attributes])[] = [];
  let total = 0;
  node.firstChild?.forEach((cell) => {
    for (let at = 0; at < cell.attrs.colspan; at++) {
      const width = cell.attrs.colwidth?.[at] ?? 0;
      total += width;
      columns.push(['col', width ? { style: `width: ${width}px` } : {}]);
    }
  });
  const style = total > 0 ? { style: `width: ${total}px` } : {};
  return ['table', { ...tableAttributes(node), ...style }, ['colgroup', ...columns], ['tbody', 0]];
}

function rowSpec(node: Node): DOMOutputSpec {
  const { header, height } = node.attrs;
  const css: Declarations = height === null ? {} : { height: `${twipsToPx(height)}px` };
  return ['tr', withStyle(header ? { class: 'header-row' } : {}, css), 0];
}

function cellSpec(node: Node): DOMOutputSpec {
  const { colspan, rowspan, colwidth, shading, verticalAlign } = node.attrs;
  const attributes: Attributes = {};
  if (colspan !== 1) attributes.colspan = String(colspan);
  if (rowspan !== 1) attributes.rowspan = String(rowspan);
  if (colwidth !== null) attributes['data-colwidth'] = colwidth.join(',');
  const css = background(shading);
  if (verticalAlign !== null) css['vertical-align'] = verticalAlign === 'center' ? 'middle' : verticalAlign;
  return ['td', withStyle(attributes, css), 0];
}
