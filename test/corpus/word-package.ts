import { buildDocx } from '../support/docx-fixture.ts';

const MICROSOFT = 'http://schemas.microsoft.com/office';
const OPEN_XML = 'http://schemas.openxmlformats.org';
const TYPES = 'application/vnd.openxmlformats-officedocument.wordprocessingml';

/** The namespaces that Word declares on every part, used or not. */
const NAMESPACES: Readonly<Record<string, string>> = {
  wpc: `${MICROSOFT}/word/2010/wordprocessingCanvas`,
  cx: `${MICROSOFT}/drawing/2014/chartex`,
  mc: `${OPEN_XML}/markup-compatibility/2006`,
  o: 'urn:schemas-microsoft-com:office:office',
  r: `${OPEN_XML}/officeDocument/2006/relationships`,
  m: `${OPEN_XML}/officeDocument/2006/math`,
  v: 'urn:schemas-microsoft-com:vml',
  wp14: `${MICROSOFT}/word/2010/wordprocessingDrawing`,
  wp: `${OPEN_XML}/drawingml/2006/wordprocessingDrawing`,
  w10: 'urn:schemas-microsoft-com:office:word',
  w: `${OPEN_XML}/wordprocessingml/2006/main`,
  w14: `${MICROSOFT}/word/2010/wordml`,
  w15: `${MICROSOFT}/word/2012/wordml`,
  w16cex: `${MICROSOFT}/word/2018/wordml/cex`,
  w16cid: `${MICROSOFT}/word/2016/wordml/cid`,
  w16: `${MICROSOFT}/word/2018/wordml`,
  w16se: `${MICROSOFT}/word/2015/wordml/symex`,
  wpg: `${MICROSOFT}/word/2010/wordprocessingGroup`,
  wps: `${MICROSOFT}/word/2010/wordprocessingShape`,
};

export const DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\r\n';

/** The opening tag of a part as Word writes it. */
export function wordRoot(name: string, more: Readonly<Record<string, string>> = {}, ignorable = ''): string {
  const all = Object.entries({ ...NAMESPACES, ...more }).map(([prefix, uri]) => ` xmlns:${prefix}="${uri}"`);
  return `<w:${name}${all.join('')} mc:Ignorable="w14 w15 w16se w16cid w16 w16cex wp14${ignorable}">`;
}

/** A part of Word with its root element: `name` is `hdr`, `footnotes` and the like. */
export const wordPart = (name: string, content: string): string =>
  `${DECLARATION}${wordRoot(name)}${asWordWrites(content)}</w:${name}>`;

/** A part beside the document's text. */
export interface CorpusPart {
  /** Below `word/`, or from the root of the package when it begins with a slash. */
  readonly path: string;
  /** Local name of the relationship's type, or all of it. */
  readonly relationship: string;
  readonly content: string | Uint8Array;
  /** Unless given: that of a part of WordprocessingML which is named as its relationship. */
  readonly contentType?: string;
  /** Id of the relationship; the file's name without its extension unless given. */
  readonly id?: string;
}

export interface CorpusDocument {
  readonly body: string;
  readonly section?: string;
  readonly parts?: readonly CorpusPart[];
  readonly links?: Readonly<Record<string, string>>;
  /** Parts that the document has no relationship to, by their path in the package. */
  readonly unrelated?: Readonly<Record<string, string | Uint8Array>>;
  readonly contentTypes?: Readonly<Record<string, string>>;
  readonly namespaces?: Readonly<Record<string, string>>;
  readonly ignorable?: string;
}

const SECTION =
  '<w:sectPr w:rsidR="00C41A27"><w:pgSz w:w="11906" w:h="16838"/><w:pgMar w:top="1417" w:right="1417" w:bottom="1134" ' +
  'w:left="1417" w:header="708" w:footer="708" w:gutter="0"/><w:cols w:space="708"/><w:docGrid w:linePitch="360"/></w:sectPr>';

/** A docx in the way in which Word writes one. The same document gives the same bytes. */
export function wordDocument(of: CorpusDocument): Uint8Array {
  const { parts = [], links = {}, namespaces, ignorable } = of;
  const pathOf = ({ path }: CorpusPart) => (path.startsWith('/') ? path : `/word/${path}`);
  const typed = parts.filter(({ contentType }) => contentType !== '');
  return buildDocx({
    document:
      `${DECLARATION}${wordRoot('document', namespaces, ignorable)}<w:body>${asWordWrites(of.body)}` +
      `${of.section ?? SECTION}</w:body></w:document>`,
    relationships: [
      ...parts.map((part) => ({
        id: part.id ?? part.path.replace(/^.*\//, '').replace(/\.\w+$/, ''),
        type: part.relationship,
        target: part.path,
      })),
      ...Object.entries(links).map(([id, target]) => ({ id, type: 'hyperlink', target, external: true })),
    ],
    contentTypes: {
      ...Object.fromEntries(
        typed.map((part) => [pathOf(part), part.contentType ?? `${TYPES}.${part.relationship}+xml`]),
      ),
      ...of.contentTypes,
    },
    parts: {
      ...Object.fromEntries(parts.map((part) => [pathOf(part).slice(1), part.content])),
      ...of.unrelated,
    },
  });
}

const hex = (number: number) => number.toString(16).toUpperCase().padStart(8, '0');

/**
 * What Word adds to the elements of a text: ids of paragraphs and rows, and the sessions (rsid) in which each of them and
 * every third run were last changed.
 */
export function asWordWrites(xml: string): string {
  let count = 0;
  return xml.replace(/<w:(p|r|tr)>/g, (_tag, name: string) => {
    count += 1;
    const session = `w:rsidR="${hex(0x00a10000 + (count % 7) * 0x1357)}"`;
    if (name === 'r') return count % 3 === 0 ? `<w:r w:rsidRPr="${hex(0x00b20000 + count)}">` : '<w:r>';
    const ids = `w14:paraId="${hex(0x1b000000 + count * 0x111)}" w14:textId="77777777"`;
    if (name === 'tr') return `<w:tr ${session} ${ids}>`;
    return `<w:p ${ids} ${session} w:rsidRDefault="${hex(0x00a10000)}">`;
  });
}

/** A run with a text. */
export const run = (text: string, properties = ''): string =>
  `<w:r>${properties && `<w:rPr>${properties}</w:rPr>`}<w:t xml:space="preserve">${text}</w:t></w:r>`;

/** A paragraph; content that is no XML is its text. */
export const paragraph = (content: string, properties = ''): string =>
  `<w:p>${properties && `<w:pPr>${properties}</w:pPr>`}${content === '' || content.startsWith('<') ? content : run(content)}</w:p>`;

/** A field of several runs. */
export const field = (instruction: string, result: string): string =>
  '<w:r><w:fldChar w:fldCharType="begin"/></w:r>' +
  `<w:r><w:instrText xml:space="preserve"> ${instruction} </w:instrText></w:r>` +
  `<w:r><w:fldChar w:fldCharType="separate"/></w:r>${run(result, '<w:noProof/>')}<w:r><w:fldChar w:fldCharType="end"/></w:r>`;

/** A content control around runs or blocks. */
export const control = (properties: string, content: string): string =>
  `<w:sdt><w:sdtPr>${properties}</w:sdtPr><w:sdtContent>${content}</w:sdtContent></w:sdt>`;
