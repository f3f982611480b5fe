import { type DOMOutputSpec, DOMSerializer, Fragment, type Mark, type Node } from 'prosemirror-model';
import { directMarks, wordSchema } from '../../../../model/word/schema.ts';
import { lineFactor } from '../../../kit/fonts.ts';
import type { KindOfList } from '../../commands/lists.ts';
import type { Styles } from '../../styles/styles.ts';
import { linkTarget } from '../nodes/links.ts';
import { opaqueLook } from '../nodes/opaque-look.ts';
import { headingLevel } from '../nodes/renderer.ts';
import { highlightColors } from '../style/colors.ts';
import { cssText, type Declarations, emuToPx } from '../style/css.ts';
import { paragraphCss } from '../style/paragraph-css.ts';
import { type MarkValues, markCss } from '../style/run-css.ts';

const { marks } = wordSchema;

interface CopySource {
  readonly styles: Styles;
  readonly kindOf: KindOfList;
  mediaUrl(path: string): string | null;
}

/**
 * HTML for other programs: every paragraph and run says itself how it looks, headings and lists are elements of their
 * own, and nothing refers to this page.
 */
export class CopySerializer extends DOMSerializer {
  readonly #source: CopySource;

  constructor(source: CopySource) {
    const own = DOMSerializer.fromSchema(wordSchema);
    super({ ...own.nodes, ...nodeSpecs(source) }, { ...own.marks, ...markSpecs() });
    this.#source = source;
  }

