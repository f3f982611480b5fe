import type { NamedDocument } from '../support/corpus.ts';
import { DECLARATION, paragraph, run, wordDocument, wordPart } from './word-package.ts';

const by = (id: number, author = 'Ann Reed') =>
  `w:id="${id}" w:author="${author}" w:date="2026-05-03T10:00:00Z"`;
const deleted = (text: string) => `<w:r><w:delText xml:space="preserve">${text}</w:delText></w:r>`;

const tracked = wordDocument({
  body:
    paragraph(
      `${run('The lamp is ')}<w:del ${by(1)}>${deleted('green')}</w:del><w:ins ${by(2)}>${run('red')}<w:del ${by(3, 'Ben Okoro')}>${deleted(' at night')}</w:del></w:ins>${run('.')}`,
    ) +
    paragraph('joined with the next', `<w:rPr><w:del ${by(4)}/></w:rPr>`) +
    paragraph('put in', `<w:rPr><w:ins ${by(5)}/></w:rPr>`) +
    paragraph(
      run('bold now', `<w:b/><w:rPrChange ${by(6)}><w:rPr><w:i/></w:rPr></w:rPrChange>`),
      `<w:jc w:val="center"/><w:pPrChange ${by(7)}><w:pPr><w:keepNext/><w:jc w:val="right"/></w:pPr></w:pPrChange>`,
    ) +
    paragraph(
      `<w:moveFromRangeStart ${by(8)} w:name="move1"/><w:moveFrom ${by(9)}>${run('it went')}</w:moveFrom><w:moveFromRangeEnd w:id="8"/>${run(' from here')}`,
    ) +
    paragraph(
      `${run('to there: ')}<w:moveToRangeStart ${by(10)} w:name="move1"/><w:moveTo ${by(11)}>${run('it went')}</w:moveTo><w:moveToRangeEnd w:id="10"/>`,
    ) +
    paragraph(
      'numbered by a reviewer',
      `<w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/><w:ins ${by(12)}/></w:numPr>`,
    ) +
    `<w:tbl><w:tblPr><w:tblW w:w="0" w:type="auto"/><w:tblPrChange ${by(13)}><w:tblPr><w:tblW w:w="5000" w:type="dxa"/></w:tblPr></w:tblPrChange></w:tblPr><w:tblGrid><w:gridCol w:w="3000"/><w:gridCol w:w="3000"/><w:tblGridChange w:id="14"><w:tblGrid><w:gridCol w:w="6000"/></w:tblGrid></w:tblGridChange></w:tblGrid>` +
    `<w:tr><w:trPr><w:ins ${by(15)}/></w:trPr><w:tc><w:tcPr><w:tcW w:w="3000" w:type="dxa"/><w:cellIns ${by(16)}/></w:tcPr>${paragraph('new row')}</w:tc><w:tc><w:tcPr><w:tcW w:w="3000" w:type="dxa"/></w:tcPr>${paragraph('two')}</w:tc></w:tr>` +
    `<w:tr><w:trPr><w:del ${by(17)}/></w:trPr><w:tc><w:tcPr><w:tcW w:w="3000" w:type="dxa"/></w:tcPr>${paragraph('old row')}</w:tc><w:tc><w:tcPr><w:tcW w:w="3000" w:type="dxa"/><w:tcPrChange ${by(18)}><w:tcPr><w:tcW w:w="1" w:type="dxa"/></w:tcPr></w:tcPrChange></w:tcPr>${paragraph('two')}</w:tc></w:tr></w:tbl>` +
    paragraph(
      `${run('field ')}<w:del ${by(19)}><w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:delInstrText xml:space="preserve"> PAGE </w:delInstrText></w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r>${deleted('4')}<w:r><w:fldChar w:fldCharType="end"/></w:r></w:del>${run(' gone')}`,
    ),
  section: `<w:sectPr><w:pgSz w:w="11906" w:h="16838"/><w:pgMar w:top="1417" w:right="1417" w:bottom="1134" w:left="1417" w:header="708" w:footer="708" w:gutter="0"/><w:sectPrChange ${by(20)}><w:sectPr><w:pgSz w:w="12240" w:h="15840"/></w:sectPr></w:sectPrChange></w:sectPr>`,
});

const comment = (id: number, paraId: string, author: string, text: string) =>
  `<w:comment w:id="${id}" w:author="${author}" w:date="2026-05-03T10:0${id}:00Z" w:initials="${author[0]}"><w:p w14:paraId="${paraId}" w14:textId="77777777"><w:pPr><w:pStyle w:val="CommentText"/></w:pPr><w:r><w:rPr><w:rStyle w:val="CommentReference"/></w:rPr><w:annotationRef/></w:r>${run(text)}</w:p></w:comment>`;
const MICROSOFT_TYPES = 'http://schemas.microsoft.com/office';
const person = (name: string) =>
  `<w15:person w15:author="${name}"><w15:presenceInfo w15:providerId="None" w15:userId="${name}"/></w15:person>`;
