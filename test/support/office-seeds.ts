import { crc32, deflateSync } from 'node:zlib';
import { strToU8, zipSync } from 'fflate';

/** Words of seeds: in the first paragraph, cell or slide; in the last; in a table. */
export const seedWords = { first: 'Zebra', last: 'Größe', cell: 'Mango' } as const;

/** A red picture of a few pixels. */
export const redPicture: Buffer = png(8, 8, [255, 0, 0]);

const namespaces = Object.entries({
  office: 'urn:oasis:names:tc:opendocument:xmlns:office:1.0',
  table: 'urn:oasis:names:tc:opendocument:xmlns:table:1.0',
  draw: 'urn:oasis:names:tc:opendocument:xmlns:drawing:1.0',
  presentation: 'urn:oasis:names:tc:opendocument:xmlns:presentation:1.0',
  svg: 'urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0',
  style: 'urn:oasis:names:tc:opendocument:xmlns:style:1.0',
  fo: 'urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0',
  text: 'urn:oasis:names:tc:opendocument:xmlns:text:1.0',
  of: 'urn:oasis:names:tc:opendocument:xmlns:of:1.2',
})
  .map(([prefix, name]) => `xmlns:${prefix}="${name}"`)
  .join(' ');

const { first, last, cell } = seedWords;
const image = `<draw:image><office:binary-data>${redPicture.toString('base64')}</office:binary-data></draw:image>`;
const box = (y: number, content: string) =>
  `<draw:frame svg:x="2cm" svg:y="${y}cm" svg:width="8cm" svg:height="2cm">${content}</draw:frame>`;
const words = (y: number, text: string) => box(y, `<draw:text-box><text:p>${text}</text:p></draw:text-box>`);
const tableCell = (text: string, attributes = 'office:value-type="string"') =>
  `<table:table-cell ${attributes}><text:p>${text}</text:p></table:table-cell>`;
const number = (value: number, formula = '') =>
  `<table:table-cell office:value-type="float" office:value="${value}"${formula && ` table:formula="${formula}"`}/>`;
const pages = `<draw:page draw:name="one">${words(2, `${first} crossing`)}${box(6, image)}</draw:page>
  <draw:page draw:name="two">${words(2, last)}</draw:page>`;

const pageStyles = `<office:automatic-styles><style:style style:name="broken" style:family="paragraph">
  <style:paragraph-properties fo:break-before="page"/></style:style></office:automatic-styles>`;

const bodies: Readonly<Record<string, readonly [kind: string, styles: string, body: string]>> = {
  fodt: [
    'text',
    pageStyles,
    `<text:p>${first} crossing</text:p>
     <table:table><table:table-column/><table:table-column/><table:table-row>${tableCell(cell)}${tableCell('Kiwi')}
     </table:table-row></table:table>
     <text:p><draw:frame text:anchor-type="as-char" svg:width="2cm" svg:height="2cm">${image}</draw:frame></text:p>
     <text:p text:style-name="broken">${last}</text:p>`,
  ],
  fods: [
    'spreadsheet',
    '',
    `<table:table table:name="First"><table:table-row>${tableCell(first)}${number(42)}${number(84, 'of:=[.B1]*2')}
     </table:table-row><table:table-row>${tableCell(cell)}${tableCell(last)}</table:table-row></table:table>
     <table:table table:name="Second"><table:table-row>${tableCell('Kiwi')}</table:table-row></table:table>`,
  ],
  fodp: ['presentation', '', pages],
  fodg: ['drawing', '', pages],
};

const mimeTypes: Readonly<Record<string, string>> = {
  text: 'text',
  spreadsheet: 'spreadsheet',
  presentation: 'presentation',
  drawing: 'graphics',
};

/** A document of a kind in flat OpenDocument: `fodt`, `fods`, `fodp` or `fodg`, all of two pages, sheets or slides. */
export function flatSeed(type: 'fodt' | 'fods' | 'fodp' | 'fodg'): Uint8Array {
  const [kind, styles, body] = bodies[type]!;
  return Buffer.from(`<?xml version="1.0" encoding="UTF-8"?><office:document ${namespaces} office:version="1.3"
    office:mimetype="application/vnd.oasis.opendocument.${mimeTypes[kind]}">${styles}<office:body>
    <office:${kind}>${body}</office:${kind}></office:body></office:document>`);
}

