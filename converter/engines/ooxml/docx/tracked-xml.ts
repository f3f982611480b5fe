import { XmlDocument } from '../package/xml-document.ts';
import type { XmlElement } from '../package/xml-scanner.ts';
import { attributesXml, escapeText } from '../package/xml-text.ts';

export type Decision = 'accepted' | 'rejected';

/** Elements that hold what was inserted or deleted, or mark a row or a paragraph's break as that (17.13.5). */
const COMES = new Set(['w:ins', 'w:moveTo']);
const GOES = new Set(['w:del', 'w:moveFrom']);
const CHANGE = /^w:\w+Change$/;
/** Marks of tracked cells, and ends of stretches in which something moved or custom XML was tracked. */
const BARE = /^w:(?:cell(?:Ins|Del|Merge)|(?:moveFrom|moveTo|customXml\w+)Range(?:Start|End))$/;

/** What properties keep that are restored, as what was before does not say it. */
const KEPT: Readonly<Record<string, readonly string[]>> = {
  'w:pPr': ['w:rPr', 'w:sectPr'],
  'w:sectPr': ['w:headerReference', 'w:footerReference'],
  'w:trPr': ['w:ins', 'w:del'],
  'w:tcPr': ['w:cellIns', 'w:cellDel', 'w:cellMerge'],
};
const OF_BREAK = new Set([...COMES, ...GOES]);

/**
 * WordprocessingML with its tracked changes accepted or rejected.
 * @param ofParagraph the XML is the properties of a paragraph: that its break is inserted or deleted is an attribute of the
 * model, and stays
 */
export function settledXml(rawXml: string, decision: Decision, ofParagraph = false): string {
  return new Settling(new XmlDocument(`<_>${rawXml}</_>`), decision, ofParagraph).whole();
}

class Settling {
  readonly #xml: XmlDocument;
  readonly #comes: ReadonlySet<string>;
  readonly #goes: ReadonlySet<string>;
  readonly #restores: boolean;
  readonly #ofParagraph: boolean;

  constructor(xml: XmlDocument, decision: Decision, ofParagraph: boolean) {
    this.#xml = xml;
    this.#restores = decision === 'rejected';
    this.#comes = this.#restores ? GOES : COMES;
    this.#goes = this.#restores ? COMES : GOES;
    this.#ofParagraph = ofParagraph;
  }

  whole(): string {
    return this.#content(this.#xml.root);
  }

  /** The content of an element, with what stands between its children. */
  #content(element: XmlElement): string {
    const xml = this.#xml;
    if (element.selfClosing) return '';
    const restored = this.#restored(element);
    if (restored !== null) return restored;
    let text = '';
    let at = element.openEnd;
    /** Content of a paragraph whose break is gone, which the next one begins with. */
    let joined: string | null = null;
    for (const child of element.children) {
      text += xml.text.slice(at, child.start);
      at = child.end;
      if (child.name !== 'w:p') {
        text += this.#element(child, element);
        continue;
      }
      const paragraph = this.#paragraph(child, joined);
      const isLast = !element.children.some(({ name, start }) => name === 'w:p' && start > child.start);
      joined = !isLast && this.#losesBreak(child) ? paragraph.content : null;
      if (joined === null) text += paragraph.open + paragraph.content + paragraph.close;
    }
    return text + xml.text.slice(at, element.closeStart);
  }

  /** Properties as they were before a tracked change of them; null when that is not asked for. */
  #restored(element: XmlElement): string | null {
    const change = element.children.find(({ name }) => CHANGE.test(name));
    const old = this.#restores ? this.#xml.child(change, element.name) : undefined;
    if (!old) return null;
    const isKept = ({ name }: XmlElement) =>
      (KEPT[element.name] ?? []).includes(name) || (element.name === 'w:rPr' && OF_BREAK.has(name));
    const kept = element.children.filter(isKept).map((child) => this.#element(child, element));
    const before = old.children
      .filter(({ name }) => !BARE.test(name))
      .map((child) => this.#xml.raw(child))
      .join('');
    return element.name === 'w:rPr' || element.name === 'w:sectPr'
      ? kept.join('') + before
      : before + kept.join('');
  }

  #element(element: XmlElement, parent: XmlElement): string {
    const xml = this.#xml;
    const { name } = element;
    if (CHANGE.test(name) || BARE.test(name)) return '';
    if (this.#comes.has(name) || this.#goes.has(name)) return this.#tracked(element, parent);
    if (name === 'w:tr' && xml.child(xml.child(element, 'w:trPr'), this.#restores ? 'w:ins' : 'w:del'))
      return '';
    const lostCell = this.#restores ? 'w:cellIns' : 'w:cellDel';
    if (name === 'w:tc' && xml.child(xml.child(element, 'w:tcPr'), lostCell)) return '';
    if (this.#restores && (name === 'w:delText' || name === 'w:delInstrText')) {
      const shown = name === 'w:delText' ? 'w:t' : 'w:instrText';
      return xml
        .raw(element)
        .replace(/^<w:\w+/, `<${shown}`)
        .replace(/<\/w:\w+>$/, `</${shown}>`);
    }
    if (element.selfClosing || element.children.length === 0) return xml.raw(element);
    return xml.openTag(element) + this.#content(element) + xml.text.slice(element.closeStart, element.end);
  }

  #tracked(element: XmlElement, parent: XmlElement): string {
    const isMark = parent.name === 'w:rPr' || parent.name === 'w:trPr' || parent.name === 'w:numPr';
    if (isMark) {
      const stays = this.#ofParagraph && parent.name === 'w:rPr' && /^w:(?:ins|del)$/.test(element.name);
      return stays ? this.#xml.raw(element) : '';
    }
    return this.#comes.has(element.name) ? this.#content(element) : '';
  }

  /** @param before content of the paragraph before, whose break is gone */
  #paragraph(element: XmlElement, before: string | null): { open: string; content: string; close: string } {
    const xml = this.#xml;
    const open = xml.openTag(element);
    if (element.selfClosing) {
      return { open: open.replace(/\s*\/>$/, '>'), content: before ?? '', close: '</w:p>' };
    }
    const inside = this.#content(element);
    const properties = PARAGRAPH_PROPERTIES.exec(inside)?.[0] ?? '';
    const rest = inside.slice(properties.length);
    const content = before === null ? inside : properties + before.replace(PARAGRAPH_PROPERTIES, '') + rest;
    return { open, content, close: xml.text.slice(element.closeStart, element.end) };
  }

  #losesBreak(paragraph: XmlElement): boolean {
    const mark = this.#xml.child(this.#xml.child(paragraph, 'w:pPr'), 'w:rPr');
    return mark?.children.some(({ name }) => this.#goes.has(name)) === true;
  }
}

