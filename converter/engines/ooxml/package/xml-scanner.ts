import { corrupted, overLimit } from '../../../errors.ts';
import { LIMITS } from './limits.ts';

const NO_CHILDREN: XmlElement[] = [];

/** An element and where it lies in the text it was scanned from (offsets in UTF-16 code units). */
export class XmlElement {
  readonly name: string;
  /** Offset of `<`. */
  readonly start: number;
  /** Offset after the name, where attributes begin. */
  readonly attributesStart: number;
  /** Offset after the `>` of the start tag. */
  openEnd = 0;
  /** Offset of the `</` of the end tag; equals `end` when self-closing. */
  closeStart = 0;
  end = 0;
  selfClosing = false;
  children: XmlElement[] = NO_CHILDREN;

  constructor(name: string, start: number, attributesStart: number) {
    this.name = name;
    this.start = start;
    this.attributesStart = attributesStart;
  }
}

/**
 * Scans a whole XML text into elements that keep their offsets, so that what nobody changes can be copied
 * instead of serialised. Namespaces are not resolved and entities not expanded here. A DOCTYPE is refused
 * (ECMA-376 Part 2, 8.1.4 forbids it in packages), which rules out entity tricks.
 * @throws ConversionError corrupted or limits
 */
export function scanXml(text: string): XmlElement {
  const stack: XmlElement[] = [];
  let root: XmlElement | undefined;
  let current: XmlElement | undefined;
  let elementCount = 0;
  let position = 0;
  for (;;) {
    const lt = text.indexOf('<', position);
    if (lt < 0) break;
    switch (text.charCodeAt(lt + 1)) {
      case 0x2f: {
        const gt = text.indexOf('>', lt + 2);
        if (gt < 0 || !current) throw corrupted('XML: stray or unfinished end tag');
        let nameEnd = gt;
        while (isSpace(text.charCodeAt(nameEnd - 1))) nameEnd--;
        if (nameEnd - lt - 2 !== current.name.length || !text.startsWith(current.name, lt + 2)) {
          throw corrupted('XML: end tag does not match its start tag');
        }
        current.closeStart = lt;
        current.end = gt + 1;
        stack.pop();
        current = stack.at(-1);
        position = gt + 1;
        break;
      }
      case 0x21:
        position = skipDeclaration(text, lt);
        break;
      case 0x3f:
        position = after(text, '?>', lt + 2);
        break;
      default: {
        const element = scanStartTag(text, lt);
        if (++elementCount > LIMITS.xmlElements) throw overLimit('XML: too many elements');
        if (current) {
          if (current.children === NO_CHILDREN) current.children = [element];
          else current.children.push(element);
        } else if (root) throw corrupted('XML: more than one root element');
        else root = element;
        if (!element.selfClosing) {
          if (stack.length >= LIMITS.xmlDepth) throw overLimit('XML: nested too deeply');
          stack.push(element);
          current = element;
        }
        position = element.openEnd;
      }
    }
  }
  if (!root || current) throw corrupted('XML: ends before its root element does');
  return root;
}

function scanStartTag(text: string, start: number): XmlElement {
  let position = start + 1;
  let code = text.charCodeAt(position);
  while (code !== 0x3e && code !== 0x2f && !isSpace(code)) {
    if (Number.isNaN(code) || code === 0x3c || code === 0x22 || code === 0x27 || code === 0x26) {
      throw corrupted('XML: malformed element name');
    }
    code = text.charCodeAt(++position);
  }
  if (position === start + 1) throw corrupted('XML: element without a name');
  const element = new XmlElement(text.slice(start + 1, position), start, position);
  for (; code !== 0x3e; code = text.charCodeAt(++position)) {
    if (code === 0x22 || code === 0x27) {
      position = text.indexOf(code === 0x22 ? '"' : "'", position + 1);
      if (position < 0) throw corrupted('XML: unfinished attribute');
    } else if (Number.isNaN(code) || code === 0x3c) throw corrupted('XML: unfinished start tag');
  }
  element.openEnd = position + 1;
  if (text.charCodeAt(position - 1) === 0x2f) {
    element.selfClosing = true;
    element.closeStart = element.end = position + 1;
  }
  return element;
}

function skipDeclaration(text: string, start: number): number {
  if (text.startsWith('<!--', start)) return after(text, '-->', start + 4);
  if (text.startsWith('<![CDATA[', start)) return after(text, ']]>', start + 9);
  throw corrupted('XML: a document type declaration is not allowed in a package');
}

function after(text: string, end: string, from: number): number {
  const at = text.indexOf(end, from);
  if (at < 0) throw corrupted('XML: unfinished comment, CDATA or instruction');
  return at + end.length;
}

/** Whether a character is white space of XML. */
export function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}
