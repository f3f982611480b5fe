import { deepestLevel, kindOfList, listIdAttribute, listLevelAttribute, type NewTag } from './list-marks.ts';

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
