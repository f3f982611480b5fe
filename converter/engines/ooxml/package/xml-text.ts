import { isXmlText, xmlTextOf } from '../../../../model/xml-text.ts';
import { corrupted } from '../../../errors.ts';

const PREDEFINED: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
const REFERENCE = /&(?:#x([0-9a-fA-F]{1,6})|#([0-9]{1,7})|(amp|lt|gt|quot|apos));|&/g;
const ESCAPES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\t': '&#9;',
  '\n': '&#10;',
  '\r': '&#13;',
};

/** Replaces character references. Only the five predefined entities exist, because a DOCTYPE is refused. */
export function unescapeXml(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(REFERENCE, (_match, hex?: string, decimal?: string, name?: string) => {
    if (name) return PREDEFINED[name]!;
    const digits = hex ?? decimal;
    if (digits === undefined) throw corrupted('XML: unknown entity');
    return characterOf(Number.parseInt(digits, hex ? 16 : 10));
  });
}

function characterOf(codePoint: number): string {
  if (codePoint > 0x10ffff) return '\ufffd';
  const character = String.fromCodePoint(codePoint);
  return isXmlText(character) ? character : '\ufffd';
}

/** A text as XML has it. What XML cannot hold, and no program would open, is not in it. */
export function escapeText(text: string): string {
  return xmlTextOf(text).replace(/[&<>\r]/g, (character) => ESCAPES[character]!);
}

/** The same for the value of an attribute. */
export function escapeAttribute(value: string | number): string {
  return xmlTextOf(String(value)).replace(/[&<>"\t\n\r]/g, (character) => ESCAPES[character]!);
}

/** ` name="value"` for every value that is not null or undefined, in the order given. */
export function attributesXml(attributes: Record<string, string | number | null | undefined>): string {
  let xml = '';
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined) xml += ` ${name}="${escapeAttribute(value)}"`;
  }
  return xml;
}

const ATTRIBUTE = /(\s+)([^\s=]+)\s*=\s*(?:"[^"]*"|'[^']*')/g;

/**
 * The same element text with attributes of its start tag set (a value) or removed (null); every other byte stays.
 */
export function withAttributes(elementXml: string, changes: Record<string, string | number | null>): string {
  const tagEnd = startTagEnd(elementXml);
  let tag = elementXml.slice(0, tagEnd);
  for (const [name, value] of Object.entries(changes)) {
    const present = [...tag.matchAll(ATTRIBUTE)].find((attribute) => attribute[2] === name);
    if (!present && value === null) continue;
    const start = present?.index ?? /\s*\/?>$/.exec(tag)!.index;
    const end = start + (present?.[0].length ?? 0);
    const attribute = value === null ? '' : `${present?.[1] ?? ' '}${name}="${escapeAttribute(value)}"`;
    tag = tag.slice(0, start) + attribute + tag.slice(end);
  }
  return tag + elementXml.slice(tagEnd);
}

/** Offset after the `>` that ends the start tag with which the text begins. */
function startTagEnd(elementXml: string): number {
  const tag = /^<(?:"[^"]*"|'[^']*'|[^>"'])*>/.exec(elementXml);
  return tag ? tag[0].length : elementXml.length;
}
