import type { NamedDocument } from '../support/corpus.ts';
import { control, field, paragraph, run, wordDocument, wordPart } from './word-package.ts';

const PAGE =
  '<w:pgSz w:w="11906" w:h="16838"/><w:pgMar w:top="1417" w:right="1417" w:bottom="1134" w:left="1417" w:header="708" w:footer="708" w:gutter="0"/>';

const entry = (text: string, name: string, page: string) =>
  `<w:hyperlink w:anchor="${name}" w:history="1">${run(text, '<w:rStyle w:val="Hyperlink"/><w:noProof/>')}<w:r><w:tab/></w:r>${field(`PAGEREF ${name} \\h`, page)}</w:hyperlink>`;
const heading = (text: string, id: number, level: number) =>
  paragraph(
    `<w:bookmarkStart w:id="${id}" w:name="_Toc${id}"/>${run(text)}<w:bookmarkEnd w:id="${id}"/>`,
    `<w:pStyle w:val="Heading1"/><w:outlineLvl w:val="${level}"/>`,
  );
const contents = wordDocument({
  body:
    control(
      '<w:id w:val="-1893260117"/><w:docPartObj><w:docPartGallery w:val="Table of Contents"/><w:docPartUnique/></w:docPartObj>',
      paragraph('What is in it', '<w:pStyle w:val="TOCHeading"/>') +
        paragraph(
          `<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText xml:space="preserve"> TOC \\o "1-3" \\h \\z \\u </w:instrText></w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r>${entry('Nets', '_Toc71', '1')}`,
          '<w:pStyle w:val="TOC1"/><w:tabs><w:tab w:val="right" w:leader="dot" w:pos="9062"/></w:tabs>',
        ) +
        paragraph(entry('Ropes', '_Toc72', '2'), '<w:pStyle w:val="TOC1"/>') +
        paragraph('<w:r><w:rPr><w:b/><w:bCs/></w:rPr><w:fldChar w:fldCharType="end"/></w:r>'),
    ) +
    heading('Nets', 71, 0) +
    paragraph('They are mended in winter.', '<w:keepNext/><w:keepLines/><w:widowControl w:val="0"/>') +
    heading('Ropes', 72, 0) +
    paragraph(
      'They are cut in spring.',
      '<w:pageBreakBefore/><w:contextualSpacing/><w:suppressLineNumbers/>',
    ),
});

const level = (index: number, format: string, text: string, more = '') =>
  `<w:lvl w:ilvl="${index}" w:tplc="04070${index}0F"><w:start w:val="1"/><w:numFmt w:val="${format}"/>${more}<w:lvlText w:val="${text}"/><w:lvlJc w:val="left"/><w:pPr><w:ind w:left="${720 * (index + 1)}" w:hanging="360"/></w:pPr></w:lvl>`;
const numbering = wordPart(
  'numbering',
  `<w:numPicBullet w:numPicBulletId="0"><w:pict><v:shape id="bullet" style="width:9pt;height:9pt" o:bullet="t"/></w:pict></w:numPicBullet>` +
    `<w:abstractNum w:abstractNumId="0" w15:restartNumberingAfterBreak="0"><w:nsid w:val="1A2B3C4D"/><w:multiLevelType w:val="hybridMultilevel"/><w:tmpl w:val="5E6F7A8B"/>${level(0, 'decimal', '%1.')}${level(1, 'lowerLetter', '%1.%2)', '<w:suff w:val="space"/>')}${level(2, 'upperRoman', '%3', '<w:isLgl/>')}</w:abstractNum>` +
    `<w:abstractNum w:abstractNumId="1" w15:restartNumberingAfterBreak="1"><w:nsid w:val="2B3C4D5E"/><w:multiLevelType w:val="singleLevel"/>${level(0, 'bullet', '', '<w:lvlPicBulletId w:val="0"/>')}</w:abstractNum>` +
    `<w:abstractNum w:abstractNumId="2"><w:multiLevelType w:val="multilevel"/><w:numStyleLink w:val="Steps"/></w:abstractNum>` +
    '<w:num w:numId="1" w16cid:durableId="1450123"><w:abstractNumId w:val="0"/></w:num><w:num w:numId="2"><w:abstractNumId w:val="1"/></w:num>' +
    `<w:num w:numId="3"><w:abstractNumId w:val="0"/><w:lvlOverride w:ilvl="0"><w:startOverride w:val="5"/></w:lvlOverride><w:lvlOverride w:ilvl="1">${level(1, 'decimalZero', '(%2)')}</w:lvlOverride></w:num>` +
    '<w:num w:numId="4"><w:abstractNumId w:val="2"/></w:num><w:numIdMacAtCleanup w:val="3"/>',
);
const item = (text: string, list: number, depth: number, more = '') =>
  paragraph(
    text,
    `<w:pStyle w:val="ListParagraph"/><w:numPr><w:ilvl w:val="${depth}"/><w:numId w:val="${list}"/></w:numPr>${more}`,
  );
