import type { XmlDocument } from '../../package/xml-document.ts';
import type { XmlElement } from '../../package/xml-scanner.ts';
import { isOn } from '../simple-types.ts';

/**
 * What content controls (17.5.2) hold. `other`: content that the showing program makes, such as a gallery or a citation.
 */
export type ControlKind =
  | 'text'
  | 'richText'
  | 'comboBox'
  | 'dropDownList'
  | 'date'
  | 'checkBox'
  | 'picture'
  | 'group'
  | 'other';

const KINDS: ReadonlyMap<string, ControlKind> = new Map([
  ['w:text', 'text'],
  ['w:richText', 'richText'],
  ['w:comboBox', 'comboBox'],
  ['w:dropDownList', 'dropDownList'],
  ['w:date', 'date'],
  ['w14:checkbox', 'checkBox'],
  ['w:checkbox', 'checkBox'],
  ['w:picture', 'picture'],
  ['w:group', 'group'],
  ['w:docPartObj', 'other'],
  ['w:docPartList', 'other'],
  ['w:citation', 'other'],
  ['w:bibliography', 'other'],
  ['w:equation', 'other'],
  ['w15:repeatingSection', 'other'],
  ['w15:repeatingSectionItem', 'other'],
]);

/** Where the value of a control is kept beside the text (17.5.2.6; 2.5.4.1 of [MS-DOCX] for formatted text). */
export interface Binding {
  /** Of the part with the data; empty where any part may have it. */
  readonly storeItemId: string;
  readonly xpath: string;
  readonly prefixMappings: string;
}

export interface ControlProperties {
  readonly kind: ControlKind;
  /** The element that says the kind. */
  readonly kindElement: XmlElement | undefined;
  readonly binding: Binding | null;
  /** What is in it may not be changed, and it may not be deleted (17.18.50). */
  readonly locksContent: boolean;
  readonly locksControl: boolean;
  readonly showsPlaceholder: boolean;
}

/** What the properties of a `w:sdt` say. */
export function controlProperties(xml: XmlDocument, control: XmlElement): ControlProperties {
  const properties = xml.child(control, 'w:sdtPr');
  const kindElement = properties?.children.find(({ name }) => KINDS.has(name));
  const kind = (kindElement && KINDS.get(kindElement.name)) ?? 'richText';
  const lock = xml.attribute(xml.child(properties, 'w:lock'), 'w:val');
  const placeholder = xml.child(properties, 'w:showingPlcHdr');
  return {
    kind,
    kindElement,
    binding: bindingOf(xml, properties, kind),
    locksContent: lock === 'contentLocked' || lock === 'sdtContentLocked',
    locksControl: lock === 'sdtLocked' || lock === 'sdtContentLocked',
    showsPlaceholder: placeholder !== undefined && isOn(xml.attributes(placeholder)),
  };
}

function bindingOf(xml: XmlDocument, properties: XmlElement | undefined, kind: ControlKind): Binding | null {
  if (kind === 'other' || kind === 'group') return null;
  const element = xml.child(properties, 'w15:dataBinding') ?? xml.child(properties, 'w:dataBinding');
  if (!element) return null;
  const attributes = xml.attributes(element);
  const xpath = attributes['w:xpath'];
  if (xpath === undefined) return null;
  return {
    xpath,
    storeItemId: (attributes['w:storeItemID'] ?? '').toUpperCase(),
    prefixMappings: attributes['w:prefixMappings'] ?? '',
  };
}
