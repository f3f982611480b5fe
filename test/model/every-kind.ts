import { withComments } from '../../converter/engines/ooxml/docx/testing/comment-fixture.ts';
import type { DocxFixture } from '../support/docx-fixture.ts';

/** Something of everything that the model knows, and of what it does not. */
export const EVERY_KIND = `
<w:p><w:pPr><w:pStyle w:val="Heading1"/><w:jc w:val="center"/></w:pPr><w:r><w:t>Heading</w:t></w:r></w:p>
<w:p><w:bookmarkStart w:id="1" w:name="here"/><w:r><w:rPr><w:b/><w:lang w:val="en-GB"/></w:rPr><w:t>bold </w:t></w:r><w:r><w:t>plain</w:t><w:tab/><w:t>tab</w:t><w:br/></w:r><w:bookmarkEnd w:id="1"/><w:proofErr w:type="spellStart"/><w:hyperlink w:anchor="here" w:history="1"><w:r><w:t>link one</w:t></w:r><w:r><w:rPr><w:i/></w:rPr><w:t> two</w:t></w:r></w:hyperlink><w:r><w:t>.</w:t></w:r></w:p>
<w:p><w:ins w:id="7" w:author="A" w:date="2024-01-01T00:00:00Z"><w:r><w:t>added</w:t></w:r></w:ins><w:del w:id="8" w:author="B"><w:r><w:delText>gone</w:delText></w:r></w:del><w:r><w:footnoteReference w:id="2"/></w:r><w:r><w:sym w:font="Wingdings" w:char="F04A"/></w:r></w:p>
<w:tbl><w:tblPr><w:tblW w:w="0" w:type="auto"/></w:tblPr><w:tblGrid><w:gridCol w:w="3000"/><w:gridCol w:w="3000"/></w:tblGrid><w:tr><w:tc><w:tcPr><w:vMerge w:val="restart"/></w:tcPr><w:p><w:r><w:t>tall</w:t></w:r></w:p></w:tc><w:tc><w:p><w:r><w:t>right</w:t></w:r></w:p></w:tc></w:tr><w:tr><w:tc><w:tcPr><w:vMerge/></w:tcPr><w:p/></w:tc><w:tc><w:p/></w:tc></w:tr></w:tbl>
<w:sdt><w:sdtPr><w:id w:val="5"/></w:sdtPr><w:sdtContent><w:p><w:r><w:t>controlled</w:t></w:r></w:p></w:sdtContent></w:sdt>
<w:customXml w:element="x"><w:p><w:r><w:t>opaque</w:t></w:r></w:p></w:customXml>
<w:p><w:pPr><w:numPr><w:ilvl w:val="0"/><w:numId w:val="3"/></w:numPr><w:sectPr><w:pgSz w:w="12240" w:h="15840"/></w:sectPr></w:pPr><w:r><w:t>last of a section</w:t></w:r></w:p>
<w:p><w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>PAGE</w:instrText></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r><w:r><w:t>end</w:t></w:r></w:p>
<w:p><w:pPr><w:rPr><w:ins w:id="20" w:author="A" w:date="2024-01-01T00:00:00Z"/><w:del w:id="21" w:author="B"/><w:i/></w:rPr></w:pPr><w:commentRangeStart w:id="0"/><w:r><w:t>commented</w:t></w:r></w:p>
<w:p><w:r><w:t>to here</w:t></w:r><w:commentRangeEnd w:id="0"/><w:r><w:rPr><w:i/></w:rPr><w:commentReference w:id="0"/></w:r><w:r><w:commentReference w:id="1"/></w:r><w:r><w:t>.</w:t></w:r><w:r><w:endnoteReference w:id="1"/></w:r></w:p>`;

const WORD = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
const DRAWING = 'http://schemas.openxmlformats.org/drawingml/2006/main';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

const comments = withComments([
  { id: '0', paragraphs: ['a comment', 'of two paragraphs'], paraId: '10000001' },
  { id: '1', paragraphs: ['answered'], paraId: '10000002', parent: '10000001', done: true },
  { id: '2', paragraphs: ['that nothing refers to'] },
]);

/** Parts that {@link EVERY_KIND} refers to, and those that documents have beside their text. */
export const EVERY_PART = {
  contentTypes: comments.contentTypes ?? {},
  section: `<w:sectPr><w:headerReference w:type="default" xmlns:r="${OFFICE}" r:id="rIdH"/><w:pgSz w:w="11906" w:h="16838"/></w:sectPr>`,
  relationships: [
    ...(comments.relationships ?? []),
    { id: 'rIdH', type: 'header', target: 'header1.xml' },
    { id: 'rIdF', type: 'footnotes', target: 'footnotes.xml' },
    { id: 'rIdN', type: 'endnotes', target: 'endnotes.xml' },
    { id: 'rIdS', type: 'settings', target: 'settings.xml' },
    { id: 'rIdT', type: 'theme', target: 'theme/theme1.xml' },
  ],
  parts: {
    ...comments.parts,
    'word/header1.xml': `<w:hdr xmlns:w="${WORD}"><w:p><w:pPr><w:rPr><w:del w:id="1" w:author="A"/></w:rPr></w:pPr><w:ins w:id="2" w:author="A"><w:r><w:t>header</w:t></w:r></w:ins></w:p></w:hdr>`,
    'word/footnotes.xml': `<w:footnotes xmlns:w="${WORD}"><w:footnote w:type="separator" w:id="-1"><w:p/></w:footnote><w:footnote w:id="2"><w:p><w:r><w:footnoteRef/></w:r><w:r><w:t>a note</w:t></w:r></w:p></w:footnote></w:footnotes>`,
    'word/endnotes.xml': `<w:endnotes xmlns:w="${WORD}"><w:endnote w:id="1"><w:p><w:r><w:t>at the end</w:t></w:r></w:p></w:endnote></w:endnotes>`,
    'word/settings.xml': `<w:settings xmlns:w="${WORD}"><w:trackRevisions/><w:defaultTabStop w:val="567"/></w:settings>`,
    'word/theme/theme1.xml': `<a:theme xmlns:a="${DRAWING}"><a:themeElements><a:fontScheme name="f"><a:majorFont><a:latin typeface="Major"/></a:majorFont><a:minorFont><a:latin typeface="Minor"/></a:minorFont></a:fontScheme></a:themeElements></a:theme>`,
  },
} as const satisfies DocxFixture;
