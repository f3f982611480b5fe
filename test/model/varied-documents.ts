import { CONVERSION_ERROR } from '../../converter/errors.ts';
import { fromTemplate, templates } from '../../example/server/templates/templates.ts';
import type { NamedDocument } from '../support/corpus.ts';
import { buildDocx, type DocxFixture, PIXEL_PNG } from '../support/docx-fixture.ts';
import { EVERY_KIND, EVERY_PART } from './every-kind.ts';
import { TABLES } from './tables.ts';

const WORD = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
const DRAWING = 'http://schemas.openxmlformats.org/drawingml/2006';
const PICTURE = `${DRAWING}/picture`;
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const TYPES = 'application/vnd.openxmlformats-officedocument.wordprocessingml';

const run = (text: string, properties = '') =>
  `<w:r><w:rPr>${properties}</w:rPr><w:t xml:space="preserve">${text}</w:t></w:r>`;
const paragraph = (content: string, properties = '') => `<w:p><w:pPr>${properties}</w:pPr>${content}</w:p>`;
/** Content in a control, as forms have it. */
const control = (content: string, properties = '') =>
  `<w:sdt><w:sdtPr>${properties}</w:sdtPr><w:sdtContent>${content}</w:sdtContent></w:sdt>`;
const field = (instruction: string, result: string) =>
  `<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText xml:space="preserve"> ${instruction} </w:instrText></w:r>` +
  `<w:r><w:fldChar w:fldCharType="separate"/></w:r>${run(result)}<w:r><w:fldChar w:fldCharType="end"/></w:r>`;
const section = (properties: string) =>
  `<w:sectPr>${properties}<w:pgSz w:w="11906" w:h="16838"/><w:pgMar w:top="1440" w:right="1440" w:bottom="1440" w:left="1440" w:header="708" w:footer="708" w:gutter="0"/></w:sectPr>`;

/** The parts of a document beside its text, each with its type and a relationship of the same id as its name. */
function withParts(contents: Readonly<Record<string, string>>): DocxFixture {
  const names = Object.keys(contents);
  const kindOf = (name: string) => name.replace(/\d+$/, '');
  return {
    relationships: names.map((name) => ({ id: name, type: kindOf(name), target: `${name}.xml` })),
    contentTypes: Object.fromEntries(
      names.map((name) => [`/word/${name}.xml`, `${TYPES}.${kindOf(name)}+xml`]),
    ),
    parts: Object.fromEntries(names.map((name) => [`word/${name}.xml`, contents[name]!])),
  };
}

const edge = (tag: 'hdr' | 'ftr', content: string) =>
  `<w:${tag} xmlns:w="${WORD}">${paragraph(content)}</w:${tag}>`;
const notes = (kind: 'footnote' | 'endnote', content: string) =>
  `<w:${kind}s xmlns:w="${WORD}"><w:${kind} w:type="separator" w:id="-1"><w:p><w:r><w:separator/></w:r></w:p></w:${kind}>` +
  `<w:${kind} w:id="2"><w:p><w:r><w:${kind}Ref/></w:r>${content}</w:p></w:${kind}></w:${kind}s>`;

/** A header and a footnote whose words stand in content controls, with a footer and an endnote. */
export const withHeaderAndNotes: Uint8Array = buildDocx({
  ...withParts({
    header1: edge('hdr', control(run('Words of the header'))),
    footer1: edge('ftr', `${run('Page ')}${field('PAGE', '1')}`),
    footnotes: notes('footnote', control(run('Words of the footnote'))),
    endnotes: notes('endnote', run('Words of the endnote')),
  }),
  body:
    paragraph(`${run('With a footnote')}<w:r><w:footnoteReference w:id="2"/></w:r>`) +
    paragraph(`${run('With an endnote')}<w:r><w:endnoteReference w:id="2"/></w:r>`),
  section: section(
    `<w:headerReference w:type="default" r:id="header1"/><w:footerReference w:type="default" r:id="footer1"/>`,
  ),
});

