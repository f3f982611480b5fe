import { type Attrs, Mark } from 'prosemirror-model';
import { accepts } from '../../../../model/word/attributes.ts';
import { type WordMarkName, wordSchema } from '../../../../model/word/schema.ts';
import * as values from '../../../../model/word/values.ts';
import { withoutTagMarks } from '../package/tag-names.ts';
import { type XmlAttributes, XmlDocument } from '../package/xml-document.ts';
import type { XmlElement } from '../package/xml-scanner.ts';
import { attributesXml, withAttributes } from '../package/xml-text.ts';
import { inOrder, type PropertyXml, RUN_ORDER } from './property-order.ts';
import { isOn } from './simple-types.ts';
import { type Decision, settledXml } from './tracked-xml.ts';

/**
 * A run property that the model holds as a mark. `read` gives the mark's attributes, or null when the element says
 * something that the mark cannot. An element with attributes beyond `owned` is also kept in the `rx` table, and
 * `patch` changes it there without losing them.
 */
interface RunProperty {
  readonly element: string;
  readonly mark: WordMarkName;
  readonly owned: readonly string[];
  read(attributes: XmlAttributes): Attrs | null;
  write(attrs: Attrs): string;
  patch(rawXml: string, attrs: Attrs): string;
  /** What stays of a kept element when the mark has been removed. */
  without(rawXml: string): string;
}

function toggle(element: string, mark: WordMarkName): RunProperty {
  const write = (attrs: Attrs) => (attrs.on ? `<${element}/>` : `<${element} w:val="0"/>`);
  return {
    element,
    mark,
    owned: ['w:val'],
    read: (attributes) => ({ on: isOn(attributes) }),
    write,
    patch: (_raw, attrs) => write(attrs),
    without: () => '',
  };
}

function valued(
  element: string,
  mark: WordMarkName,
  attr: string,
  check: (value: unknown) => void,
  overriding: readonly string[] = [],
): RunProperty {
  return {
    element,
    mark,
    owned: ['w:val'],
    read: (attributes) => {
      const value = attributes['w:val'];
      return value !== undefined && accepts(check, value) ? { [attr]: value } : null;
    },
    write: (attrs) => `<${element}${attributesXml({ 'w:val': attrs[attr] })}/>`,
    patch: (raw, attrs) => {
      const dropped = Object.fromEntries(overriding.map((name) => [name, null]));
      return withAttributes(raw, { 'w:val': attrs[attr], ...dropped });
    },
    without: () => '',
  };
}

const size: RunProperty = {
  element: 'w:sz',
  mark: 'size',
  owned: ['w:val'],
  read: (attributes) => {
    const halfPoints = Number(attributes['w:val'] ?? Number.NaN);
    return accepts(values.halfPoints, halfPoints) ? { halfPoints } : null;
  },
  write: (attrs) => `<w:sz w:val="${attrs.halfPoints}"/>`,
  patch: (raw, attrs) => withAttributes(raw, { 'w:val': attrs.halfPoints }),
  without: () => '',
};

/** The font is that of `w:ascii`; East Asian and complex-script fonts stay as the file has them. */
const font: RunProperty = {
  element: 'w:rFonts',
  mark: 'font',
  owned: ['w:ascii', 'w:hAnsi'],
  read: (attributes) => {
    const name = attributes['w:ascii'];
    if (name === undefined || attributes['w:hAnsi'] !== name || attributes['w:asciiTheme'] !== undefined)
      return null;
    return accepts(values.name, name) ? { name } : null;
  },
  write: (attrs) => `<w:rFonts${attributesXml({ 'w:ascii': attrs.name, 'w:hAnsi': attrs.name })}/>`,
  patch: (raw, attrs) =>
    withAttributes(raw, {
      'w:ascii': attrs.name,
      'w:hAnsi': attrs.name,
      'w:asciiTheme': null,
      'w:hAnsiTheme': null,
    }),
  without: (raw) => withAttributes(raw, { 'w:ascii': null, 'w:hAnsi': null }),
};

const THEME_COLOR = ['w:themeColor', 'w:themeTint', 'w:themeShade'];

