import type { NamedDocument } from '../support/corpus.ts';
import { buildWorkbook, OFFICE } from '../support/workbook-fixture.ts';

const SHEETS = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
const THREADS = 'http://schemas.microsoft.com/office/spreadsheetml/2018/threadedcomments';
const DRAWING = 'http://schemas.openxmlformats.org/drawingml/2006';

const plain = {
  strings:
    '<si><t>one</t></si><si><t xml:space="preserve"> two_x000D_ </t></si><si><r><rPr><b/><sz val="11"/></rPr><t>bold</t></r><r><t xml:space="preserve"> plain</t></r><phoneticPr fontId="1"/></si>',
  sheets: [
    {
      before: '<dimension ref="A1:D6"/>',
      rows: '<row r="1" spans="1:4" ht="20" customHeight="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c><c r="C1" t="s"><v>2</v></c><c r="D1" t="inlineStr"><is><t>in &amp; line</t></is></c></row><row r="2"><c r="A2" s="1"><v>45000</v></c><c r="B2" t="b"><v>1</v></c><c r="C2" t="e"><v>#N/A</v></c><c r="D2" s="2"/></row><row r="4" hidden="1"><c r="A4"><f>A2+1</f><v>45001</v></c><c r="B4" t="str"><f>A1&amp;"x"</f><v>onex</v></c></row><row r="6" s="2" customFormat="1"/>',
      after: '<pageMargins left="0.7" right="0.7" top="0.75" bottom="0.75" header="0.3" footer="0.3"/>',
    },
    { name: 'Other', rows: '<row r="1"><c r="A1"><f>SUM(Sheet1!A1:A4)</f><v>90001</v></c></row>' },
  ],
} as const;

const shared =
  '<row r="1"><c r="A1"><v>1</v></c><c r="B1"><f t="shared" ref="B1:B4" si="0">A1*2</f><v>2</v></c></row><row r="2"><c r="A2"><v>2</v></c><c r="B2"><f t="shared" si="0"/><v>4</v></c></row><row r="3"><c r="A3"><v>3</v></c><c r="B3"><f t="shared" si="0"/><v>6</v></c></row><row r="4"><c r="A4"><v>4</v></c><c r="B4"><f t="shared" si="0"/><v>8</v></c></row>';

const metadata = `<metadata xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><metadataTypes count="1"><metadataType name="XLDAPR" minSupportedVersion="120000"/></metadataTypes><futureMetadata name="XLDAPR" count="1"><bk><extLst><ext uri="{bdbb8cdc-fa1e-496e-a857-3c3f30c029c3}"><xda:dynamicArrayProperties xmlns:xda="http://schemas.microsoft.com/office/spreadsheetml/2017/dynamicarray" fDynamic="1" fCollapsed="0"/></ext></extLst></bk></futureMetadata><cellMetadata count="1"><bk><rc t="1" v="0"/></bk></cellMetadata></metadata>`;

const spans =
  '<row r="1"><c r="A1"><v>1</v></c><c r="B1"><v>2</v></c><c r="D1"><f t="array" ref="D1:D2">A1:A2*2</f><v>2</v></c><c r="F1" cm="1"><f t="array" ref="F1:F2">_xlfn.SEQUENCE(2)</f><v>1</v></c></row><row r="2"><c r="A2"><v>5</v></c><c r="D2"><v>10</v></c><c r="F2"><v>2</v></c></row><row r="4"><c r="B4"><f>A1*B1</f><v>2</v></c></row><row r="5"><c r="A5"><v>3</v></c><c r="B5"><f t="dataTable" ref="B5:B6" dt2D="0" dtr="0" r1="A1" ca="1"/><v>6</v></c></row><row r="6"><c r="A6"><v>4</v></c><c r="B6"><v>8</v></c></row>';

const noteShapes =
  '<xml xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office" xmlns:x="urn:schemas-microsoft-com:office:excel"><v:shape id="_x0000_s1025" type="#_x0000_t202"><v:textbox><div>not <br> XML</div></v:textbox><x:ClientData ObjectType="Note"><x:Anchor>2, 15, 1, 2, 4, 31, 5, 9</x:Anchor><x:Row>1</x:Row><x:Column>1</x:Column></x:ClientData></v:shape><v:shape id="_x0000_s1026" type="#_x0000_t202"><x:ClientData ObjectType="Note"><x:Anchor>4, 15, 3, 2, 6, 31, 7, 9</x:Anchor><x:Row>3</x:Row><x:Column>3</x:Column></x:ClientData></v:shape></xml>';
