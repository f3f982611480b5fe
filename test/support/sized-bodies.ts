import { createHash, randomBytes } from 'node:crypto';
import { buildDocx, PIXEL_PNG } from './docx-fixture.ts';

/** Bytes that no compression makes fewer; the same ones in every body. */
let noise = Buffer.alloc(0);
function noiseOf(sizeBytes: number): Buffer {
  if (noise.length < sizeBytes) noise = randomBytes(sizeBytes);
  return noise.subarray(0, sizeBytes);
}

const paddedDocx = (padding: Uint8Array): Buffer =>
  Buffer.from(
    buildDocx({
      paragraphs: ['First', 'Second'],
      stored: true,
      parts: { 'word/media/padding.bin': padding },
      contentTypes: { bin: 'application/octet-stream' },
    }),
  );

/** A docx of so many bytes; where that is too few for one, bytes that are none. */
export function docxOf(sizeBytes: number): Buffer {
  const least = paddedDocx(new Uint8Array()).length;
  return sizeBytes < least ? noiseOf(sizeBytes) : paddedDocx(noiseOf(sizeBytes - least));
}

/** A picture of so many bytes; where that is too few for one, bytes that are none. */
export function pngOf(sizeBytes: number): Buffer {
  if (sizeBytes < PIXEL_PNG.length) return Buffer.alloc(sizeBytes);
  return Buffer.concat([PIXEL_PNG, noiseOf(sizeBytes - PIXEL_PNG.length)]);
}

/** JSON of so many bytes; where that is too few for it, white space. */
export function jsonOf(value: object, sizeBytes: number): Buffer {
  const text = JSON.stringify(value);
  return Buffer.from((sizeBytes < text.length ? '' : text).padEnd(sizeBytes));
}

export const sha256Of = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
