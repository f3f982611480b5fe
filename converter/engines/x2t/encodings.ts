/** Windows code pages in the order in which editors and x2t number encodings; UTF-8 is 46. */
const codePages = [
  28596, 720, 1256, 28594, 28603, 775, 1257, 28604, 28595, 20866, 21866, 10007, 855, 866, 1251, 852, 1250,
  950, 936, 28592, 28597, 737, 869, 1253, 28598, 862, 1255, 932, 949, 51949, 861, 865, 874, 28593, 28599, 857,
  1254, 28591, 28605, 850, 858, 860, 863, 437, 1252, 1258, 65001, 65000, 1200, 1201, 12000, 12001,
] as const;

/** The number of UTF-8 among the encodings. */
export const UTF8_ENCODING = 46;

/** The number of a code page among the encodings; undefined for one that x2t does not know. */
export function encodingOf(codePage: number): number | undefined {
  const at = (codePages as readonly number[]).indexOf(codePage);
  return at < 0 ? undefined : at;
}

/** The code page of an encoding; undefined when there is none of this number. */
export const codePageOf = (encoding: number): number | undefined => codePages[encoding];
