const ink = '1F3A5F';
const grey = '5B6675';

interface Style {
  id: string;
  name: string;
  basedOn?: string;
  next?: string;
  /** Inner XML of the paragraph and run properties. */
  paragraph?: string;
  run?: string;
}

const styles: readonly Style[] = [
  {
    id: 'Title',
    name: 'Title',
    next: 'Subtitle',
    paragraph: '<w:keepNext/><w:spacing w:before="0" w:after="40" w:line="240" w:lineRule="auto"/>',
    run: `<w:b/><w:color w:val="${ink}"/><w:spacing w:val="-8"/><w:sz w:val="52"/><w:szCs w:val="52"/>`,
  },
  {
    id: 'Subtitle',
    name: 'Subtitle',
    paragraph:
      `<w:pBdr><w:bottom w:val="single" w:sz="8" w:space="8" w:color="${ink}"/></w:pBdr>` +
      '<w:spacing w:before="0" w:after="280"/>',
    run: `<w:color w:val="${grey}"/><w:sz w:val="24"/><w:szCs w:val="24"/>`,
  },
  heading(1, 32, 360, 120),
  heading(2, 26, 280, 80),
  heading(3, 23, 220, 60),
  { id: 'Details', name: 'Details', paragraph: '<w:spacing w:before="0" w:after="40"/>' },
  {
    id: 'Quote',
    name: 'Quote',
    paragraph:
      '<w:pBdr><w:left w:val="single" w:sz="24" w:space="10" w:color="8FA9D6"/></w:pBdr>' +
      '<w:shd w:val="clear" w:color="auto" w:fill="F3F6FB"/><w:spacing w:before="160" w:after="200"/><w:ind w:left="240" w:right="240"/>',
    run: `<w:i/><w:color w:val="${ink}"/>`,
  },
  { id: 'ListBullet', name: 'List Bullet', paragraph: '<w:spacing w:after="60"/><w:contextualSpacing/>' },
  { id: 'ListNumber', name: 'List Number', paragraph: '<w:spacing w:after="60"/><w:contextualSpacing/>' },
  {
    id: 'TableText',
    name: 'Table Text',
    paragraph: '<w:spacing w:before="0" w:after="0" w:line="252" w:lineRule="auto"/>',
    run: '<w:sz w:val="21"/><w:szCs w:val="21"/>',
  },
  {
    id: 'Header',
    name: 'header',
    paragraph: '<w:tabs><w:tab w:val="right" w:pos="9360"/></w:tabs><w:spacing w:after="0"/>',
    run: `<w:color w:val="${grey}"/><w:sz w:val="18"/><w:szCs w:val="18"/>`,
  },
  {
    id: 'Footer',
    name: 'footer',
    paragraph: '<w:tabs><w:tab w:val="right" w:pos="9360"/></w:tabs><w:spacing w:after="0"/>',
    run: `<w:color w:val="${grey}"/><w:sz w:val="18"/><w:szCs w:val="18"/>`,
  },
];

function heading(level: number, size: number, before: number, after: number): Style {
  return {
    id: `Heading${level}`,
    name: `heading ${level}`,
    next: 'Normal',
    paragraph:
      `<w:keepNext/><w:keepLines/><w:spacing w:before="${before}" w:after="${after}" w:line="240" w:lineRule="auto"/>` +
      `<w:outlineLvl w:val="${level - 1}"/>`,
    run: `<w:b/><w:color w:val="${ink}"/><w:sz w:val="${size}"/><w:szCs w:val="${size}"/>`,
  };
}

/** The inside of the styles part: text in 11 point, headings in one ink. */
export function stylesXml(): string {
  const defaults =
    '<w:docDefaults><w:rPrDefault><w:rPr><w:rFonts w:ascii="Calibri" w:hAnsi="Calibri" w:eastAsia="Calibri" w:cs="Calibri"/>' +
    '<w:sz w:val="22"/><w:szCs w:val="22"/><w:lang w:val="en-US"/></w:rPr></w:rPrDefault>' +
    '<w:pPrDefault><w:pPr><w:spacing w:after="140" w:line="276" w:lineRule="auto"/></w:pPr></w:pPrDefault></w:docDefaults>';
  const normal =
    '<w:style w:type="paragraph" w:default="1" w:styleId="Normal"><w:name w:val="Normal"/><w:qFormat/></w:style>';
  return defaults + normal + styles.map(styleXml).join('');
}

function styleXml({ id, name, basedOn = 'Normal', next, paragraph, run }: Style): string {
  return (
    `<w:style w:type="paragraph" w:styleId="${id}"><w:name w:val="${name}"/><w:basedOn w:val="${basedOn}"/>` +
    `${next ? `<w:next w:val="${next}"/>` : ''}<w:qFormat/>` +
    `${paragraph ? `<w:pPr>${paragraph}</w:pPr>` : ''}${run ? `<w:rPr>${run}</w:rPr>` : ''}</w:style>`
  );
}