  override serializeFragment(
    fragment: Fragment,
    options: { document?: Document } = {},
    target?: HTMLElement | DocumentFragment,
  ): HTMLElement | DocumentFragment {
    const dom = super.serializeFragment(plainRuns(fragment, this.#source.styles), options, target);
    groupLists(dom);
    return dom;
  }
}

function nodeSpecs({ styles, kindOf, mediaUrl }: CopySource): Record<string, (node: Node) => DOMOutputSpec> {
  return {
    paragraph: (node) => {
      const style = styles.paragraph(node.attrs.style);
      const level = headingLevel(styles.style(styles.paragraphStyleId(node.attrs.style))?.name);
      const { listId, listLevel } = node.attrs;
      const own = Object.fromEntries(Object.entries(node.attrs).filter(([, value]) => value !== null));
      const { font } = style.run;
      const css = {
        ...paragraphCss({ ...style.paragraph, ...own }),
        ...lookCss(style.run),
      };
      const line = typeof font?.name === 'string' ? lineFactor(font.name) : 1.2;
      const attributes: Record<string, string> = { style: plainCss(css, line) };
      if (node.attrs.rtl) attributes.dir = 'rtl';
      if (listId !== null && listId !== '0') {
        Object.assign(attributes, { 'data-list': kindOf(listId), 'data-level': String(listLevel ?? 0) });
      }
      return [level === null ? 'p' : `h${level}`, attributes, 0];
    },
    table: (node) => [
      'table',
      {
        style: `border-collapse: collapse; ${node.attrs.align === 'center' ? 'margin: auto;' : ''}`,
        border: node.attrs.lined ? '1' : '0',
        cellpadding: '5',
      },
      ['tbody', 0],
    ],
    table_cell: (node) => {
      const { colspan, rowspan, colwidth, shading, verticalAlign } = node.attrs;
      const width = (colwidth ?? []).reduce((sum: number, one: number) => sum + one, 0);
      const css: Declarations = {
        'vertical-align': verticalAlign === 'center' ? 'middle' : (verticalAlign ?? 'top'),
      };
      if (width > 0) css.width = `${width}px`;
      if (shading !== null && shading !== 'auto') css['background-color'] = `#${shading}`;
      return ['td', { colspan: String(colspan), rowspan: String(rowspan), style: cssText(css) }, 0];
    },
    block_wrap: () => ['div', 0],
    tab: () => ['span', { style: 'white-space: pre; mso-tab-count: 1' }, '\t'],
    line_break: (node) => {
      const page = node.attrs.type === 'page';
      return ['br', page ? { style: 'page-break-before: always', clear: 'all' } : {}];
    },
    image: (node) => picture(mediaUrl(node.attrs.src), node.attrs.alt, node),
    opaque_inline: (node) => {
      const { picture: path, label } = node.attrs;
      if (path !== null) return picture(mediaUrl(path), label, node);
      return ['span', opaqueLook(node) === 'text' ? label : ''];
    },
    opaque_block: (node) => ['p', node.attrs.label],
    anchor: () => ['span'],
    comment: () => ['span'],
  };
}

function picture(url: string | null, alt: string, node: Node): DOMOutputSpec {
  const width = Math.round(emuToPx(node.attrs.width));
  const height = Math.round(emuToPx(node.attrs.height));
  const size = width > 0 && height > 0 ? { width: String(width), height: String(height) } : {};
  return url === null ? ['span', alt === '' ? '' : `[${alt}]`] : ['img', { src: url, alt, ...size }];
}

function markSpecs(): Record<string, (mark: Mark) => DOMOutputSpec> {
  const looking = directMarks.map((name): [string, (mark: Mark) => DOMOutputSpec] => [
    name,
    (mark) => [tagOf(mark), { style: plainCss(lookCss({ [name]: mark.attrs }), 1.2) }, 0],
  ]);
  return {
    ...Object.fromEntries(looking),
    link: ({ attrs }) => {
      const href = linkTarget(attrs.href);
      return href === null ? ['span', 0] : ['a', { href }, 0];
    },
    ins: () => ['span', 0],
  };
}

function tagOf({ type, attrs }: Mark): string {
  if (attrs.on === false || attrs.style === 'none') return 'span';
  const tags: Readonly<Record<string, string>> = { bold: 'b', italic: 'i', strike: 's', underline: 'u' };
  const vertical: Readonly<Record<string, string>> = { superscript: 'sup', subscript: 'sub' };
  return tags[type.name] ?? vertical[attrs.align] ?? 'span';
}

function lookCss(run: Readonly<Record<string, MarkValues>>): Declarations {
  const css: Declarations = {};
  for (const [name, attrs] of Object.entries(run)) {
    if (name === 'color') {
      if (attrs.value !== 'auto') css.color = `#${attrs.value}`;
    } else if (name === 'highlight') {
      const hex = highlightColors[String(attrs.color)];
      if (hex !== undefined) css.background = `#${hex}`;
    } else Object.assign(css, markCss(name, attrs, 'paragraph'));
  }
  return css;
}

/** CSS that means the same everywhere: without custom properties and what only a browser knows. */
function plainCss(css: Declarations, line: number): string {
  const plain: Declarations = {};
  for (const [property, value] of Object.entries(css)) {
    if (property.startsWith('--') || property === 'color-scheme' || value === '') continue;
    const factor = /^calc\(var\(--line\) \* ([\d.]+)\)$/.exec(value)?.[1];
    if (factor !== undefined) plain[property] = `${Math.round(Number(factor) * line * 100)}%`;
    else if (!value.includes('var('))
      plain[property.replace('text-decoration-line', 'text-decoration')] = value;
  }
  return cssText(plain)
    .replaceAll('margin-block-start', 'margin-top')
    .replaceAll('margin-block-end', 'margin-bottom')
    .replaceAll('margin-inline-start', 'margin-left')
    .replaceAll('margin-inline-end', 'margin-right')
    .replaceAll('text-align: start', 'text-align: left')
    .replaceAll('text-align: end', 'text-align: right');
}

/** Writes character styles out as the marks that they stand for; the run's own come first. Leaves deleted text out. */
function plainRuns(fragment: Fragment, styles: Styles): Fragment {
  const plain: Node[] = [];
  fragment.forEach((node) => {
    if (marks.del.isInSet(node.marks)) return;
    if (!node.isInline) {
      plain.push(node.isLeaf ? node : node.copy(plainRuns(node.content, styles)));
      return;
    }
    const style = marks.character_style.isInSet(node.marks);
    let set = node.marks;
    for (const [name, attrs] of Object.entries(style ? styles.character(style.attrs.id) : {})) {
      const type = wordSchema.marks[name as keyof typeof marks];
      if (type && !type.isInSet(set)) set = type.create(attrs).addToSet(set);
    }
    plain.push(node.mark(set));
  });
  return Fragment.fromArray(plain);
}

/** Puts paragraphs of lists into nested `ul` and `ol`. */
function groupLists(root: HTMLElement | DocumentFragment): void {
  for (const first of root.querySelectorAll<HTMLElement>('[data-list]')) {
    if (first.dataset.list === undefined) continue;
    const run: HTMLElement[] = [];
    for (
      let one: Element | null = first;
      one instanceof HTMLElement && one.dataset.list !== undefined;
      one = one.nextElementSibling
    ) {
      run.push(one);
    }
    const holder = first.ownerDocument.createElement('div');
    first.before(holder);
    const open: HTMLElement[] = [];
    for (const paragraph of run) {
      const level = Number(paragraph.dataset.level);
      const tag = paragraph.dataset.list === 'bullet' ? 'ul' : 'ol';
      open.length = Math.min(open.length, level + 1);
      if (open[level] && open[level].localName !== tag) open.length = level;
      while (open.length <= level) {
        const list = first.ownerDocument.createElement(tag);
        (open.at(-1)?.lastElementChild ?? open.at(-1) ?? holder).append(list);
        open.push(list);
      }
      const item = first.ownerDocument.createElement('li');
      delete paragraph.dataset.list;
      delete paragraph.dataset.level;
      paragraph.style.removeProperty('margin-left');
      paragraph.style.removeProperty('text-indent');
      open[level]!.append(item);
      item.append(paragraph);
    }
    holder.replaceWith(...holder.childNodes);
  }
}
