import type { NamedDocument } from '../support/corpus.ts';
import { PIXEL_PNG } from '../support/docx-fixture.ts';
import { DECLARATION, paragraph, run, wordDocument } from './word-package.ts';

const DRAWING = 'http://schemas.openxmlformats.org/drawingml/2006';
const A = `xmlns:a="${DRAWING}/main"`;

const picture = (relationship: string, more = '') =>
  `<a:graphic ${A}><a:graphicData uri="${DRAWING}/picture"><pic:pic xmlns:pic="${DRAWING}/picture"><pic:nvPicPr><pic:cNvPr id="0" name="dot.png"/><pic:cNvPicPr><a:picLocks noChangeAspect="1"/></pic:cNvPicPr></pic:nvPicPr><pic:blipFill><a:blip ${relationship}>${more}</a:blip><a:srcRect l="10000" r="5000"/><a:stretch><a:fillRect/></a:stretch></pic:blipFill><pic:spPr bwMode="auto"><a:xfrm rot="600000"><a:off x="0" y="0"/><a:ext cx="360000" cy="360000"/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom></pic:spPr></pic:pic></a:graphicData></a:graphic>`;
const inline = (id: number, content: string, properties = '') =>
  `<w:r><w:drawing><wp:inline distT="0" distB="0" distL="0" distR="0" wp14:anchorId="1B2C3D${id}0" wp14:editId="50D07946"><wp:extent cx="360000" cy="360000"/><wp:effectExtent l="0" t="0" r="0" b="0"/><wp:docPr id="${id}" name="Picture ${id}" descr="A dot &amp; more">${properties}</wp:docPr><wp:cNvGraphicFramePr/>${content}</wp:inline></w:drawing></w:r>`;
const anchor = (id: number, content: string) =>
  `<wp:anchor distT="0" distB="0" distL="114300" distR="114300" simplePos="0" relativeHeight="2516582${id}" behindDoc="0" locked="0" layoutInCell="1" allowOverlap="1"><wp:simplePos x="0" y="0"/><wp:positionH relativeFrom="column"><wp:posOffset>1000</wp:posOffset></wp:positionH><wp:positionV relativeFrom="paragraph"><wp:align>top</wp:align></wp:positionV><wp:extent cx="900000" cy="360000"/><wp:wrapSquare wrapText="bothSides"/><wp:docPr id="${id}" name="Anchored ${id}"/><wp:cNvGraphicFramePr/>${content}</wp:anchor>`;
const image = (id: string) => ({
  path: `media/${id}.png`,
  relationship: 'image',
  contentType: '',
  id,
  content: PIXEL_PNG,
});

const pictures = wordDocument({
  contentTypes: { png: 'image/png', svg: 'image/svg+xml' },
  parts: [
    image('image1'),
    {
      path: 'media/image2.svg',
      relationship: 'image',
      contentType: '',
      content: '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>',
    },
  ],
  links: { rId9: 'https://example.org/dot' },
  body:
    paragraph(
      `${run('a dot ')}${inline(1, picture('r:embed="image1" cstate="print"', '<a:extLst><a:ext uri="{96DAC541-7B7A-43D3-8B79-37D633B846F1}"><asvg:svgBlip xmlns:asvg="http://schemas.microsoft.com/office/drawing/2016/SVG/main" r:embed="image2"/></a:ext></a:extLst>'), `<a:hlinkClick ${A} r:id="rId9"/>`)}${run(' in the line')}`,
    ) +
    paragraph(
      `<w:r><w:rPr><w:noProof/></w:rPr><w:drawing>${anchor(2, picture('r:embed="image1"', '<a:alphaModFix amt="50000"/>'))}</w:drawing></w:r>${run('beside it')}`,
    ) +
    paragraph(
      `<w:r><w:pict><v:shape id="_x0000_i1025" type="#_x0000_t75" style="width:12pt;height:12pt"><v:imagedata r:id="image1" o:title="dot"/></v:shape></w:pict></w:r>${run('an old one')}`,
    ),
});

const boxText = (text: string) =>
  `<w:txbxContent>${paragraph(text)}${paragraph('in two paragraphs')}</w:txbxContent>`;
const shape = (id: number, text: string) =>
  `<wps:wsp><wps:cNvPr id="${id}" name="Box ${id}"/><wps:cNvSpPr txBox="1"/><wps:spPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="900000" cy="360000"/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom><a:ln w="6350"><a:solidFill><a:prstClr val="black"/></a:solidFill></a:ln></wps:spPr><wps:txbx>${boxText(text)}</wps:txbx><wps:bodyPr rot="0" vert="horz" wrap="square"/></wps:wsp>`;
const boxed = (id: number, text: string) =>
  `<w:r><mc:AlternateContent><mc:Choice Requires="wps"><w:drawing>${anchor(id, `<a:graphic ${A}><a:graphicData uri="http://schemas.microsoft.com/office/word/2010/wordprocessingShape">${shape(id, text)}</a:graphicData></a:graphic>`)}</w:drawing></mc:Choice><mc:Fallback><w:pict><v:shapetype id="_x0000_t202" coordsize="21600,21600" o:spt="202" path="m,l,21600r21600,l21600,xe"><v:stroke joinstyle="miter"/></v:shapetype><v:shape id="Box_${id}" type="#_x0000_t202" style="position:absolute;width:70pt;height:28pt"><v:textbox>${boxText(text)}</v:textbox><w10:wrap type="square"/></v:shape></w:pict></mc:Fallback></mc:AlternateContent></w:r>`;
