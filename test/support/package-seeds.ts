import { strToU8, zipSync } from 'fflate';
import { seedWords } from './office-seeds.ts';

const { first, last, cell } = seedWords;
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const packages = 'http://schemas.openxmlformats.org/package/2006';

const relationships = (entries: readonly (readonly [id: string, type: string, target: string])[]) =>
  strToU8(
    `<?xml version="1.0" encoding="UTF-8"?><Relationships xmlns="${packages}/relationships">${entries
      .map(([id, type, target]) => `<Relationship Id="${id}" Type="${type}" Target="${target}"/>`)
      .join('')}</Relationships>`,
  );

const contentTypes = (defaults: Readonly<Record<string, string>>, parts: Readonly<Record<string, string>>) =>
  strToU8(
    `<?xml version="1.0" encoding="UTF-8"?><Types xmlns="${packages}/content-types">${[
      ...Object.entries(defaults).map(
        ([name, type]) => `<Default Extension="${name}" ContentType="${type}"/>`,
      ),
      ...Object.entries(parts).map(([name, type]) => `<Override PartName="/${name}" ContentType="${type}"/>`),
    ].join('')}</Types>`,
  );

const relationshipType = 'application/vnd.openxmlformats-package.relationships+xml';

/** A workbook of binary records ([MS-XLSB] 2.4) with one sheet. */
export function xlsbSeed(): Uint8Array {
  const cells = [
    row(0, [stringCell(0, first), numberCell(1, 42), numberCell(2, 84)]),
    row(1, [stringCell(0, cell), stringCell(1, last)]),
  ];
  return zipSync({
    '[Content_Types].xml': contentTypes(
      { rels: relationshipType },
      {
        'xl/workbook.bin': 'application/vnd.ms-excel.sheet.binary.macroEnabled.main',
        'xl/worksheets/sheet1.bin': 'application/vnd.ms-excel.worksheet',
      },
    ),
    '_rels/.rels': relationships([['rId1', `${office}/officeDocument`, 'xl/workbook.bin']]),
    'xl/_rels/workbook.bin.rels': relationships([['rId1', `${office}/worksheet`, 'worksheets/sheet1.bin']]),
    'xl/workbook.bin': Buffer.concat([
      record(131),
      record(143),
      record(156, Buffer.concat([numbers(0, 1), wide('rId1'), wide('First')])),
      record(144),
      record(132),
    ]),
    'xl/worksheets/sheet1.bin': Buffer.concat([record(129), record(145), ...cells, record(146), record(130)]),
  });
}

/** Two pages of a drawing (Visio 2013), each with a text. */
export function vsdxSeed(): Uint8Array {
  const visio = 'http://schemas.microsoft.com/visio/2010/relationships';
  const main = 'http://schemas.microsoft.com/office/visio/2012/main';
  const cells = (values: Readonly<Record<string, number>>) =>
    Object.entries(values)
      .map(([name, value]) => `<Cell N="${name}" V="${value}"/>`)
      .join('');
  const page = (text: string) =>
    strToU8(`<?xml version="1.0" encoding="UTF-8"?><PageContents xmlns="${main}" xmlns:r="${office}"><Shapes>
      <Shape ID="1" Type="Shape">${cells({ PinX: 3, PinY: 8, Width: 4, Height: 1, LocPinX: 2, LocPinY: 0.5 })}
      <Section N="Geometry" IX="0"><Row T="MoveTo" IX="1">${cells({ X: 0, Y: 0 })}</Row>
      <Row T="LineTo" IX="2">${cells({ X: 4, Y: 0 })}</Row><Row T="LineTo" IX="3">${cells({ X: 4, Y: 1 })}</Row>
      <Row T="LineTo" IX="4">${cells({ X: 0, Y: 0 })}</Row></Section><Text>${text}</Text></Shape></Shapes>
      </PageContents>`);
  const sheet = `<PageSheet>${cells({ PageWidth: 8.5, PageHeight: 11 })}</PageSheet>`;
  const type = 'application/vnd.ms-visio';
  return zipSync({
    '[Content_Types].xml': contentTypes(
      { rels: relationshipType, xml: 'application/xml' },
      {
        'visio/document.xml': `${type}.drawing.main+xml`,
        'visio/pages/pages.xml': `${type}.pages+xml`,
        'visio/pages/page1.xml': `${type}.page+xml`,
        'visio/pages/page2.xml': `${type}.page+xml`,
      },
    ),
    '_rels/.rels': relationships([['rId1', `${visio}/document`, 'visio/document.xml']]),
    'visio/document.xml': strToU8(`<?xml version="1.0"?><VisioDocument xmlns="${main}"/>`),
    'visio/_rels/document.xml.rels': relationships([['rId1', `${visio}/pages`, 'pages/pages.xml']]),
    'visio/pages/pages.xml': strToU8(`<?xml version="1.0"?><Pages xmlns="${main}" xmlns:r="${office}">
      <Page ID="0" Name="One">${sheet}<Rel r:id="rId1"/></Page><Page ID="1" Name="Two">${sheet}<Rel r:id="rId2"/></Page>
      </Pages>`),
    'visio/pages/_rels/pages.xml.rels': relationships([
      ['rId1', `${visio}/page`, 'page1.xml'],
      ['rId2', `${visio}/page`, 'page2.xml'],
    ]),
    'visio/pages/page1.xml': page(`${first} crossing`),
    'visio/pages/page2.xml': page(last),
  });
}

/** Numbers of types and lengths are written seven bits at a time ([MS-XLSB] 2.1.4). */
function record(type: number, data: Uint8Array = new Uint8Array()): Buffer {
  const head = type < 128 ? [type] : [(type & 0x7f) | 0x80, type >> 7];
  const length: number[] = [];
  let left = data.length;
  do {
    length.push(left > 0x7f ? (left & 0x7f) | 0x80 : left);
    left >>= 7;
  } while (left > 0);
  return Buffer.concat([Buffer.from([...head, ...length]), data]);
}

function numbers(...values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4);
  for (const [index, value] of values.entries()) bytes.writeUInt32LE(value, index * 4);
  return bytes;
}

const wide = (text: string) => Buffer.concat([numbers(text.length), Buffer.from(text, 'utf16le')]);

const row = (index: number, cells: readonly Buffer[]) =>
  Buffer.concat([
    record(0, Buffer.concat([numbers(index, 0), Buffer.from([0x2c, 0x01, 0, 0, 0]), numbers(0)])),
    ...cells,
  ]);

const stringCell = (column: number, text: string) =>
  record(6, Buffer.concat([numbers(column, 0), wide(text)]));

function numberCell(column: number, value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleLE(value);
  return record(5, Buffer.concat([numbers(column, 0), bytes]));
}
