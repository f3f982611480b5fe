/** One record of a metafile ([MS-WMF] 2.3): its function and its words. */
const record = (code: number, ...words: readonly number[]): number[] => {
  const count = words.length + 3;
  return [count & 0xffff, count >>> 16, code, ...words];
};

/** The words of a text in Latin-1, which is filled up with zeros. */
function wordsOf(text: string, bytes = text.length + (text.length % 2)): number[] {
  const buffer = Buffer.alloc(bytes);
  buffer.write(text, 'latin1');
  return Array.from({ length: bytes / 2 }, (_, at) => buffer.readUInt16LE(at * 2));
}

const FONT_BYTES = 32;
const SYMBOL_CHARSET = 2;

/** A placeable metafile of Windows, 100 by 50: a rectangle, and a text in a font, by the codes that its characters have there. */
export function buildWmf({ text = 'A', font = 'Arial', isSymbol = false } = {}): Uint8Array {
  const records = [
    ...record(0x020b, 0, 0),
    ...record(0x020c, 50, 100),
    ...record(0x041b, 45, 95, 5, 5),
    ...record(
      0x02fb,
      ...[20, 0, 0, 0, 400, 0, isSymbol ? SYMBOL_CHARSET << 8 : 0, 0, 0],
      ...wordsOf(font, FONT_BYTES),
    ),
    ...record(0x012d, 0),
    ...record(0x0521, text.length, ...wordsOf(text), 10, 10),
    ...record(0),
  ];
  const placing = [0xcdd7, 0x9ac6, 0, 0, 0, 100, 50, 96, 0, 0];
  const checksum = placing.reduce((sum, word) => sum ^ word, 0);
  const size = records.length + 9;
  const words = [
    ...[...placing, checksum],
    ...[1, 9, 0x0300, size & 0xffff, size >>> 16, 1, 40, 0, 0],
    ...records,
  ];
  const bytes = Buffer.alloc(words.length * 2);
  for (const [at, word] of words.entries()) bytes.writeUInt16LE(word, at * 2);
  return bytes;
}
