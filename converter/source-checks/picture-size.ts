import { overLimit } from '../errors.ts';
import type { SourceLimits } from './source-limits.ts';

/** Width and height, dots. */
type Size = readonly [width: number, height: number];

/** Refuses a picture whose header says that it is larger than may be. @throws ConversionError limits */
export function checkPicture(start: Uint8Array, { pixels }: Pick<SourceLimits, 'pixels'>): void {
  const size = pictureSize(Buffer.from(start.buffer, start.byteOffset, start.byteLength));
  if (size && Math.abs(size[0]) * Math.abs(size[1]) > pixels) throw overLimit('a picture is too large');
}

/** The size by the header of a picture, of which the beginning is given; undefined of what is none, or has none there. */
function pictureSize(bytes: Buffer): Size | undefined {
  try {
    const signature = bytes.toString('latin1', 0, 12);
    if (signature.startsWith('\x89PNG')) return [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
    if (/^GIF8[79]a/.test(signature)) return [bytes.readUInt16LE(6), bytes.readUInt16LE(8)];
    if (signature.startsWith('\xff\xd8')) return jpegSize(bytes);
    if (/^(?:II\*\0|MM\0\*)/.test(signature)) return tiffSize(bytes);
    if (signature.startsWith('8BPS')) return [bytes.readUInt32BE(18), bytes.readUInt32BE(14)];
    if (/^RIFF.{4}WEBP/s.test(signature)) return webpSize(bytes);
    if (signature.startsWith('BM') && bytes.readUInt32LE(14) >= 40) {
      return [bytes.readInt32LE(18), bytes.readInt32LE(22)];
    }
  } catch (error) {
    // A header that is cut off says nothing.
    if (!(error instanceof RangeError)) throw error;
  }
  return undefined;
}

const [jpegTemporary, jpegEnd] = [0x01, 0xd9];

/** The largest of the frames that are declared: decoders take one or the other, and none behind the end of the picture. */
function jpegSize(bytes: Buffer): Size | undefined {
  let largest: Size | undefined;
  let at = 2;
  while (at + 9 <= bytes.length) {
    if (bytes[at] !== 0xff) {
      at = bytes.indexOf(0xff, at);
      if (at < 0) break;
      continue;
    }
    const marker = bytes[at + 1]!;
    if (marker === jpegEnd && largest) break;
    if (marker === 0xff || marker <= jpegTemporary || (marker >= 0xd0 && marker <= jpegEnd)) {
      at += marker === 0xff ? 1 : 2;
      continue;
    }
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)) {
      const size: Size = [bytes.readUInt16BE(at + 7), bytes.readUInt16BE(at + 5)];
      if (!largest || size[0] * size[1] > largest[0] * largest[1]) largest = size;
    }
    at += 2 + Math.max(2, bytes.readUInt16BE(at + 2));
  }
  return largest;
}

const [tiffWidth, tiffHeight] = [256, 257];
const TIFF_SHORT = 3;

function tiffSize(bytes: Buffer): Size | undefined {
  const isLittle = bytes[0] === 0x49;
  const short = (at: number) => (isLittle ? bytes.readUInt16LE(at) : bytes.readUInt16BE(at));
  const long = (at: number) => (isLittle ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at));
  const directory = long(4);
  const values = new Map<number, number>();
  for (let index = 0; index < short(directory); index++) {
    const entry = directory + 2 + 12 * index;
    values.set(short(entry), short(entry + 2) === TIFF_SHORT ? short(entry + 8) : long(entry + 8));
  }
  const [width, height] = [values.get(tiffWidth), values.get(tiffHeight)];
  return width === undefined || height === undefined ? undefined : [width, height];
}

function webpSize(bytes: Buffer): Size | undefined {
  const kind = bytes.toString('latin1', 12, 16);
  if (kind === 'VP8X') return [bytes.readUIntLE(24, 3) + 1, bytes.readUIntLE(27, 3) + 1];
  if (kind === 'VP8 ') return [bytes.readUInt16LE(26) & 0x3fff, bytes.readUInt16LE(28) & 0x3fff];
  return undefined;
}
