import { strToU8, type Zippable, zipSync } from 'fflate';
import { escapeXml } from './docx-blocks.ts';
import { type LookName, lookNumber, stylesXml } from './sheet-looks.ts';

/** A cell: a text or number, what calculates it, and how it looks. */
export interface SheetCell {
  value: string | number;
  /** Without the sign of equality. */
  formula?: string;
  look: LookName;
}

/** A table over cells of the sheet, whose first row has the names of its columns. */
interface SheetTable {
  name: string;
  range: string;
  columns: readonly string[];
}

/** A workbook of one sheet to be written. */
export interface XlsxContent {
  title: string;
  sheet: string;
  /** Rows from the first; null is an empty cell. */
  rows: readonly (readonly (SheetCell | null)[])[];
  /** Widths of the columns in characters. */
  widths: readonly number[];
  /** So many rows stay in sight. */
  frozenRows?: number;
  /** XML of the worksheet between its data and its margins: merged cells, rules, validation. */
  rules?: string;
  table?: SheetTable;
  /** A drawing and the chart in it. */
  chart?: { drawing: string; chart: string };
}

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const sheet = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const packaging = 'http://schemas.openxmlformats.org/package/2006';
const types = 'application/vnd.openxmlformats-officedocument';
const namespaces = `xmlns="${sheet}" xmlns:r="${office}"`;