const RUN_PROPERTIES: readonly RunProperty[] = [
  valued('w:rStyle', 'character_style', 'id', values.name),
  font,
  toggle('w:b', 'bold'),
  toggle('w:i', 'italic'),
  toggle('w:strike', 'strike'),
  valued('w:color', 'color', 'value', values.hexColor, THEME_COLOR),
  size,
  valued('w:highlight', 'highlight', 'color', values.highlightColor),
  valued('w:u', 'underline', 'style', values.underlineStyle),
  valued('w:vertAlign', 'vertical', 'align', values.verticalAlign),
];

const BY_ELEMENT = new Map(RUN_PROPERTIES.map((property) => [property.element, property]));
const BY_MARK = new Map(RUN_PROPERTIES.map((property) => [wordSchema.marks[property.mark], property]));

function runPropertyOfElement(name: string): RunProperty | undefined {
  return BY_ELEMENT.get(name);
}

function runPropertyOfMark(mark: Mark): RunProperty | undefined {
  return BY_MARK.get(mark.type);
}

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

/** Writes marks as `w:rPr`, together with the properties that the `rx` table keeps. */
export class RunPropertyWriter {
  readonly #extras: readonly string[];
  readonly #parsed = new Map<string, XmlDocument>();

  constructor(extras: readonly string[]) {
    this.#extras = extras;
  }

  write(marks: readonly Mark[]): string {
    const kept = this.#keptOf(marks, marks.find(({ type }) => type.name === 'settled')?.attrs.decision);
    const properties: PropertyXml[] = [];
    const written = new Set<string>();
    for (const mark of marks) {
      const property = runPropertyOfMark(mark);
      if (!property) continue;
      const raw = kept?.root.children.find(({ name }) => name === property.element);
      const xml =
        raw && kept ? this.#patched(kept.raw(raw), property.element, mark) : property.write(mark.attrs);
      properties.push({ name: property.element, xml });
      written.add(property.element);
    }
    for (const element of kept?.root.children ?? []) {
      if (kept && !written.has(element.name)) {
        properties.push({ name: element.name, xml: withoutMark(kept, element.name, kept.raw(element)) });
      }
    }
    const xml = inOrder(properties, RUN_ORDER);
    return xml === '' ? '' : `<w:rPr>${xml}</w:rPr>`;
  }

  #keptOf(marks: readonly Mark[], decision: Decision | undefined): XmlDocument | undefined {
    const index = marks.find(({ type }) => type.name === 'rx')?.attrs.index;
    const extra = index === undefined ? undefined : this.#extras[index];
    if (extra === undefined) return undefined;
    const name = `${index} ${decision}`;
    let parsed = this.#parsed.get(name);
    if (!parsed) {
      parsed = new XmlDocument(`<kept>${decision ? settledExtra(extra, decision) : extra}</kept>`);
      this.#parsed.set(name, parsed);
    }
    return parsed;
  }

  #patched(rawXml: string, element: string, mark: Mark): string {
    const property = RUN_PROPERTIES.find((one) => one.element === element)!;
    const said = property.read(attributesOf(rawXml));
    return said && mark.eq(mark.type.create(said)) ? rawXml : property.patch(rawXml, mark.attrs);
  }
}

/** What the marks do not hold of run properties whose tracked change was settled. */
function settledExtra(extra: string, decision: Decision): string {
  const xml = new XmlDocument(settledXml(`<w:rPr>${extra}</w:rPr>`, decision));
  return decision === 'accepted' ? xml.inner(xml.root) : splitRunProperties(xml, xml.root).extra;
}

/** A kept element whose mark is gone loses what the mark said; one that no mark could say stays. */
function withoutMark(kept: XmlDocument, name: string, rawXml: string): string {
  const property = RUN_PROPERTIES.find((one) => one.element === name);
  const element = kept.root.children.find((child) => child.name === name);
  if (!property || !element || !property.read(kept.attributes(element))) return rawXml;
  return property.without(rawXml);
}

function attributesOf(rawXml: string): Readonly<Record<string, string>> {
  const xml = new XmlDocument(rawXml);
  return xml.attributes(xml.root);
}