const lists = wordDocument({
  parts: [{ path: 'numbering.xml', relationship: 'numbering', content: numbering }],
  body:
    item('Bring the boat in', 1, 0) +
    item('from the east', 1, 1, '<w:ind w:left="1134"/>') +
    item('at high tide', 1, 2) +
    item('Tie it up', 1, 0) +
    paragraph('Not numbered', '<w:numPr><w:ilvl w:val="0"/><w:numId w:val="0"/></w:numPr>') +
    item('A picture before it', 2, 0) +
    item('Begins with five', 3, 0) +
    item('has a level of its own', 3, 1) +
    item('of a style', 4, 0) +
    item('of a list that is not there', 9, 0),
});

const cell = (content: string, properties = '') =>
  `<w:tc><w:tcPr><w:tcW w:w="2000" w:type="dxa"/>${properties}</w:tcPr>${content}</w:tc>`;
const row = (cells: string, properties = '') =>
  `<w:tr>${properties && `<w:trPr>${properties}</w:trPr>`}${cells}</w:tr>`;
const table = (columns: number, rows: string, properties = '') =>
  `<w:tbl><w:tblPr><w:tblStyle w:val="TableGrid"/><w:tblW w:w="0" w:type="auto"/>${properties}<w:tblLook w:val="04A0" w:firstRow="1" w:lastRow="0" w:firstColumn="1" w:lastColumn="0" w:noHBand="0" w:noVBand="1"/></w:tblPr><w:tblGrid>${'<w:gridCol w:w="2000"/>'.repeat(columns)}</w:tblGrid>${rows}</w:tbl>`;
const nested = wordDocument({
  body:
    paragraph('Catches') +
    table(
      3,
      row(
        cell(
          paragraph('Place'),
          '<w:gridSpan w:val="2"/><w:shd w:val="clear" w:color="auto" w:fill="D9E2F3" w:themeFill="accent1" w:themeFillTint="33"/>',
        ) + cell(paragraph('Tons', '<w:cnfStyle w:val="100000000000" w:firstRow="1"/><w:jc w:val="right"/>')),
        '<w:cnfStyle w:val="100000000000"/><w:cantSplit/><w:trHeight w:val="400" w:hRule="atLeast"/><w:tblHeader/>',
      ) +
        row(
          cell(paragraph('North'), '<w:vMerge w:val="restart"/><w:vAlign w:val="center"/>') +
            cell(paragraph('bay')) +
            cell(paragraph('12')),
        ) +
        row(
          cell(paragraph(''), '<w:vMerge/>') +
            cell(
              table(2, row(cell(paragraph('inner')) + cell(paragraph('table')))) + paragraph('below it'),
              '<w:tcMar><w:left w:w="0" w:type="dxa"/></w:tcMar>',
            ) +
            cell(paragraph('7')),
        ),
      '<w:tblpPr w:leftFromText="141" w:rightFromText="141" w:vertAnchor="text" w:tblpY="1"/><w:tblBorders><w:insideV w:val="dotted" w:sz="4" w:space="0" w:color="auto"/></w:tblBorders><w:tblLayout w:type="fixed"/>',
    ) +
    paragraph('between two tables') +
    table(2, row(cell(paragraph('touching')) + cell(paragraph('the end')))) +
    paragraph(''),
});

