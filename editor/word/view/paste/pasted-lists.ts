import type { ListKind } from '../../../../model/word/new-lists.ts';

/** Attributes by which cleaning tells the parser that a block belongs to a list. */
export const listIdAttribute = 'data-paste-list';
export const listLevelAttribute = 'data-paste-level';

const deepestLevel = 8;

/** Makes a tag for a list that nobody else's has. */
export type NewTag = () => string;

/** The kind of list whose labels look like this one. */
export function kindOfLabel(label: string): ListKind {
  const text = label.replace(/[\s\u00a0]+/g, '');
  if (/^\(?\d+[.)\]:]?$/.test(text)) return 'decimal';
  if (/^\d+(?:\.\d+)+\.?$/.test(text)) return 'outline';
  if (/^\(?(?:i|[ivxlc]{2,})[.)]$/i.test(text)) return 'roman';
  return /^\(?[a-z][.)]$/i.test(text) ? 'alpha' : 'bullet';
}

/** Kind of an `ol` or `ul`. */
function kindOfList(list: Element): ListKind {
  if (list.tagName !== 'OL') return 'bullet';
  const type = `${list.getAttribute('type') ?? ''} ${list.getAttribute('style') ?? ''}`;
  if (/^[aA]\b|(?:alpha|latin)/.test(type)) return 'alpha';
  return /^[iI]\b|roman/.test(type) ? 'roman' : 'decimal';
}

const blocks = 'p, h1, h2, h3, h4, h5, h6, div, pre, blockquote, table, ul, ol, section, article';

/** Replaces `ul` and `ol`, however they are nested, by the paragraphs in them, marked with list and level. */
export function flattenLists(root: Element, newTag: NewTag): void {
  for (let list = root.querySelector('ul, ol'); list; list = root.querySelector('ul, ol')) {
    const ids = new Map<string, string>();
    const idOf = (one: Element) => {
      const kind = kindOfList(one);
      const id = ids.get(kind) ?? `new-${kind}-${newTag()}`;
      ids.set(kind, id);
      return id;
    };
    list.replaceWith(...paragraphsOf(list, 0, idOf));
  }
}

function paragraphsOf(list: Element, level: number, idOf: (list: Element) => string): Element[] {
  const id = idOf(list);
  const found: Element[] = [];
  for (const child of [...list.children]) {
    if (child.matches('ul, ol')) {
      // Google Docs and old editors nest lists beside the items.
      found.push(...paragraphsOf(child, Math.min(deepestLevel, level + 1), idOf));
      continue;
    }
    let numbered = false;
    for (const block of blocksOf(child)) {
      if (block.matches('ul, ol')) {
        found.push(...paragraphsOf(block, Math.min(deepestLevel, level + 1), idOf));
      } else {
        if (!numbered && !block.matches('table')) {
          block.setAttribute(listIdAttribute, id);
          block.setAttribute(listLevelAttribute, String(level));
          numbered = true;
        }
        found.push(block);
      }
    }
  }
  return found;
}

/** The blocks of a list item; text and inline elements between them become paragraphs. */
function blocksOf(item: Element): Element[] {
  const found: Element[] = [];
  let inline: Element | null = null;
  for (const node of [...item.childNodes]) {
    if (node instanceof Element && node.matches(blocks)) {
      inline = null;
      const wrapsBlocks = node.matches('div, section, article') && node.querySelector(blocks);
      found.push(...(wrapsBlocks ? blocksOf(node) : [node]));
    } else if (inline || node.textContent?.trim()) {
      if (!inline) {
        inline = item.ownerDocument.createElement('p');
        const style = item.getAttribute('style');
        if (style)
          inline.setAttribute(
            'style',
            style.replace(/(?:margin|padding|list-style|text-indent)[^;]*;?/gi, ''),
          );
        found.push(inline);
      }
      inline.append(node);
    }
  }
  return found;
}

/** Word writes list paragraphs as ordinary ones with `mso-list:l0 level1 lfo1`, and their labels as text. */
export function markWordLists(root: Element, newTag: NewTag): void {
  const ids = new Map<string, string>();
  for (const paragraph of root.querySelectorAll('[style*="mso-list"]')) {
    const place = /mso-list:\s*(l\d+)\s+level(\d+)\s+(lfo\d+)/i.exec(paragraph.getAttribute('style') ?? '');
    if (!place) continue;
    const label = paragraph.querySelector('[style*="mso-list:Ignore" i], [style*="mso-list: Ignore" i]');
    const kind = kindOfLabel(label?.textContent ?? '');
    const level = Math.min(deepestLevel, Math.max(0, Number(place[2]) - 1));
    const list = `${place[1]} ${place[3]}`;
    // What the first level is decides; deeper levels take the labels that such a list has.
    const id = ids.get(list) ?? `new-${kind}-${newTag()}`;
    ids.set(list, id);
    paragraph.setAttribute(listIdAttribute, id);
    paragraph.setAttribute(listLevelAttribute, String(level));
  }
  for (const label of root.querySelectorAll('[style*="mso-list:Ignore" i], [style*="mso-list: Ignore" i]'))
    label.remove();
}
