/** Extensions that mean a format which usually has another one. */
const usual: ReadonlyMap<string, string> = new Map([
  ['jpeg', 'jpg'],
  ['jpe', 'jpg'],
  ['jfif', 'jpg'],
  ['tif', 'tiff'],
  ['dib', 'bmp'],
  ['htm', 'html'],
  ['xhtml', 'html'],
  ['mhtml', 'mht'],
  ['markdown', 'md'],
  ['text', 'txt'],
]);

/** The other extensions of the format that has this one usually. */
export const otherExtensionsOf = (type: string): readonly string[] =>
  [...usual].flatMap(([extension, meant]) => (meant === type ? [extension] : []));

/** The type of a file, there or wanted: the usual extension of the format that is meant by this one, in lower case. */
export const usualType = (extension: string): string => usual.get(extension) ?? extension;
