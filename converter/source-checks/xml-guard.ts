import { LIMITS } from '../engines/ooxml/package/limits.ts';
import { overLimit } from '../errors.ts';
import { type ContentCount, PartCount, type StartTag } from './content-count.ts';

/** Longest value of an entity, and most of them: drawing programs declare short names of namespaces. */
const maxEntityChars = 256;
const maxEntities = 64;

const declaration = /<!ENTITY\s+(%\s+)?([^\s"'>]+)\s+(?:(SYSTEM|PUBLIC)\b|"([^"]*)"|'([^']*)')?/g;

/**
 * Refuses what a document type declares so that a small file becomes a large one, or another file: entities that name
 * others or lie elsewhere, long ones, and many.
 * @throws ConversionError limits
 */
function checkDoctype(text: string): void {
  let count = 0;
  for (const [, parameter, , external, quoted, single] of text.matchAll(declaration)) {
    const value = quoted ?? single;
    const isPlain = parameter === undefined && external === undefined && value !== undefined;
    count += 1;
    if (!isPlain || /[&%]/.test(value) || value.length > maxEntityChars || count > maxEntities) {
      throw overLimit('the file declares entities that are not taken');
    }
  }
}

/** So much of a tag is kept to look at, bytes. */
const keptTagBytes = 262_144;
const maxDoctypeBytes = 65_536;
/** A piece of this size says enough of how a file is encoded, bytes. */
const startBytes = 64;

const CLOSING = 0x3e;
const OPENING = 0x3c;
const SLASH = 0x2f;
const EXCLAMATION = 0x21;
const QUESTION = 0x3f;
const DOUBLE_QUOTE = 0x22;
const SINGLE_QUOTE = 0x27;
const COLON = 0x3a;
const lastSpace = 0x20;

type State = 'text' | 'tag' | 'quote' | 'comment' | 'cdata' | 'instruction' | 'doctype';

const ends: Readonly<Partial<Record<State, string>>> = { comment: '--', cdata: ']]', instruction: '?' };

/** Whether a file, or a part of one, is XML: an XML declaration, or a root element that no HTML has. */
export function isXml(bytes: Uint8Array): boolean {
  const start = asLatin1(bytes.subarray(0, startBytes)).trimStart();
  return (
    /^<\?xml\b/.test(start) || (/^<[A-Za-z!]/.test(start) && !/^<!?\s*(?:html|doctype\s+html)\b/i.test(start))
  );
}

/** A beginning of this size says whether a file is a web page that does not say so first, bytes. */
const pageStartBytes = 1_024;

/** Elements that web pages of programs begin with. Names with a prefix are of XML. */
const pageStart =
  /^(?:<!--(?:(?!-->)[\s\S])*-->\s*)*<!?\s*(?:html|doctype\s+html|head|body|title|meta|link|base|style|script|table|thead|tbody|tr|td|th|div|span|p|br|hr|center|font|b|h[1-6])[\s/>]/i;

/** Whether a file is a web page, whose elements need not end. That of a part of a package means nothing. */
export const isWebPage = (bytes: Uint8Array): boolean =>
  pageStart.test(asLatin1(bytes.subarray(0, pageStartBytes)).trimStart());

/**
 * Follows the markup of an XML file that comes in pieces, in any encoding whose markup is ASCII, or in UTF-16. Its memory
 * does not grow with the file.
 */
export class XmlGuard {
  readonly #count: PartCount;
  readonly #isWide: boolean;
  #state: State = 'text';
  #depth = 0;
  #quote = 0;
  /** The beginning of the tag or declaration that is being read, from after its `<`. */
  #tag = '';
  /** The last bytes of a comment or the like before the place that has been reached. */
  #before = '';
  #lastByte = 0;

  /** `start`: the first bytes of the file. */
  constructor(start: Uint8Array, count: ContentCount) {
    this.#isWide = (start[0] === 0xfe && start[1] === 0xff) || (start[0] === 0xff && start[1] === 0xfe);
    this.#count = new PartCount(count);
  }

  /** @throws ConversionError limits */
  read(piece: Uint8Array): void {
    // Markup of UTF-16 is ASCII with zeros between.
    const bytes = this.#isWide ? piece.filter((byte) => byte !== 0) : piece;
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    let at = 0;
    while (at < buffer.length) at = this.#step(buffer, at);
    this.#lastByte = buffer.at(-1) ?? this.#lastByte;
  }

  #step(bytes: Buffer, at: number): number {
    switch (this.#state) {
      case 'text': {
        const opening = bytes.indexOf(OPENING, at);
        if (opening < 0) return bytes.length;
        const end = this.#wholeTag(bytes, opening + 1);
        if (end !== undefined) return end;
        this.#state = 'tag';
        this.#tag = '';
        return opening + 1;
      }
      case 'tag':
        return this.#readTag(bytes, at);
      case 'quote': {
        const end = bytes.indexOf(this.#quote, at);
        const stop = end < 0 ? bytes.length : end + 1;
        this.#keep(bytes, at, stop);
        if (end >= 0) {
          this.#state = 'tag';
          this.#lastByte = this.#quote;
        }
        return stop;
      }
      case 'doctype':
        return this.#readDoctype(bytes, at);
      default:
        return this.#skip(bytes, at, ends[this.#state]!);
    }
  }

  /** Takes the tag of an element that ends in this piece, as most do, without a copy. Where it ends, if it is one. */
  #wholeTag(bytes: Buffer, from: number): number | undefined {
    const first = bytes[from];
    if (first === EXCLAMATION || first === QUESTION) return undefined;
    for (let at = from; at < bytes.length; at++) {
      const byte = bytes[at]!;
      if (byte === CLOSING) {
        if (first === SLASH) this.#ended(nameIn(bytes, from + 1, at));
        else {
          const text = () => bytes.toString('latin1', from, at);
          this.#started(nameIn(bytes, from, at), { isEmpty: bytes[at - 1] === SLASH, isCut: false, text });
        }
        return at + 1;
      }
      if (byte === DOUBLE_QUOTE || byte === SINGLE_QUOTE) {
        at = bytes.indexOf(byte, at + 1);
        if (at < 0) return undefined;
      }
    }
    return undefined;
  }

  #readTag(bytes: Buffer, from: number): number {
    for (let at = from; at < bytes.length; at++) {
      const byte = bytes[at]!;
      if (byte === CLOSING) {
        this.#keep(bytes, from, at);
        this.#endTag((at > from ? bytes[at - 1] : this.#lastByte) === SLASH);
        return at + 1;
      }
      if (byte === DOUBLE_QUOTE || byte === SINGLE_QUOTE) {
        this.#keep(bytes, from, at + 1);
        // Apostrophes of what is no element are none of ours.
        if (/^[!?]/.test(this.#tag)) continue;
        this.#quote = byte;
        this.#state = 'quote';
        return at + 1;
      }
      if (this.#tag.length + at - from < 8) {
        const begun = this.#begun(bytes, from, at);
        if (begun) {
          this.#state = begun;
          this.#before = '';
          return at + 1;
        }
      }
    }
    this.#keep(bytes, from, bytes.length);
    return bytes.length;
  }

  /** What begins with the byte at `at` that is no element. */
  #begun(bytes: Buffer, from: number, at: number): State | undefined {
    const start = this.#tag + bytes.toString('latin1', from, at + 1);
    if (start === '!--') return 'comment';
    if (start === '![CDATA[') return 'cdata';
    if (start === '?') return 'instruction';
    if (start !== '!DOCTYPE') return undefined;
    this.#tag = '';
    return 'doctype';
  }

  #readDoctype(bytes: Buffer, at: number): number {
    const end = bytes.indexOf(CLOSING, at);
    const stop = end < 0 ? bytes.length : end + 1;
    this.#tag += bytes.toString('latin1', at, stop);
    if (this.#tag.length > maxDoctypeBytes) throw overLimit('the file declares too much');
    const isWhole = !this.#tag.includes('[') || /\]\s*>$/.test(this.#tag);
    if (end < 0 || !isWhole) return stop;
    checkDoctype(this.#tag);
    this.#state = 'text';
    return stop;
  }

  #skip(bytes: Buffer, at: number, ending: string): number {
    const closing = bytes.indexOf(CLOSING, at);
    const stop = closing < 0 ? bytes.length : closing;
    const before = (this.#before + bytes.toString('latin1', Math.max(at, stop - 2), stop)).slice(-2);
    this.#before = closing < 0 ? before : `${before}>`.slice(-2);
    if (closing < 0) return stop;
    if (before.endsWith(ending)) this.#state = 'text';
    return closing + 1;
  }

  #keep(bytes: Buffer, from: number, to: number): void {
    const room = keptTagBytes - this.#tag.length;
    if (room > 0) this.#tag += bytes.toString('latin1', from, Math.min(to, from + room));
  }

  #endTag(isEmpty: boolean): void {
    this.#state = 'text';
    if (/^[!?]/.test(this.#tag)) return;
    const tag = Buffer.from(this.#tag, 'latin1');
    if (tag[0] === SLASH) {
      this.#ended(nameIn(tag, 1, tag.length));
      return;
    }
    const isCut = tag.length >= keptTagBytes;
    this.#started(nameIn(tag, 0, tag.length), { isEmpty, isCut, text: () => this.#tag });
  }

  #started(name: string, tag: StartTag): void {
    this.#count.start(name, tag);
    if (tag.isEmpty) return;
    this.#depth += 1;
    if (this.#depth > LIMITS.xmlDepth) throw overLimit('elements of the file are nested too deeply');
  }

  #ended(name: string): void {
    this.#depth -= 1;
    this.#count.end(name);
  }
}

/** The name that a tag begins with, without a prefix. */
function nameIn(bytes: Buffer, from: number, to: number): string {
  let start = from;
  let end = from;
  for (; end < to; end++) {
    const byte = bytes[end]!;
    if (byte <= lastSpace || byte === SLASH) break;
    if (byte === COLON) start = end + 1;
  }
  return bytes.toString('latin1', start, end);
}

const asLatin1 = (bytes: Uint8Array): string =>
  Buffer.from(bytes.filter((byte) => byte !== 0))
    .toString('latin1')
    .replace(/^(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)/, '');
