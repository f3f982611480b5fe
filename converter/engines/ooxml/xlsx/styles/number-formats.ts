/** Number formats that files name by a number alone (18.8.30), as programs show them in English (United States). */
const BUILT_IN: Readonly<Record<number, string>> = {
  1: '0',
  2: '0.00',
  3: '#,##0',
  4: '#,##0.00',
  5: '"$"#,##0_);\\("$"#,##0\\)',
  6: '"$"#,##0_);[Red]\\("$"#,##0\\)',
  7: '"$"#,##0.00_);\\("$"#,##0.00\\)',
  8: '"$"#,##0.00_);[Red]\\("$"#,##0.00\\)',
  9: '0%',
  10: '0.00%',
  11: '0.00E+00',
  12: '# ?/?',
  13: '# ??/??',
  14: 'm/d/yyyy',
  15: 'd-mmm-yy',
  16: 'd-mmm',
  17: 'mmm-yy',
  18: 'h:mm AM/PM',
  19: 'h:mm:ss AM/PM',
  20: 'h:mm',
  21: 'h:mm:ss',
  22: 'm/d/yyyy h:mm',
  37: '#,##0_);\\(#,##0\\)',
  38: '#,##0_);[Red]\\(#,##0\\)',
  39: '#,##0.00_);\\(#,##0.00\\)',
  40: '#,##0.00_);[Red]\\(#,##0.00\\)',
  41: '_(* #,##0_);_(* \\(#,##0\\);_(* "-"_);_(@_)',
  42: '_("$"* #,##0_);_("$"* \\(#,##0\\);_("$"* "-"_);_(@_)',
  43: '_(* #,##0.00_);_(* \\(#,##0.00\\);_(* "-"??_);_(@_)',
  44: '_("$"* #,##0.00_);_("$"* \\(#,##0.00\\);_("$"* "-"??_);_(@_)',
  45: 'mm:ss',
  46: '[h]:mm:ss',
  47: 'mm:ss.0',
  48: '##0.0E+0',
  49: '@',
};

/** Those that are dates in East Asian languages only. */
const EAST_ASIAN_DATES = new Set([27, 28, 29, 30, 31, 36, 50, 51, 52, 53, 54, 57, 58]);
const EAST_ASIAN_TIMES = new Set([32, 33, 34, 35, 55, 56]);

/** The first number that a format of a file's own has. */
export const FIRST_OWN_FORMAT = 164;

/** Undefined for General and for numbers that mean nothing. */
export function builtInFormat(id: number): string | undefined {
  if (EAST_ASIAN_DATES.has(id)) return BUILT_IN[14];
  if (EAST_ASIAN_TIMES.has(id)) return BUILT_IN[21];
  return BUILT_IN[id];
}

const BY_CODE = new Map(Object.entries(BUILT_IN).map(([id, code]) => [code, Number(id)]));

/** The number of a format that has one. */
export const builtInNumber = (code: string): number | undefined =>
  code === 'General' ? 0 : BY_CODE.get(code);
