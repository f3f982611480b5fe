import type { Node } from 'prosemirror-model';
import { outlineLevel, type Styles } from '../styles/styles.ts';

export interface Heading {
  /** 1 to 9; the title is 1. */
  readonly level: number;
  readonly text: string;
  readonly pos: number;
}

/** The headings of a document, in order. Those inside tables are left out, as in Word. */
export function headingsOf(doc: Node, styles: Styles): Heading[] {
  const levels = new Map<string, number>();
  for (const { id, name } of styles.all) {
    const level = outlineLevel(name);
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
