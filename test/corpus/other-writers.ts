import { strToU8, zipSync } from 'fflate';
import type { NamedDocument } from '../support/corpus.ts';
import { buildDocx } from '../support/docx-fixture.ts';
import { field, paragraph, run, wordDocument } from './word-package.ts';

const WORD = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
const RELATIONSHIPS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

/** No ids, all that is off said to be off, tables in styles of their own. */
const googleRun = (text: string, properties = '') =>
  `<w:r w:rsidDel="00000000" w:rsidR="00000000" w:rsidRPr="00000000"><w:rPr>${properties}<w:rtl w:val="0"/></w:rPr><w:t xml:space="preserve">${text}</w:t></w:r>`;
const googleParagraph = (content: string, properties = '') =>
  `<w:p w:rsidR="00000000" w:rsidDel="00000000" w:rsidP="00000000" w:rsidRDefault="00000000" w:rsidRPr="00000000"><w:pPr>${properties}<w:rPr/></w:pPr>${content}<w:r w:rsidDel="00000000" w:rsidR="00000000" w:rsidRPr="00000000"><w:rPr><w:rtl w:val="0"/></w:rPr></w:r></w:p>`;
const google = buildDocx({
  relationships: [{ id: 'rId6', type: 'hyperlink', target: 'https://example.org/list', external: true }],
  document:
    `<?xml version="1.0" encoding="UTF-8" standalone="yes"?><w:document xmlns:r="${RELATIONSHIPS}" xmlns:w="${WORD}" xmlns:sl="http://schemas.openxmlformats.org/schemaLibrary/2006/main"><w:background w:color="ffffff"/><w:body>` +
    googleParagraph(
      googleRun('To do at sea', '<w:b w:val="1"/><w:sz w:val="40"/><w:szCs w:val="40"/>'),
      '<w:pStyle w:val="Title"/><w:pageBreakBefore w:val="0"/>',
    ) +
    googleParagraph(
      `<w:hyperlink r:id="rId6">${googleRun('the list', '<w:color w:val="1155cc"/><w:u w:val="single"/>')}</w:hyperlink>${googleRun(' of things')}`,
      '<w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr><w:ind w:left="720" w:hanging="360"/>',
    ) +
    `<w:tbl><w:tblPr><w:tblStyle w:val="Table1"/><w:tblW w:w="9025.0" w:type="dxa"/><w:jc w:val="left"/><w:tblLayout w:type="fixed"/><w:tblLook w:val="0600"/></w:tblPr><w:tblGrid><w:gridCol w:w="4512.5"/><w:gridCol w:w="4512.5"/><w:tblGridChange w:id="0"><w:tblGrid><w:gridCol w:w="4512.5"/><w:gridCol w:w="4512.5"/></w:tblGrid></w:tblGridChange></w:tblGrid><w:tr><w:trPr><w:cantSplit w:val="0"/><w:tblHeader w:val="0"/></w:trPr>${[googleRun('ropes'), ''].map((content) => `<w:tc><w:tcPr><w:shd w:fill="auto" w:val="clear"/><w:vAlign w:val="top"/></w:tcPr>${googleParagraph(content, '<w:keepNext w:val="0"/><w:widowControl w:val="0"/>')}</w:tc>`).join('')}</w:tr></w:tbl>` +
    googleParagraph('') +
    '<w:sectPr><w:pgSz w:h="16834" w:w="11909" w:orient="portrait"/><w:pgMar w:bottom="1440" w:top="1440" w:left="1440" w:right="1440" w:header="720" w:footer="720"/><w:pgNumType w:start="1"/></w:sectPr></w:body></w:document>',
});

const STRICT = 'http://purl.oclc.org/ooxml';
const strict = buildDocx({
  document:
    `<?xml version="1.0" encoding="UTF-8" standalone="yes"?><w:document xmlns:w="${STRICT}/wordprocessingml/main" xmlns:r="${STRICT}/officeDocument/relationships" w:conformance="strict"><w:body>` +
    paragraph(
      run('by the letter of the standard', '<w:b w:val="false"/><w:i w:val="true"/>'),
      '<w:ind w:start="720" w:end="360" w:firstLine="12pt"/><w:jc w:val="start"/>',
    ) +
    paragraph(run('second'), '<w:spacing w:before="6pt"/><w:jc w:val="end"/>') +
    '<w:sectPr><w:pgSz w:w="595.3pt" w:h="841.9pt"/><w:pgMar w:top="72pt" w:right="72pt" w:bottom="72pt" w:left="72pt" w:header="36pt" w:footer="36pt" w:gutter="0pt"/></w:sectPr></w:body></w:document>',
  parts: {
    '_rels/.rels': `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="${STRICT}/officeDocument/relationships/officeDocument" Target="word/document.xml"/></Relationships>`,
    'word/_rels/document.xml.rels':
      '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"/>',
  },
});

