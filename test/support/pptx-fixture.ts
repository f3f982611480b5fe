import { strToU8, zipSync } from 'fflate';

const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const DRAWING = 'http://schemas.openxmlformats.org/drawingml/2006/main';
const SLIDES = 'http://schemas.openxmlformats.org/presentationml/2006/main';
const TYPES = 'application/vnd.openxmlformats-officedocument';
const DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const NAMESPACES = `xmlns:a="${DRAWING}" xmlns:r="${OFFICE}" xmlns:p="${SLIDES}"`;

type Relationship = readonly [type: string, target: string];

/** A small pptx made here: one slide for each title, on one layout that has a title and nothing else. */
export function buildPptx(titles: readonly string[]): Uint8Array {
  const parts: Record<string, string> = {
    '[Content_Types].xml': contentTypes(titles.length),
    '_rels/.rels': relationships([['officeDocument', 'ppt/presentation.xml']]),
    'ppt/presentation.xml': presentation(titles.length),
    'ppt/_rels/presentation.xml.rels': relationships([
      ['slideMaster', 'slideMasters/slideMaster1.xml'],
      ['theme', 'theme/theme1.xml'],
      ...titles.map((_, index) => ['slide', `slides/slide${index + 1}.xml`] as const),
    ]),
    'ppt/theme/theme1.xml': THEME,
    'ppt/slideMasters/slideMaster1.xml': MASTER,
    'ppt/slideMasters/_rels/slideMaster1.xml.rels': relationships([
      ['slideLayout', '../slideLayouts/slideLayout1.xml'],
      ['theme', '../theme/theme1.xml'],
    ]),
    'ppt/slideLayouts/slideLayout1.xml': LAYOUT,
    'ppt/slideLayouts/_rels/slideLayout1.xml.rels': relationships([
      ['slideMaster', '../slideMasters/slideMaster1.xml'],
    ]),
  };
  for (const [index, title] of titles.entries()) {
    parts[`ppt/slides/slide${index + 1}.xml`] =
      `<p:sld ${NAMESPACES}><p:cSld>${shapes(title)}</p:cSld></p:sld>`;
    parts[`ppt/slides/_rels/slide${index + 1}.xml.rels`] = relationships([
      ['slideLayout', '../slideLayouts/slideLayout1.xml'],
    ]);
  }
  return zipSync(
    Object.fromEntries(Object.entries(parts).map(([name, xml]) => [name, strToU8(DECLARATION + xml)])),
    { mtime: new Date(2024, 0, 1) },
  );
}

function relationships(list: readonly Relationship[]): string {
  const xml = list.map(
    ([type, target], index) =>
      `<Relationship Id="rId${index + 1}" Type="${OFFICE}/${type}" Target="${target}"/>`,
  );
  return `<Relationships xmlns="${PACKAGE}/relationships">${xml.join('')}</Relationships>`;
}

function contentTypes(slides: number): string {
  const kinds: [part: string, type: string][] = [
    ['/ppt/presentation.xml', 'presentationml.presentation.main'],
    ['/ppt/slideMasters/slideMaster1.xml', 'presentationml.slideMaster'],
    ['/ppt/slideLayouts/slideLayout1.xml', 'presentationml.slideLayout'],
    ['/ppt/theme/theme1.xml', 'theme'],
  ];
  for (let index = 1; index <= slides; index += 1) {
    kinds.push([`/ppt/slides/slide${index}.xml`, 'presentationml.slide']);
  }
  const overrides = kinds.map(
    ([part, type]) => `<Override PartName="${part}" ContentType="${TYPES}.${type}+xml"/>`,
  );
  return `<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>${overrides.join('')}</Types>`;
}

function presentation(slides: number): string {
  const ids = Array.from(
    { length: slides },
    (_, index) => `<p:sldId id="${256 + index}" r:id="rId${index + 3}"/>`,
  );
  return `<p:presentation ${NAMESPACES}><p:sldMasterIdLst><p:sldMasterId id="2147483648" r:id="rId1"/></p:sldMasterIdLst><p:sldIdLst>${ids.join('')}</p:sldIdLst><p:sldSz cx="9144000" cy="6858000"/><p:notesSz cx="6858000" cy="9144000"/></p:presentation>`;
}

/** The shapes of a slide, its layout or its master: a title. */
function shapes(title: string): string {
  const text = title.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  return `<p:spTree><p:nvGrpSpPr><p:cNvPr id="1" name=""/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr><p:grpSpPr/><p:sp><p:nvSpPr><p:cNvPr id="2" name="Title 1"/><p:cNvSpPr/><p:nvPr><p:ph type="title"/></p:nvPr></p:nvSpPr><p:spPr><a:xfrm><a:off x="457200" y="274638"/><a:ext cx="8229600" cy="1143000"/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom></p:spPr><p:txBody><a:bodyPr/><a:lstStyle/><a:p>${text && `<a:r><a:rPr lang="en-US"/><a:t>${text}</a:t></a:r>`}</a:p></p:txBody></p:sp></p:spTree>`;
}

const LAYOUT = `<p:sldLayout ${NAMESPACES} type="titleOnly"><p:cSld name="Title Only">${shapes('')}</p:cSld></p:sldLayout>`;
const MASTER = `<p:sldMaster ${NAMESPACES}><p:cSld>${shapes('')}</p:cSld><p:clrMap bg1="lt1" tx1="dk1" bg2="lt2" tx2="dk2" accent1="accent1" accent2="accent2" accent3="accent3" accent4="accent4" accent5="accent5" accent6="accent6" hlink="hlink" folHlink="folHlink"/><p:sldLayoutIdLst><p:sldLayoutId id="2147483649" r:id="rId1"/></p:sldLayoutIdLst></p:sldMaster>`;

const colours = [
  'dk1',
  'lt1',
  'dk2',
  'lt2',
  'accent1',
  'accent2',
  'accent3',
  'accent4',
  'accent5',
  'accent6',
  'hlink',
  'folHlink',
]
  .map(
    (name, index) =>
      `<a:${name}><a:srgbClr val="${name === 'lt1' ? 'FFFFFF' : `${index % 10}0${index % 10}0${index % 10}0`}"/></a:${name}>`,
  )
  .join('');
const font = '<a:latin typeface="Arial"/><a:ea typeface=""/><a:cs typeface=""/>';
const fills = '<a:solidFill><a:schemeClr val="phClr"/></a:solidFill>'.repeat(3);
const lines = '<a:ln w="9525"><a:solidFill><a:schemeClr val="phClr"/></a:solidFill></a:ln>'.repeat(3);
const effects = '<a:effectStyle><a:effectLst/></a:effectStyle>'.repeat(3);
const THEME = `<a:theme xmlns:a="${DRAWING}" name="Plain"><a:themeElements><a:clrScheme name="Plain">${colours}</a:clrScheme><a:fontScheme name="Plain"><a:majorFont>${font}</a:majorFont><a:minorFont>${font}</a:minorFont></a:fontScheme><a:fmtScheme name="Plain"><a:fillStyleLst>${fills}</a:fillStyleLst><a:lnStyleLst>${lines}</a:lnStyleLst><a:effectStyleLst>${effects}</a:effectStyleLst><a:bgFillStyleLst>${fills}</a:bgFillStyleLst></a:fmtScheme></a:themeElements></a:theme>`;