const boxes = wordDocument({
  body:
    paragraph(`${run('Beside ')}${boxed(11, 'the words in a box')}${run(' a box')}`) +
    paragraph(
      `<w:ins w:id="1" w:author="Ann" w:date="2026-05-03T10:00:00Z">${boxed(12, 'a box that is new')}</w:ins>${run('and a group ')}` +
        `<w:r><mc:AlternateContent><mc:Choice Requires="wpg"><w:drawing>${anchor(13, `<a:graphic ${A}><a:graphicData uri="http://schemas.microsoft.com/office/word/2010/wordprocessingGroup"><wpg:wgp><wpg:cNvGrpSpPr/><wpg:grpSpPr/>${shape(14, 'left')}${shape(15, 'right')}</wpg:wgp></a:graphicData></a:graphic>`)}</w:drawing></mc:Choice><mc:Fallback/></mc:AlternateContent></w:r>`,
    ) +
    paragraph('below them'),
});

const bytes = (length: number) => Uint8Array.from({ length }, (_, index) => (index * 73 + 11) % 256);
const embedded = wordDocument({
  contentTypes: {
    bin: 'application/vnd.openxmlformats-officedocument.oleObject',
    png: 'image/png',
    html: 'text/html',
  },
  parts: [
    image('image1'),
    { path: 'embeddings/oleObject1.bin', relationship: 'oleObject', contentType: '', content: bytes(700) },
    {
      path: 'charts/chart1.xml',
      relationship: 'chart',
      contentType: 'application/vnd.openxmlformats-officedocument.drawingml.chart+xml',
      content: `${DECLARATION}<c:chartSpace xmlns:c="${DRAWING}/chart" ${A}><c:chart><c:plotArea><c:layout/><c:barChart><c:barDir val="col"/><c:ser><c:idx val="0"/><c:order val="0"/><c:val><c:numLit><c:ptCount val="1"/><c:pt idx="0"><c:v>4.5</c:v></c:pt></c:numLit></c:val></c:ser><c:axId val="1"/><c:axId val="2"/></c:barChart></c:plotArea></c:chart></c:chartSpace>`,
    },
    {
      path: 'afchunk1.html',
      relationship: 'aFChunk',
      contentType: '',
      content: '<html><body><p>Another file</p></body></html>',
    },
  ],
  body:
    paragraph(
      `<w:r><w:object w:dxaOrig="1520" w:dyaOrig="960"><v:shape id="_x0000_i1026" style="width:76pt;height:48pt" o:ole=""><v:imagedata r:id="image1" o:title=""/></v:shape><o:OLEObject Type="Embed" ProgID="Package" ShapeID="_x0000_i1026" DrawAspect="Icon" ObjectID="_1700000001" r:id="oleObject1"/></w:object></w:r>${run('an object')}`,
    ) +
    paragraph(
      `${run('and ')}${inline(3, `<a:graphic ${A}><a:graphicData uri="${DRAWING}/chart"><c:chart xmlns:c="${DRAWING}/chart" r:id="chart1"/></a:graphicData></a:graphic>`)}${run(' a chart')}`,
    ) +
    '<w:altChunk r:id="afchunk1"><w:altChunkPr><w:matchSrc/></w:altChunkPr></w:altChunk>' +
    paragraph('after another file'),
});

const fonts = wordDocument({
  contentTypes: { odttf: 'application/vnd.openxmlformats-officedocument.obfuscatedFont' },
  parts: [
    {
      path: 'fontTable.xml',
      relationship: 'fontTable',
      content: `${DECLARATION}<w:fonts xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><w:font w:name="Harbour Sans"><w:altName w:val="Harbour"/><w:panose1 w:val="020F0502020204030204"/><w:charset w:val="00"/><w:family w:val="swiss"/><w:pitch w:val="variable"/><w:embedRegular r:id="rId1" w:fontKey="{1DFA2B3C-0001-4002-8003-9ABCDEF01234}" w:subsetted="1"/></w:font></w:fonts>`,
    },
  ],
  unrelated: {
    'word/_rels/fontTable.xml.rels': `${DECLARATION}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/font" Target="fonts/font1.odttf"/></Relationships>`,
    'word/fonts/font1.odttf': bytes(900),
  },
  body:
    paragraph(run('in letters of its own', '<w:rFonts w:ascii="Harbour Sans" w:hAnsi="Harbour Sans"/>')) +
    paragraph('and in others'),
});

/** What stands in a text without being one. */
export const OBJECTS: readonly NamedDocument[] = [
  ['pictures', pictures],
  ['text boxes', boxes],
  ['embedded objects', embedded],
  ['embedded fonts', fonts],
];
