import { WORD_PREFIXES } from '../../converter/engines/ooxml/docx/vocabulary.ts';
import { OfficePackage } from '../../converter/engines/ooxml/package/office-package.ts';
import { resolveTarget } from '../../converter/engines/ooxml/package/relationships.ts';
import { XmlDocument } from '../../converter/engines/ooxml/package/xml-document.ts';
import type { XmlElement } from '../../converter/engines/ooxml/package/xml-scanner.ts';

/** A content control as it stands in the main part of a file. */
interface ControlText {
  readonly isBound: boolean;
  /** What it holds itself. */
  readonly own: string;
  /** What the data has for it; null where they have nothing that a reader of simple paths finds. */
  readonly value: string | null;
  readonly showsPlaceholder: boolean;
}

/** What programs show of a file that take the text of bound controls from the data. */
interface ResolvedText {
  readonly text: string;
  readonly controls: readonly ControlText[];
}

const CORE = '{6C3C8BC8-F283-45AE-878A-BAB7291924A1}';
const EXTENDED = '{6668398D-A668-4E3E-A5EB-62B293D839F1}';
const local = (name: string): string => name.slice(name.indexOf(':') + 1);

/**
 * Reads a docx as a program does that resolves data bindings (17.5.2.6 of ECMA-376). It knows nothing of how our writer finds nodes: paths are followed by
 * local names and numbers alone.
 * @throws ConversionError for what is no package
 */
export function readResolved(bytes: Uint8Array): ResolvedText {
  const opened = new OfficePackage(bytes, WORD_PREFIXES);
  const xml = opened.requiredXml(opened.mainPart);
  const stores = storesOf(opened);
  const controls: ControlText[] = [];
  const textOf = (element: XmlElement): string => {
    if (element.name === 'w:t' || element.name === 'w:delText') return xml.content(element);
    if (element.name === 'w:sdt') {
      const content = xml.child(element, 'w:sdtContent');
      const own = content ? content.children.map(textOf).join('') : '';
      const properties = xml.child(element, 'w:sdtPr');
      const binding = properties?.children.find(({ name }) => local(name) === 'dataBinding');
      if (!properties) return own;
      const value = binding ? valueAt(stores, xml.attributes(binding)) : null;
      const showsPlaceholder = xml.child(properties, 'w:showingPlcHdr') !== undefined;
      controls.push({ isBound: binding !== undefined, own, value, showsPlaceholder });
      return value === null ? own : shownFor(xml, properties, value);
    }
    return element.children.map(textOf).join(element.name === 'w:p' ? '' : ' ');
  };
  return { text: textOf(xml.root), controls };
}

/** The entry of a list that stands for a value, and else the value. */
function shownFor(xml: XmlDocument, properties: XmlElement, value: string): string {
  const list = properties.children.find(({ name }) => name === 'w:dropDownList' || name === 'w:comboBox');
  for (const entry of list?.children ?? []) {
    const { 'w:value': one, 'w:displayText': shown } = xml.attributes(entry);
    if (one === value && shown !== undefined) return shown;
  }
  return value;
}

function storesOf(opened: OfficePackage): Map<string, XmlDocument> {
  const stores = new Map<string, XmlDocument>();
  const read = (id: string, part: string): void => {
    const content = opened.read(part);
    if (content && !stores.has(id)) stores.set(id, XmlDocument.parseData(content));
  };
  for (const { type, target } of opened.relationshipsOf('').all) {
    if (type.endsWith('/core-properties')) read(CORE, resolveTarget('', target));
    if (/\/extended-?properties$/i.test(type)) read(EXTENDED, resolveTarget('', target));
  }
  for (const { type, target } of opened.relationshipsOf(opened.mainPart).all) {
    if (!type.endsWith('/customXml')) continue;
    const part = resolveTarget(opened.mainPart, target);
    for (const { target: place } of opened.relationshipsOf(part).all) {
      const content = opened.read(resolveTarget(part, place));
      if (!content) continue;
      const props = XmlDocument.parseData(content);
      const id = Object.entries(props.attributes(props.root)).find(([name]) => local(name) === 'itemID')?.[1];
      if (id) read(id.toUpperCase(), part);
    }
  }
  return stores;
}

function valueAt(
  stores: ReadonlyMap<string, XmlDocument>,
  attributes: Readonly<Record<string, string>>,
): string | null {
  const xml = stores.get((attributes['w:storeItemID'] ?? '').toUpperCase());
  const steps = (attributes['w:xpath'] ?? '').trim().split('/');
  if (!xml || steps.shift() !== '') return null;
  let at: readonly XmlElement[] = [xml.root];
  let isRoot = true;
  for (const step of steps) {
    const [, attribute, name, number] = /^(@?)(?:[^:[\]]+:)?([\w.-]+)(?:\[(\d+)\])?$/.exec(step) ?? [];
    if (name === undefined) return null;
    if (attribute) {
      const found = Object.entries(xml.attributes(at[0]!)).find(([one]) => local(one) === name);
      return found?.[1] ?? null;
    }
    const candidates = isRoot ? at : at.flatMap(({ children }) => children);
    isRoot = false;
    const named = candidates.filter((one) => local(one.name) === name);
    at = number === undefined ? named : named.slice(Number(number) - 1, Number(number));
    if (at.length === 0) return null;
  }
  return at[0]!.children.length > 0 ? null : xml.content(at[0]!);
}