/** Blanks, comments and line ends of all kinds wherever XML lets them be. */
const indented = buildDocx({
  document: `<?xml version='1.0' encoding='utf-8'?>
<!-- written by hand -->
<w:document\txmlns:w = "${WORD}"
            xmlns:r='${RELATIONSHIPS}'>
  <w:body>\r
    <w:p >
      <w:pPr>
        <w:spacing w:before='100' w:beforeAutospacing='1' />
      </w:pPr>
      <w:r>
        <w:t>first</w:t>
      </w:r>
    </w:p>\r\n\r\n    <!-- between two -->
    <w:p><w:r><w:t><![CDATA[second & <third>]]></w:t></w:r></w:p>
    <?keep this?>
\t<w:tbl>
      <w:tblPr/>
      <w:tblGrid> <w:gridCol w:w="3000"/> <w:gridCol w:w="3000"/> </w:tblGrid>
      <w:tr >
        <w:tc> <w:p/> </w:tc>
        <w:tc>
          <w:p> <w:r> <w:t>cell</w:t> </w:r> </w:p>

          <w:p/>
        </w:tc>
      </w:tr>
      <!-- between rows -->
      <w:tr><w:tc><w:p><w:r><w:t>next</w:t></w:r></w:p></w:tc><w:tc><w:p/></w:tc></w:tr>
    </w:tbl>
    <w:p/>
    <w:p></w:p>
    <w:sectPr/>
  </w:body>
</w:document>
<!-- the end -->
`,
});

/** As programs write it that make up prefixes. */
const prefixes = buildDocx({
  document:
    `<ns0:document xmlns:ns0="${WORD}" xmlns="${WORD}"><ns0:body><p xmlns:w14="http://schemas.microsoft.com/office/word/2010/wordml" w14:paraId="0A0B0C0D"><pPr><jc ns0:val="center"/></pPr><r><t>without a prefix</t></r></p>` +
    `<ns0:p><ns0:r><ns0:rPr><ns0:b/></ns0:rPr><ns0:t>with one</ns0:t></ns0:r></ns0:p><w:p xmlns:w="${WORD}"><w:r><w:t>and with another</w:t></w:r></w:p><ns0:sectPr/></ns0:body></ns0:document>`,
});

const utf16 = buildDocx({
  document: Buffer.concat([
    Buffer.from([0xff, 0xfe]),
    Buffer.from(
      `<?xml version="1.0" encoding="UTF-16"?><w:document xmlns:w="${WORD}"><w:body>${paragraph('in sixteen bits: äöü ✓')}${paragraph('and more')}<w:sectPr/></w:body></w:document>`,
      'utf16le',
    ),
  ]),
});

/** A package in another order, with a folder as an entry, parts that nothing names, and targets from its root. */
const packed = zipSync(
  {
    'docProps/': new Uint8Array(0),
    'docs/text.xml': strToU8(
      `<w:document xmlns:w="${WORD}"><w:body>${paragraph('elsewhere in the package')}${paragraph(field('AUTHOR', 'Ann'))}<w:sectPr/></w:body></w:document>`,
    ),
    'docProps/app.xml': strToU8(
      '<Properties xmlns="http://schemas.openxmlformats.org/officeDocument/2006/extended-properties"/>',
    ),
    'notes.txt': [strToU8('nothing names this'), { level: 0 }],
    '_rels/.rels': strToU8(
      `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="main" Type="${RELATIONSHIPS}/officeDocument" Target="/docs/text.xml"/></Relationships>`,
    ),
    '[Content_Types].xml': strToU8(
      '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="RELS" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/docs/text.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>',
    ),
  },
  { mtime: new Date(2024, 0, 1) },
);

/** Elements and attributes of an extension that nobody here knows. */
const extensions = wordDocument({
  namespaces: { hx: 'urn:example:harbour' },
  ignorable: ' hx',
  body:
    '<w:p hx:tide="high"><w:pPr><w:jc w:val="center"/><hx:mood hx:val="calm"/></w:pPr><w:r><w:rPr><w:b/><hx:glow/></w:rPr><w:t>known</w:t></w:r><hx:gull hx:count="3"><hx:feather/></hx:gull><w:r><w:t> and unknown</w:t></w:r></w:p>' +
    '<hx:buoy hx:lit="1"><hx:bell>ding</hx:bell></hx:buoy>' +
    paragraph(
      `${run('one ')}<mc:AlternateContent><mc:Choice Requires="hx"><hx:rope/></mc:Choice><mc:Fallback>${run('of two')}</mc:Fallback></mc:AlternateContent>${run(' ways')}`,
    ) +
    '<mc:AlternateContent><mc:Choice Requires="w14"><w:p><w:r><w:t>chosen</w:t></w:r></w:p></mc:Choice><mc:Fallback><w:p><w:r><w:t>not chosen</w:t></w:r></w:p></mc:Fallback></mc:AlternateContent>' +
    paragraph('the end'),
});

/** Packages that are not as Word writes them. */
export const OTHER_WRITERS: readonly NamedDocument[] = [
  ['as Google Docs writes', google],
  ['strict vocabulary', strict],
  ['indented by hand', indented],
  ['other prefixes', prefixes],
  ['in UTF-16', utf16],
  ['package in another order', packed],
  ['unknown extensions', extensions],
];