const W15 = 'http://schemas.microsoft.com/office/word/2012/wordml';
const W16CID = 'http://schemas.microsoft.com/office/word/2016/wordml/cid';
const WORD_TYPES = 'application/vnd.openxmlformats-officedocument.wordprocessingml';
const reference = (id: number) =>
  `<w:commentRangeEnd w:id="${id}"/><w:r><w:rPr><w:rStyle w:val="CommentReference"/></w:rPr><w:commentReference w:id="${id}"/></w:r>`;
const comments = wordDocument({
  parts: [
    {
      path: 'comments.xml',
      relationship: 'comments',
      content: wordPart(
        'comments',
        comment(0, '2C000001', 'Ann Reed', 'Is that so?') +
          comment(1, '2C000002', 'Ben Okoro', 'It is.') +
          comment(2, '2C000003', 'Ann Reed', 'Over two paragraphs') +
          comment(3, '2C000004', 'Cleo', 'That nothing refers to'),
      ),
    },
    {
      path: 'commentsExtended.xml',
      relationship: `${MICROSOFT_TYPES}/2011/relationships/commentsExtended`,
      contentType: `${WORD_TYPES}.commentsExtended+xml`,
      content: `${DECLARATION}<w15:commentsEx xmlns:w15="${W15}"><w15:commentEx w15:paraId="2C000001" w15:done="1"/><w15:commentEx w15:paraId="2C000002" w15:paraIdParent="2C000001" w15:done="1"/><w15:commentEx w15:paraId="2C000003" w15:done="0"/></w15:commentsEx>`,
    },
    {
      path: 'commentsIds.xml',
      relationship: `${MICROSOFT_TYPES}/2016/09/relationships/commentsIds`,
      contentType: `${WORD_TYPES}.commentsIds+xml`,
      content: `${DECLARATION}<w16cid:commentsIds xmlns:w16cid="${W16CID}"><w16cid:commentId w16cid:paraId="2C000001" w16cid:durableId="5A000001"/><w16cid:commentId w16cid:paraId="2C000002" w16cid:durableId="5A000002"/></w16cid:commentsIds>`,
    },
    {
      path: 'people.xml',
      relationship: `${MICROSOFT_TYPES}/2011/relationships/people`,
      contentType: `${WORD_TYPES}.people+xml`,
      content: `${DECLARATION}<w15:people xmlns:w15="${W15}">${person('Ann Reed')}${person('Ben Okoro')}</w15:people>`,
    },
  ],
  body:
    paragraph(
      `<w:commentRangeStart w:id="0"/><w:commentRangeStart w:id="1"/>${run('The pier holds.')}${reference(0)}${reference(1)}`,
    ) +
    paragraph(`${run('From ')}<w:commentRangeStart w:id="2"/>${run('here')}`) +
    paragraph(`${run('to here')}${reference(2)}${run(' and on')}`),
});

const note = (kind: 'footnote' | 'endnote', id: number, content: string) =>
  `<w:${kind} w:id="${id}">${paragraph(`<w:r><w:rPr><w:rStyle w:val="FootnoteReference"/></w:rPr><w:${kind}Ref/></w:r>${content}`)}</w:${kind}>`;
const separators = (kind: 'footnote' | 'endnote') =>
  `<w:${kind} w:type="separator" w:id="-1"><w:p><w:r><w:separator/></w:r></w:p></w:${kind}><w:${kind} w:type="continuationSeparator" w:id="0"><w:p><w:r><w:continuationSeparator/></w:r></w:p></w:${kind}>`;
const notes = wordDocument({
  parts: [
    {
      path: 'footnotes.xml',
      relationship: 'footnotes',
      content: wordPart(
        'footnotes',
        separators('footnote') +
          note('footnote', 1, run(' Below the line.')) +
          note('footnote', 2, `${run(' With a ')}<w:ins ${by(1)}>${run('change')}</w:ins>`),
      ),
    },
    {
      path: 'endnotes.xml',
      relationship: 'endnotes',
      content: wordPart('endnotes', separators('endnote') + note('endnote', 1, run(' At the end.'))),
    },
  ],
  body:
    paragraph(
      `${run('A pier')}<w:r><w:rPr><w:rStyle w:val="FootnoteReference"/></w:rPr><w:footnoteReference w:id="1"/></w:r>${run(' of oak')}<w:r><w:rPr><w:vertAlign w:val="superscript"/></w:rPr><w:footnoteReference w:customMarkFollows="1" w:id="2"/><w:t>*</w:t></w:r>`,
    ) +
    paragraph(
      `${run('and stone')}<w:r><w:endnoteReference w:id="1"/></w:r>`,
      '<w:sectPr><w:footnotePr><w:pos w:val="beneathText"/><w:numFmt w:val="lowerRoman"/><w:numRestart w:val="eachSect"/></w:footnotePr><w:pgSz w:w="11906" w:h="16838"/></w:sectPr>',
    ) +
    paragraph('after the section'),
});

/** What reviewers leave. */
export const REVIEWS: readonly NamedDocument[] = [
  ['tracked changes of all kinds', tracked],
  ['comments with replies', comments],
  ['footnotes and endnotes', notes],
];
