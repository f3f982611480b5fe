import { analyse } from 'chardet';
import iconv from 'iconv-lite';

/** Number of the Windows code page of UTF-8. */
export const UTF8_CODE_PAGE = 65_001;

/** What is taken for text of which nothing says more. */
export const WESTERN_CODE_PAGE = 1_252;

/** Code pages that have a name where others have their number. */
const namedCodePages: ReadonlyMap<number, string> = new Map([
  [720, 'cp720'],
  [1_200, 'utf-16le'],
  [1_201, 'utf-16be'],
  [10_000, 'macintosh'],
  [10_007, 'maccyrillic'],
  [12_000, 'utf-32le'],
  [12_001, 'utf-32be'],
  [20_127, 'us-ascii'],
  [51_932, 'euc-jp'],
  [51_949, 'euc-kr'],
  [54_936, 'gb18030'],
  [65_000, 'utf-7'],
  [UTF8_CODE_PAGE, 'utf-8'],
]);

/** Marks at the beginning of a text; the longer ones first, of which others are a part. */
const marks: readonly (readonly [mark: Buffer, codePage: number])[] = [
  [Buffer.from([0xff, 0xfe, 0, 0]), 12_000],
  [Buffer.from([0, 0, 0xfe, 0xff]), 12_001],
  [Buffer.from([0xef, 0xbb, 0xbf]), UTF8_CODE_PAGE],
  [Buffer.from([0xff, 0xfe]), 1_200],
  [Buffer.from([0xfe, 0xff]), 1_201],
];

/** Code pages of what the detector finds; ISO 8859-1, -8 and -9 are parts of Windows code pages. */
const detectedCodePages: Readonly<Record<string, number>> = {
  'ISO-8859-1': WESTERN_CODE_PAGE,
  'windows-1252': WESTERN_CODE_PAGE,
  'ISO-8859-2': 28_592,
  'windows-1250': 1_250,
  'ISO-8859-5': 28_595,
  'windows-1251': 1_251,
  'KOI8-R': 20_866,
  'ISO-8859-6': 28_596,
  'windows-1256': 1_256,
  'ISO-8859-7': 28_597,
  'windows-1253': 1_253,
  'ISO-8859-8': 1_255,
  'windows-1255': 1_255,
  'ISO-8859-9': 1_254,
  'windows-1254': 1_254,
  'windows-1257': 1_257,
  Shift_JIS: 932,
  'EUC-JP': 51_932,
  'EUC-KR': 949,
  Big5: 950,
  // All of GBK, and what it has besides is rare.
  GB18030: 936,
};

const latinCodePages: ReadonlySet<number> = new Set([WESTERN_CODE_PAGE, 28_592, 1_250, 1_254, 1_257]);
const wideCodePages: ReadonlySet<number> = new Set([932, 51_932, 949, 950, 936]);

/** So much of markup says in which encoding it is, bytes. */
const headBytes = 8_192;
/** So much of a text is looked at where the whole of it need not be, bytes. */
const lookedAtBytes = 65_536;
/** Below this confidence the detector is no better than Windows 1252, percent. */
const leastConfidence = 5;
/** It says this of every encoding of more than a byte for a character in which a text may be, percent. */
const mayBeWide = 10;
/** A text in another Latin encoding is more likely by so much, percent: their letters are much the same. */
const surely = 15;
/** In text of Latin letters at most this share of the letters has accents. */
const mostAccents = 0.4;
/** In text of Latin letters at least this share of every second byte of UTF-16 is zero. */
const leastZeros = 0.3;

/** Whether text of this code page can be read and written. */
export const isKnownCodePage = (codePage: number): boolean => iconv.encodingExists(nameOf(codePage));

/**
 * The code page of a plain text where it is not given: by a byte order mark; UTF-16 by its zeros; UTF-8 where all bytes
 * fit; else the result of a detector if the letters do not contradict it, and Windows 1252 if it is not sure.
 */
export function detectCodePage(bytes: Uint8Array): number {
  const stated = statedCodePage(bytes);
  if (stated !== undefined) return stated;
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, lookedAtBytes));
  return likelyCodePage(start);
}

/** The code page that a plain text shows by its form: a byte order mark, the zeros of UTF-16, or being UTF-8 throughout. */
export function statedCodePage(bytes: Uint8Array): number | undefined {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const marked = marks.find(([mark]) => text.subarray(0, mark.length).equals(mark));
  if (marked) return marked[1];
  return wideCodePage(text.subarray(0, lookedAtBytes)) ?? (isUtf8(bytes) ? UTF8_CODE_PAGE : undefined);
}

