import { isRelationshipType } from '../../package/namespaces.ts';
import { resolveTarget } from '../../package/relationships.ts';
import { applyEdits, type TextEdit } from '../../package/text-edits.ts';
import { XmlDocument } from '../../package/xml-document.ts';
import type { XmlElement } from '../../package/xml-scanner.ts';
import type { DocxSource } from '../docx-source.ts';
import { type ControlProperties, controlProperties } from './control-properties.ts';
import { decidedTextOf, placeholderFall, shownTextOf, textEdits } from './control-text.ts';
import { DataEdits, type DataNode, isPackage, nodeKey, nodeValue } from './data-parts.ts';
import { shownValue, textFor } from './shown-value.ts';

interface WrittenControls {
  /** Text of the main part. */
  readonly text: string;
  /** New bytes of other parts by name. */
  readonly parts: ReadonlyMap<string, Uint8Array>;
}

/** A control as it is written, in a part. */
interface WrittenControl {
  readonly xml: XmlDocument;
  readonly element: XmlElement;
  readonly properties: ControlProperties;
  /** Its text, without the tracked changes that nobody has decided on. */
  readonly text: string;
  /** Another text than the file had there. */
  readonly isTouched: boolean;
  /** It shows another text than the file had there, perhaps by tracked changes alone. */
  readonly isRetyped: boolean;
  /** Anything else in its content than the file had there. */
  readonly isChanged: boolean;
  readonly node: DataNode | 'none' | 'unknown';
}

const HAS_CONTROLS = /<w:sdt[\s>]/;
/** What their properties say of their text; a table of contents in one, which most documents have, is not looked at. */
const SAYS_TEXT =
  /dataBinding[\s/>]|<w:showingPlcHdr|<w:(?:comboBox|dropDownList|date)[\s/>]|<w(?:14)?:checkbox[\s/>]/;
const OTHER_PARTS = ['header', 'footer', 'footnotes', 'endnotes'];

/**
 * Makes what the file says of content controls agree with what they show now.
 *
 * Programs that know data bindings (17.5.2.6) take the text of a bound control from its data. So the data gets the value of a
 * control that was changed, and the other controls that are bound to it show the new value. When the data cannot hold what a
 * control shows, the binding is taken away, so that no program shows something else. A control in which somebody typed shows
 * no placeholder any more. What nobody touched stays as it is, and a tracked change counts when somebody has decided on it.
 */
export function withWrittenControls(source: DocxSource, written: string): WrittenControls {
  if (written === source.xml.text || !SAYS_TEXT.test(source.xml.text))
    return { text: written, parts: new Map() };
  return new ControlsPass(source, new XmlDocument(written)).run();
}

class ControlsPass {
  readonly #source: DocxSource;
  readonly #main: XmlDocument;
  readonly #data = new DataEdits();
  readonly #style: string | undefined;
  readonly #edits: TextEdit[] = [];
  readonly #before: ReadonlyMap<string, readonly XmlElement[]>;
  /** By the node, the control whose text it gets. */
  readonly #leading = new Map<string, WrittenControl>();

  constructor(source: DocxSource, main: XmlDocument) {
    this.#source = source;
    this.#main = main;
    this.#style = source.styleId('character', 'placeholder text');
    const before = new Map<string, XmlElement[]>();
    for (const element of controlsIn(source.xml.root)) {
      for (const key of identitiesOf(source.xml, element)) {
        before.set(key, [...(before.get(key) ?? []), element]);
      }
    }
    this.#before = before;
  }