const thread = '{00000000-0000-0000-0000-000000000001}';
const answer = '{00000000-0000-0000-0000-000000000002}';
const person = '{00000000-0000-0000-0000-00000000000A}';

/** A workbook with a note in B2 and a thread with an answer in D4. */
export const commented = buildWorkbook({
  sheets: [
    {
      rows: '<row r="4"><c r="D4"><v>1</v></c></row>',
      after: '<legacyDrawing r:id="rId1"/>',
      links: [
        ['vmlDrawing', '../drawings/vmlDrawing1.vml'],
        ['comments', '../comments1.xml'],
        [
          'http://schemas.microsoft.com/office/2017/10/relationships/threadedComment',
          '../threadedComments/threadedComment1.xml',
        ],
      ],
    },
  ],
  links: [['http://schemas.microsoft.com/office/2017/10/relationships/person', 'persons/person.xml']],
  parts: {
    'xl/drawings/vmlDrawing1.vml': [
      'application/vnd.openxmlformats-officedocument.vmlDrawing',
      Buffer.from(noteShapes),
    ],
    'xl/comments1.xml': [
      `${SHEETS}.comments+xml`,
      `<comments xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><authors><author>Ann</author><author>tc=${thread}</author></authors><commentList><comment ref="B2" authorId="0" shapeId="0"><text><r><rPr><b/></rPr><t>look</t></r></text></comment><comment ref="D4" authorId="1"><text><t>[Threaded comment]</t></text></comment></commentList></comments>`,
    ],
    'xl/threadedComments/threadedComment1.xml': [
      'application/vnd.ms-excel.threadedcomments+xml',
      `<ThreadedComments xmlns="${THREADS}"><threadedComment ref="D4" dT="2024-05-01T10:00:00.00" personId="${person}" id="${thread}" done="0"><text>why?</text></threadedComment><threadedComment ref="D4" dT="2024-05-01T11:00:00.00" personId="${person}" id="${answer}" parentId="${thread}"><text>because</text></threadedComment></ThreadedComments>`,
    ],
    'xl/persons/person.xml': [
      'application/vnd.ms-excel.person+xml',
      `<personList xmlns="${THREADS}"><person displayName="Bea" id="${person}" userId="bea" providerId="None"/></personList>`,
    ],
  },
});

const chart = `<c:chartSpace xmlns:c="${DRAWING}/chart" xmlns:a="${DRAWING}/main"><c:chart><c:autoTitleDeleted val="1"/><c:plotArea><c:barChart><c:barDir val="col"/><c:grouping val="clustered"/><c:ser><c:idx val="0"/><c:order val="0"/><c:spPr><a:kept/></c:spPr><c:val><c:numRef><c:f>Sheet1!$A$1:$A$3</c:f><c:numCache><c:ptCount val="3"/><c:pt idx="0"><c:v>1</c:v></c:pt><c:pt idx="2"><c:v>3</c:v></c:pt></c:numCache></c:numRef></c:val></c:ser><c:axId val="1"/><c:axId val="2"/></c:barChart></c:plotArea></c:chart></c:chartSpace>`;
const spot = (name: string, row: number, column: number) =>
  `<xdr:${name}><xdr:col>${column}</xdr:col><xdr:colOff>0</xdr:colOff><xdr:row>${row}</xdr:row><xdr:rowOff>9</xdr:rowOff></xdr:${name}>`;

