import { describe, expect, test } from 'vitest';
import { CONVERSION_ERROR, ConversionError } from '../../../errors.ts';
import { LIMITS } from './limits.ts';
import { XmlDocument } from './xml-document.ts';
import { scanXml } from './xml-scanner.ts';
import { attributesXml, escapeText, unescapeXml, withAttributes } from './xml-text.ts';

function codeOf(run: () => unknown): number | undefined {
  try {
    run();
  } catch (error) {
    if (error instanceof ConversionError) return error.serviceError;
    throw error;
  }
  return undefined;
}

describe('scanning XML', () => {
  test('[W1] elements keep the offsets that they have in the text', () => {
    const xml = new XmlDocument(
      `<?xml version="1.0"?><!-- <no> --><a b='>' c = "1"><d/>x<![CDATA[<e>]]></a>\n`,
    );
    const [child] = xml.root.children;
    expect(xml.raw(xml.root)).toBe(`<a b='>' c = "1"><d/>x<![CDATA[<e>]]></a>`);
    expect(xml.raw(child!)).toBe('<d/>');
    expect({ ...xml.attributes(xml.root) }).toEqual({ b: '>', c: '1' });
    expect(xml.content(xml.root)).toBe('x<e>');
  });

  test.each([
    ['a document type', '<!DOCTYPE a [<!ENTITY x "y">]><a/>'],
    ['a document type inside', '<a><!DOCTYPE b></a>'],
    ['two roots', '<a/><b/>'],
    ['nothing', '  '],
    ['an open root', '<a><b></b>'],
    ['crossed tags', '<a><b></a></b>'],
    ['a stray end', '<a/></a>'],
    ['an open tag', '<a b="1"'],
    ['an open attribute', '<a b="1/>'],
    ['an open comment', '<a><!-- </a>'],
    ['a tag in a tag', '<a <b/></a>'],
    ['no name', '<a>< b/></a>'],
  ])('[W6] %s is refused', (_what, text) => {
    expect(codeOf(() => scanXml(text))).toBe(CONVERSION_ERROR.corrupted);
  });

  test('[W9] deep nesting is refused', () => {
    const nested = (depth: number) => '<a>'.repeat(depth) + '</a>'.repeat(depth);
    expect(codeOf(() => scanXml(nested(LIMITS.xmlDepth)))).toBeUndefined();
    expect(codeOf(() => scanXml(nested(LIMITS.xmlDepth + 1)))).toBe(CONVERSION_ERROR.limits);
  });

  test('[W6] only predefined entities and characters that XML has are expanded', () => {
    expect(unescapeXml('&lt;&#65;&#x1F600;&amp;amp;')).toBe('<A😀&amp;');
    expect(unescapeXml('&#0;&#xD800;&#x110000;')).toBe('\ufffd\ufffd\ufffd');
    expect(codeOf(() => unescapeXml('&bomb;'))).toBe(CONVERSION_ERROR.corrupted);
    expect(unescapeXml(escapeText('a & b < c > d \r'))).toBe('a & b < c > d \r');
  });

  test('[XE70] what XML cannot hold is not written', () => {
    const text = 'a\u0000b\u000bc\ud800d\udc00e\uffff\t\n😀';
    expect(escapeText(text)).toBe('a\ufffdb\ufffdc\ufffdd\ufffde\ufffd\t\n😀');
    expect(attributesXml({ a: text })).toBe(' a="a\ufffdb\ufffdc\ufffdd\ufffde\ufffd&#9;&#10;😀"');
  });

  test('[W3] attributes are set and removed in place', () => {
    const tag = `<a b="1"  c='x>y' d="2"/>`;
    expect(withAttributes(tag, { c: '"' })).toBe('<a b="1"  c="&quot;" d="2"/>');
    expect(withAttributes(tag, { b: null, e: 3 })).toBe(`<a  c='x>y' d="2" e="3"/>`);
    expect(withAttributes(`<a d=" c='9'" c="1"/>`, { c: '2' })).toBe(`<a d=" c='9'" c="2"/>`);
    expect(withAttributes('<a><b c="1"/></a>', { c: '2' })).toBe('<a c="2"><b c="1"/></a>');
  });

  test('[W6] text that does not match its encoding is refused', () => {
    expect(codeOf(() => XmlDocument.parse(Uint8Array.of(0x3c, 0x61, 0xff, 0x2f, 0x3e)))).toBe(
      CONVERSION_ERROR.corrupted,
    );
    const latin = Buffer.from('<?xml version="1.0" encoding="windows-1252"?><a/>');
    expect(codeOf(() => XmlDocument.parse(latin))).toBe(CONVERSION_ERROR.unknownFormat);
  });

  test('[W1] UTF-16 text goes back to the bytes that it came from', () => {
    for (const swap of [false, true]) {
      const bytes = Buffer.from('\ufeff<?xml version="1.0" encoding="UTF-16"?><a>é😀</a>', 'utf16le');
      if (swap) bytes.swap16();
      const xml = XmlDocument.parse(bytes);
      expect(xml.content(xml.root)).toBe('é😀');
      expect(Buffer.compare(xml.encode(xml.text), bytes)).toBe(0);
    }
  });
});
