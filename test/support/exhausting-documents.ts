import { strToU8, zipSync } from 'fflate';
import { buildDocx, type DocxFixture } from './docx-fixture.ts';

/** What becomes of a document: refused by the look before any engine, or by our engine while it reads; or it opens. */
export type ExpectedEnd = 'refused before' | 'refused by the engine' | 'opens';

/** Small files that are made to take much time or memory of whoever reads them; four of each trick. */
export interface ExhaustingDocument {
  trick: string;
  name: string;
  fileType: string;
  expected: ExpectedEnd;
  bytes(): Uint8Array;
}

const word = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
const office =
  'xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"';
const cell = '<w:tc><w:p/></w:tc>';

/** Four variations of a trick: `make` has the number of each, 0 to 3. */
function fourOf(
  trick: string,
  fileType: string,
  expected: ExpectedEnd,
  make: (variant: number) => Uint8Array,
): ExhaustingDocument[] {
  return [0, 1, 2, 3].map((variant) => ({
    ...{ trick, fileType, expected },
    name: `${trick} ${variant + 1}`,
    bytes: () => make(variant),
  }));
}

const repeated = (count: number, make: (number: number) => string): string =>
  Array.from({ length: count }, (_, number) => make(number)).join('');

const docx = (body: string, more: DocxFixture = {}): Uint8Array =>
  buildDocx({ paragraphs: ['Own text'], body, ...more });

const table = (rows: string): string => `<w:tbl>${rows}</w:tbl>`;

function rowsOf(rows: number, columns: number, of = cell): string {
  return `<w:tr>${of.repeat(columns)}</w:tr>`.repeat(rows);
}

function nestedTables(depth: number): string {
  return `${'<w:tbl><w:tr><w:tc>'.repeat(depth)}<w:p/>${'</w:tc></w:tr></w:tbl><w:p/>'.repeat(depth)}`;
}

/** With a part beside the document. */
const withPart = (kind: string, xml: string, body = ''): Uint8Array =>
  docx(body, {
    parts: { [`word/${kind}.xml`]: xml },
    relationships: [{ id: 'rId90', type: kind, target: `${kind}.xml` }],
  });

/** Styles of tables, each based on the next. */
function chainOfStyles(count: number): string {
  const styles = repeated(
    count,
    (number) =>
      `<w:style w:type="table" w:styleId="s${number}"><w:name w:val="s${number}"/><w:basedOn w:val="s${number + 1}"/></w:style>`,
  );
  return `<w:styles ${word}>${styles}</w:styles>`;
}

function flatOdf(kind: string, body: string): Uint8Array {
  return strToU8(
    `<?xml version="1.0"?><office:document ${office} office:mimetype="application/vnd.oasis.opendocument.${kind}"><office:body><office:${kind}>${body}</office:${kind}></office:body></office:document>`,
  );
}

function odf(kind: string, body: string): Uint8Array {
  return zipSync({
    mimetype: [strToU8(`application/vnd.oasis.opendocument.${kind}`), { level: 0 }],
    'content.xml': flatOdf(kind, body),
  });
}

/** A package of another kind, with one part that is read. */
function ooxml(part: string, contentType: string, xml: string): Uint8Array {
  const package_ = 'http://schemas.openxmlformats.org/package/2006';
  return zipSync({
    '[Content_Types].xml': strToU8(
      `<Types xmlns="${package_}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/${part}" ContentType="${contentType}"/></Types>`,
    ),
    '_rels/.rels': strToU8(
      `<Relationships xmlns="${package_}/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="${part}"/></Relationships>`,
    ),
    [part]: strToU8(xml),
  });
}

const sheet = (rows: string): Uint8Array =>
  ooxml(
    'xl/worksheets/sheet1.xml',
    'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml',
    `<worksheet><sheetData>${rows}</sheetData></worksheet>`,
  );

const slide = (xml: string): Uint8Array =>
  ooxml(
    'ppt/presentation.xml',
    'application/vnd.openxmlformats-officedocument.presentationml.presentation.main+xml',
    `<p:sld>${xml}</p:sld>`,
  );