/** A workbook with a picture at A5 and a chart at C3. */
export const drawn = buildWorkbook({
  sheets: [
    {
      rows: '<row r="1"><c r="A1"><v>1</v></c></row><row r="3"><c r="A3"><v>3</v></c></row>',
      after: '<drawing r:id="rId1"/>',
      links: [['drawing', '../drawings/drawing1.xml']],
    },
  ],
  parts: {
    'xl/drawings/drawing1.xml': [
      'application/vnd.openxmlformats-officedocument.drawing+xml',
      `<xdr:wsDr xmlns:xdr="${DRAWING}/spreadsheetDrawing" xmlns:a="${DRAWING}/main"><xdr:oneCellAnchor>${spot('from', 4, 0)}<xdr:ext cx="100" cy="50"/><xdr:pic><xdr:nvPicPr><xdr:cNvPr id="2" name="Logo" descr="a dot"/><xdr:cNvPicPr/></xdr:nvPicPr><xdr:blipFill><a:blip xmlns:r="${OFFICE}" r:embed="rId1"/></xdr:blipFill><xdr:spPr/></xdr:pic><xdr:clientData/></xdr:oneCellAnchor><xdr:twoCellAnchor editAs="oneCell">${spot('from', 2, 2)}${spot('to', 9, 6)}<xdr:graphicFrame macro=""><xdr:nvGraphicFramePr><xdr:cNvPr id="3" name="Chart"/><xdr:cNvGraphicFramePr/></xdr:nvGraphicFramePr><xdr:xfrm/><a:graphic><a:graphicData uri="${DRAWING}/chart"><c:chart xmlns:c="${DRAWING}/chart" xmlns:r="${OFFICE}" r:id="rId2"/></a:graphicData></a:graphic></xdr:graphicFrame><xdr:clientData/></xdr:twoCellAnchor></xdr:wsDr>`,
    ],
    'xl/drawings/_rels/drawing1.xml.rels': [
      '',
      `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="${OFFICE}/image" Target="../media/image1.png"/><Relationship Id="rId2" Type="${OFFICE}/chart" Target="../charts/chart1.xml"/></Relationships>`,
    ],
    'xl/media/image1.png': ['image/png', new Uint8Array([137, 80, 78, 71, 13, 10, 26, 10])],
    'xl/charts/chart1.xml': ['application/vnd.openxmlformats-officedocument.drawingml.chart+xml', chart],
  },
});

/** A workbook with a table in A1:B3, rules, validations, links, merged cells, names and a filter. */
export const itemised = buildWorkbook({
  sheets: [
    {
      rows: '<row r="1"><c r="A1" t="str"><v>Name</v></c><c r="B1" t="str"><v>Sum</v></c></row><row r="2"><c r="A2" t="str"><v>x</v></c><c r="B2"><f>Table1[[#This Row],[Name]]</f><v>1</v></c></row><row r="3"><c r="A3" t="str"><v>y</v></c></row><row r="8" hidden="1"><c r="D8"><v>1</v></c></row>',
      after:
        '<sheetProtection sheet="1" objects="1" sort="0" password="CC1A"/><protectedRanges><protectedRange sqref="F1:F9" name="open" securityDescriptor="kept"/></protectedRanges><autoFilter ref="D7:D9"><filterColumn colId="0"><filters><filter val="2"/></filters></filterColumn></autoFilter><mergeCells count="2"><mergeCell ref="A5:B6"/><mergeCell ref="D1:E1"/></mergeCells><conditionalFormatting sqref="A1:A3" pivot="1"><cfRule type="cellIs" dxfId="0" priority="2" operator="greaterThan"><formula>5</formula></cfRule><cfRule type="expression" priority="1"><formula>$B1&gt;3</formula></cfRule></conditionalFormatting><conditionalFormatting sqref="B2:B3"><cfRule type="colorScale" priority="3"><colorScale><cfvo type="min"/><cfvo type="max"/><color rgb="FFFF0000"/><color theme="4" tint="0.5"/></colorScale></cfRule></conditionalFormatting><dataValidations count="1"><dataValidation type="list" allowBlank="1" showErrorMessage="1" imeMode="kept" sqref="C2:C9"><formula1>"a,b"</formula1></dataValidation></dataValidations><hyperlinks><hyperlink ref="A5" r:id="rId2" tooltip="go"/><hyperlink ref="D1" location="Sheet1!A1" display="top"/></hyperlinks><rowBreaks count="1" manualBreakCount="1"><brk id="6" max="16383" man="1"/></rowBreaks><tableParts count="1"><tablePart r:id="rId1"/></tableParts>',
      links: [
        ['table', '../tables/table1.xml'],
        ['hyperlink', 'https://example.org/', true],
      ],
    },
  ],
  after:
    '<definedNames><definedName name="_xlnm._FilterDatabase" localSheetId="0" hidden="1">Sheet1!$D$7:$D$9</definedName><definedName name="Rate" comment="kept">Sheet1!$B$2</definedName></definedNames><calcPr calcId="191029"/>',
  parts: {
    'xl/tables/table1.xml': [
      `${SHEETS}.table+xml`,
      '<table xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" id="7" name="Table1" displayName="Table1" ref="A1:B3" totalsRowShown="0"><autoFilter ref="A1:B3"/><tableColumns count="2"><tableColumn id="1" name="Name" dataDxfId="0"/><tableColumn id="2" name="Sum"><calculatedColumnFormula>Table1[[#This Row],[Name]]</calculatedColumnFormula></tableColumn></tableColumns><tableStyleInfo name="TableStyleMedium2" showFirstColumn="0" showLastColumn="0" showRowStripes="1" showColumnStripes="0"/></table>',
    ],
  },
});

