import { strToU8, zipSync } from 'fflate';
import { buildDocx } from './docx-fixture.ts';

/** What documents try to get at. */
export interface Prey {
  /** `http://host:port`, which must not be asked. */
  origin: string;
  /** Path of a file of this machine, a text. */
  textFile: string;
  /** Path of a picture of this machine. */
  pictureFile: string;
}

export interface HostileDocument {
  name: string;
  fileType: string;
  bytes: Uint8Array;
}

const relationships = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const drawing = 'http://schemas.openxmlformats.org/drawingml/2006';

/** Documents that name addresses and files of this machine in all the ways in which formats let them. */
export function hostileDocuments(prey: Prey): HostileDocument[] {
  const places = [
    { tag: 'http', text: `${prey.origin}/text`, picture: `${prey.origin}/picture.png` },
    { tag: 'file', text: `file://${prey.textFile}`, picture: `file://${prey.pictureFile}` },
    { tag: 'unc', text: '\\\\127.0.0.1\\share\\text.txt', picture: '\\\\127.0.0.1\\share\\picture.png' },
  ];
  return places.flatMap(({ tag, text, picture }) =>
    [
      docx(text, picture),
      odt(text, picture),
      fodt(text, picture),
      rtf(text, picture),
      html(text, picture),
      webTable(text, picture),
      workbook2003(text),
      xlsx(text, picture),
      fods(text),
      csv(text),
      svg(picture),
      odp(picture),
    ].map(({ name, ...document }) => ({ ...document, name: `${tag}-${name}` })),
  );
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

function docx(text: string, picture: string): HostileDocument {
  const inline = `<wp:inline xmlns:wp="${drawing}/wordprocessingDrawing"><wp:extent cx="900000" cy="900000"/>
    <wp:docPr id="1" name="p"/><a:graphic xmlns:a="${drawing}/main"><a:graphicData uri="${drawing}/picture">
    <pic:pic xmlns:pic="${drawing}/picture"><pic:nvPicPr><pic:cNvPr id="1" name="p"/><pic:cNvPicPr/></pic:nvPicPr>
    <pic:blipFill><a:blip xmlns:r="${relationships}" r:link="rId91"/></pic:blipFill><pic:spPr/></pic:pic>
    </a:graphicData></a:graphic></wp:inline>`;
  const field = (instruction: string) =>
    `<w:p><w:r><w:fldChar w:fldCharType="begin" w:dirty="true"/></w:r><w:r><w:instrText xml:space="preserve"> ${escaped(instruction)} </w:instrText></w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r><w:r><w:t>old</w:t></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r></w:p>`;
  const body = [
    `<w:p><w:r><w:drawing>${inline}</w:drawing></w:r></w:p>`,
    field(`INCLUDEPICTURE "${picture}" \\d`),
    field(`INCLUDETEXT "${text}"`),
    field(`LINK Excel.Sheet.12 "${text}" "a" \\a`),
    field(`DDEAUTO cmd "${text}" x`),
  ].join('');
  const bytes = buildDocx({
    paragraphs: ['Own text'],
    body,
    relationships: [
      { id: 'rId91', type: `${relationships}/image`, target: picture, external: true },
      { id: 'rId92', type: `${relationships}/attachedTemplate`, target: text, external: true },
      { id: 'rId93', type: `${relationships}/subDocument`, target: text, external: true },
    ],
  });
  return { name: 'docx', fileType: 'docx', bytes };
}

const namespaces = `xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"
 xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0"
 xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:svg="urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0"
 xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" xmlns:of="urn:oasis:names:tc:opendocument:xmlns:of:1.2"
 xmlns:presentation="urn:oasis:names:tc:opendocument:xmlns:presentation:1.0" office:version="1.2"`;

function textBody(text: string, picture: string): string {
  const box = 'svg:width="3cm" svg:height="3cm"';
  return `<office:text><text:p>Own text</text:p>
    <text:p><draw:frame text:anchor-type="as-char" ${box}><draw:image xlink:href="${escaped(picture)}" xlink:type="simple" xlink:show="embed" xlink:actuate="onLoad"/></draw:frame></text:p>
    <text:section text:name="s"><text:section-source xlink:href="${escaped(text)}" xlink:type="simple"/><text:p>old</text:p></text:section>
    <text:p><draw:frame text:anchor-type="as-char" ${box}><draw:floating-frame xlink:href="${escaped(text)}" xlink:type="simple" xlink:show="embed" xlink:actuate="onLoad"/></draw:frame></text:p>
    <text:p><draw:frame text:anchor-type="as-char" ${box}><draw:object xlink:href="${escaped(text)}" xlink:type="simple" xlink:show="embed" xlink:actuate="onLoad"/></draw:frame></text:p>
    <text:p><draw:frame text:anchor-type="as-char" ${box}><draw:plugin xlink:href="${escaped(picture)}" xlink:type="simple" draw:mime-type="application/vnd.sun.star.media"/></draw:frame></text:p>
    </office:text>`;
}

function odf(kind: string, body: string): Uint8Array {
  const mimetype = `application/vnd.oasis.opendocument.${kind}`;
  const manifest = `<?xml version="1.0"?><manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0" manifest:version="1.2"><manifest:file-entry manifest:full-path="/" manifest:media-type="${mimetype}"/><manifest:file-entry manifest:full-path="content.xml" manifest:media-type="text/xml"/></manifest:manifest>`;
  const content = `<?xml version="1.0"?><office:document-content ${namespaces}><office:body>${body}</office:body></office:document-content>`;
  return zipSync({
    mimetype: [strToU8(mimetype), { level: 0 }],
    'META-INF/manifest.xml': strToU8(manifest),
    'content.xml': strToU8(content),
  });
}

function flat(kind: string, body: string): Uint8Array {
  return strToU8(
    `<?xml version="1.0"?><office:document ${namespaces} office:mimetype="application/vnd.oasis.opendocument.${kind}"><office:body>${body}</office:body></office:document>`,
  );
}

const odt = (text: string, picture: string): HostileDocument => ({
  name: 'odt',
  fileType: 'odt',
  bytes: odf('text', textBody(text, picture)),
});

const fodt = (text: string, picture: string): HostileDocument => ({
  name: 'fodt',
  fileType: 'fodt',
  bytes: flat('text', textBody(text, picture)),
});

function odp(picture: string): HostileDocument {
  const body = `<office:presentation><draw:page draw:name="one"><draw:frame svg:x="1cm" svg:y="1cm" svg:width="3cm" svg:height="3cm"><draw:image xlink:href="${escaped(picture)}" xlink:type="simple" xlink:show="embed" xlink:actuate="onLoad"/></draw:frame><draw:frame svg:x="5cm" svg:y="1cm" svg:width="3cm" svg:height="3cm"><draw:plugin xlink:href="${escaped(picture)}" xlink:type="simple" draw:mime-type="application/vnd.sun.star.media"/></draw:frame></draw:page></office:presentation>`;
  return { name: 'odp', fileType: 'odp', bytes: odf('presentation', body) };
}

function fods(text: string): HostileDocument {
  const cell = (formula: string) =>
    `<table:table-row><table:table-cell table:formula="of:=${escaped(formula)}"/></table:table-row>`;
  const body = `<office:spreadsheet><table:table table:name="a">${cell(`WEBSERVICE("${text}")`)}${cell(`'${text}'#$Sheet1.A1`)}${cell(`DDE("soffice";"${text}";"a1")`)}<table:table-row><table:table-cell><table:cell-range-source table:name="x" xlink:href="${escaped(text)}" table:last-column-spanned="1" table:last-row-spanned="1"/></table:table-cell></table:table-row></table:table><table:table table:name="b"><table:table-source xlink:href="${escaped(text)}" xlink:type="simple" table:table-name="x"/></table:table></office:spreadsheet>`;
  return { name: 'fods', fileType: 'fods', bytes: flat('spreadsheet', body) };
}

function rtf(text: string, picture: string): HostileDocument {
  const quoted = (name: string) => name.replaceAll('\\', '\\\\');
  const field = (instruction: string) =>
    `{\\field\\flddirty{\\*\\fldinst ${instruction}}{\\fldrslt old}}\\par\n`;
  const bytes = strToU8(
    `{\\rtf1\\ansi{\\*\\template ${quoted(text)}}Own text\\par ${field(`INCLUDEPICTURE "${quoted(picture)}" \\\\d`)}${field(`INCLUDETEXT "${quoted(text)}"`)}${field(`DDEAUTO cmd "${quoted(text)}" x`)}}`,
  );
  return { name: 'rtf', fileType: 'rtf', bytes };
}

function html(text: string, picture: string): HostileDocument {
  const at = escaped(picture);
  const bytes = strToU8(
    `<html><head><link rel="stylesheet" href="${escaped(text)}"><style>@import url("${text}"); body { background: url("${picture}") }</style><meta http-equiv="refresh" content="0;url=${escaped(text)}"><script src="${escaped(text)}"></script></head><body background="${at}"><p>Own text</p><img src="${at}"><iframe src="${escaped(text)}"></iframe><object data="${escaped(text)}"></object><embed src="${at}"><table background="${at}"><tr><td background="${at}">x</td></tr></table><input type="image" src="${at}"></body></html>`,
  );
  return { name: 'html', fileType: 'html', bytes };
}

function xlsx(text: string, picture: string): HostileDocument {
  const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
  const package_ = 'http://schemas.openxmlformats.org/package/2006';
  const cell = (row: number, formula: string) =>
    `<row r="${row}"><c r="A${row}"><f>${escaped(formula)}</f></c></row>`;
  const formulas = [
    `_xlfn.WEBSERVICE("${text}")`,
    `[1]Sheet1!A1`,
    `HYPERLINK("${text}")`,
    `cmd|'/c ${text}'!A1`,
    `IMAGE("${picture}")`,
  ];
  const related = (type: string, target: string, external: boolean) =>
    `<Relationships xmlns="${package_}/relationships"><Relationship Id="rId1" Type="${relationships}/${type}" Target="${escaped(target)}"${external ? ' TargetMode="External"' : ''}/></Relationships>`;
  const parts = {
    '[Content_Types].xml': `<Types xmlns="${package_}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/><Override PartName="/xl/externalLinks/externalLink1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.externalLink+xml"/><Override PartName="/xl/drawings/drawing1.xml" ContentType="application/vnd.openxmlformats-officedocument.drawing+xml"/></Types>`,
    '_rels/.rels': related('officeDocument', 'xl/workbook.xml', false),
    'xl/workbook.xml': `<workbook xmlns="${main}" xmlns:r="${relationships}"><sheets><sheet name="Sheet1" sheetId="1" r:id="rId1"/></sheets><externalReferences><externalReference r:id="rId2"/></externalReferences></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${package_}/relationships"><Relationship Id="rId1" Type="${relationships}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${relationships}/externalLink" Target="externalLinks/externalLink1.xml"/></Relationships>`,
    'xl/worksheets/sheet1.xml': `<worksheet xmlns="${main}" xmlns:r="${relationships}"><sheetData>${formulas.map((formula, index) => cell(index + 1, formula)).join('')}</sheetData><drawing r:id="rId1"/></worksheet>`,
    'xl/worksheets/_rels/sheet1.xml.rels': related('drawing', '../drawings/drawing1.xml', false),
    'xl/drawings/drawing1.xml': `<xdr:wsDr xmlns:xdr="${drawing}/spreadsheetDrawing" xmlns:a="${drawing}/main"><xdr:oneCellAnchor><xdr:from><xdr:col>2</xdr:col><xdr:colOff>0</xdr:colOff><xdr:row>2</xdr:row><xdr:rowOff>0</xdr:rowOff></xdr:from><xdr:ext cx="900000" cy="900000"/><xdr:pic><xdr:nvPicPr><xdr:cNvPr id="2" name="p"/><xdr:cNvPicPr/></xdr:nvPicPr><xdr:blipFill><a:blip xmlns:r="${relationships}" r:link="rId1"/></xdr:blipFill><xdr:spPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="900000" cy="900000"/></a:xfrm><a:prstGeom prst="rect"/></xdr:spPr></xdr:pic><xdr:clientData/></xdr:oneCellAnchor></xdr:wsDr>`,
    'xl/drawings/_rels/drawing1.xml.rels': related('image', picture, true),
    'xl/externalLinks/externalLink1.xml': `<externalLink xmlns="${main}" xmlns:r="${relationships}"><externalBook r:id="rId1"><sheetNames><sheetName val="Sheet1"/></sheetNames></externalBook></externalLink>`,
    'xl/externalLinks/_rels/externalLink1.xml.rels': related('externalLinkPath', text, true),
  };
  const entries = Object.entries(parts).map(([name, content]) => [name, strToU8(content)] as const);
  return { name: 'xlsx', fileType: 'xlsx', bytes: zipSync(Object.fromEntries(entries)) };
}

const csv = (text: string): HostileDocument => ({
  name: 'csv',
  fileType: 'csv',
  bytes: strToU8(
    `"=WEBSERVICE(""${text}"")";=cmd|'/c ${text}'!A1\n=WEBSERVICE("${text}"),=DDE("a";"${text}";"b")\n`,
  ),
});

const webTable = (text: string, picture: string): HostileDocument => ({
  name: 'webtable',
  fileType: 'webtable',
  bytes: strToU8(
    `<html><head><base href="${escaped(text)}"><link rel="stylesheet" href="${escaped(text)}"><style>@import url("${picture}"); td { background: url("${picture}") }</style><script src="${escaped(text)}"></script></head><body background="${escaped(picture)}"><img src="${escaped(picture)}" width="50" height="50"><iframe src="${escaped(text)}"></iframe><object data="${escaped(text)}"></object><table background="${escaped(picture)}"><tr><td background="${escaped(picture)}">Own text <img src="${escaped(picture)}"></td><td>=WEBSERVICE("${escaped(text)}")</td><td><a href="${escaped(text)}">link</a></td></tr></table></body></html>`,
  ),
});

const workbook2003 = (text: string): HostileDocument => ({
  name: 'xml',
  fileType: 'xml',
  bytes: strToU8(
    `<?xml version="1.0"?><?mso-application progid="Excel.Sheet"?><Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet" xmlns:ss="urn:schemas-microsoft-com:office:spreadsheet"><Worksheet ss:Name="One"><Table><Row><Cell ss:Formula="=WEBSERVICE(&quot;${escaped(text)}&quot;)"><Data ss:Type="String">old</Data></Cell><Cell ss:Formula="='${escaped(text)}'#$Sheet1.A1"><Data ss:Type="String">old</Data></Cell><Cell ss:HRef="${escaped(text)}"><Data ss:Type="String">Own text</Data></Cell></Row></Table></Worksheet></Workbook>`,
  ),
});

const svg = (picture: string): HostileDocument => ({
  name: 'svg',
  fileType: 'svg',
  bytes: strToU8(
    `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="100" height="100"><style>@import url("${picture}");</style><image xlink:href="${escaped(picture)}" width="50" height="50"/><use xlink:href="${escaped(picture)}#a"/></svg>`,
  ),
});