  run(): WrittenControls {
    const controls = [...controlsIn(this.#main.root)].map((element) => this.#readWritten(element));
    for (const control of controls) if (control.isChanged) this.#settle(control);
    const followers = controls.filter(({ isTouched, isRetyped }) => !isTouched && !isRetyped);
    this.#edits.push(...this.#followers(followers));
    const parts = this.#data.changes();
    if (parts.size > 0) for (const [name, bytes] of this.#otherParts()) parts.set(name, bytes);
    return { text: applyEdits(this.#main.text, this.#edits), parts };
  }

  #readWritten(element: XmlElement): WrittenControl {
    const { xml } = this.#source;
    const [own, ofCopy] = identitiesOf(this.#main, element).map((key) => this.#before.get(key));
    const before = own ?? ofCopy ?? [];
    const content = contentOf(this.#main, element);
    const isChanged = before.length > 0 && before.every((one) => contentOf(xml, one) !== content);
    const control = this.#read(this.#main, element);
    const isTouched = isChanged && before.every((one) => decidedTextOf(xml, one) !== control.text);
    const shown = shownTextOf(this.#main, element);
    const isRetyped = isChanged && before.every((one) => shownTextOf(xml, one) !== shown);
    return { ...control, isChanged, isTouched, isRetyped };
  }

  #read(xml: XmlDocument, element: XmlElement): WrittenControl {
    const properties = controlProperties(xml, element);
    const node = properties.binding ? this.#source.dataParts.find(properties.binding) : 'none';
    return {
      xml,
      element,
      properties,
      node,
      text: decidedTextOf(xml, element),
      isTouched: false,
      isRetyped: false,
      isChanged: false,
    };
  }

  /** A control whose content was changed. */
  #settle(control: WrittenControl): void {
    const { xml, element, properties, text, node, isTouched, isRetyped } = control;
    if (isRetyped && properties.showsPlaceholder && shownTextOf(xml, element) !== '') {
      this.#edits.push(...placeholderFall(xml, element, this.#style));
    }
    if (
      properties.kind === 'picture' ||
      node === 'unknown' ||
      (node !== 'none' && isPackage(nodeValue(node)))
    ) {
      if (properties.binding) this.#edits.push(...unbound(xml, element));
      return;
    }
    if (!isTouched) return;
    const before = node === 'none' ? '' : nodeValue(node);
    const { data, edits } = shownValue(xml, properties, text, before);
    this.#edits.push(...edits);
    if (node === 'none') return;
    const taken = this.#data.valueOf(node);
    if (taken !== undefined && taken !== data) {
      this.#edits.push(...unbound(xml, element));
      return;
    }
    this.#leading.set(nodeKey(node), this.#leading.get(nodeKey(node)) ?? control);
    this.#data.set(node, data);
  }

  /** Controls that have not been changed and are bound to a node that was: edits by which they show its new value. */
  #followers(controls: readonly WrittenControl[]): TextEdit[] {
    const edits: TextEdit[] = [];
    for (const { xml, element, properties, text, node } of controls) {
      if (typeof node === 'string') continue;
      const data = this.#data.valueOf(node);
      if (data === undefined) continue;
      const leading = this.#leading.get(nodeKey(node))!;
      const isAlike = leading.properties.kind === properties.kind;
      const shown = textFor(xml, properties, data) ?? (isAlike ? leading.text : undefined);
      if (shown === undefined || shown === text) continue;
      const style = properties.showsPlaceholder ? this.#style : undefined;
      const own = textEdits(xml, element, shown, style);
      if (!own) continue;
      const property = xml.child(xml.child(element, 'w:sdtPr'), 'w:showingPlcHdr');
      if (property && shown !== '') edits.push({ start: property.start, end: property.end, text: '' });
      edits.push(...own, ...shownValue(xml, properties, shown, data).edits);
    }
    return edits;
  }

  /** Headers, footers and notes show the values of the document, too. */
  #otherParts(): Map<string, Uint8Array> {
    const { package: opened, relationships } = this.#source;
    const changed = new Map<string, Uint8Array>();
    for (const { type, target, external } of relationships.all) {
      if (external || !OTHER_PARTS.some((name) => isRelationshipType(type, name))) continue;
      const name = resolveTarget(opened.mainPart, target);
      const xml = changed.has(name) ? undefined : opened.readableXml(name);
      if (!xml || !HAS_CONTROLS.test(xml.text)) continue;
      const edits = this.#followers([...controlsIn(xml.root)].map((element) => this.#read(xml, element)));
      if (edits.length > 0) changed.set(name, xml.encode(applyEdits(xml.text, edits)));
    }
    return changed;
  }
}

function* controlsIn(element: XmlElement): Generator<XmlElement> {
  for (const child of element.children) {
    if (child.name === 'w:sdt') yield child;
    yield* controlsIn(child);
  }
}

/**
 * A control of the file is found again by its properties. What was made of it besides (a copy, or a piece where a link
 * parts it) has the same but for its id.
 */
function identitiesOf(xml: XmlDocument, control: XmlElement): [own: string, ofCopy: string] {
  const properties = xml.child(control, 'w:sdtPr');
  if (!properties) return ['', ''];
  const others = properties.children.filter(({ name }) => name !== 'w:id');
  return [xml.raw(properties), others.map((element) => xml.raw(element)).join('')];
}

function contentOf(xml: XmlDocument, control: XmlElement): string {
  const content = xml.child(control, 'w:sdtContent');
  return content ? xml.inner(content) : '';
}

function unbound(xml: XmlDocument, control: XmlElement): TextEdit[] {
  return (xml.child(control, 'w:sdtPr')?.children ?? [])
    .filter(({ name }) => name === 'w:dataBinding' || name === 'w15:dataBinding')
    .map(({ start, end }) => ({ start, end, text: '' }));
}
