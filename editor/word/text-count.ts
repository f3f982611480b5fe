import type { Node } from 'prosemirror-model';
import type { Selection } from 'prosemirror-state';

export interface TextCount {
  readonly words: number;
  readonly characters: number;
  readonly charactersWithoutSpaces: number;
  readonly paragraphs: number;
}

/** Counts a stretch of a document. Words are those of the language's own segmentation, so that Japanese has words. */
export function countText(doc: Node, from: number, to: number): TextCount {
  const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' });
  let words = 0;
  let characters = 0;
  let spaces = 0;
  let paragraphs = 0;
  doc.nodesBetween(from, to, (node, pos) => {
    if (!node.isTextblock) return true;
    const start = Math.max(0, from - pos - 1);
    const end = Math.min(node.content.size, to - pos - 1);
    const text = node.textBetween(start, end, undefined, ' ');
    if (text.trim() !== '') paragraphs++;
    characters += [...text].length;
    spaces += text.match(/\s/g)?.length ?? 0;
    for (const { isWordLike } of segmenter.segment(text)) if (isWordLike) words++;
    return false;
  });
  return { words, characters, charactersWithoutSpaces: characters - spaces, paragraphs };
}

/** Counts what is selected, which in a table may be cells that do not follow each other. */
export function countSelected(doc: Node, { ranges }: Selection): TextCount {
  const counts = ranges.map(({ $from, $to }) => countText(doc, $from.pos, $to.pos));
  const sum = (name: keyof TextCount) => counts.reduce((all, count) => all + count[name], 0);
  return {
    words: sum('words'),
    characters: sum('characters'),
    charactersWithoutSpaces: sum('charactersWithoutSpaces'),
    paragraphs: sum('paragraphs'),
  };
}
