import { Node } from 'prosemirror-model';
import { wordSchema } from '../../../../model/word/schema.ts';
import type { Styles } from '../../styles/styles.ts';
import type { WordRenderer } from '../nodes/renderer.ts';
import { labelsOf } from '../numbering/list-labels.ts';
import type { ListDefinitions } from '../numbering/list-numbering.ts';
import { className } from '../style/css.ts';
import { basedOn } from '../style/style-rules.ts';

/** What is needed to draw a header, a footer or a note. */
export interface PartDrawing {
  readonly renderer: WordRenderer;
  readonly styles: Styles;
  readonly lists: ListDefinitions;
}

/** Draws a part of the document's JSON that is shown and not edited; null when it cannot be read, or is empty. */
export function partDom(json: unknown, { renderer, styles, lists }: PartDrawing): DocumentFragment | null {
  let doc: Node;
  try {
    doc = Node.fromJSON(wordSchema, json);
  } catch {
    // It is of another version, or damaged: the document can be edited without it.
    return null;
  }
  if (doc.content.size <= 2) return null;
  const dom = renderer.serializer.serializeFragment(doc.content, { document }) as DocumentFragment;
  const paragraphs = dom.querySelectorAll('p');
  const labels = labelsOf(doc, styles, lists);
  let index = 0;
  doc.descendants((node) => {
    if (node.type.name !== 'paragraph') return true;
    const element = paragraphs[index++];
    if (!element) return false;
    // What is empty has no line otherwise.
    if (node.content.size === 0) element.append(document.createElement('br'));
    const { label, classes } = labels.get(node) ?? {};
    if (label !== undefined) {
      element.classList.add(...(classes ?? []));
      element.dataset.label = label;
    }
    return false;
  });
  return dom;
}

/**
 * Headers and footers are laid out with tab stops of their styles in the middle and at the end: the text between tabs
 * goes to the start, the middle and the end of the line.
 */
export function spreadTabs(dom: ParentNode, styles: Styles): void {
  const stops = new Map(styles.all.map(({ id }) => [className('s', id), tabStops(styles, id)]));
  for (const paragraph of dom.querySelectorAll('p')) {
    const aligns = stops.get(paragraph.classList.item(0) ?? '') ?? [];
    const tabs = paragraph.querySelectorAll('.tab, .opaque[data-kind="w:ptab"]');
    if (tabs.length === 0 || tabs.length > 2) continue;
    // One tab to the first stop, two to the second; without stops of the style, as the usual header has them.
    const places = tabs.length === 2 ? ['center', 'end'] : [aligns[0] === 'right' ? 'end' : 'center'];
    const pieces = takePieces(paragraph, tabs);
    for (const [index, piece] of pieces.entries()) {
      const span = document.createElement('span');
      span.className = `spread-${index === 0 ? 'start' : places[index - 1]}`;
      span.append(piece);
      paragraph.append(span);
    }
    paragraph.classList.add('spread');
  }
}

/** Takes the content of a paragraph out, cut at its tabs. */
function takePieces(paragraph: Element, tabs: Iterable<Element>): DocumentFragment[] {
  const pieces = [];
  const range = document.createRange();
  for (const tab of tabs) {
    range.setStart(paragraph, 0);
    range.setEndBefore(tab);
    pieces.push(range.extractContents());
    tab.remove();
  }
  range.selectNodeContents(paragraph);
  return [...pieces, range.extractContents()];
}

/** Alignments of a style's tab stops, from the start of the line; what it is based on included. */
function tabStops(styles: Styles, id: string): string[] {
  const stops = new Map<number, string>();
  for (const { tabStops: own } of basedOn(styles, id).reverse()) {
    for (const { position, align } of own) {
      if (align === 'clear') stops.delete(position);
      else stops.set(position, align);
    }
  }
  return [...stops].sort(([one], [other]) => one - other).map(([, align]) => align);
}
