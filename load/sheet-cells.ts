import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import { cellAddress } from '../model/cell-address.ts';

const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };
const plain = (xml: string): string => xml.replace(/&(lt|gt|amp|quot|apos);/g, (_, name) => entities[name]!);

const sheetPart = 'xl/worksheets/sheet1.xml';
const stringsPart = 'xl/sharedStrings.xml';

/** The texts and numbers in the cells of the first sheet of an xlsx, by their names. Throws when the bytes are no xlsx. */
export function cellsOf(xlsx: Uint8Array): Map<string, string> {
  const parts = unzipSync(xlsx, { filter: ({ name }) => name === sheetPart || name === stringsPart });
  const sheet = parts[sheetPart];
  if (!sheet) throw new Error(`The file has no ${sheetPart}`);
  const textsIn = (xml: string) =>
    plain([...xml.matchAll(/<t(?: [^>]*)?>([^<]*)<\/t>/g)].map(([, text]) => text).join(''));
  const shared = parts[stringsPart]
    ? [...strFromU8(parts[stringsPart]).matchAll(/<si(?: [^>]*)?>(.*?)<\/si>/gs)].map(([, xml = '']) =>
        textsIn(xml),
      )
    : [];
  const cells = new Map<string, string>();
  for (const [, attributes = '', inner = ''] of strFromU8(sheet).matchAll(
    /<c ([^>]*?)(?:\/>|>(.*?)<\/c>)/gs,
  )) {
    const name = /\br="([A-Z]+\d+)"/.exec(attributes)?.[1];
    const type = /\bt="(\w+)"/.exec(attributes)?.[1];
    const value = /<v>([^<]*)<\/v>/.exec(inner)?.[1];
    const text =
      type === 'inlineStr'
        ? textsIn(inner)
        : type === 's'
          ? shared[Number(value)]
          : value === undefined
            ? undefined
            : plain(value);
    if (name !== undefined && text !== undefined) cells.set(name, text);
  }
  return cells;
}

const lines = 40;
/** The first row that the source leaves empty, from 0. */
export const firstFreeRow = lines + 2;

/** What the workbook that people work in has in its cells: a list of numbers with a name each, and what it is of. */
export function sourceCells(edition: number): Map<string, string> {
  const cells = new Map([[cellAddress(0, 0), `Edition ${edition}`]]);
  for (let line = 1; line <= lines; line += 1) {
    cells.set(cellAddress(line, 0), `Item ${line}`);
    cells.set(cellAddress(line, 1), String(line * 17));
  }
  return cells;
}

const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const packages = 'http://schemas.openxmlformats.org/package/2006';
const types = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';

/** An xlsx of one sheet. `edition` makes it another workbook. The same bytes each time. */
export function sourceXlsx(edition: number): Uint8Array {
  const cells = sourceCells(edition);
  const rows = Array.from({ length: lines + 1 }, (_, row) => {
    const xml = [0, 1].map((column) => {
      const name = cellAddress(row, column);
      const text = cells.get(name);
      if (text === undefined) return '';
      return column === 1
        ? `<c r="${name}"><v>${text}</v></c>`
        : `<c r="${name}" t="inlineStr"><is><t>${text}</t></is></c>`;
    });
    return `<row r="${row + 1}">${xml.join('')}</row>`;
  });
  const files = {
    '[Content_Types].xml': `<Types xmlns="${packages}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${types}.sheet.main+xml"/><Override PartName="/${sheetPart}" ContentType="${types}.worksheet+xml"/></Types>`,
    '_rels/.rels': `<Relationships xmlns="${packages}/relationships"><Relationship Id="rId1" Type="${office}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    'xl/workbook.xml': `<workbook xmlns="${main}" xmlns:r="${office}"><sheets><sheet name="Sheet1" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${packages}/relationships"><Relationship Id="rId1" Type="${office}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
    [sheetPart]: `<worksheet xmlns="${main}"><sheetData>${rows.join('')}</sheetData></worksheet>`,
  };
  const parts = Object.fromEntries(
    Object.entries(files).map(([name, xml]) => [name, strToU8(declaration + xml)]),
  );
  return zipSync(parts, { level: 6, mtime: new Date(2024, 0, 1) });
}
