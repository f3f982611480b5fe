import type { WordDocumentJson, WordProtection } from '../../../../model/word/document.ts';
import { type Protection, protections } from '../../../../model/word/rights/document-rights.ts';
import { applyEdits } from '../package/text-edits.ts';
import type { XmlAttributes, XmlDocument } from '../package/xml-document.ts';
import type { XmlElement } from '../package/xml-scanner.ts';
import { attributesXml } from '../package/xml-text.ts';
import { isOn, isTrue } from './simple-types.ts';
import type { Theme } from './styles.ts';

/** Half an inch (17.15.1.25). */
const DEFAULT_TAB_STOP_TWIPS = 720;

/** What the settings part (17.15.1.78) says that an editor must know. */
export function readSettings(xml: XmlDocument | undefined, theme: Theme): WordDocumentJson['settings'] {
  const isSet = (name: string): boolean => {
    const element = xml?.child(xml.root, name);
    return xml !== undefined && element !== undefined && isOn(xml.attributes(element));
  };
  const tabStop = Number(xml?.attribute(xml.child(xml.root, 'w:defaultTabStop'), 'w:val') ?? Number.NaN);
  return {
    trackChanges: isSet('w:trackRevisions'),
    evenAndOddHeaders: isSet('w:evenAndOddHeaders'),
    defaultTabStop: Number.isInteger(tabStop) && tabStop > 0 ? tabStop : DEFAULT_TAB_STOP_TWIPS,
    majorFont: theme.majorFont,
    minorFont: theme.minorFont,
  };
}

/** Names that `w:cryptAlgorithmSid` numbers (17.15.1.29). */
const ALGORITHMS: ReadonlyMap<string, string> = new Map([
  ['4', 'SHA-1'],
  ['12', 'SHA-256'],
  ['13', 'SHA-384'],
  ['14', 'SHA-512'],
]);
const DIGESTS = new Set(['SHA-1', 'SHA-256', 'SHA-384', 'SHA-512']);

/** The protection of a document (17.15.1.29) that is enforced and says what may be done. */
export function readProtection(settings: XmlDocument | undefined): WordProtection | null {
  const element = settings && protectionIn(settings);
  if (!element) return null;
  const attributes = settings.attributes(element);
  const edit = attributes['w:edit'];
  if (!isProtection(edit) || !isTrue(attributes['w:enforcement'])) return null;
  return { edit, password: passwordOf(attributes) };
}

/** The text of the settings with the protection not enforced any more; what it was stays to be read. */
export function withoutProtection(settings: XmlDocument): string {
  const element = protectionIn(settings);
  if (!element) return settings.text;
  const { 'w:edit': edit, 'w:formatting': formatting } = settings.attributes(element);
  const kept = attributesXml({ 'w:edit': edit, 'w:formatting': formatting, 'w:enforcement': '0' });
  const { start, end } = element;
  return applyEdits(settings.text, [{ start, end, text: `<w:documentProtection${kept}/>` }]);
}

const protectionIn = (settings: XmlDocument): XmlElement | undefined =>
  settings.child(settings.root, 'w:documentProtection');

const isProtection = (edit: string | undefined): edit is Protection =>
  (protections as readonly (string | undefined)[]).includes(edit);

/** Both ways in which a file says how to know its password; an algorithm that is not known here is null. */
function passwordOf(attributes: XmlAttributes): WordProtection['password'] {
  const hash = attributes['w:hashValue'] ?? attributes['w:hash'];
  if (!hash) return null;
  const named = (attributes['w:algorithmName'] ?? '').replace(/^SHA(\d)/i, 'SHA-$1').toUpperCase();
  const algorithm = named || (ALGORITHMS.get(attributes['w:cryptAlgorithmSid'] ?? '') ?? '');
  const spinCount = Number(attributes['w:spinCount'] ?? attributes['w:cryptSpinCount'] ?? 0);
  const isKnown =
    DIGESTS.has(algorithm) && Number.isInteger(spinCount) && spinCount >= 0 && spinCount <= 10_000_000;
  return {
    hash,
    algorithm: isKnown ? algorithm : null,
    salt: attributes['w:saltValue'] ?? attributes['w:salt'] ?? '',
    spinCount: isKnown ? spinCount : 0,
  };
}
