import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';

const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const SHEET = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const TYPES = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
const DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';

/** A small xlsx made here: one sheet, whose rows begin at A1; what begins with `=` is a formula. Stored, it is not compressed. */
export function buildXlsx(
  rows: readonly (readonly (string | number)[])[],
  { stored = false } = {},
): Uint8Array {
  const parts: Record<string, string> = {
    '[Content_Types].xml': `<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="${TYPES}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${TYPES}.worksheet+xml"/></Types>`,
    '_rels/.rels': `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    'xl/workbook.xml': `<workbook xmlns="${SHEET}" xmlns:r="${OFFICE}"><sheets><sheet name="Sheet1" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${OFFICE}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
    'xl/worksheets/sheet1.xml': `<worksheet xmlns="${SHEET}"><sheetData>${rows.map(rowXml).join('')}</sheetData></worksheet>`,
  };
  return zipSync(
    Object.fromEntries(Object.entries(parts).map(([name, xml]) => [name, strToU8(DECLARATION + xml)])),
    { mtime: new Date(2024, 0, 1), ...(stored && { level: 0 as const }) },
  );
}

function rowXml(cells: readonly (string | number)[], row: number): string {
  const xml = cells.map((cell, column) => cellXml(`${String.fromCharCode(65 + column)}${row + 1}`, cell));
  return `<row r="${row + 1}">${xml.join('')}</row>`;
}

function cellXml(reference: string, cell: string | number): string {
  if (typeof cell === 'number') return `<c r="${reference}"><v>${cell}</v></c>`;
  const text = cell.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  if (text.startsWith('=')) return `<c r="${reference}"><f>${text.slice(1)}</f></c>`;
  return `<c r="${reference}" t="inlineStr"><is><t>${text}</t></is></c>`;
}

/** A workbook with a row behind the last one that a sheet can have here. */
export function overlongXlsx(): Uint8Array {
  const parts = unzipSync(buildXlsx([['Item'], ['far']]));
  const sheet = 'xl/worksheets/sheet1.xml';
  const far = strFromU8(parts[sheet]!).replace('<row r="2"><c r="A2"', '<row r="1048577"><c r="A1048577"');
  return zipSync({ ...parts, [sheet]: strToU8(far) }, { mtime: new Date(2024, 0, 1) });
}
