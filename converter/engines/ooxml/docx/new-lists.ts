import { NEW_LIST } from '../../../../model/word/values.ts';
import type { Vocabulary } from '../package/namespaces.ts';
import { appendToRoot } from '../package/xml-append.ts';
import { XmlDocument } from '../package/xml-document.ts';
import { abstractListXml, type ListKind, listXml } from './list-templates.ts';

/** Numbering definitions that paragraphs of the model ask for and the file does not have yet. */
export class NewLists {
  readonly #xml: XmlDocument;
  readonly #numbers = new Map<string, number>();
  #abstract = '';
  #lists = '';
  #nextAbstract: number;
  #nextNumber: number;

  /** @param bytes the numbering part; undefined when the package has none */
  constructor(bytes: Uint8Array | undefined, vocabulary: Vocabulary) {
    this.#xml = bytes
      ? XmlDocument.parse(bytes)
      : new XmlDocument(
          `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<w:numbering xmlns:w="${vocabulary.word}"/>`,
        );
    this.#nextAbstract = this.#highest('w:abstractNum', 'w:abstractNumId') + 1;
    this.#nextNumber = this.#highest('w:num', 'w:numId') + 1;
  }

  /** The number of a list by its id in the model; a new list is defined on first use. */
  numberOf(listId: string): number | string {
    const [, kind, tag] = NEW_LIST.exec(listId) ?? [];
    if (kind === undefined || tag === undefined) return listId;
    const known = this.#numbers.get(listId);
    if (known !== undefined) return known;
    const number = this.#nextNumber++;
    const abstractId = this.#nextAbstract++;
    this.#abstract += abstractListXml(kind as ListKind, abstractId, listId);
    this.#lists += listXml(number, abstractId);
    this.#numbers.set(listId, number);
    return number;
  }

  /** The part's new bytes, or undefined when no list was added. */
  changedBytes(): Uint8Array | undefined {
    if (this.#numbers.size === 0) return undefined;
    return this.#xml.encode(this.#withLists());
  }

  /** All `w:abstractNum` stand before all `w:num`, and these before `w:numIdMacAtCleanup` (17.9.16). */
  #withLists(): string {
    const { text, root } = this.#xml;
    const firstList = root.children.find(({ name }) => name === 'w:num');
    const lastList = root.children.findLast(({ name }) => name === 'w:num');
    if (firstList && lastList) {
      const between = text.slice(firstList.start, lastList.end);
      return (
        text.slice(0, firstList.start) + this.#abstract + between + this.#lists + text.slice(lastList.end)
      );
    }
    const after = root.children.find(({ name }) => name === 'w:numIdMacAtCleanup');
    const added = this.#abstract + this.#lists;
    if (after) return text.slice(0, after.start) + added + text.slice(after.start);
    return appendToRoot(this.#xml, added);
  }

  #highest(element: string, attribute: string): number {
    let highest = 0;
    for (const child of this.#xml.root.children) {
      if (child.name !== element) continue;
      const id = Number(this.#xml.attribute(child, attribute) ?? 0);
      if (Number.isSafeInteger(id)) highest = Math.max(highest, id);
    }
    return highest;
  }
}