/** An xlsx on A4 paper, the same bytes for the same content. */
export function xlsxPackage(content: XlsxContent): Uint8Array {
  const { title, table, chart } = content;
  const ofSheet = [
    table && relationship('rId1', 'table', '../tables/table1.xml'),
    chart && relationship('rId2', 'drawing', '../drawings/drawing1.xml'),
  ].filter((one) => one !== undefined);
  const parts: Record<string, string> = {
    '[Content_Types].xml': contentTypes(content),
    '_rels/.rels': relationships([
      relationship('rId1', 'officeDocument', 'xl/workbook.xml'),
      `<Relationship Id="rId2" Type="${packaging}/relationships/metadata/core-properties" Target="docProps/core.xml"/>`,
    ]),
    'docProps/core.xml':
      `<cp:coreProperties xmlns:cp="${packaging}/metadata/core-properties" ` +
      `xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>${escapeXml(title)}</dc:title></cp:coreProperties>`,
    'xl/workbook.xml': `<workbook ${namespaces}><bookViews><workbookView/></bookViews><sheets><sheet name="${escapeXml(content.sheet)}" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relationships([
      relationship('rId1', 'worksheet', 'worksheets/sheet1.xml'),
      relationship('rId2', 'styles', 'styles.xml'),
    ]),
    'xl/styles.xml': `<styleSheet xmlns="${sheet}">${stylesXml()}</styleSheet>`,
    'xl/worksheets/sheet1.xml': `<worksheet ${namespaces}>${worksheetXml(content)}</worksheet>`,
    ...(ofSheet.length > 0 && { 'xl/worksheets/_rels/sheet1.xml.rels': relationships(ofSheet) }),
    ...(table && { 'xl/tables/table1.xml': tableXml(table) }),
    ...(chart && {
      'xl/drawings/drawing1.xml': chart.drawing,
      'xl/drawings/_rels/drawing1.xml.rels': relationships([
        relationship('rId1', 'chart', '../charts/chart1.xml'),
      ]),
      'xl/charts/chart1.xml': chart.chart,
    }),
  };
  const files: Zippable = {};
  for (const [name, xml] of Object.entries(parts)) files[name] = strToU8(declaration + xml);
  return zipSync(files, { level: 6, mtime: new Date(2026, 0, 1) });
}

/** The name of a column by its place from 0; templates have less than 26. */
export const columnName = (column: number): string => String.fromCharCode(65 + column);

function worksheetXml({ rows, widths, frozenRows, rules = '', table, chart }: XlsxContent): string {
  const pane = frozenRows
    ? `<pane ySplit="${frozenRows}" topLeftCell="A${frozenRows + 1}" activePane="bottomLeft" state="frozen"/><selection pane="bottomLeft"/>`
    : '';
  const columns = widths
    .map((width, at) => `<col min="${at + 1}" max="${at + 1}" width="${width}" customWidth="1"/>`)
    .join('');
  const data = rows.map((cells, row) => {
    const xml = cells.map((cell, column) => (cell ? cellXml(cell, `${columnName(column)}${row + 1}`) : ''));
    const height = cells[0]?.look === 'title' ? ' ht="27" customHeight="1"' : '';
    return `<row r="${row + 1}"${height}>${xml.join('')}</row>`;
  });
  return [
    `<sheetViews><sheetView showGridLines="${rows.length === 0 ? 1 : 0}" tabSelected="1" workbookViewId="0">${pane}</sheetView></sheetViews>`,
    '<sheetFormatPr defaultRowHeight="15"/>',
    columns && `<cols>${columns}</cols>`,
    `<sheetData>${data.join('')}</sheetData>`,
    rules,
    '<pageMargins left="0.7" right="0.7" top="0.75" bottom="0.75" header="0.3" footer="0.3"/><pageSetup paperSize="9"/>',
    chart && '<drawing r:id="rId2"/>',
    table && '<tableParts count="1"><tablePart r:id="rId1"/></tableParts>',
  ]
    .filter(Boolean)
    .join('');
}

function cellXml({ value, formula, look }: SheetCell, place: string): string {
  const start = `<c r="${place}" s="${lookNumber(look)}"`;
  if (formula !== undefined) {
    const kind = typeof value === 'string' ? ' t="str"' : '';
    return `${start}${kind}><f>${escapeXml(formula)}</f><v>${escapeXml(String(value))}</v></c>`;
  }
  if (typeof value === 'number') return `${start}><v>${value}</v></c>`;
  if (value === '') return `${start}/>`;
  return `${start} t="inlineStr"><is><t xml:space="preserve">${escapeXml(value)}</t></is></c>`;
}

function tableXml({ name, range, columns }: SheetTable): string {
  const named = columns.map((column, at) => `<tableColumn id="${at + 1}" name="${escapeXml(column)}"/>`);
  return (
    `<table xmlns="${sheet}" id="1" name="${name}" displayName="${name}" ref="${range}" totalsRowShown="0">` +
    `<autoFilter ref="${range}"/><tableColumns count="${columns.length}">${named.join('')}</tableColumns>` +
    '<tableStyleInfo name="TableStyleMedium2" showFirstColumn="0" showLastColumn="0" showRowStripes="1" showColumnStripes="0"/></table>'
  );
}

const relationship = (id: string, type: string, target: string): string =>
  `<Relationship Id="${id}" Type="${office}/${type}" Target="${target}"/>`;

const relationships = (all: readonly string[]): string =>
  `<Relationships xmlns="${packaging}/relationships">${all.join('')}</Relationships>`;

function contentTypes({ table, chart }: XlsxContent): string {
  const parts: Record<string, string | false> = {
    'xl/workbook.xml': `${types}.spreadsheetml.sheet.main+xml`,
    'xl/worksheets/sheet1.xml': `${types}.spreadsheetml.worksheet+xml`,
    'xl/styles.xml': `${types}.spreadsheetml.styles+xml`,
    'docProps/core.xml': 'application/vnd.openxmlformats-package.core-properties+xml',
    'xl/tables/table1.xml': table !== undefined && `${types}.spreadsheetml.table+xml`,
    'xl/drawings/drawing1.xml': chart !== undefined && `${types}.drawing+xml`,
    'xl/charts/chart1.xml': chart !== undefined && `${types}.drawingml.chart+xml`,
  };
  const overrides = Object.entries(parts).map(
    ([part, type]) => type && `<Override PartName="/${part}" ContentType="${type}"/>`,
  );
  return (
    `<Types xmlns="${packaging}/content-types">` +
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
    `<Default Extension="xml" ContentType="application/xml"/>${overrides.filter(Boolean).join('')}</Types>`
  );
}
