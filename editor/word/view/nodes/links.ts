import type { Node } from 'prosemirror-model';
import { Plugin, TextSelection } from 'prosemirror-state';
import type { EditorView } from 'prosemirror-view';
import { wordSchema } from '../../../../model/word/schema.ts';

/** Opens links: with Ctrl where the text can be edited, else with a click. Links to bookmarks go there. */
export function openLinks(): Plugin {
  return new Plugin({
    props: {
      handleClick: (view, pos, event) => {
        if (event.button !== 0 || (view.editable && !event.ctrlKey && !event.metaKey)) return false;
        const $pos = view.state.doc.resolve(pos);
        const node = $pos.parent.childAfter($pos.parentOffset).node ?? $pos.nodeBefore;
        const link = node && wordSchema.marks.link.isInSet(node.marks);
        if (!link) return false;
        const target = linkTarget(link.attrs.href);
        // The browser would follow the element's own address in addition.
        event.preventDefault();
        if (target) window.open(target, '_blank', 'noopener,noreferrer');
        else if (link.attrs.anchor) goToBookmark(view, link.attrs.anchor);
        return true;
      },
      handleDOMEvents: {
        click: (_view, event) => {
          if (event.target instanceof Element && event.target.closest('a[href]')) event.preventDefault();
          return false;
        },
      },
    },
  });
}

function goToBookmark(view: EditorView, name: string): void {
  const pos = bookmarkPosition(view.state.doc, name);
  if (pos === null) return;
  const { tr, doc } = view.state;
  view.dispatch(tr.setSelection(TextSelection.near(doc.resolve(pos))).scrollIntoView());
  view.focus();
}

/** Where a bookmark begins, or null. */
export function bookmarkPosition(doc: Node, name: string): number | null {
  let found: number | null = null;
  doc.descendants((node, pos) => {
    if (found !== null) return false;
    if (node.type.name === 'anchor' && node.attrs.kind === 'bookmarkStart' && node.attrs.ref === name)
      found = pos;
    return true;
  });
  return found;
}

/** An address that may be opened: no scheme that runs code, no path into the editor's own server; else null. */
export function linkTarget(href: string | null): string | null {
  return href !== null && /^(?:https?:\/\/|mailto:|tel:|ftp:\/\/)/i.test(href.trim()) ? href.trim() : null;
}
