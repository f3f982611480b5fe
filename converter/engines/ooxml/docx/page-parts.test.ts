import { unzipSync } from 'fflate';
import { Node } from 'prosemirror-model';
import { Transform } from 'prosemirror-transform';
import { describe, expect, test } from 'vitest';
import { encodeChange } from '../../../../model/word/change.ts';
import { wordSchema } from '../../../../model/word/schema.ts';
import { buildDocx, type DocxFixture, PIXEL_PNG } from '../../../../test/support/docx-fixture.ts';
import { openDocx } from './docx-engine.ts';
import { assembleDocx } from './testing/assemble-docx.ts';
import { edit } from './testing/docx-edit.ts';

const WORD = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006/relationships';
const NAMESPACES = `xmlns:w="${WORD}" xmlns:r="${OFFICE}"`;

const paragraph = (text: string) => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`;
const header = (text: string) => `<w:hdr ${NAMESPACES}>${paragraph(text)}</w:hdr>`;
const footer = (text: string) => `<w:ftr ${NAMESPACES}>${paragraph(text)}</w:ftr>`;
const reference = (kind: string, type: string, id: string) =>
  `<w:${kind}Reference w:type="${type}" r:id="${id}"/>`;
const lastOf = (section: string, text: string) =>
  `<w:p><w:pPr><w:sectPr>${section}</w:sectPr></w:pPr><w:r><w:t>${text}</w:t></w:r></w:p>`;

function modelOf(fixture: DocxFixture) {
  return openDocx(buildDocx(fixture)).model();
}

function textOf(json: unknown): string {
  return Node.fromJSON(wordSchema, json).textContent;
}

describe('headers and footers', () => {
  const fixture: DocxFixture = {
    body: `${lastOf(`${reference('header', 'default', 'h1')}${reference('header', 'first', 'h2')}${reference('footer', 'default', 'f1')}<w:titlePg/>`, 'one')}${lastOf(`${reference('header', 'default', 'h3')}<w:cols w:num="2"/>`, 'two')}${paragraph('three')}`,
    section: `<w:sectPr>${reference('header', 'even', 'h2')}<w:titlePg w:val="0"/></w:sectPr>`,
    relationships: [
      { id: 'h1', type: 'header', target: 'header1.xml' },
      { id: 'h2', type: 'header', target: 'header2.xml' },
      { id: 'h3', type: 'header', target: 'header3.xml' },
      { id: 'f1', type: 'footer', target: '/word/footer1.xml' },
    ],
    parts: {
      'word/header1.xml': header('header one'),
      'word/header2.xml': header('header two'),
      'word/header3.xml': header('header three'),
      'word/footer1.xml': footer('footer'),
    },
  };

  test('[NT1] belong to sections, and those that a section lacks are of the one before it', () => {
    const { sections, parts } = modelOf(fixture);
    expect(parts.map(textOf)).toEqual(['header one', 'header two', 'footer', 'header three']);
    expect(sections.map(({ headers, footers }) => [headers, footers.default])).toEqual([
      [{ default: 0, first: 1, even: null }, 2],
      [{ default: 3, first: 1, even: null }, 2],
      [{ default: 3, first: 1, even: 1 }, 2],
    ]);
    expect(sections.map(({ titlePage, columns }) => [titlePage, columns])).toEqual([
      [true, 1],
      [false, 2],
      [false, 1],
    ]);
  });

  test.each([
    ['is missing', undefined],
    ['is not XML', '<w:hdr'],
    ['is something else', `<w:ftr ${NAMESPACES}/>`],
  ])('[NT2] whose part %s are left out, and the document opens', (_what, part) => {
    const { 'word/header1.xml': _header, ...others } = fixture.parts!;
    const parts = part === undefined ? others : { ...others, 'word/header1.xml': part };
    const { sections } = modelOf({ ...fixture, parts });
    expect(sections[0]?.headers).toEqual({ default: null, first: 0, even: null });
  });

  test('[NT3] show pictures by relationships of their own, under names that no other picture has', () => {
    const drawing =
      '<w:drawing><wp:inline xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"><wp:extent cx="9525" cy="9525"/><wp:docPr id="1" name="p"/><a:graphic xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/picture"><pic:pic xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture"><pic:blipFill><a:blip r:embed="rId1"/></pic:blipFill></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing>';
    const relationship = (target: string) =>
      `<Relationships xmlns="${PACKAGE}"><Relationship Id="rId1" Type="${OFFICE}/image" Target="${target}"/></Relationships>`;
    const other = Buffer.concat([PIXEL_PNG, Buffer.from('other')]);
    const bytes = buildDocx({
      paragraphs: ['text'],
      section: `<w:sectPr>${reference('header', 'default', 'h1')}</w:sectPr>`,
      relationships: [{ id: 'h1', type: 'header', target: 'parts/header.xml' }],
      parts: {
        'word/media/logo.png': PIXEL_PNG,
        'word/parts/header.xml': `<w:hdr ${NAMESPACES}><w:p><w:r>${drawing}</w:r></w:p></w:hdr>`,
        'word/parts/_rels/header.xml.rels': relationship('../pictures/logo.png'),
        'word/pictures/logo.png': other,
      },
      contentTypes: { png: 'image/png' },
    });
    const source = openDocx(bytes);
    const { parts, media } = source.model();
    const { src } = Node.fromJSON(wordSchema, parts[0]).firstChild!.firstChild!.attrs;
    expect(new Set(media).size).toBe(2);
    expect(media).toContain(src);
    expect(source.media().get(src)).toEqual(new Uint8Array(other));
  });

  test('[NT4] have nodes without ids and marks without keys', () => {
    const content = `<w:p><w:pPr><w:rPr><w:ins w:id="5" w:author="A"/></w:rPr></w:pPr><w:ins w:id="1" w:author="A"><w:r><w:t>new</w:t></w:r></w:ins><w:sdt><w:sdtContent><w:r><w:t>held</w:t></w:r></w:sdtContent></w:sdt><w:bookmarkStart w:id="1" w:name="b"/></w:p><w:tbl><w:tr><w:tc><w:p/></w:tc></w:tr></w:tbl>`;
    const { parts } = modelOf({
      paragraphs: ['text'],
      section: `<w:sectPr>${reference('footer', 'default', 'f1')}</w:sectPr>`,
      relationships: [{ id: 'f1', type: 'footer', target: 'footer1.xml' }],
      parts: { 'word/footer1.xml': `<w:ftr ${NAMESPACES}>${content}</w:ftr>` },
    });
    const doc = Node.fromJSON(wordSchema, parts[0]);
    doc.check();
    expect(doc.firstChild?.toString()).toBe('paragraph(ins("new"), "held", anchor)');
    doc.descendants((node) => {
      expect(node.attrs.id ?? null).toBeNull();
      for (const mark of node.marks) expect(mark.attrs.key).toBeNull();
    });
  });

  test('[NT5] are never written', () => {
    const base = buildDocx(fixture);
    const { parts, xml } = edit(fixture, (tr) => tr.delete(0, tr.doc.firstChild!.nodeSize));
    expect(xml).not.toContain('>one<');
    for (const [name, bytes] of Object.entries(unzipSync(base))) {
      if (name !== 'word/document.xml') expect(Buffer.compare(parts[name]!, bytes), name).toBe(0);
    }
  });
});

describe('notes', () => {
  const separators =
    '<w:footnote w:type="separator" w:id="-1"><w:p/></w:footnote><w:footnote w:type="continuationSeparator" w:id="0"><w:p/></w:footnote>';
  const note = (id: string, text: string) =>
    `<w:footnote w:id="${id}"><w:p><w:r><w:footnoteRef/></w:r><w:r><w:t>${text}</w:t></w:r></w:p>${paragraph('more')}</w:footnote>`;
  const fixture: DocxFixture = {
    body: '<w:p><w:r><w:t>a</w:t></w:r><w:r><w:footnoteReference w:id="2"/><w:endnoteReference w:id="1"/></w:r></w:p>',
    relationships: [
      { id: 'n1', type: 'footnotes', target: 'footnotes.xml' },
      { id: 'n2', type: 'endnotes', target: 'endnotes.xml' },
    ],
    parts: {
      'word/footnotes.xml': `<w:footnotes ${NAMESPACES}>${separators}${note('1', 'one')}${note('2', 'two')}</w:footnotes>`,
      'word/endnotes.xml': `<w:endnotes ${NAMESPACES}><w:endnote w:id="1">${paragraph('end')}</w:endnote></w:endnotes>`,
    },
  };

  test('[NT6] are documents by the ids that references have, without separators', () => {
    const { footnotes, endnotes, doc } = modelOf(fixture);
    expect(Object.keys(footnotes)).toEqual(['1', '2']);
    expect(textOf(footnotes['2'])).toBe('twomore');
    expect(Node.fromJSON(wordSchema, footnotes['2']).childCount).toBe(2);
    expect(textOf(endnotes['1'])).toBe('end');
    const references: unknown[] = [];
    Node.fromJSON(wordSchema, doc).descendants(({ attrs }) => {
      if (attrs.kind) references.push([attrs.kind, attrs.ref]);
    });
    expect(references).toEqual([
      ['w:footnoteReference', '2'],
      ['w:endnoteReference', '1'],
    ]);
  });

  test('[NT2] in a damaged part are left out, and the document opens', () => {
    const parts = { ...fixture.parts, 'word/footnotes.xml': '<w:footnotes>' };
    const { footnotes, endnotes } = modelOf({ ...fixture, parts });
    expect(footnotes).toEqual({});
    expect(Object.keys(endnotes)).toEqual(['1']);
  });

  test('[NT4] give text that can be put into the document', () => {
    const base = buildDocx(fixture);
    const source = openDocx(base);
    const copied = Node.fromJSON(wordSchema, source.model().footnotes['2']);
    const transform = new Transform(source.doc).insert(source.doc.content.size, copied.content);
    const { bytes } = assembleDocx(
      base,
      transform.steps.map((step) => encodeChange('c', step)),
    );
    expect(openDocx(bytes).doc.textContent).toBe('atwomore');
  });
});

describe('settings and theme', () => {
  const A = 'http://schemas.openxmlformats.org/drawingml/2006/main';
  const theme = `<a:theme xmlns:a="${A}"><a:themeElements><a:fontScheme name="x"><a:majorFont><a:latin typeface="Cambria"/><a:ea typeface=""/></a:majorFont><a:minorFont><a:latin typeface="Candara"/><a:ea typeface="Meiryo"/></a:minorFont></a:fontScheme></a:themeElements></a:theme>`;
  const settings = `<w:settings ${NAMESPACES}><w:trackRevisions/><w:defaultTabStop w:val="567"/><w:evenAndOddHeaders w:val="true"/></w:settings>`;
  const relationships = [
    { id: 's', type: 'settings', target: 'settings.xml' },
    { id: 't', type: 'theme', target: 'theme/theme1.xml' },
    { id: 'n', type: 'numbering', target: 'numbering.xml' },
  ];
  const themed = (font: string) => `<w:rPr><w:rFonts w:asciiTheme="${font}" w:ascii="Old"/><w:b/></w:rPr>`;
  const style = (id: string, properties: string) =>
    `<w:style w:type="paragraph" w:styleId="${id}"><w:name w:val="${id}"/>${properties}</w:style>`;
  const styles = `<w:styles ${NAMESPACES}><w:docDefaults><w:rPrDefault>${themed('minorHAnsi')}</w:rPrDefault></w:docDefaults>${style('Major', themed('majorHAnsi'))}${style('Asian', themed('minorEastAsia'))}${style('Unset', themed('majorEastAsia'))}${style('Mixed', '<w:rPr><w:rFonts w:ascii="One" w:hAnsi="Two"/></w:rPr>')}</w:styles>`;
  const level = (number: number, more: string) =>
    `<w:lvl w:ilvl="${number}"><w:start w:val="1"/><w:numFmt w:val="bullet"/>${more}<w:lvlText w:val="x"/></w:lvl>`;
  const numbering = `<w:numbering ${NAMESPACES}><w:abstractNum w:abstractNumId="0"><w:numStyleLink w:val="L"/></w:abstractNum><w:abstractNum w:abstractNumId="1"><w:styleLink w:val="L"/>${level(0, '<w:suff w:val="space"/>')}<w:lvl w:ilvl="1"><w:numFmt w:val="bullet"/><w:lvlText w:val="x"/><w:rPr><w:rFonts w:ascii="Symbol" w:hAnsi="Symbol" w:hint="default"/><w:color w:val="FF0000"/></w:rPr></w:lvl></w:abstractNum><w:num w:numId="7"><w:abstractNumId w:val="0"/></w:num></w:numbering>`;
  const parts = {
    'word/settings.xml': settings,
    'word/theme/theme1.xml': theme,
    'word/styles.xml': styles,
    'word/numbering.xml': numbering,
  };

  test('[NT7] say whether changes are tracked, where tabs stop and which fonts the theme has', () => {
    expect(modelOf({ paragraphs: ['x'], relationships, parts }).settings).toEqual({
      trackChanges: true,
      protection: null,
      evenAndOddHeaders: true,
      defaultTabStop: 567,
      majorFont: 'Cambria',
      minorFont: 'Candara',
    });
    expect(modelOf({ paragraphs: ['x'] }).settings).toEqual({
      trackChanges: false,
      protection: null,
      evenAndOddHeaders: false,
      defaultTabStop: 720,
      majorFont: null,
      minorFont: null,
    });
  });

  test('[NT7] that are damaged are as if there were none', () => {
    const damaged = { ...parts, 'word/settings.xml': '<', 'word/theme/theme1.xml': '<a:theme>' };
    const { settings: read } = modelOf({ paragraphs: ['x'], relationships, parts: damaged });
    expect(read).toMatchObject({ trackChanges: false, majorFont: null });
  });

  test('[NT8] fonts of the theme have their names in defaults and styles', () => {
    const model = modelOf({ paragraphs: ['x'], relationships, parts });
    expect(model.defaults.run).toEqual({ font: { name: 'Candara' }, bold: { on: true } });
    expect(model.styles.map(({ id, run }) => [id, run.font?.name])).toEqual([
      ['Major', 'Cambria'],
      ['Asian', 'Meiryo'],
      ['Unset', 'Old'],
      ['Mixed', 'One'],
    ]);
  });

  test('[NT9] levels of lists say what follows the label and how it looks, also those of a list style', () => {
    const [list] = modelOf({ paragraphs: ['x'], relationships, parts }).lists;
    expect(list?.levels.map(({ suffix, run }) => [suffix, run])).toEqual([
      ['space', {}],
      ['tab', { font: { name: 'Symbol' }, color: { value: 'FF0000' } }],
    ]);
  });

  test('[NT9] levels of lists say when they begin anew, whether they are legal, and a format that only newer programs know', () => {
    const either = (format: string, otherwise: string) =>
      `<mc:AlternateContent xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"><mc:Choice Requires="w14"><w:numFmt w:val="custom" w:format="${format}"/></mc:Choice><mc:Fallback><w:numFmt w:val="${otherwise}"/></mc:Fallback></mc:AlternateContent>`;
    const numbered = (at: number, content: string) => `<w:lvl w:ilvl="${at}">${content}</w:lvl>`;
    const definition =
      numbered(0, `${either('001, 002, 003, ...', 'decimal')}<w:lvlRestart w:val="0"/>`) +
      numbered(1, `${either('a, ç, ĝ, ...', 'lowerLetter')}<w:lvlRestart w:val="0"/><w:isLgl/>`) +
      numbered(2, '<w:numFmt w:val="decimal"/><w:lvlRestart w:val="1"/><w:isLgl w:val="0"/>') +
      numbered(3, '<w:lvlRestart w:val="5"/>');
    const override = `<w:lvlOverride w:ilvl="2">${numbered(2, '<w:numFmt w:val="upperRoman"/><w:lvlRestart w:val="0"/>')}</w:lvlOverride>`;
    const part = `<w:numbering ${NAMESPACES}><w:abstractNum w:abstractNumId="0">${definition}</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num><w:num w:numId="2"><w:abstractNumId w:val="0"/>${override}</w:num></w:numbering>`;
    const { lists } = modelOf({
      paragraphs: ['x'],
      relationships,
      parts: { ...parts, 'word/numbering.xml': part },
    });
    expect(
      lists[0]?.levels.map(({ format, restartsAfter, isLegal }) => [format, restartsAfter, isLegal]),
    ).toEqual([
      ['decimalZero3', undefined, undefined],
      ['lowerLetter', 0, true],
      ['decimal', 1, undefined],
      ['decimal', undefined, undefined],
    ]);
    expect(lists[1]?.levels[2]).toMatchObject({ format: 'upperRoman', restartsAfter: 1 });
  });
});
