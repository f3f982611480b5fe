import { strToU8, type Zippable, zipSync } from 'fflate';

/** A paragraph of a fixture: its text, or text with a style and bold or italic type. */
export type FixtureParagraph =
  | string
  | { readonly text: string; readonly style?: string; readonly bold?: boolean; readonly italic?: boolean };

export interface FixtureRelationship {
  readonly id: string;
  /** Local name of the type (`image`, `hyperlink`, `header`, ...) or, outside of the standard, all of it. */
  readonly type: string;
  readonly target: string;
  readonly external?: boolean;
}

export interface DocxFixture {
  readonly paragraphs?: readonly FixtureParagraph[];
  /** XML of blocks that follow the paragraphs. */
  readonly body?: string;
  /** XML that ends the body; a section on A4 paper unless given. */
  readonly section?: string;
  /** Further parts by name, as text or bytes. */
  readonly parts?: Readonly<Record<string, string | Uint8Array>>;
  /** Content types of further parts: by extension, or by part name when it begins with a slash. */
  readonly contentTypes?: Readonly<Record<string, string>>;
  /** Relationships of the document. */
  readonly relationships?: readonly FixtureRelationship[];
  /** The whole document part instead of one made from paragraphs and body. */
  readonly document?: string | Uint8Array;
  /** Stores parts instead of compressing them. */
  readonly stored?: boolean;
}

const WORD = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const TYPES = 'application/vnd.openxmlformats-officedocument.wordprocessingml';
const DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const SECTION =
  '<w:sectPr><w:pgSz w:w="11906" w:h="16838"/>' +
  '<w:pgMar w:top="1440" w:right="1440" w:bottom="1440" w:left="1440" w:header="708" w:footer="708" w:gutter="0"/></w:sectPr>';

/** A small docx made here: real enough for Word, and the same bytes for the same fixture. */
export function buildDocx(fixture: DocxFixture = {}): Uint8Array {
  const parts: Record<string, string | Uint8Array> = {
    '[Content_Types].xml': contentTypes(fixture.contentTypes ?? {}),
    '_rels/.rels': relationships([{ id: 'rId1', type: 'officeDocument', target: 'word/document.xml' }]),
    'word/document.xml': fixture.document ?? documentXml(fixture),
    'word/_rels/document.xml.rels': relationships([
      { id: 'rId1', type: 'styles', target: 'styles.xml' },
      ...(fixture.relationships ?? []),
    ]),
    'word/styles.xml': STYLES,
    ...fixture.parts,
  };
  const files: Zippable = {};
  for (const [name, content] of Object.entries(parts)) {
    files[name] = typeof content === 'string' ? strToU8(content) : content;
  }
  return zipSync(files, { level: fixture.stored ? 0 : 6, mtime: new Date(2024, 0, 1) });
}

export function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** The XML of a fixture's paragraph. */
export function paragraphXml(paragraph: FixtureParagraph): string {
  const { text, style, bold, italic } = typeof paragraph === 'string' ? { text: paragraph } : paragraph;
  const paragraphProperties = style ? `<w:pPr><w:pStyle w:val="${style}"/></w:pPr>` : '';
  const toggles = `${bold ? '<w:b/>' : ''}${italic ? '<w:i/>' : ''}`;
  const runProperties = toggles ? `<w:rPr>${toggles}</w:rPr>` : '';
  const run = text ? `<w:r>${runProperties}<w:t xml:space="preserve">${escapeXml(text)}</w:t></w:r>` : '';
  return `<w:p>${paragraphProperties}${run}</w:p>`;
}

/** A PNG of one pixel. */
export const PIXEL_PNG: Uint8Array = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

function documentXml({ paragraphs = [], body = '', section = SECTION }: DocxFixture): string {
  const blocks = paragraphs.map(paragraphXml).join('') + body;
  return `${DECLARATION}<w:document xmlns:w="${WORD}" xmlns:r="${OFFICE}"><w:body>${blocks}${section}</w:body></w:document>`;
}

function relationships(all: readonly FixtureRelationship[]): string {
  const elements = all.map(({ id, type, target, external }) => {
    const mode = external ? ' TargetMode="External"' : '';
    return `<Relationship Id="${id}" Type="${type.includes(':') ? type : `${OFFICE}/${type}`}" Target="${escapeXml(target)}"${mode}/>`;
  });
  return `${DECLARATION}<Relationships xmlns="${PACKAGE}/relationships">${elements.join('')}</Relationships>`;
}

function contentTypes(more: Readonly<Record<string, string>>): string {
  const types = {
    rels: 'application/vnd.openxmlformats-package.relationships+xml',
    xml: 'application/xml',
    '/word/document.xml': `${TYPES}.document.main+xml`,
    '/word/styles.xml': `${TYPES}.styles+xml`,
    ...more,
  };
  const elements = Object.entries(types).map(([name, type]) =>
    name.startsWith('/')
      ? `<Override PartName="${name}" ContentType="${type}"/>`
      : `<Default Extension="${name}" ContentType="${type}"/>`,
  );
  return `${DECLARATION}<Types xmlns="${PACKAGE}/content-types">${elements.join('')}</Types>`;
}

const STYLES = `${DECLARATION}<w:styles xmlns:w="${WORD}"><w:docDefaults><w:rPrDefault><w:rPr><w:rFonts w:ascii="Calibri" w:hAnsi="Calibri"/><w:sz w:val="22"/></w:rPr></w:rPrDefault><w:pPrDefault><w:pPr><w:spacing w:after="160" w:line="259" w:lineRule="auto"/></w:pPr></w:pPrDefault></w:docDefaults><w:style w:type="paragraph" w:default="1" w:styleId="Normal"><w:name w:val="Normal"/></w:style><w:style w:type="paragraph" w:styleId="Title"><w:name w:val="Title"/><w:basedOn w:val="Normal"/><w:next w:val="Normal"/><w:rPr><w:sz w:val="56"/></w:rPr></w:style><w:style w:type="paragraph" w:styleId="Heading1"><w:name w:val="heading 1"/><w:basedOn w:val="Normal"/><w:next w:val="Normal"/><w:pPr><w:keepNext/><w:spacing w:before="240" w:after="0"/></w:pPr><w:rPr><w:b/><w:sz w:val="32"/></w:rPr></w:style><w:style w:type="character" w:styleId="Hyperlink"><w:name w:val="Hyperlink"/><w:rPr><w:color w:val="0563C1"/><w:u w:val="single"/></w:rPr></w:style></w:styles>`;
