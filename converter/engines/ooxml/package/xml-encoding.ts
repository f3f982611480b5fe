import { ConversionError, corrupted } from '../../../errors.ts';

/** Encodings that parts may have (ECMA-376 Part 2, 8.1.4: UTF-8 or UTF-16). The byte order mark stays in the text. */
export type XmlEncoding = 'utf-8' | 'utf-16le' | 'utf-16be';

const DECLARED = /^\ufeff?<\?xml[^>]*?\sencoding\s*=\s*["']([^"']*)["']/;

/** @throws ConversionError unknownFormat for another encoding, corrupted for bytes that are not text */
export function decodeXml(bytes: Uint8Array): { text: string; encoding: XmlEncoding } {
  const encoding = encodingOf(bytes);
  let text: string;
  try {
    text = new TextDecoder(encoding, { ignoreBOM: true, fatal: true }).decode(bytes);
  } catch (error) {
    throw corrupted('XML: the text does not match its encoding', error);
  }
  const declared = DECLARED.exec(text)?.[1]?.toLowerCase();
  const family = encoding === 'utf-8' ? 'utf-8' : 'utf-16';
  if (declared && !declared.startsWith(family) && !(family === 'utf-8' && declared === 'us-ascii')) {
    throw new ConversionError('unknownFormat', 'XML: only UTF-8 and UTF-16 are supported');
  }
  return { text, encoding };
}

export function encodeXml(text: string, encoding: XmlEncoding): Uint8Array {
  if (encoding === 'utf-8') return Buffer.from(text, 'utf8');
  const bytes = Buffer.from(text, 'utf16le');
  return encoding === 'utf-16le' ? bytes : bytes.swap16();
}

function encodingOf(bytes: Uint8Array): XmlEncoding {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  if (first === 0x3c && second === 0) return 'utf-16le';
  if (first === 0 && second === 0x3c) return 'utf-16be';
  return 'utf-8';
}
