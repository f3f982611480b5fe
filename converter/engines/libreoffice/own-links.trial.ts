import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { needsOffice, realOffice, startOffice } from '../../../test/support/office.ts';
import type { ConversionEngine } from '../conversion-engine.ts';
import { libreofficeEngine } from './libreoffice-engine.ts';
import type { OfficePool } from './office-pool.ts';

const namespaces = ['office', 'text', 'table', 'draw']
  .map((name) => `xmlns:${name}="urn:oasis:names:tc:opendocument:xmlns:${name}:1.0"`)
  .join(' ');
const flat = (type: string, content: string): Uint8Array =>
  Buffer.from(`<?xml version="1.0" encoding="UTF-8"?><office:document ${namespaces}
    xmlns:svg="urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0"
    xmlns:of="urn:oasis:names:tc:opendocument:xmlns:of:1.2" xmlns:xlink="http://www.w3.org/1999/xlink"
    office:version="1.2" office:mimetype="application/vnd.oasis.opendocument.${type}"><office:body>
    <office:${type}>${content}</office:${type}></office:body></office:document>`);

const text = flat(
  'text',
  `<text:p><text:a xlink:type="simple" xlink:href="beside.docx">link</text:a></text:p>`,
);
const sheet = flat(
  'spreadsheet',
  `<table:table table:name="A"><table:table-row>
  <table:table-cell table:formula="of:='./Other.xls'#$Sheet1.A1+1"/><table:table-cell office:value-type="string"><text:p>
  <text:a xlink:href="beside.xls" xlink:type="simple">link</text:a></text:p></table:table-cell>
  <table:table-cell table:formula="of:=CELL(&quot;filename&quot;)"/></table:table-row></table:table>`,
);

/** All text of a file, whatever it is stored as. */
function everythingIn(bytes: Uint8Array): string {
  const isPackage = bytes[0] === 0x50 && bytes[1] === 0x4b;
  const parts = isPackage ? Object.values(unzipSync(bytes)) : [bytes];
  return parts
    .map((part) => Buffer.from(part))
    .flatMap((part) => [
      part.toString('latin1'),
      part.toString('utf16le'),
      part.subarray(1).toString('utf16le'),
    ])
    .join('\n');
}

/** What the relations of a package lead to outside it. */
const targetsIn = (bytes: Uint8Array): string[] =>
  Object.entries(unzipSync(bytes))
    .filter(([name]) => name.endsWith('.rels'))
    .flatMap(([, part]) => [...strFromU8(part).matchAll(/Target="([^"]*)" TargetMode="External"/g)])
    .map(([, target]) => target!)
    .sort();

describe.skipIf(!realOffice)(`links to files beside the source, ${needsOffice}`, { timeout: 240_000 }, () => {
  let pool: OfficePool;
  let engine: ConversionEngine;
  beforeAll(async () => {
    pool = await startOffice();
    engine = libreofficeEngine(pool, { version: realOffice!.version });
  });
  afterAll(() => pool?.close());
  const convert = (source: Uint8Array, fromType: string, toType: string) =>
    engine.convert(source, { fromType, toType, options: {} }, []);

  it('[CV35] [LF11] show the directory of the conversion in no file that is made', async () => {
    for (const [source, from, types] of [
      [text, 'fodt', 'docx odt fodt doc rtf html txt'],
      [sheet, 'fods', 'xlsx ods fods xls html csv slk'],
    ] as const) {
      for (const type of types.split(' ')) {
        const made = everythingIn(await convert(source, from, type));
        expect([type, /.{0,40}(?:quire-office|jobs[/\u0003]).{0,40}/.exec(made)?.[0]]).toEqual([
          type,
          undefined,
        ]);
      }
    }
  });

  it('[CV35] lead from documents to what is beside them, by way of every format', async () => {
    const made = withPicture(await convert(text, 'fodt', 'docx'));
    for (const by of ['odt', 'doc']) {
      const back = await convert(await convert(made, 'docx', by), by, 'docx');
      expect([by, targetsIn(back).map(plainly)]).toEqual([by, ['beside.docx', 'picture.png']]);
    }
  });

  it('[CV35] lead from workbooks to what is beside them, by way of every format', async () => {
    const made = withKnownCells(await convert(sheet, 'fods', 'xlsx'));
    expect(targetsIn(made)).toEqual(['Other.xls', 'beside.xls']);
    for (const by of ['ods', 'xls']) {
      const back = await convert(await convert(made, 'xlsx', by), by, 'xlsx');
      expect([by, ...targetsIn(back)]).toEqual([by, 'Other.xls', 'beside.xls']);
    }
  });
});

/** A way without steps that lead nowhere. */
const plainly = (target: string): string => new URL(target, 'file:///').pathname.slice(1);

const schemas = 'http://schemas.openxmlformats.org';
const drawing = `<w:p><w:r><w:drawing><wp:inline xmlns:wp="${schemas}/drawingml/2006/wordprocessingDrawing"><wp:extent cx="720000"
  cy="720000"/><wp:docPr id="99" name="x"/><a:graphic xmlns:a="${schemas}/drawingml/2006/main"><a:graphicData
  uri="${schemas}/drawingml/2006/picture"><pic:pic xmlns:pic="${schemas}/drawingml/2006/picture"><pic:nvPicPr><pic:cNvPr id="99"
  name="x"/><pic:cNvPicPr/></pic:nvPicPr><pic:blipFill><a:blip r:link="rIdPicture"
  xmlns:r="${schemas}/officeDocument/2006/relationships"/></pic:blipFill><pic:spPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="720000"
  cy="720000"/></a:xfrm><a:prstGeom prst="rect"/></pic:spPr></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>`;

/** A text document with a linked picture. */
function withPicture(docx: Uint8Array): Uint8Array {
  const parts = unzipSync(docx);
  const put = (name: string, before: string, what: string) => {
    parts[name] = strToU8(strFromU8(parts[name]!).replace(before, `${what}${before}`));
  };
  put('word/document.xml', '<w:sectPr>', drawing);
  put(
    'word/_rels/document.xml.rels',
    '</Relationships>',
    `<Relationship Id="rIdPicture" Type="${schemas}/officeDocument/2006/relationships/image" Target="picture.png" TargetMode="External"/>`,
  );
  return zipSync(parts);
}

/** A workbook that knows values of the linked one, as those that Excel writes. */
function withKnownCells(xlsx: Uint8Array): Uint8Array {
  const parts = unzipSync(xlsx);
  const name = 'xl/externalLinks/externalLink1.xml';
  parts[name] = strToU8(
    strFromU8(parts[name]!).replace(
      '</externalBook>',
      '<sheetNames><sheetName val="Sheet1"/></sheetNames><sheetDataSet><sheetData sheetId="0"><row r="1"><cell r="A1"><v>5</v></cell></row></sheetData></sheetDataSet></externalBook>',
    ),
  );
  return zipSync(parts);
}
