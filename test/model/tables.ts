const paragraph = (text: string) => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`;
const cell = (text: string, properties = '') =>
  `<w:tc><w:tcPr><w:tcW w:w="1500" w:type="dxa"/>${properties}</w:tcPr>${paragraph(text)}</w:tc>`;
const row = (cells: string, properties = '') =>
  `<w:tr w:rsidR="00AA"><w:trPr>${properties}<w:cantSplit/></w:trPr>${cells}</w:tr>`;
const grid = (...widths: number[]) =>
  `<w:tblGrid>${widths.map((width) => `<w:gridCol w:w="${width}"/>`).join('')}</w:tblGrid>`;
const lines =
  '<w:tblBorders><w:top w:val="single" w:sz="4"/><w:insideV w:val="single" w:sz="4"/></w:tblBorders>';
const table = (columns: string, rows: string, properties = '') =>
  `<w:tbl><w:tblPr><w:tblW w:w="0" w:type="auto"/>${properties}<w:tblLook w:val="04A0"/></w:tblPr>${columns}${rows}</w:tbl><w:p/>`;

const plain = table(
  grid(1500, 2000, 2500),
  row(cell('a') + cell('b') + cell('c'), '<w:tblHeader/>') +
    row(cell('d', '<w:shd w:val="clear" w:color="auto" w:fill="AABBCC"/>') + cell('e') + cell('f')) +
    row(cell('g') + cell('h') + cell('i', '<w:vAlign w:val="center"/>')),
  lines,
);

const merged = table(
  grid(1000, 1000, 1000, 1000),
  row(cell('tall', '<w:vMerge w:val="restart"/>') + cell('wide', '<w:gridSpan w:val="3"/>')) +
    row(
      cell('', '<w:vMerge/>') +
        cell('block', '<w:gridSpan w:val="2"/><w:vMerge w:val="restart"/>') +
        cell('right'),
    ) +
    row(cell('', '<w:vMerge/>') + cell('', '<w:gridSpan w:val="2"/><w:vMerge/>') + cell('below')),
  `<w:jc w:val="right"/>${lines}`,
);

/** Rows that begin later or end sooner than others, which they need not say. */
const ragged = table(
  grid(1200, 1200, 1200),
  row(cell('late') + cell('r'), '<w:gridBefore w:val="1"/><w:wBefore w:w="1200" w:type="dxa"/>') +
    row(cell('all') + cell('three') + cell('here')) +
    row(cell('short'), '<w:gridAfter w:val="2"/><w:wAfter w:w="2400" w:type="dxa"/>') +
    row(cell('says') + cell('nothing')),
);

const inner = table(grid(700, 700), row(cell('in') + cell('side')) + row(cell('two') + cell('rows')));
const nested = table(
  grid(3000, 1500),
  row(`<w:tc><w:tcPr/>${paragraph('around')}${inner}</w:tc>${cell('beside')}`),
);

/** Pretty-printed, without widths, without properties. */
const bare = `<w:tbl>
  <w:tblPr/>
  <w:tblGrid/>
  <w:tr>
    <w:tc>${paragraph('one')}</w:tc>
    <w:tc>${paragraph('two')}</w:tc>
  </w:tr>
  <w:tr>
    <w:tblPrEx><w:jc w:val="center"/></w:tblPrEx>
    <w:tc>${paragraph('three')}</w:tc>
    <w:tc><w:p/></w:tc>
  </w:tr>
</w:tbl><w:p/>`;

const control = (id: number, content: string, properties = '') =>
  `<w:sdt><w:sdtPr><w:id w:val="${id}"/>${properties}</w:sdtPr><w:sdtContent>${content}</w:sdtContent></w:sdt>`;
const repeating = (kind: string) =>
  `<w15:repeatingSection${kind} xmlns:w15="http://schemas.microsoft.com/office/word/2012/wordml"/>`;
const bookmark = (id: number) =>
  `<w:bookmarkStart w:id="${id}" w:name="b${id}"/><w:bookmarkEnd w:id="${id}"/>`;

/** Rows and cells in content controls, one in the other, and in custom XML. */
export const WRAPPED: string = table(
  grid(1500, 1500, 1500),
  row(cell('head') + control(1, cell('in one')) + cell('last')) +
    control(
      2,
      control(3, row(cell('item 1') + cell('x1') + cell('y1')), repeating('Item')) +
        control(4, row(cell('item 2') + control(5, cell('x2') + cell('y2'))), repeating('Item')),
      repeating(''),
    ) +
    bookmark(1) +
    control(
      6,
      row(cell('a6') + cell('b6') + cell('c6')) + bookmark(2) + row(cell('d6') + cell('e6') + cell('f6')),
    ) +
    `<w:customXml w:element="x"><w:customXmlPr/>${row(
      `<w:customXml w:element="y">${cell('tall', '<w:vMerge w:val="restart"/>')}</w:customXml>` +
        cell('g7') +
        cell('h7'),
    )}</w:customXml>` +
    row(control(7, cell('', '<w:vMerge/>')) + cell('i8') + cell('j8')),
);

/** Tables of all shapes that the model has. */
export const TABLES: string = plain + merged + ragged + nested + bare + WRAPPED;