/** Every one of these is small as a file. */
export function exhaustingDocuments(): ExhaustingDocument[] {
  const before = 'refused before';
  return [
    ...fourOf('cells', 'docx', before, (variant) =>
      docx(table(rowsOf(1_200_000 / [10, 1, 63, 200][variant]!, [10, 1, 63, 200][variant]!))),
    ),
    ...fourOf('tables', 'docx', before, (variant) =>
      docx(nestedTables([1, 4, 15, 40][variant]!).repeat(200_000 / [1, 4, 15, 40][variant]!)),
    ),
    ...fourOf('elements', 'docx', before, (variant) =>
      docx(
        ['<w:altChunk/>', '<w:p/>', '<w:p><w:r/></w:p>', '<w:sdt><w:sdtContent/></w:sdt>'][variant]!.repeat(
          3_100_000 / [1, 1, 2, 2][variant]!,
        ),
      ),
    ),
    ...fourOf('nesting', 'docx', before, (variant) => docx(nestedTables([90, 100, 200, 2_000][variant]!))),
    ...fourOf('nodes', 'docx', 'refused by the engine', (variant) =>
      docx(
        [
          '<w:p/>',
          '<w:altChunk/>',
          '<w:p><w:r><w:br/></w:r></w:p>',
          '<w:p><w:bookmarkStart w:id="1" w:name="a"/></w:p>',
        ][variant]!.repeat(260_000),
      ),
    ),
    ...fourOf('spans', 'docx', 'refused by the engine', (variant) => {
      const spanned = [63, 60, 40, 20][variant]!;
      const wide = `<w:tc><w:tcPr><w:gridSpan w:val="${spanned}"/></w:tcPr><w:p/></w:tc>`;
      return docx(table(rowsOf(1_200_000 / spanned / 4, 4, wide)));
    }),
    ...fourOf('gaps', 'docx', 'refused by the engine', (variant) => {
      const gap = [63, 50, 40, 30][variant]!;
      const row = `<w:tr><w:trPr><w:gridBefore w:val="${gap}"/><w:gridAfter w:val="${gap}"/></w:trPr>${cell}</w:tr>`;
      return docx(table(row.repeat(600_000 / gap)));
    }),
    ...fourOf('shared lists', 'docx', 'refused by the engine', (variant) => {
      const levels = [9, 90, 900, 9_000][variant]!;
      const abstract = `<w:abstractNum w:abstractNumId="0">${'<w:lvl w:ilvl="0"/>'.repeat(levels)}</w:abstractNum>`;
      const lists = repeated(
        600_000 / levels,
        (number) => `<w:num w:numId="${number + 1}"><w:abstractNumId w:val="0"/></w:num>`,
      );
      return withPart('numbering', `<w:numbering ${word}>${abstract}${lists}</w:numbering>`);
    }),
    ...fourOf('relationships', 'docx', 'refused by the engine', (variant) =>
      docx('', {
        relationships: Array.from({ length: 100_100 }, (_, number) => ({
          ...{ id: `rId${number + 1000}`, type: ['hyperlink', 'image', 'header', 'comments'][variant]! },
          ...{ target: `a${number}`, external: true },
        })),
      }),
    ),
    ...fourOf('based styles', 'docx', 'opens', (variant) => {
      const count = [4_000, 8_000, 12_000, 16_000][variant]!;
      const styled = `<w:tbl><w:tblPr><w:tblStyle w:val="s0"/></w:tblPr><w:tr>${cell}</w:tr></w:tbl>`;
      return docx(styled.repeat(count), { parts: { 'word/styles.xml': chainOfStyles(count) } });
    }),
    ...fourOf('links', 'docx', 'opens', (variant) => {
      const count = [10_000, 20_000, 30_000, 40_000][variant]!;
      const link = (number: number) =>
        `<w:hyperlink r:id="rId${number + 1000}"><w:r><w:t>a</w:t></w:r></w:hyperlink>`;
      return docx(`<w:p>${repeated(count, link)}</w:p>`, {
        relationships: Array.from({ length: count }, (_, number) => ({
          ...{ id: `rId${number + 1000}`, type: 'hyperlink', target: `http://a/${number}`, external: true },
        })),
      });
    }),
    ...fourOf('fields that never end', 'docx', 'opens', (variant) => {
      const begin = '<w:r><w:fldChar w:fldCharType="begin"/></w:r>';
      return docx(`<w:p>${begin.repeat([10_000, 20_000, 30_000, 40_000][variant]!)}</w:p>`);
    }),
    ...fourOf('namespaces', 'docx', 'opens', (variant) => {
      const declared = repeated(20_000, (number) => ` xmlns:n${number}="urn:n"`);
      const paragraph = `<w:p xmlns:n${variant}="urn:n"/>`;
      return buildDocx({
        document: `<w:document ${word}${declared}><w:body>${paragraph.repeat(10_000)}</w:body></w:document>`,
      });
    }),
    ...fourOf('words in tags', 'docx', 'opens', (variant) =>
      docx(`<w:p ${['a', 'ab:', 'x/', 'y '][variant]!.repeat(300_000)}/>`),
    ),
    ...fourOf('index', 'docx', 'refused by the engine', (variant) =>
      docx('', {
        contentTypes: Object.fromEntries(
          Array.from({ length: [40_000, 45_000, 50_000, 55_000][variant]! }, (_, number) => [
            `/word/part-${number}.xml`,
            'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
          ]),
        ),
      }),
    ),
    ...fourOf('parts', 'docx', before, (variant) =>
      docx('', {
        parts: Object.fromEntries(
          Array.from({ length: 10_001 }, (_, number) => [`${'abcd'[variant]}/${number}`, '']),
        ),
      }),
    ),
    ...fourOf('repeated table', 'odt', before, (variant) => {
      const [rows, columns] = [
        [1_000_000, 1],
        [1, 1_000_000],
        [1_000, 1_000],
        [100, 100],
      ][variant]!;
      const inner = variant === 3 ? repeatedRow(rows!, columns!, '') : '';
      return odf(
        'text',
        `<table:table>${repeatedRow(rows!, columns!, inner && `<table:table>${inner}</table:table>`)}</table:table>`,
      );
    }),
    ...fourOf('repeated columns', 'fodt', before, (variant) => {
      const number = ['1000000', ' 999999 ', '&#49;000000', '99999999999999999999'][variant]!;
      return flatOdf(
        'text',
        `<table:table><table:table-column table:number-columns-repeated="${number}"/></table:table>`,
      );
    }),
    ...fourOf('repeated spaces', 'odt', before, (variant) =>
      odf(
        'text',
        `<text:p>${`<text:s text:c="${[2_147_483_647, 4_000_000, 100_000, 10_000][variant]}"/>`.repeat(400)}</text:p>`,
      ),
    ),
    ...fourOf('repeated values', 'ods', before, (variant) => {
      const value = ` ${['office', 'o', 'calcext', 'office'][variant]}:value-type="float"`;
      return odf('spreadsheet', `<table:table>${repeatedRow(1_048_576, 1_024, '', value)}</table:table>`);
    }),
    ...fourOf('matrices', 'fods', before, (variant) => {
      const [rows, columns] = [1_048_576, 1_024 / 2 ** variant];
      const spanned = `table:number-matrix-rows-spanned="${rows}" table:number-matrix-columns-spanned='${columns}'`;
      return flatOdf(
        'spreadsheet',
        `<table:table><table:table-row><table:table-cell table:formula="of:=1" ${spanned}/></table:table-row></table:table>`,
      );
    }),
    ...fourOf('array formulas', 'xlsx', before, (variant) =>
      sheet(
        `<row r="1"><c r="A1"><f t="${['array', 'dataTable', 'array', 'array'][variant]}" ref="${['A1:XFD1048576', 'A1:Z1048576', '$A$1:$XFD$9999', 'XFD1048576:A1'][variant]}">1</f></c></row>`,
      ),
    ),
    ...fourOf('table on a slide', 'pptx', before, (variant) =>
      slide(
        `<a:tbl><a:tr>${['<a:tc/>', '<tc/>', '<b:tc />', '<a:tc a="1"/>'][variant]!.repeat(1_200_000)}</a:tr></a:tbl>`,
      ),
    ),
  ];
}

function repeatedRow(rows: number, columns: number, content: string, value = ''): string {
  return `<table:table-row table:number-rows-repeated="${rows}"><table:table-cell${value} table:number-columns-repeated="${columns}">${content}</table:table-cell></table:table-row>`;
}
