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

/** An empty workbook for a language (`de-DE`). */
export function blankXlsx(language: string): Uint8Array {
  const [name = '', ...regions] = language.split('-');
  const sheet = SHEET_NAMES[name.toLowerCase()] ?? 'Sheet1';
  const paper = regions.some((region) => LETTER.has(region.toUpperCase())) ? 1 : 9;
  const parts: Record<string, string> = {
    '[Content_Types].xml': `<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="${TYPES}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${TYPES}.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="${TYPES}.styles+xml"/></Types>`,
    '_rels/.rels': `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${OFFICE}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${OFFICE}/styles" Target="styles.xml"/></Relationships>`,
    'xl/workbook.xml': `<workbook xmlns="${SHEET}" xmlns:r="${OFFICE}"><bookViews><workbookView/></bookViews><sheets><sheet name="${sheet}" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    'xl/worksheets/sheet1.xml': `<worksheet xmlns="${SHEET}" xmlns:r="${OFFICE}"><sheetViews><sheetView tabSelected="1" workbookViewId="0"/></sheetViews><sheetFormatPr defaultRowHeight="15"/><sheetData/><pageMargins left="0.7" right="0.7" top="0.75" bottom="0.75" header="0.3" footer="0.3"/><pageSetup paperSize="${paper}"/></worksheet>`,
    'xl/styles.xml': emptyStylesXml(SHEET),
  };
  const files = Object.entries(parts).map(([part, xml]) => {
    const text = xml.startsWith('<?xml') ? xml : DECLARATION + xml;
    return [part, strToU8(text)] as const;
  });
  return zipSync(Object.fromEntries(files), { mtime: new Date(2020, 0, 1) });
}
