import { decodeText, encodeText } from './text-encoding.ts';

const mark = Buffer.from('\uFEFF');
const lineEnd = /\r\n|\r|\n/g;

/**
 * Plain text in a code page, with the line ends, the byte order mark and the end of the last line as the source has them
 * that it was made of.
 */
export function likeSourceText(text: Uint8Array, source: Uint8Array, codePage: number): Uint8Array {
  const from = decodeText(source, codePage);
  const end = from.match(lineEnd)?.[0] ?? '\n';
  const lines = decodeText(text, codePage).replace(/[\r\n]+$/, '');
  const written = encodeText(lines.replace(lineEnd, end) + (/[\r\n]$/.test(from) ? end : ''), codePage);
  return mark.equals(source.subarray(0, mark.length)) ? Buffer.concat([mark, written]) : written;
}
