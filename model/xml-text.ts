const NOT_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/;
const ALL_NOT_XML = new RegExp(NOT_XML, 'g');

/** True for text that XML 1.0 can hold: no control characters but tab and line ends, no half of a surrogate pair. */
export function isXmlText(text: string): boolean {
  return !NOT_XML.test(text) && text.isWellFormed();
}

/** A text with a sign (U+FFFD) in the place of each character that XML cannot hold. */
export function xmlTextOf(text: string): string {
  return isXmlText(text) ? text : text.toWellFormed().replace(ALL_NOT_XML, '\ufffd');
}
