import type { Node } from 'prosemirror-model';
import type { Styles } from '../styles/styles.ts';

export interface Heading {
  /** 1 to 9; the title is 1. */
  readonly level: number;
  readonly text: string;
  readonly pos: number;
}

/** The level that a style's built-in name stands for (`heading 1`, 17.7.4.9), or null. */
function levelOf(name: string): number | null {
  if (name.toLowerCase() === 'title') return 1;
  const level = /^heading ([1-9])$/i.exec(name)?.[1];
  return level === undefined ? null : Number(level);
}

/** The headings of a document, in order. Those inside tables are left out, as in Word. */
export function headingsOf(doc: Node, styles: Styles): Heading[] {
  const levels = new Map<string, number>();
  for (const { id, name } of styles.all) {
    const level = levelOf(name);
    if (level !== null) levels.set(id, level);
  }
  const headings: Heading[] = [];
  doc.forEach((node, pos) => {
    const level = levels.get(node.attrs.style);
    if (level === undefined) return;
    const text = node.textBetween(0, node.content.size, undefined, ' ').trim();
    if (text !== '') headings.push({ level, text, pos });
  });
  return headings;
}
