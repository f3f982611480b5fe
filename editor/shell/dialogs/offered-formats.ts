import type { StringKey } from '../../strings/strings.ts';

/** Formats that people ask for, in the order in which they are offered, with what they are called. */
const names: readonly (readonly [type: string, name: StringKey])[] = [
  ['docx', 'formats.docx'],
  ['xlsx', 'formats.xlsx'],
  ['pdf', 'formats.pdf'],
  ['odt', 'formats.odt'],
  ['ods', 'formats.ods'],
  ['rtf', 'formats.rtf'],
  ['doc', 'formats.doc'],
  ['xls', 'formats.xls'],
  ['csv', 'formats.csv'],
  ['tsv', 'formats.tsv'],
  ['txt', 'formats.txt'],
  ['html', 'formats.html'],
  ['epub', 'formats.epub'],
  ['md', 'formats.md'],
  ['dotx', 'formats.dotx'],
  ['xltx', 'formats.xltx'],
  ['ott', 'formats.ott'],
  ['ots', 'formats.ott'],
];

/** What a document can be downloaded as, its own format first. @param formats those that the server can make of it */
export function offeredFormats(
  own: string,
  formats: readonly string[],
): (readonly [type: string, name: StringKey | null])[] {
  const known = names.filter(([type]) => formats.includes(type));
  const first = known.find(([type]) => type === own) ?? ([own, null] as const);
  return [first, ...known.filter(([type]) => type !== own)];
}
