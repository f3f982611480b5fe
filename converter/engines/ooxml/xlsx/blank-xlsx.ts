import { strToU8, zipSync } from 'fflate';
import { emptyStylesXml } from './styles/style-writer.ts';

const SHEET = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const TYPES = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
const DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';

/** What the first sheet is called, by language. */
const SHEET_NAMES: Readonly<Record<string, string>> = {
  de: 'Tabelle1',
  es: 'Hoja1',
  fr: 'Feuil1',
  it: 'Foglio1',
  nl: 'Blad1',
  pl: 'Arkusz1',
  pt: 'Planilha1',
  sv: 'Blad1',
};
/** Countries that print on Letter. */
const LETTER = new Set(['US', 'CA', 'MX', 'PH', 'CL', 'CO', 'VE']);

const DRAWING = 'http://schemas.openxmlformats.org/drawingml/2006/main';
/** Colours of a theme by their names in it, and its fonts. */
const COLORS = {
  ...{ dk1: '000000', lt1: 'FFFFFF', dk2: '44546A', lt2: 'E7E6E6', accent1: '4472C4', accent2: 'ED7D31' },
  ...{ accent3: 'A5A5A5', accent4: 'FFC000', accent5: '5B9BD5', accent6: '70AD47' },
  ...{ hlink: '0563C1', folHlink: '954F72' },
};
const FONTS = { major: 'Calibri Light', minor: 'Calibri' };

/** An empty workbook for a language (`de-DE`). */
export function blankXlsx(language: string): Uint8Array {
  const [name = '', ...regions] = language.split('-');
  const sheet = SHEET_NAMES[name.toLowerCase()] ?? 'Sheet1';
  const paper = regions.some((region) => LETTER.has(region.toUpperCase())) ? 1 : 9;
  const parts: Record<string, string> = {
    '[Content_Types].xml': `<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="${TYPES}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${TYPES}.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="${TYPES}.styles+xml"/><Override PartName="/xl/theme/theme1.xml" ContentType="application/vnd.openxmlformats-officedocument.theme+xml"/></Types>`,
    '_rels/.rels': `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${OFFICE}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${OFFICE}/styles" Target="styles.xml"/><Relationship Id="rId3" Type="${OFFICE}/theme" Target="theme/theme1.xml"/></Relationships>`,
    'xl/workbook.xml': `<workbook xmlns="${SHEET}" xmlns:r="${OFFICE}"><bookViews><workbookView/></bookViews><sheets><sheet name="${sheet}" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    'xl/worksheets/sheet1.xml': `<worksheet xmlns="${SHEET}" xmlns:r="${OFFICE}"><sheetViews><sheetView tabSelected="1" workbookViewId="0"/></sheetViews><sheetFormatPr defaultRowHeight="15"/><sheetData/><pageMargins left="0.7" right="0.7" top="0.75" bottom="0.75" header="0.3" footer="0.3"/><pageSetup paperSize="${paper}"/></worksheet>`,
    'xl/styles.xml': emptyStylesXml(SHEET),
    'xl/theme/theme1.xml': themeXml(),
  };
  const files = Object.entries(parts).map(([part, xml]) => {
    const text = xml.startsWith('<?xml') ? xml : DECLARATION + xml;
    return [part, strToU8(text)] as const;
  });
  return zipSync(Object.fromEntries(files), { mtime: new Date(2020, 0, 1) });
}

/** A theme with colours and fonts; of the looks of shapes, which it has to have, it says the plainest. */
function themeXml(): string {
  const colors = Object.entries(COLORS).map(
    ([name, rgb]) => `<a:${name}><a:srgbClr val="${rgb}"/></a:${name}>`,
  );
  const fonts = Object.entries(FONTS).map(
    ([kind, font]) =>
      `<a:${kind}Font><a:latin typeface="${font}"/><a:ea typeface=""/><a:cs typeface=""/></a:${kind}Font>`,
  );
  const three = (name: string, xml: string) => `<a:${name}>${xml.repeat(3)}</a:${name}>`;
  const fill = '<a:solidFill><a:schemeClr val="phClr"/></a:solidFill>';
  const looks = [
    three('fillStyleLst', fill),
    three('lnStyleLst', `<a:ln w="6350">${fill}</a:ln>`),
    three('effectStyleLst', '<a:effectStyle><a:effectLst/></a:effectStyle>'),
    three('bgFillStyleLst', fill),
  ];
  const schemes = [
    `<a:clrScheme name="Quire">${colors.join('')}</a:clrScheme>`,
    `<a:fontScheme name="Quire">${fonts.join('')}</a:fontScheme>`,
    `<a:fmtScheme name="Quire">${looks.join('')}</a:fmtScheme>`,
  ];
  return `<a:theme xmlns:a="${DRAWING}" name="Quire"><a:themeElements>${schemes.join('')}</a:themeElements></a:theme>`;
}