const shapes = wordDocument({
  body:
    table(
      4,
      row(
        cell(paragraph('after a gap')) + cell(paragraph('two'), '<w:gridSpan w:val="2"/>'),
        '<w:gridBefore w:val="1"/><w:wBefore w:w="2000" w:type="dxa"/>',
      ) +
        row(
          cell(paragraph('a')) +
            cell(paragraph('b'), '<w:hMerge w:val="restart"/>') +
            cell(paragraph(''), '<w:hMerge/>'),
          '<w:gridAfter w:val="1"/><w:wAfter w:w="2000" w:type="dxa"/>',
        ) +
        control(
          '<w:alias w:val="a row"/><w:id w:val="31"/>',
          row([1, 2, 3, 4].map((n) => cell(paragraph(`held ${n}`))).join('')),
        ) +
        row(
          cell(paragraph('x')) +
            control('<w:id w:val="32"/>', cell(paragraph('a cell in a control'))) +
            cell(paragraph('y')) +
            cell(control('<w:id w:val="33"/>', paragraph('its text in one'))),
        ),
      '<w:tblInd w:w="-108" w:type="dxa"/><w:tblCaption w:val="Gaps"/><w:tblDescription w:val="rows of other widths"/>',
    ) + paragraph('the end'),
});

const edge = (kind: 'hdr' | 'ftr', name: string, content: string) => ({
  path: `${name}.xml`,
  relationship: kind === 'hdr' ? 'header' : 'footer',
  content: wordPart(kind, content),
});
const sections = wordDocument({
  parts: [
    edge('hdr', 'header1', paragraph('<w:r><w:t>On all pages</w:t></w:r>', '<w:pStyle w:val="Header"/>')),
    edge(
      'hdr',
      'header2',
      paragraph(
        `${run('On the first')}<w:r><w:pict><v:shape id="PowerPlusWaterMarkObject1" o:spid="_x0000_s2049" type="#_x0000_t136" style="position:absolute;width:400pt;height:100pt;rotation:315" fillcolor="silver" stroked="f"><v:textpath style="font-family:&quot;Calibri&quot;" string="DRAFT"/></v:shape></w:pict></w:r>`,
      ),
    ),
    edge(
      'ftr',
      'footer1',
      paragraph(`${field('PAGE', '1')}${run(' of ')}${field('NUMPAGES', '3')}`, '<w:jc w:val="center"/>'),
    ),
    edge(
      'ftr',
      'footer2',
      control(
        '<w:id w:val="8"/><w:docPartObj><w:docPartGallery w:val="Page Numbers (Bottom of Page)"/></w:docPartObj>',
        paragraph('even'),
      ),
    ),
    {
      path: 'settings.xml',
      relationship: 'settings',
      content: wordPart(
        'settings',
        '<w:zoom w:percent="100"/><w:mirrorMargins/><w:evenAndOddHeaders/><w:defaultTabStop w:val="708"/><w:compat><w:compatSetting w:name="compatibilityMode" w:uri="http://schemas.microsoft.com/office/word" w:val="15"/></w:compat><w:rsids><w:rsidRoot w:val="00A10000"/><w:rsid w:val="00A11357"/></w:rsids><m:mathPr><m:mathFont m:val="Cambria Math"/></m:mathPr>',
      ),
    },
  ],
  body:
    paragraph(
      'ends the first section',
      `<w:sectPr w:rsidR="00A11357"><w:headerReference w:type="default" r:id="header1"/><w:headerReference w:type="first" r:id="header2"/><w:footerReference w:type="default" r:id="footer1"/><w:footerReference w:type="even" r:id="footer2"/>${PAGE}<w:pgBorders w:offsetFrom="page"><w:top w:val="single" w:sz="4" w:space="24" w:color="auto"/></w:pgBorders><w:lnNumType w:countBy="5"/><w:pgNumType w:fmt="lowerRoman" w:start="3"/><w:titlePg/></w:sectPr>`,
    ) +
    paragraph('two columns') +
    paragraph(
      '<w:r><w:br w:type="column"/></w:r><w:r><w:t>the second</w:t></w:r>',
      `<w:sectPr><w:type w:val="continuous"/>${PAGE}<w:cols w:num="2" w:sep="1" w:space="708" w:equalWidth="0"><w:col w:w="3000" w:space="708"/><w:col w:w="5354"/></w:cols></w:sectPr>`,
    ) +
    paragraph('on its side'),
  section:
    '<w:sectPr><w:pgSz w:w="16838" w:h="11906" w:orient="landscape" w:code="9"/><w:pgMar w:top="1417" w:right="1417" w:bottom="1417" w:left="1134" w:header="708" w:footer="708" w:gutter="0"/><w:vAlign w:val="center"/><w:noEndnote/></w:sectPr>',
});

/** Headings, lists, tables and pages. */
export const STRUCTURES: readonly NamedDocument[] = [
  ['table of contents', contents],
  ['lists with overrides', lists],
  ['tables in tables', nested],
  ['rows with gaps and controls', shapes],
  ['sections with headers', sections],
];
