import { buildDocx, paragraphXml } from '../../test/support/docx-fixture.ts';

const RUNS_PER_PARAGRAPH = 6;
const WORDS_PER_RUN = 11;
/** About seven such paragraphs fill a page of A4. */
const PARAGRAPHS_PER_PAGE = 7;
const PAGES_PER_TABLE = 10;
const PAGES_PER_LIST = 4;
const WORDS = 'the quick brown fox jumps over a lazy dog while documents are saved without any loss'.split(
  ' ',
);
const WORD = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';

/**
 * A docx of about so many pages, the same bytes each time: on each page a heading and paragraphs of several runs, on
 * every fourth a list of two levels, on every tenth a table.
 */
export function longDocument(pages: number): Uint8Array {
  let body = '';
  for (let page = 0; page < pages; page++) {
    body += paragraphXml({ text: `Page ${page + 1}`, style: 'Heading1' });
    for (let place = 0; place < PARAGRAPHS_PER_PAGE; place++) {
      const index = page * PARAGRAPHS_PER_PAGE + place;
      if (place === 3 && page % PAGES_PER_TABLE === 0) body += tableXml(index);
      if (place === 5 && page % PAGES_PER_LIST === 1) body += listXml(index);
      body += longParagraphXml(index);
    }
  }
  return buildDocx({
    body,
    parts: { 'word/numbering.xml': NUMBERING },
    contentTypes: {
      '/word/numbering.xml': 'application/vnd.openxmlformats-officedocument.wordprocessingml.numbering+xml',
    },
    relationships: [{ id: 'rId2', type: 'numbering', target: 'numbering.xml' }],
  });
}

function longParagraphXml(index: number): string {
  let runs = '';
  for (let run = 0; run < RUNS_PER_PARAGRAPH; run++) runs += runXml(index, run);
  return `<w:p w:rsidR="00AB12${index % 90}"><w:pPr><w:jc w:val="both"/><w:rPr><w:lang w:val="en-GB"/></w:rPr></w:pPr>${runs}</w:p>`;
}

function runXml(paragraph: number, run: number): string {
  const words = Array.from(
    { length: WORDS_PER_RUN },
    (_, at) => WORDS[(paragraph * 7 + run * 5 + at) % WORDS.length],
  );
  const toggle = ['', '<w:b/>', '<w:i/>'][run % 3];
  return `<w:r><w:rPr>${toggle}<w:lang w:val="en-GB"/></w:rPr><w:t xml:space="preserve">${words.join(' ')} ${paragraph} </w:t></w:r>`;
}

function listXml(seed: number): string {
  const item = (level: number, text: string) =>
    `<w:p><w:pPr><w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="1"/></w:numPr></w:pPr><w:r><w:t>${text}</w:t></w:r></w:p>`;
  return item(0, `point ${seed}`) + item(1, 'which has') + item(1, 'two parts') + item(0, 'and another');
}

function tableXml(seed: number): string {
  const cell = `<w:tc><w:tcPr><w:tcW w:w="3000" w:type="dxa"/></w:tcPr>${paragraphXml(`cell ${seed}`)}</w:tc>`;
  const grid = '<w:tblGrid><w:gridCol w:w="3000"/><w:gridCol w:w="3000"/><w:gridCol w:w="3000"/></w:tblGrid>';
  const rows = `<w:tr>${cell.repeat(3)}</w:tr>`.repeat(5);
  return `<w:tbl><w:tblPr><w:tblW w:w="0" w:type="auto"/></w:tblPr>${grid}${rows}</w:tbl>`;
}

const LEVELS = [
  ['decimal', '%1.'],
  ['lowerLetter', '%2)'],
].map(
  ([format, text], level) =>
    `<w:lvl w:ilvl="${level}"><w:start w:val="1"/><w:numFmt w:val="${format}"/><w:lvlText w:val="${text}"/><w:lvlJc w:val="left"/><w:pPr><w:ind w:left="${720 * (level + 1)}" w:hanging="360"/></w:pPr></w:lvl>`,
);
const NUMBERING = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<w:numbering xmlns:w="${WORD}"><w:abstractNum w:abstractNumId="0"><w:multiLevelType w:val="hybridMultilevel"/>${LEVELS.join('')}</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num></w:numbering>`;
