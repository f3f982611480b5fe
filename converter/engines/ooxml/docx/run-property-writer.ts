import type { Mark } from 'prosemirror-model';
import { XmlDocument } from '../package/xml-document.ts';
import { inOrder, type PropertyXml, RUN_ORDER } from './property-order.ts';
import { RUN_PROPERTIES, runPropertyOfMark, splitRunProperties } from './run-properties.ts';
import { type Decision, settledXml } from './tracked-xml.ts';

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
