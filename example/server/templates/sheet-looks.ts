import { escapeXml } from './docx-blocks.ts';

/** Looks of cells, in the order of the cell formats in the styles part. */
const looks = {
  plain: {},
  title: { font: 'title' },
  note: { font: 'note' },
  header: { font: 'header', fill: 'header', border: 'thin' },
  headerEnd: { font: 'header', fill: 'header', border: 'thin', align: 'right' },
  headerCentre: { font: 'header', fill: 'header', border: 'thin', align: 'center' },
  text: { border: 'thin' },
  centre: { border: 'thin', align: 'center' },
  number: { border: 'thin', format: 'number' },
  percent: { border: 'thin', format: 'percent' },
  day: { border: 'thin', format: 'day', align: 'left' },
  time: { border: 'thin', format: 'time', align: 'center' },
  hours: { border: 'thin', format: 'hours' },
  total: { font: 'bold', fill: 'band', border: 'total' },
  totalNumber: { font: 'bold', fill: 'band', border: 'total', format: 'number' },
  totalHours: { font: 'bold', fill: 'band', border: 'total', format: 'hours' },
  totalPercent: { font: 'bold', fill: 'band', border: 'total', format: 'percent' },
} as const satisfies Record<string, Look>;

interface Look {
  font?: keyof typeof fonts;
  fill?: keyof typeof fills;
  border?: keyof typeof borders;
  format?: keyof typeof formats;
  align?: 'left' | 'center' | 'right';
}

export type LookName = keyof typeof looks;

const ink = '1F3A5F';
const name = '<name val="Calibri"/><family val="2"/>';
const fonts = {
  plain: `<font><sz val="11"/>${name}</font>`,
  title: `<font><b/><sz val="18"/><color rgb="FF${ink}"/>${name}</font>`,
  note: `<font><i/><sz val="11"/><color rgb="FF5B6B82"/>${name}</font>`,
  header: `<font><b/><sz val="11"/><color rgb="FFFFFFFF"/>${name}</font>`,
  bold: `<font><b/><sz val="11"/>${name}</font>`,
};

const solid = (colour: string) =>
  `<fill><patternFill patternType="solid"><fgColor rgb="FF${colour}"/><bgColor indexed="64"/></patternFill></fill>`;
const fills = {
  none: '<fill><patternFill patternType="none"/></fill>',
  // The second one is always this.
  grey: '<fill><patternFill patternType="gray125"/></fill>',
  header: solid(ink),
  band: solid('F3F6FB'),
};

const line = (side: string, style: string, colour: string) =>
  `<${side} style="${style}"><color rgb="FF${colour}"/></${side}>`;
const borderOf = (top: string) =>
  `<border>${line('left', 'thin', 'C9D3E3')}${line('right', 'thin', 'C9D3E3')}${top}${line('bottom', 'thin', 'C9D3E3')}<diagonal/></border>`;
const borders = {
  none: '<border><left/><right/><top/><bottom/><diagonal/></border>',
  thin: borderOf(line('top', 'thin', 'C9D3E3')),
  total: borderOf(line('top', 'medium', ink)),
};

/** Numbers of formats; those from 164 on are defined in the part. */
const formats = { number: 3, percent: 9, day: 164, time: 20, hours: 165 };
const ownFormats = [
  [164, 'ddd d mmm'],
  [165, '0.0'],
] as const;

const conditional = (colour: string, fill: string) =>
  `<dxf><font><color rgb="FF${colour}"/></font><fill><patternFill><bgColor rgb="FF${fill}"/></patternFill></fill></dxf>`;
/** Looks that rules give, by their number. */
export const ruleLooks = { bad: 0, good: 1 } as const;

/** The number of a look among the cell formats. */
export const lookNumber = (look: LookName): number => Object.keys(looks).indexOf(look);

/** What is in the styles part. */
export function stylesXml(): string {
  const group = (tag: string, entries: readonly string[]) =>
    `<${tag} count="${entries.length}">${entries.join('')}</${tag}>`;
  const at = (table: object, key: string | undefined) =>
    key === undefined ? 0 : Object.keys(table).indexOf(key);
  const cellFormats = Object.values<Look>(looks).map(({ font, fill, border, format, align }) => {
    const number = format === undefined ? 0 : formats[format];
    const start = `<xf numFmtId="${number}" fontId="${at(fonts, font)}" fillId="${at(fills, fill)}" borderId="${at(borders, border)}" xfId="0" applyNumberFormat="1" applyFont="1" applyFill="1" applyBorder="1"`;
    return align === undefined
      ? `${start}/>`
      : `${start} applyAlignment="1"><alignment horizontal="${align}"/></xf>`;
  });
  return [
    group(
      'numFmts',
      ownFormats.map(([id, code]) => `<numFmt numFmtId="${id}" formatCode="${escapeXml(code)}"/>`),
    ),
    group('fonts', Object.values(fonts)),
    group('fills', Object.values(fills)),
    group('borders', Object.values(borders)),
    group('cellStyleXfs', ['<xf numFmtId="0" fontId="0" fillId="0" borderId="0"/>']),
    group('cellXfs', cellFormats),
    group('cellStyles', ['<cellStyle name="Normal" xfId="0" builtinId="0"/>']),
    group('dxfs', [conditional('9C0006', 'FFC7CE'), conditional('006100', 'C6EFCE')]),
    '<tableStyles count="0" defaultTableStyle="TableStyleMedium2" defaultPivotStyle="PivotStyleLight16"/>',
  ].join('');
}
