import { Mark } from 'prosemirror-model';
import { wordSchema } from '../../../../model/word/schema.ts';
import { withoutTagMarks } from '../package/tag-names.ts';
import type { XmlDocument } from '../package/xml-document.ts';
import type { XmlElement } from '../package/xml-scanner.ts';
import { runPropertyOfElement } from './run-properties.ts';

const NO_MARKS: readonly Mark[] = [];

/** Reads `w:rPr` into marks; what marks cannot say goes into the `rx` table, once per distinct XML. */
export class RunPropertyReader {
  /** Run properties that the model does not hold, by the index that marks of type `rx` carry. */
  readonly extras: string[] = [];
  readonly #extraIndex = new Map<string, number>();
  readonly #cache = new Map<string, readonly Mark[]>();

  read(xml: XmlDocument, properties: XmlElement | undefined): readonly Mark[] {
    if (!properties || properties.children.length === 0) return NO_MARKS;
    const source = xml.inner(properties);
    const known = this.#cache.get(source);
    if (known) return known;
    const { marks, extra } = splitRunProperties(xml, properties);
    if (extra) marks.push(wordSchema.marks.rx.create({ index: this.#indexOf(extra) }));
    const set = marks.reduce<readonly Mark[]>((all, mark) => mark.addToSet(all), Mark.none);
    this.#cache.set(source, set);
    return set;
  }

  #indexOf(extra: string): number {
    const known = this.#extraIndex.get(extra);
    if (known !== undefined) return known;
    const index = this.extras.push(extra) - 1;
    this.#extraIndex.set(extra, index);
    return index;
  }
}

/** The marks of a `w:rPr`, and the XML of its children that marks do not hold, or not wholly. */
export function splitRunProperties(
  xml: XmlDocument,
  properties: XmlElement,
): { marks: Mark[]; extra: string } {
  const marks: Mark[] = [];
  let extra = '';
  for (const element of properties.children) {
    const property = runPropertyOfElement(element.name);
    const attributes = property && xml.attributes(element);
    const attrs = attributes && property.read(attributes);
    if (attrs) marks.push(wordSchema.marks[property.mark].create(attrs));
    const whole = attrs && Object.keys(attributes).every((name) => property.owned.includes(name));
    if (!whole) extra += withoutTagMarks(xml.raw(element));
  }
  return { marks, extra };
}
