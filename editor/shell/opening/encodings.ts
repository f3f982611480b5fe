/** An encoding that a browser can read: its number in the editors' list, its name, and the script it is for; null: any. */
export interface TextEncoding {
  readonly number: number;
  readonly label: string;
  readonly script: string | null;
}

const of = (number: number, label: string, script: string | null): TextEncoding => ({
  number,
  label,
  script,
});

/** Of a text that says so itself, or is none of any other. */
const unicode: readonly TextEncoding[] = [
  of(46, 'utf-8', null),
  of(48, 'utf-16le', null),
  of(49, 'utf-16be', null),
];

export const textEncodings: readonly TextEncoding[] = [
  ...unicode,
  of(44, 'windows-1252', 'Latn'),
  of(38, 'iso-8859-15', 'Latn'),
  of(16, 'windows-1250', 'Latn'),
  of(19, 'iso-8859-2', 'Latn'),
  of(6, 'windows-1257', 'Latn'),
  of(36, 'windows-1254', 'Latn'),
  of(45, 'windows-1258', 'Latn'),
  of(14, 'windows-1251', 'Cyrl'),
  of(9, 'koi8-r', 'Cyrl'),
  of(10, 'koi8-u', 'Cyrl'),
  of(13, 'ibm866', 'Cyrl'),
  of(8, 'iso-8859-5', 'Cyrl'),
  of(23, 'windows-1253', 'Grek'),
  of(20, 'iso-8859-7', 'Grek'),
  of(2, 'windows-1256', 'Arab'),
  of(0, 'iso-8859-6', 'Arab'),
  of(26, 'windows-1255', 'Hebr'),
  of(24, 'iso-8859-8', 'Hebr'),
  of(32, 'windows-874', 'Thai'),
  of(27, 'shift_jis', 'Jpan'),
  of(28, 'euc-kr', 'Kore'),
  of(18, 'gbk', 'Hans'),
  of(17, 'big5', 'Hant'),
];

const usual: Readonly<Record<string, string>> = {
  'windows-1250': 'bs cs hr hu pl ro sk sl sq',
  'windows-1251': 'be bg mk ru sr uk',
  'windows-1253': 'el',
  'windows-1254': 'az tr',
  'windows-1255': 'he',
  'windows-1256': 'ar fa ur',
  'windows-1257': 'et lt lv',
  'windows-1258': 'vi',
  'windows-874': 'th',
  shift_jis: 'ja',
  'euc-kr': 'ko',
  gbk: 'zh',
};

/** The encoding that old texts of a language are mostly in. */
export function usualEncoding(language: string): TextEncoding {
  const [name = ''] = language.toLowerCase().split('-');
  const label = Object.keys(usual).find((one) => usual[one]!.split(' ').includes(name));
  return (
    textEncodings.find((one) => one.label === label) ??
    textEncodings.find(({ label }) => label === 'windows-1252')!
  );
}

/** The encoding that a text shows, by its mark or because it is UTF-8; undefined where it shows none. */
export function shownEncoding(start: Uint8Array): TextEncoding | undefined {
  const [first, second] = start;
  if (first === 0xff && second === 0xfe) return unicode[1];
  if (first === 0xfe && second === 0xff) return unicode[2];
  try {
    // The last letter may be cut.
    new TextDecoder('utf-8', { fatal: true }).decode(start, { stream: true });
    return unicode[0];
  } catch {
    return undefined;
  }
}
