import { strToU8, type Zippable, zipSync } from 'fflate';
import { escapeXml, listNumbers } from './docx-blocks.ts';

/** A document to be written: its title, the XML of its blocks, and texts of header and footer. */
interface DocxContent {
  title: string;
  body: string;
  header?: string;
  footer?: string;
}

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const word = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const packaging = 'http://schemas.openxmlformats.org/package/2006';
const wordType = 'application/vnd.openxmlformats-officedocument.wordprocessingml';
const namespaces = `xmlns:w="${word}" xmlns:r="${office}"`;

/** A docx on A4 paper, the same bytes for the same content. */
export function docxPackage({ title, body, header, footer }: DocxContent): Uint8Array {
  const edges = [
    header !== undefined && { kind: 'header', tag: 'hdr', id: 'rId3', content: edgeText('Header', header) },
    footer !== undefined && { kind: 'footer', tag: 'ftr', id: 'rId4', content: edgeText('Footer', footer) },
  ].filter((edge) => edge !== false);
  const relations = [
    relationship('rId1', 'styles', 'styles.xml'),
    relationship('rId2', 'numbering', 'numbering.xml'),
    ...edges.map(({ id, kind }) => relationship(id, kind, `${kind}1.xml`)),
  ];
  const section =
    `<w:sectPr>${edges.map(({ id, kind }) => `<w:${kind}Reference w:type="default" r:id="${id}"/>`).join('')}` +
    '<w:pgSz w:w="11906" w:h="16838"/>' +
    '<w:pgMar w:top="1440" w:right="1273" w:bottom="1304" w:left="1273" w:header="680" w:footer="624" w:gutter="0"/></w:sectPr>';
  const parts: Record<string, string> = {
    '[Content_Types].xml': contentTypes(edges.map(({ kind }) => kind)),
    '_rels/.rels': relationships([
      relationship('rId1', 'officeDocument', 'word/document.xml'),
      `<Relationship Id="rId2" Type="${packaging}/relationships/metadata/core-properties" Target="docProps/core.xml"/>`,
    ]),
    'docProps/core.xml':
      `<cp:coreProperties xmlns:cp="${packaging}/metadata/core-properties" ` +
      `xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>${escapeXml(title)}</dc:title></cp:coreProperties>`,
    'word/_rels/document.xml.rels': relationships(relations),
    'word/document.xml': `<w:document ${namespaces}><w:body>${body}${section}</w:body></w:document>`,
    'word/styles.xml': `<w:styles ${namespaces}>${stylesXml()}</w:styles>`,
    'word/numbering.xml': `<w:numbering ${namespaces}>${numbering()}</w:numbering>`,
  };
  for (const { kind, tag, content } of edges) {
    parts[`word/${kind}1.xml`] = `<w:${tag} ${namespaces}>${content}</w:${tag}>`;
  }
  const files: Zippable = {};
  for (const [name, content] of Object.entries(parts)) files[name] = strToU8(declaration + content);
  return zipSync(files, { level: 6, mtime: new Date(2026, 0, 1) });
}

/** A line of header or footer: `{page}` stands for the page's number, a tab leads to the end of the line. */
function edgeText(style: string, text: string): string {
  const field =
    '<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText xml:space="preserve"> PAGE </w:instrText></w:r>' +
    '<w:r><w:fldChar w:fldCharType="separate"/></w:r><w:r><w:t>1</w:t></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r>';
  const runs = text.split(/(\t|\{page\})/).map((part) => {
    if (part === '\t') return '<w:r><w:tab/></w:r>';
    if (part === '{page}') return field;
    return part && `<w:r><w:t xml:space="preserve">${escapeXml(part)}</w:t></w:r>`;
  });
  return `<w:p><w:pPr><w:pStyle w:val="${style}"/></w:pPr>${runs.join('')}</w:p>`;
}

function relationship(id: string, type: string, target: string): string {
  return `<Relationship Id="${id}" Type="${office}/${type}" Target="${target}"/>`;
}

function relationships(all: readonly string[]): string {
  return `<Relationships xmlns="${packaging}/relationships">${all.join('')}</Relationships>`;
}

function contentTypes(edges: readonly string[]): string {
  const parts: Record<string, string> = {
    'word/document.xml': `${wordType}.document.main+xml`,
    'word/styles.xml': `${wordType}.styles+xml`,
    'word/numbering.xml': `${wordType}.numbering+xml`,
    'docProps/core.xml': 'application/vnd.openxmlformats-package.core-properties+xml',
  };
  for (const kind of edges) parts[`word/${kind}1.xml`] = `${wordType}.${kind}+xml`;
  const overrides = Object.entries(parts).map(
    ([name, type]) => `<Override PartName="/${name}" ContentType="${type}"/>`,
  );
  return (
    `<Types xmlns="${packaging}/content-types">` +
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
    `<Default Extension="xml" ContentType="application/xml"/>${overrides.join('')}</Types>`
  );
}

const levelTexts = {
  bullet: ['•', '–', '▪'],
  number: ['%1.', '%2.', '%3.'],
} as const;
const levelFormats = {
  bullet: ['bullet', 'bullet', 'bullet'],
  number: ['decimal', 'lowerLetter', 'lowerRoman'],
};

/** Three levels of bullets and of numbers. */
function numbering(): string {
  const kinds = ['bullet', 'number'] as const;
  const definitions = kinds.map((kind) => {
    const levels = levelTexts[kind].map((text, level) => {
      const indent = `<w:ind w:left="${(level + 1) * 425}" w:hanging="340"/>`;
      return (
        `<w:lvl w:ilvl="${level}"><w:start w:val="1"/><w:numFmt w:val="${levelFormats[kind][level]}"/>` +
        `<w:lvlText w:val="${text}"/><w:lvlJc w:val="left"/><w:pPr>${indent}</w:pPr></w:lvl>`
      );
    });
    const type = '<w:multiLevelType w:val="hybridMultilevel"/>';
    return `<w:abstractNum w:abstractNumId="${listNumbers[kind]}">${type}${levels.join('')}</w:abstractNum>`;
  });
  const numbers = kinds.map((kind) => {
    const number = listNumbers[kind];
    return `<w:num w:numId="${number}"><w:abstractNumId w:val="${number}"/></w:num>`;
  });
  return definitions.join('') + numbers.join('');
}

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
function stylesXml(): string {
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