/** The properties at the beginning of a paragraph whose changes are settled: none is within another. */
const PARAGRAPH_PROPERTIES = /^\s*<w:pPr\b(?:[^>]*\/>|[^>]*>[\s\S]*?<\/w:pPr>)/;

/** Elements around runs that may not stand in a tracked insertion or deletion (CT_RunTrackChange, 17.13.5), but around one. */
const OUTER = new Set(['w:fldSimple', 'w:hyperlink']);

/** Whether XML of a paragraph is an element that cannot be put into `w:ins` and `w:del`. */
export function standsOutsideOfRevisions(rawXml: string): boolean {
  return /^<w:(?:fldSimple|hyperlink)\b/.test(rawXml);
}

/**
 * A simple field (17.16.19) as a complex one (17.16.18), which may stand in a tracked change. Undefined for XML that is no simple
 * field, and for a field with content that may not stand in a tracked change.
 * @param isDeleted whether it will stand in a deletion; its text has the element names of one already
 */
export function asComplexField(rawXml: string, isDeleted: boolean): string | undefined {
  const xml = new XmlDocument(rawXml);
  const { root } = xml;
  if (root.name !== 'w:fldSimple' || root.children.some(({ name }) => OUTER.has(name))) return undefined;
  const { 'w:instr': instruction = '', 'w:fldLock': locked, 'w:dirty': dirty } = xml.attributes(root);
  const data = xml.child(root, 'w:fldData');
  const attributes = attributesXml({ 'w:fldCharType': 'begin', 'w:fldLock': locked, 'w:dirty': dirty });
  const begin = data ? `<w:fldChar${attributes}>${xml.raw(data)}</w:fldChar>` : `<w:fldChar${attributes}/>`;
  const name = isDeleted ? 'w:delInstrText' : 'w:instrText';
  const code = `<${name} xml:space="preserve">${escapeText(instruction)}</${name}>`;
  const result = root.children.filter((child) => child !== data).map((child) => xml.raw(child));
  const runs = [begin, code, '<w:fldChar w:fldCharType="separate"/>'].map(
    (content) => `<w:r>${content}</w:r>`,
  );
  return `${runs.join('')}${result.join('')}<w:r><w:fldChar w:fldCharType="end"/></w:r>`;
}

/** The XML with everything in it in tracked changes that begin and end with these tags. */
export function withRevisionsInside(rawXml: string, openXml: string, closeXml: string): string {
  const xml = new XmlDocument(rawXml);
  const inside = (element: XmlElement): string => {
    if (!OUTER.has(element.name) || element.selfClosing) return xml.raw(element);
    let content = '';
    let isOpen = false;
    const close = () => {
      if (isOpen) content += closeXml;
      isOpen = false;
    };
    for (const child of element.children) {
      const isOuter = OUTER.has(child.name) || child.name === 'w:fldData';
      if (isOuter) close();
      else if (!isOpen) {
        content += openXml;
        isOpen = true;
      }
      content += inside(child);
    }
    close();
    return xml.openTag(element) + content + xml.text.slice(element.closeStart, element.end);
  };
  return inside(xml.root);
}