/** A book (FictionBook 2). */
export const fb2Seed: Uint8Array = Buffer.from(`<?xml version="1.0" encoding="utf-8"?>
  <FictionBook xmlns="http://www.gribuser.ru/xml/fictionbook/2.0"><description><title-info><genre>sf</genre><author>
  <first-name>A</first-name><last-name>B</last-name></author><book-title>Title</book-title><lang>en</lang></title-info>
  <document-info><author><nickname>n</nickname></author><date>2020</date><id>1</id><version>1</version></document-info>
  </description><body><section><title><p>${cell}</p></title><p>${first} crossing</p><p>${last}</p></section></body>
  </FictionBook>`);

/** A workbook of Excel 2003 in XML. */
export const workbook2003Seed: Uint8Array = Buffer.from(`<?xml version="1.0" encoding="UTF-8"?>
  <?mso-application progid="Excel.Sheet"?>
  <Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet" xmlns:ss="urn:schemas-microsoft-com:office:spreadsheet">
  <Worksheet ss:Name="First"><Table><Row><Cell><Data ss:Type="String">${first}</Data></Cell><Cell><Data ss:Type="Number">42</Data>
  </Cell></Row><Row><Cell><Data ss:Type="String">${cell}</Data></Cell><Cell><Data ss:Type="String">${last}</Data></Cell></Row>
  </Table></Worksheet></Workbook>`);

/** Documents of OpenOffice.org 1, the forms before OpenDocument. */
export function olderSeed(type: 'sxw' | 'stw' | 'sxc' | 'sxi'): Uint8Array {
  const kind = { sxw: 'writer', stw: 'writer.template', sxc: 'calc', sxi: 'impress' }[type];
  const className = { sxw: 'text', stw: 'text', sxc: 'spreadsheet', sxi: 'presentation' }[type];
  const body = {
    text: `<text:p>${first} crossing</text:p><text:p>${cell}</text:p><text:p>${last}</text:p>`,
    spreadsheet: `<table:table table:name="First"><table:table-row>
      <table:table-cell><text:p>${first}</text:p></table:table-cell>
      <table:table-cell table:value-type="float" table:value="42"/></table:table-row><table:table-row>
      <table:table-cell><text:p>${cell}</text:p></table:table-cell><table:table-cell><text:p>${last}</text:p>
      </table:table-cell></table:table-row></table:table>`,
    presentation: ['one', 'two']
      .map(
        (
          name,
          index,
        ) => `<draw:page draw:name="${name}" draw:master-page-name="Default"><draw:text-box svg:x="2cm"
          svg:y="2cm" svg:width="8cm" svg:height="2cm"><text:p>${index === 0 ? `${first} crossing` : last}</text:p>
          </draw:text-box></draw:page>`,
      )
      .join(''),
  }[className]!;
  const content = `<?xml version="1.0" encoding="UTF-8"?><office:document-content
    xmlns:office="http://openoffice.org/2000/office" xmlns:text="http://openoffice.org/2000/text"
    xmlns:table="http://openoffice.org/2000/table" xmlns:draw="http://openoffice.org/2000/drawing"
    xmlns:svg="http://www.w3.org/2000/svg" office:class="${className}" office:version="1.0"><office:body>${body}
    </office:body></office:document-content>`;
  const mime = `application/vnd.sun.xml.${kind}`;
  return zipSync({
    mimetype: [strToU8(mime), { level: 0 }],
    'content.xml': strToU8(content),
    'META-INF/manifest.xml': strToU8(`<?xml version="1.0"?><manifest:manifest
      xmlns:manifest="http://openoffice.org/2001/manifest"><manifest:file-entry manifest:media-type="${mime}"
      manifest:full-path="/"/><manifest:file-entry manifest:media-type="text/xml" manifest:full-path="content.xml"/>
      </manifest:manifest>`),
  });
}

function png(width: number, height: number, [red, green, blue]: readonly [number, number, number]): Buffer {
  const chunk = (name: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(name), data]);
    const ends = Buffer.alloc(8);
    ends.writeUInt32BE(data.length);
    ends.writeUInt32BE(crc32(body), 4);
    return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const row = [0, ...Array.from({ length: width }, () => [red, green, blue]).flat()];
  const pixels = deflateSync(Buffer.from(Array.from({ length: height }, () => row).flat()));
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', pixels),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}
