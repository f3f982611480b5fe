import { describe, expect, test } from 'vitest';
import { buildDocx, type DocxFixture, PIXEL_PNG } from '../../../../test/support/docx-fixture.ts';
import { openDocx } from './docx-engine.ts';
import { assembleDocx } from './testing/assemble-docx.ts';
import { blockOf } from './testing/docx-edit.ts';

const NAMESPACES = [
  'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"',
  'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"',
  'xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"',
  'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"',
  'xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture"',
  'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"',
  'xmlns:v="urn:schemas-microsoft-com:vml"',
  'xmlns:o="urn:schemas-microsoft-com:office:office"',
].join(' ');

const PARTS: DocxFixture = {
  parts: {
    'word/media/photo.png': PIXEL_PNG,
    'word/media/old.emf': 'metafile',
    'word/media/vector.svg': '<svg/>',
    'word/media/scan.tiff': 'II*\0',
    'customXml/picture.bin': PIXEL_PNG,
    'word/settings.xml':
      '<w:settings xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"/>',
  },
  contentTypes: {
    png: 'image/png',
    emf: 'image/x-emf',
    svg: 'image/svg+xml',
    tiff: 'image/tiff',
    '/customXml/picture.bin': 'image/png',
  },
  relationships: [
    { id: 'png', type: 'image', target: 'media/photo.png' },
    { id: 'emf', type: 'image', target: 'media/old.emf' },
    { id: 'tiff', type: 'image', target: 'media/scan.tiff' },
    { id: 'svg', type: 'image', target: 'media/vector.svg' },
    { id: 'away', type: 'image', target: '/customXml/picture.bin' },
    { id: 'web', type: 'image', target: 'https://example.org/a.png', external: true },
    { id: 'other', type: 'settings', target: 'settings.xml' },
    { id: 'gone', type: 'image', target: 'media/gone.png' },
  ],
};

function open(content: string, fixture: DocxFixture = PARTS) {
  const document = `<w:document ${NAMESPACES}><w:body>${content}</w:body></w:document>`;
  const bytes = buildDocx({ ...fixture, document });
  const source = openDocx(bytes);
  expect(Buffer.compare(assembleDocx(bytes, []).bytes, bytes)).toBe(0);
  return source;
}

const inlineOf = (xml: string) =>
  blockOf(open(`<w:p><w:r>${xml}</w:r></w:p>`).doc, 'opaque_inline').node.attrs;
const blip = (id: string, more = '') =>
  `<pic:pic><pic:blipFill><a:blip r:embed="${id}">${more}</a:blip></pic:blipFill></pic:pic>`;
const floating = (inside: string) =>
  `<w:drawing><wp:anchor><wp:positionH><wp:posOffset>77</wp:posOffset></wp:positionH><wp:extent cx="952500" cy="476250"/><wp:docPr id="1" descr="A &quot;view&quot;"/><a:graphic><a:graphicData>${inside}</a:graphicData></a:graphic></wp:anchor></w:drawing>`;
const shape = (id: string, style = 'position:absolute;width:72pt;height:1in') =>
  `<v:shapetype id="t" coordsize="1,1"/><v:shape style="${style}"><v:imagedata r:id="${id}"/></v:shape>`;