/** A workbook with parts that the model knows nothing of. */
export const strange = buildWorkbook({
  ...plain,
  after:
    '<externalReferences><externalReference r:id="rId5"/></externalReferences><calcPr calcId="1" fullPrecision="0"/>',
  links: [
    ['externalLink', 'externalLinks/externalLink1.xml'],
    ['http://schemas.microsoft.com/office/2006/relationships/vbaProject', 'vbaProject.bin'],
    ['calcChain', 'calcChain.xml'],
  ],
  parts: {
    'xl/externalLinks/externalLink1.xml': [`${SHEETS}.externalLink+xml`, '<externalLink/>'],
    'xl/vbaProject.bin': ['application/vnd.ms-office.vbaProject', new Uint8Array([1, 2, 3])],
    'xl/calcChain.xml': [`${SHEETS}.calcChain+xml`, '<calcChain><c r="A4" i="1"/><c r="B4"/></calcChain>'],
    'xl/slicers/slicer1.xml': ['application/vnd.ms-excel.slicer+xml', '<slicers/>'],
  },
});

export const sharing = buildWorkbook({ sheets: [{ rows: shared }] });
export const spanning = buildWorkbook({
  sheets: [{ rows: spans }],
  links: [['sheetMetadata', 'metadata.xml']],
  parts: { 'xl/metadata.xml': [`${SHEETS}.sheetMetadata+xml`, metadata] },
});

/** The corpus of workbooks of our own making. */
export const ownWorkbooks: readonly NamedDocument[] = [
  ['plain', buildWorkbook(plain)],
  ['with a prefix', buildWorkbook({ ...plain, prefix: 'x:' })],
  ['strict', buildWorkbook({ ...plain, strict: true })],
  ['in UTF-16', buildWorkbook({ ...plain, utf16: true })],
  ['with shared formulas', sharing],
  ['with shared formulas and a prefix', buildWorkbook({ sheets: [{ rows: shared }], prefix: 'sheet:' })],
  ['with formulas that fill cells', spanning],
  ['with comments', commented],
  ['with drawings', drawn],
  ['with tables, rules and names', itemised],
  ['with strange parts', strange],
  [
    'without references, and printed prettily',
    buildWorkbook({
      sheets: [
        {
          rows: '\n  <row>\n    <c><v>1</v></c>\n    <c t="str"><v>two</v></c>\n  </row>\n  <!-- <row r="9"> --><row r="3" spans="1:1">\n    <c r="A3"><f ca="1">A1+1</f><v>2</v></c>\n  </row>\n',
        },
      ],
    }),
  ],
  [
    'in disorder',
    buildWorkbook({
      sheets: [
        {
          rows: '<row r="3"><c r="C3"><v>3</v></c><c r="A3"><v>1</v></c></row><row r="1"><c r="A1"><v>9</v></c></row><row r="3"><c r="B3"><v>2</v></c></row>',
        },
      ],
    }),
  ],
  [
    'with namespaces in its rows',
    buildWorkbook({
      sheets: [{ rows: '<row r="1"><c r="A1" xmlns:z="urn:z" z:kept="1"><v>1</v></c></row>' }],
    }),
  ],
];
