import type { EditorState } from 'prosemirror-state';
import type { WordDocumentJson, WordSection } from '../../../model/word/document.ts';

/** 15 twips to the CSS pixel. */
const twipsPerPixel = 15;
const unknownPixels = 600;

/** Room for something put in at the cursor, CSS pixels: the text of its page, or the cell that it is in. */
export interface Room {
  readonly width: number;
  readonly height: number;
}

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