describe('pictures of opaque content', () => {
  test.each([
    ['a floating picture', floating(blip('png')), 'media/photo.png', 952_500, 476_250],
    [
      'a picture in a group',
      floating(`<wpg:wgp>${blip('png')}</wpg:wgp>`),
      'media/photo.png',
      952_500,
      476_250,
    ],
    [
      'the form for old programs',
      `<mc:AlternateContent><mc:Choice>${floating('<c:chart r:id="x"/>')}</mc:Choice><mc:Fallback><w:pict>${shape('png')}</w:pict></mc:Fallback></mc:AlternateContent>`,
      'media/photo.png',
      952_500,
      476_250,
    ],
    ['a VML picture', `<w:pict>${shape('png')}</w:pict>`, 'media/photo.png', 914_400, 914_400],
    [
      'a VML picture by its other name',
      `<w:pict>${shape('x').replace('r:id="x"', 'o:relid="png"')}</w:pict>`,
      'media/photo.png',
      914_400,
      914_400,
    ],
    [
      'sizes in pixels and millimetres',
      `<w:pict>${shape('png', 'width:10; height : 2.5mm')}</w:pict>`,
      'media/photo.png',
      95_250,
      90_000,
    ],
    [
      'sizes that are no lengths',
      `<w:pict>${shape('png', 'width:50%;height:auto')}</w:pict>`,
      'media/photo.png',
      0,
      0,
    ],
    [
      'the preview of an embedded object',
      `<w:object w:dxaOrig="1440" w:dyaOrig="720">${shape('png', 'width:36pt;height:18pt')}</w:object>`,
      'media/photo.png',
      457_200,
      228_600,
    ],
    [
      'an object that says only its original size',
      `<w:object w:dxaOrig="1440" w:dyaOrig="720">${shape('png', '')}</w:object>`,
      'media/photo.png',
      914_400,
      457_200,
    ],
    ['a metafile', floating(blip('emf')), 'media/old.emf', 952_500, 476_250],
    ['a picture in TIFF', floating(blip('tiff')), null, 952_500, 476_250],
    [
      'a picture behind a metafile',
      floating(`${blip('emf')}${blip('png')}`),
      'media/photo.png',
      952_500,
      476_250,
    ],
    [
      'a metafile beside which there is a vector picture',
      floating(blip('emf', '<a:extLst><a:ext><asvg:svgBlip r:embed="svg"/></a:ext></a:extLst>')),
      'media/vector.svg',
      952_500,
      476_250,
    ],
    ['a picture in another folder', floating(blip('away')), 'media/picture.bin.png', 952_500, 476_250],
    ['a picture on the web', floating(blip('web')), null, 952_500, 476_250],
    ['a picture that is missing', floating(blip('gone')), null, 952_500, 476_250],
    ['a part that is no picture', floating(blip('other')), null, 952_500, 476_250],
    ['an unknown relationship', floating(blip('none')), null, 952_500, 476_250],
    ['a shape without a picture', floating('<wps:wsp/>'), null, 952_500, 476_250],
    ['sizes that no document has', floating(blip('png')).replace('952500', '1e99'), 'media/photo.png', 0, 0],
  ])('[OQ1] %s', (_what, xml, picture, width, height) => {
    expect(inlineOf(xml)).toMatchObject({ picture, width, height });
  });

  test('[OQ1] of the result of a field and of opaque blocks', () => {
    const field = `<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>INCLUDEPICTURE "x"</w:instrText></w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r><w:r><w:pict>${shape('png')}</w:pict></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r>`;
    const block = `<w:customXml w:element="x"><w:p><w:r>${floating(blip('png'))}</w:r></w:p></w:customXml>`;
    const { doc } = open(`<w:p>${field}</w:p>${block}`);
    expect(blockOf(doc, 'opaque_inline').node.attrs).toMatchObject({
      kind: 'field',
      picture: 'media/photo.png',
    });
    expect(blockOf(doc, 'opaque_block').node.attrs).toMatchObject({
      width: 952_500,
      picture: 'media/photo.png',
    });
  });

  test('[OQ2] are served, wherever in the package they lie, under a name that says what they are', () => {
    const source = open(`<w:p><w:r>${floating(blip('away'))}</w:r></w:p>`);
    const { picture } = blockOf(source.doc, 'opaque_inline').node.attrs;
    expect(source.model().media).toContain(picture);
    expect(source.media().get(picture)).toEqual(new Uint8Array(PIXEL_PNG));
  });
});

describe('labels of opaque content', () => {
  const textBox = (words: string) =>
    `<wps:txbx><w:txbxContent><w:p><w:r><w:t>${words}</w:t></w:r></w:p><w:p><w:r><w:t>end</w:t></w:r></w:p></w:txbxContent></wps:txbx>`;

  test('[OQ3] a text box shows its text once, and no numbers of its layout', () => {
    const box = `<mc:AlternateContent><mc:Choice>${floating(textBox('In a box &amp; more'))}</mc:Choice><mc:Fallback><w:pict>${textBox('In a box')}</w:pict></mc:Fallback></mc:AlternateContent>`;
    expect(inlineOf(box).label).toBe('In a box & more end');
  });

  test('[OQ3] long text is shortened to 200 characters, and found however far down it is', () => {
    const { label } = inlineOf(floating(`<a:path d="${'1'.repeat(9_000)}"/>${textBox('word '.repeat(90))}`));
    expect(label).toHaveLength(200);
    expect(label).toMatch(/^word word .*…$/);
  });

  test('[OQ3] a field shows its result, text art its words, a picture its description', () => {
    const field = '<w:fldSimple w:instr="AUTHOR"><w:r><w:t>Ada</w:t></w:r></w:fldSimple>';
    expect(blockOf(open(`<w:p>${field}</w:p>`).doc, 'opaque_inline').node.attrs.label).toBe('Ada');
    expect(inlineOf('<w:pict><v:shape><v:textpath on="t" string="DRAFT"/></v:shape></w:pict>').label).toBe(
      'DRAFT',
    );
    expect(inlineOf(floating(blip('png'))).label).toBe('A "view"');
  });

  test.each([
    ['<w:default w:val="0"/><w:checked/>', '☒'],
    ['<w:default w:val="1"/><w:checked w:val="0"/>', '☐'],
    ['<w:default w:val="1"/>', '☒'],
    ['<w:sizeAuto/>', '☐'],
  ])('[OQ3] a check box of a form with %s shows %s', (state, label) => {
    const data = `<w:fldChar w:fldCharType="begin"><w:ffData><w:checkBox>${state}</w:checkBox></w:ffData></w:fldChar>`;
    const field = `<w:r>${data}</w:r><w:r><w:instrText>FORMCHECKBOX</w:instrText></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r>`;
    expect(blockOf(open(`<w:p>${field}</w:p>`).doc, 'opaque_inline').node.attrs.label).toBe(label);
  });

  test('[OQ4] the start of a bookmark is named, so that links find it', () => {
    const { doc } = open(
      '<w:bookmarkStart w:id="3" w:name="outside"/><w:p><w:bookmarkStart w:id="4" w:name="inside"/><w:bookmarkEnd w:id="4"/></w:p>',
    );
    expect(blockOf(doc, 'opaque_block').node.attrs.ref).toBe('outside');
    expect(doc.child(1).children.map(({ attrs }) => attrs.ref)).toEqual(['inside', '4']);
  });
});
