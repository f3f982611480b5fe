import { type EditorState, type Plugin, PluginKey } from 'prosemirror-state';
import type { WordDocumentJson, WordSection } from '../../../../model/word/document.ts';
import { t } from '../../../strings/strings.ts';
import { type SequenceState, sequenceDecorations } from '../sequence-decorations.ts';
import { cssRule, cssText, type Declarations, twipsToPt } from '../style/css.ts';

/** A4 with margins of an inch, for documents that say nothing. */
const a4: Pick<
  WordSection,
  | 'width'
  | 'height'
  | 'marginTop'
  | 'marginRight'
  | 'marginBottom'
  | 'marginLeft'
  | 'headerDistance'
  | 'footerDistance'
> = {
  width: 11_906,
  height: 16_838,
  marginTop: 1_440,
  marginRight: 1_440,
  marginBottom: 1_440,
  marginLeft: 1_440,
  headerDistance: 720,
  footerDistance: 720,
};

type Page = typeof a4;

/** Page geometry as custom properties: that of the first section, with the foot of the last. */
export function pageGeometry(sections: readonly WordSection[]): Declarations {
  const first = sane(sections[0] ?? a4);
  const last = sane(sections.at(-1) ?? first);
  return {
    '--page-width': twipsToPt(paperWidth(sections)),
    '--page-height': twipsToPt(first.height),
    '--margin-top': twipsToPt(first.marginTop),
    '--margin-bottom': twipsToPt(last.marginBottom),
    '--margin-left': twipsToPt(first.marginLeft),
    '--margin-right': twipsToPt(first.marginRight),
    '--header-distance': twipsToPt(first.headerDistance),
    '--footer-distance': twipsToPt(last.footerDistance),
  };
}

/** `@page` (17.6.13): header and footer are printed inside of the paper, so the page's own margins end at them. */
export function pageRule(sections: readonly WordSection[]): string {
  const { width, height, headerDistance, footerDistance, marginLeft, marginRight, marginTop, marginBottom } =
    sane(sections[0] ?? a4);
  const top = twipsToPt(Math.min(headerDistance, marginTop));
  const bottom = twipsToPt(Math.min(footerDistance, marginBottom));
  const margin = `${top} ${twipsToPt(marginRight)} ${bottom} ${twipsToPt(marginLeft)}`;
  return `@page { ${cssText({ size: `${twipsToPt(width)} ${twipsToPt(height)}`, margin })} }\n`;
}

/** CSS pixels of a page on the screen, for fitting it into the window. */
export function pagePixels(sections: readonly WordSection[]): { width: number; height: number } {
  return { width: paperWidth(sections) / 15, height: sane(sections[0] ?? a4).height / 15 };
}

/** Margins may be negative (17.6.11) or leave no room: a page must have some for its text. */
function sane<T extends Page>(page: T): T {
  const width = page.width > 1_440 ? page.width : a4.width;
  const height = page.height > 1_440 ? page.height : a4.height;
  const margin = (value: number, room: number) => Math.min(Math.abs(value), Math.floor(room * 0.4));
  return {
    ...page,
    width,
    height,
    marginTop: margin(page.marginTop, height),
    marginBottom: margin(page.marginBottom, height),
    marginLeft: margin(page.marginLeft, width),
    marginRight: margin(page.marginRight, width),
  };
}

/** Class of the block that ends a section; see `sectionRules`. */
const sectionEndClass = (index: number): string => `section-end-${index}`;

/**
 * On the screen the paper is as wide as its widest section, and blocks of narrower ones end earlier: these are rules
 * for all blocks, and for those after the block that ends the section before.
 */
export function sectionRules(sections: readonly WordSection[], scope: string): string {
  const widest = widestText(sections);
  let rules = '';
  let before = 0;
  for (const [index, section] of sections.entries()) {
    const narrower = widest - textWidth(section);
    const selector = index === 0 ? '*' : `.${sectionEndClass(index - 1)} ~ *`;
    if (narrower !== before) {
      // What the styles say about the margin is in a layer.
      const margin = narrower === 0 ? 'revert-layer' : twipsToPt(narrower);
      rules += cssRule(`${scope} .ProseMirror > ${selector}`, { 'margin-inline-end': margin });
    }
    before = narrower;
  }
  return rules === '' ? '' : `@media screen {\n${rules}}\n`;
}

function textWidth(section: Page): number {
  const { width, marginLeft, marginRight } = sane(section);
  return width - marginLeft - marginRight;
}

function widestText(sections: readonly WordSection[]): number {
  return Math.max(textWidth(sections[0] ?? a4), ...sections.map(textWidth));
}

/** Twips of the paper on the screen: the margins of the first section around the widest text. */
function paperWidth(sections: readonly WordSection[]): number {
  const { marginLeft, marginRight } = sane(sections[0] ?? a4);
  return marginLeft + widestText(sections) + marginRight;
}

const key = new PluginKey<SequenceState<number>>('section-ends');

/** Marks the blocks that end a section: a line is drawn there, and later blocks take the next section's width. */
export function sectionEnds(sections: readonly WordSection[]): Plugin {
  const ends = new Map(sections.map(({ lastBlock }, index) => [lastBlock, index]));
  return sequenceDecorations<number>({
    key,
    read: (node) =>
      node.type.name === 'doc' || node.attrs.id == null ? null : (ends.get(node.attrs.id) ?? null),
    descends: () => false,
    same: (one, other) => one === other,
    label: (all) =>
      all.map((index) => ({
        class: `section-end ${sectionEndClass(index)}`,
        'data-section': t('view.sectionBreak'),
      })),
  });
}

/** 15 twips to the CSS pixel. */
const twipsPerPixel = 15;
const unknownPixels = 600;

/** Room for something put in at the cursor, CSS pixels: the text of its page, or the cell that it is in. */
interface Room {
  readonly width: number;
  readonly height: number;
}

/** The room at a position of a document, by the section and the cell that it is in. */
export function roomAt(state: EditorState, at: number, sections: WordDocumentJson['sections']): Room {
  const section = sectionAt(state, at, sections);
  const page = section ? pageRoom(section) : { width: unknownPixels, height: unknownPixels };
  const $at = state.doc.resolve(at);
  for (let depth = $at.depth; depth > 0; depth--) {
    const { colwidth } = $at.node(depth).attrs;
    if (!Array.isArray(colwidth)) continue;
    const width = colwidth.reduce((sum: number, one: number) => sum + one, 0);
    if (width > 0) return { width: Math.max(24, Math.min(page.width, width - 16)), height: page.height };
  }
  return page;
}

function pageRoom({ columns, ...page }: WordSection): Room {
  const width = page.width - page.marginLeft - page.marginRight;
  const height = page.height - page.marginTop - page.marginBottom;
  return {
    width: Math.max(96, width / Math.max(1, columns) / twipsPerPixel),
    height: Math.max(96, height / twipsPerPixel),
  };
}

/** The section that a position is in: the first whose last block comes at the position or after it. */
function sectionAt(
  { doc }: EditorState,
  at: number,
  sections: WordDocumentJson['sections'],
): WordSection | undefined {
  const byLastBlock = new Map(sections.map((section) => [section.lastBlock, section]));
  for (let index = doc.resolve(at).index(0); index < doc.childCount; index++) {
    const { id } = doc.child(index).attrs;
    const section = typeof id === 'string' ? byLastBlock.get(id) : undefined;
    if (section) return section;
  }
  return sections.at(-1);
}
