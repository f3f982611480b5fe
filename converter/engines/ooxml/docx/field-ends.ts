import type { XmlDocument } from '../package/xml-document.ts';
import type { XmlElement } from '../package/xml-scanner.ts';

/** Where the complex fields (17.16.18) end that begin among siblings: found in one pass, however many never end. */
export class FieldEnds {
  readonly #xml: XmlDocument;
  readonly #children: readonly XmlElement[];
  #ends: ReadonlyMap<number, number> | undefined;

  constructor(xml: XmlDocument, children: readonly XmlElement[]) {
    this.#xml = xml;
    this.#children = children;
  }

  /** Index of the sibling that ends the field which begins with this one, and lies among these siblings as a whole. */
  of(start: number): number | undefined {
    if (!this.#marksOf(this.#children[start]!).includes('begin')) return undefined;
    this.#ends ??= this.#findEnds();
    return this.#ends.get(start);
  }

  #findEnds(): ReadonlyMap<number, number> {
    const ends = new Map<number, number>();
    /** Siblings whose field has not ended, and how many are open before each, which rises from one to the next. */
    let open: { start: number; before: number }[] = [];
    let depth = 0;
    for (const [index, element] of this.#children.entries()) {
      if (element.name !== 'w:r') {
        // A field that ends within a sibling is none of theirs.
        if (this.#holdsMark(element)) open = [];
        continue;
      }
      const marks = this.#marksOf(element);
      const before = depth;
      for (const mark of marks) depth += mark === 'begin' ? 1 : mark === 'end' ? -1 : 0;
      if (marks.includes('begin')) open.push({ start: index, before });
      for (let last = open.at(-1); last && depth <= last.before; last = open.at(-1)) {
        ends.set(last.start, index);
        open.pop();
      }
    }
    return ends;
  }

  #marksOf(element: XmlElement): (string | undefined)[] {
    if (element.name !== 'w:r') return [];
    const marks = element.children.filter(({ name }) => name === 'w:fldChar');
    return marks.map((mark) => this.#xml.attribute(mark, 'w:fldCharType'));
  }

  #holdsMark(element: XmlElement): boolean {
    return element.children.length > 0 && this.#xml.raw(element).includes('w:fldChar');
  }
}
