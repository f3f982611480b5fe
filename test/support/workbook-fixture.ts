import { strToU8, zipSync } from 'fflate';

const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const TYPES = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
const DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
export const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
export const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const STRICT_OFFICE = 'http://purl.oclc.org/ooxml/officeDocument/relationships';
const STRICT_MAIN = 'http://purl.oclc.org/ooxml/spreadsheetml/main';

/** A relationship: the local name of its type, or the whole of it; target; and whether that is outside. */
type Link = readonly [type: string, target: string, external?: boolean];

interface SheetFixture {
  readonly name?: string;
  /** Attributes of the sheet in the workbook part. */
  readonly attributes?: string;
  /** What `sheetData` holds. */
  readonly rows?: string;
  /** What stands before and behind it. */
  readonly before?: string;
  readonly after?: string;
  /** With the ids `rId1`, `rId2`, … */
  readonly links?: readonly Link[];
}

/** A workbook made here. Sheets are the parts `xl/worksheets/sheet1.xml` and so on. */
export interface WorkbookFixture {
  readonly sheets?: readonly SheetFixture[];
  /** What the workbook part holds before and behind its sheets. */
  readonly before?: string;
  readonly after?: string;
  /** `si` elements. */
  readonly strings?: string;
  /** What `styleSheet` holds. */
  readonly styles?: string;
  readonly links?: readonly Link[];
  /** Further parts: content type and content. */
  readonly parts?: Readonly<Record<string, readonly [type: string, content: string | Uint8Array]>>;
  readonly strict?: boolean;
  /** Prefix that all elements of workbook and sheets have, with its colon. */
  readonly prefix?: string;
  /** Encoding of the sheets. */
  readonly utf16?: boolean;
}

export const STYLES = `<fonts count="2"><font><sz val="11"/><name val="Calibri"/><family val="2"/><scheme val="minor"/></font><font><b/><sz val="11"/><name val="Calibri"/><family val="2"/><scheme val="minor"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="3"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/><xf numFmtId="14" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/><xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"><extLst><ext uri="{kept}"/></extLst></xf></cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles><dxfs count="1"><dxf><font><b/></font></dxf></dxfs>`;

function linksXml(office: string, links: readonly Link[]): string {
  const elements = links.map(([type, target, external], index) => {
    const full = type.includes('/') ? type : `${office}/${type}`;
    return `<Relationship Id="rId${index + 1}" Type="${full}" Target="${target}"${external ? ' TargetMode="External"' : ''}/>`;
  });
  return `<Relationships xmlns="${PACKAGE}/relationships">${elements.join('')}</Relationships>`;
}

/** Elements without a prefix get one. */
const withPrefix = (xml: string, prefix: string): string =>
  prefix === '' ? xml : xml.replace(/<(\/?)(?=[a-zA-Z][\w.]*[\s/>])/g, `<$1${prefix}`);

export function buildWorkbook(fixture: WorkbookFixture): Uint8Array {
  const {
    sheets = [{}],
    before = '',
    after = '',
    strings,
    styles = STYLES,
    links = [],
    parts = {},
    strict,
  } = fixture;
  const { prefix = '', utf16 = false } = fixture;
  const office = strict ? STRICT_OFFICE : OFFICE;
  const main = strict ? STRICT_MAIN : MAIN;
  const declared = prefix === '' ? `xmlns="${main}"` : `xmlns:${prefix.slice(0, -1)}="${main}"`;
  const root = `${declared} xmlns:r="${office}"`;
  const files: Record<string, string | Uint8Array> = {};
  const types: Record<string, string> = {};
  const put = (name: string, type: string, content: string | Uint8Array) => {
    types[name] = type;
    files[name] = content;
  };
  const workbookLinks: Link[] = sheets.map((_sheet, index) => [
    'worksheet',
    `worksheets/sheet${index + 1}.xml`,
  ]);
  const named = sheets.map(
    ({ name, attributes = '' }, index) =>
      `<sheet name="${name ?? `Sheet${index + 1}`}" sheetId="${index + 1}"${attributes} r:id="rId${index + 1}"/>`,
  );
  const workbook = `<workbook ${root}>${before}<sheets>${named.join('')}</sheets>${after}</workbook>`;
  put('xl/workbook.xml', `${TYPES}.sheet.main+xml`, withPrefix(workbook, prefix));
  for (const [index, sheet] of sheets.entries()) {
    const xml = `<worksheet ${root}>${sheet.before ?? ''}<sheetData>${sheet.rows ?? ''}</sheetData>${sheet.after ?? ''}</worksheet>`;
    const text = withPrefix(xml, prefix);
    const bytes = utf16
      ? Buffer.from(`\ufeff<?xml version="1.0" encoding="UTF-16"?>\n${text}`, 'utf16le')
      : text;
    put(`xl/worksheets/sheet${index + 1}.xml`, `${TYPES}.worksheet+xml`, bytes);
    if (sheet.links) files[`xl/worksheets/_rels/sheet${index + 1}.xml.rels`] = linksXml(office, sheet.links);
  }
  put('xl/styles.xml', `${TYPES}.styles+xml`, `<styleSheet xmlns="${main}">${styles}</styleSheet>`);
  workbookLinks.push(['styles', 'styles.xml']);
  if (strings !== undefined) {
    put('xl/sharedStrings.xml', `${TYPES}.sharedStrings+xml`, `<sst xmlns="${main}">${strings}</sst>`);
    workbookLinks.push(['sharedStrings', 'sharedStrings.xml']);
  }
  for (const [name, [type, content]] of Object.entries(parts)) {
    if (type === '') files[name] = content;
    else put(name, type, content);
  }
  files['xl/_rels/workbook.xml.rels'] = linksXml(office, [...workbookLinks, ...links]);
  files['_rels/.rels'] = linksXml(office, [['officeDocument', 'xl/workbook.xml']]);
  const overrides = Object.entries(types).map(
    ([name, type]) => `<Override PartName="/${name}" ContentType="${type}"/>`,
  );
  files['[Content_Types].xml'] =
    `<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>${overrides.join('')}</Types>`;
  const bytes = Object.entries(files).map(([name, content]) => {
    if (typeof content !== 'string') return [name, content] as const;
    return [name, strToU8(content.startsWith('<?xml') ? content : DECLARATION + content)] as const;
  });
  return zipSync(Object.fromEntries(bytes), { mtime: new Date(2024, 0, 1) });
}