/** Two pages in three columns, with a header. */
export const ofTwoPages: Uint8Array = buildDocx({
  ...withParts({ header1: edge('hdr', run('On each page')) }),
  body:
    paragraph(run('The first page')) +
    paragraph(`<w:r><w:br w:type="page"/></w:r>${run('The second page')}`) +
    paragraph(`${run('a column')}<w:r><w:br w:type="column"/></w:r>${run('and the next')}`),
  section: section('<w:headerReference w:type="default" r:id="header1"/>').replace(
    '</w:sectPr>',
    '<w:cols w:num="3" w:space="708"/></w:sectPr>',
  ),
});

const numbering = (() => {
  const level = (index: number, format: string, text: string) =>
    `<w:lvl w:ilvl="${index}"><w:start w:val="1"/><w:numFmt w:val="${format}"/><w:lvlText w:val="${text}"/>` +
    `<w:pPr><w:ind w:left="${720 * (index + 1)}" w:hanging="360"/></w:pPr></w:lvl>`;
  const levels = [
    level(0, 'decimal', '%1.'),
    level(1, 'lowerLetter', '%1.%2)'),
    level(2, 'upperRoman', '%3.'),
  ];
  return (
    `<w:numbering xmlns:w="${WORD}"><w:abstractNum w:abstractNumId="0">${levels.join('')}</w:abstractNum>` +
    `<w:abstractNum w:abstractNumId="1">${level(0, 'bullet', '•')}</w:abstractNum>` +
    '<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num><w:num w:numId="2"><w:abstractNumId w:val="1"/></w:num>' +
    '<w:num w:numId="3"><w:abstractNumId w:val="0"/><w:lvlOverride w:ilvl="0"><w:startOverride w:val="7"/></w:lvlOverride></w:num>' +
    '</w:numbering>'
  );
})();
const item = (text: string, list: number, level: number) =>
  paragraph(run(text), `<w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="${list}"/></w:numPr>`);

const picture =
  `<w:r><w:drawing><wp:inline xmlns:wp="${DRAWING}/wordprocessingDrawing"><wp:extent cx="360000" cy="360000"/>` +
  `<wp:docPr id="1" name="Dot" descr="A dot"/><a:graphic xmlns:a="${DRAWING}/main"><a:graphicData uri="${PICTURE}">` +
  `<pic:pic xmlns:pic="${PICTURE}"><pic:nvPicPr><pic:cNvPr id="1" name="dot.png"/><pic:cNvPicPr/></pic:nvPicPr>` +
  '<pic:blipFill><a:blip r:embed="image1"/><a:stretch><a:fillRect/></a:stretch></pic:blipFill><pic:spPr><a:xfrm>' +
  '<a:off x="0" y="0"/><a:ext cx="360000" cy="360000"/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom></pic:spPr>' +
  '</pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r>';

const box = (text: string) =>
  `<w:r><w:pict><v:shape xmlns:v="urn:schemas-microsoft-com:vml" style="width:100pt;height:50pt"><v:textbox>` +
  `<w:txbxContent>${paragraph(run(text))}</w:txbxContent></v:textbox></v:shape></w:pict></w:r>`;

const revised = 'w:author="Ann" w:date="2026-01-02T03:04:05Z"';

