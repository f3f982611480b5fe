/** Picture formats that Word shows, by how their files begin. */
const SIGNATURES: readonly (readonly [RegExp, string])[] = [
  [/^\x89PNG\r\n\x1a\n/, 'image/png'],
  [/^\xff\xd8\xff/, 'image/jpeg'],
  [/^GIF8[79]a/, 'image/gif'],
  [/^BM/, 'image/bmp'],
  [/^(?:II\*\0|MM\0\*)/, 'image/tiff'],
];

/** The content type of a picture, or undefined when it is none that Word shows. */
export function pictureType(bytes: Uint8Array): string | undefined {
  const start = Buffer.from(bytes.subarray(0, 8)).toString('latin1');
  return SIGNATURES.find(([pattern]) => pattern.test(start))?.[1];
}