function likelyCodePage(start: Buffer): number {
  const isLatin = accentShare(start) <= mostAccents;
  const scores = analyse(start)
    .filter(({ name, confidence }) => Object.hasOwn(detectedCodePages, name) && confidence >= leastConfidence)
    .map(({ name, confidence }) => ({ codePage: detectedCodePages[name]!, confidence }))
    .filter(({ codePage }) => latinCodePages.has(codePage) === isLatin)
    .filter(({ codePage, confidence }) => confidence > mayBeWide || !wideCodePages.has(codePage))
    .map(({ codePage, confidence }) => ({ codePage, score: confidence * plausibility(start, codePage) ** 4 }))
    .sort((one, other) => other.score - one.score);
  const best = scores[0];
  if (!best) return WESTERN_CODE_PAGE;
  const western = scores.find(({ codePage }) => codePage === WESTERN_CODE_PAGE)?.score ?? 0;
  return isLatin && best.score < western + surely * 2 ? WESTERN_CODE_PAGE : best.codePage;
}

/** The share of letters that are not ASCII, by bytes. */
function accentShare(start: Buffer): number {
  const accents = start.filter((byte) => byte >= 0x80).length;
  const letters = start.filter((byte) => /[A-Za-z]/.test(String.fromCharCode(byte))).length;
  return accents / Math.max(1, accents + letters);
}

/** How much of what is not ASCII are letters that can stand where they do: no capital follows a small letter. */
function plausibility(start: Buffer, codePage: number): number {
  const text = decodeText(start, codePage);
  const others = text.match(/[^\0-\x7f]/gu)?.length ?? 0;
  const letters = text.match(/[^\0-\x7f]/gu)?.filter((one) => /\p{L}/u.test(one)).length ?? 0;
  const misplaced = text.match(/(?<=\p{Ll})\p{Lu}/gu)?.length ?? 0;
  return Math.max(0, letters - misplaced) / Math.max(1, others);
}

/** The text without a byte order mark; what is no text in this code page becomes U+FFFD. */
export const decodeText = (bytes: Uint8Array, codePage: number): string =>
  iconv.decode(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), nameOf(codePage));

/** The encoding that a web page, or XML, names; undefined where it cannot be that one. */
function namedEncoding(markup: Buffer): string | undefined {
  const head = markup.toString('latin1', 0, headBytes);
  const name = /<(?:meta|\?xml)\s[^<>]*\b(?:charset|encoding)\s*=\s*["']?([\w.:-]+)/i.exec(head)?.[1];
  if (name === undefined || /^(?:utf-?(?:16|32)|ucs|unicode)/i.test(name)) return undefined;
  // Browsers and Office read the smaller one as the larger one of which it is a part.
  if (/^(?:iso-?8859-?1|latin-?1|us-ascii)$/i.test(name)) return nameOf(WESTERN_CODE_PAGE);
  return iconv.encodingExists(name) ? name : undefined;
}

/** The text of a web page or of XML: in the encoding that its form shows, else the one that it names, else a likely one. */
export function decodeMarkup(bytes: Uint8Array): string {
  const stated = statedCodePage(bytes);
  if (stated !== undefined) return decodeText(bytes, stated);
  const markup = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const named = namedEncoding(markup);
  return named === undefined ? decodeText(bytes, detectCodePage(bytes)) : iconv.decode(markup, named);
}

/** Characters that the code page has not become question marks; UTF-16 and UTF-32 begin with a byte order mark. */
export function encodeText(text: string, codePage: number): Uint8Array {
  const isWide = [1_200, 1_201, 12_000, 12_001].includes(codePage);
  return iconv.encode(text, nameOf(codePage), { addBOM: isWide });
}

function nameOf(codePage: number): string {
  return namedCodePages.get(codePage) ?? String(codePage);
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

function wideCodePage(start: Buffer): number | undefined {
  const zeros = [0, 0];
  for (const [index, byte] of start.entries()) if (byte === 0) zeros[index % 2]!++;
  const least = Math.max(1, (start.length / 2) * leastZeros);
  const [even, odd] = zeros as [number, number];
  if (odd >= least && even < odd / 4) return 1_200;
  return even >= least && odd < even / 4 ? 1_201 : undefined;
}