/** Documents of our own making, as different from each other as there are. */
export const variedDocuments: readonly NamedDocument[] = [
  ...templates
    .filter(({ fileType }) => fileType === 'docx')
    .map(({ id }) => [`template ${id}`, fromTemplate(id, `A ${id}`)!.bytes] as const),
  [
    'something of everything',
    buildDocx({ ...EVERY_PART, paragraphs: ['The first', 'The second'], body: EVERY_KIND }),
  ],
  ['tables', buildDocx({ body: TABLES })],
  ['header and notes', withHeaderAndNotes],
  ['two pages in columns', ofTwoPages],
  [
    'lists',
    buildDocx({
      ...withParts({ numbering }),
      body:
        item('One', 1, 0) +
        item('One a', 1, 1) +
        item('One a I', 1, 2) +
        item('Two', 1, 0) +
        item('A point', 2, 0) +
        item('Begins with seven', 3, 0),
    }),
  ],
  [
    'languages',
    buildDocx({
      body:
        paragraph(run('مرحبا بالعالم', '<w:rtl/><w:lang w:bidi="ar-EG"/>'), '<w:bidi/>') +
        paragraph(run('你好，世界', '<w:lang w:eastAsia="zh-CN"/>')) +
        paragraph(run('Съешь ещё этих мягких булок')) +
        paragraph(run('Family 👩‍👩‍👧 and e\u0301')),
    }),
  ],
  [
    'a form',
    buildDocx({
      body:
        paragraph(`${run('Name: ')}${control(run('Somebody'), '<w:alias w:val="Name"/><w:text/>')}`) +
        paragraph(
          control(
            run('☒'),
            '<w14:checkbox xmlns:w14="http://schemas.microsoft.com/office/word/2010/wordml"><w14:checked w14:val="1"/></w14:checkbox>',
          ) + run(' agreed'),
        ) +
        control(paragraph(run('A paragraph in a control'))),
    }),
  ],
  [
    'fields and links',
    buildDocx({
      relationships: [
        { id: 'link1', type: 'hyperlink', target: 'https://example.org/a?b&c', external: true },
      ],
      body:
        paragraph(`<w:hyperlink r:id="link1">${run('somewhere else')}</w:hyperlink>${run(' and here')}`) +
        paragraph(`${run('On ')}${field('DATE \\@ "d MMMM yyyy"', '2 January 2026')}`) +
        paragraph(`<w:fldSimple w:instr=" AUTHOR ">${run('Ann')}</w:fldSimple>`),
    }),
  ],
  [
    'a picture and a box',
    buildDocx({
      relationships: [{ id: 'image1', type: 'image', target: 'media/image1.png' }],
      contentTypes: { png: 'image/png' },
      parts: { 'word/media/image1.png': PIXEL_PNG },
      body: paragraph(`${run('A dot: ')}${picture}`) + paragraph(`${run('Beside')}${box('In the box')}`),
    }),
  ],
  [
    'tracked changes',
    buildDocx({
      body:
        paragraph(
          `${run('Kept, ')}<w:ins w:id="1" ${revised}>${run('put in')}</w:ins>` +
            `<w:del w:id="2" ${revised}><w:r><w:delText>taken out</w:delText></w:r></w:del>`,
        ) +
        paragraph(
          run('in bold', `<w:b/><w:rPrChange w:id="3" ${revised}><w:rPr/></w:rPrChange>`),
          `<w:jc w:val="center"/><w:pPrChange w:id="4" ${revised}><w:pPr/></w:pPrChange>`,
        ),
    }),
  ],
  ['not compressed', buildDocx({ stored: true, paragraphs: ['Stored as it is'] })],
  ['long', buildDocx({ paragraphs: Array.from({ length: 300 }, (_, index) => `Paragraph ${index}`) })],
];

/** A compound file with one directory entry of this name, as far as it is looked at. */
function ole(stream: string): Uint8Array {
  const bytes = Buffer.alloc(1_536);
  Buffer.from('d0cf11e0a1b11ae1', 'hex').copy(bytes);
  bytes.write(stream, 1_024, 'utf16le');
  bytes.writeUInt16LE((stream.length + 1) * 2, 1_024 + 64);
  return new Uint8Array(bytes);
}

const whole = buildDocx({ paragraphs: ['To be cut off'] });

/** Documents that are not opened, and the error that is said instead. */
export const refusedDocuments: readonly (readonly [...NamedDocument, code: number])[] = [
  ['encrypted', ole('EncryptedPackage'), CONVERSION_ERROR.passwordRequired],
  ['cut off', whole.subarray(0, whole.length / 2), CONVERSION_ERROR.corrupted],
  [
    'with an entity of this machine',
    buildDocx({
      document:
        '<!DOCTYPE x [<!ENTITY secret SYSTEM "file:///etc/hostname">]>' +
        `<w:document xmlns:w="${WORD}" xmlns:r="${OFFICE}"><w:body>${paragraph(run('&secret;'))}</w:body></w:document>`,
    }),
    CONVERSION_ERROR.corrupted,
  ],
];
