/** What x2t can be told about a source, where the source does not say it, and about what it writes. */
export interface X2tOptions {
  password?: string | undefined;
  /** Encrypts what is written. */
  savePassword?: string | undefined;
  /** Number of the encoding in the editors' list (46 is UTF-8). */
  encoding?: number | undefined;
  /** 0 none, 1 tab, 2 semicolon, 3 colon, 4 comma, 5 space: the numbers of the editors. */
  delimiter?: number | undefined;
  /** A delimiter that has no number. */
  delimiterChar?: string | undefined;
  /** Number of the locale by which numbers and dates are written. */
  localeNumber?: number | undefined;
  /** What of a PDF page becomes a paragraph. */
  textAssociation?: number | undefined;
  pdfa?: true | undefined;
  thumbnail?: X2tThumbnail | undefined;
  /** JSON text of layouts and watermark. */
  layouts?: string | undefined;
}

/** How pages become pictures; `format` is x2t's number of the picture's kind, sizes are pixels. */
interface X2tThumbnail {
  format: number;
  aspect: number;
  first: boolean;
  width: number;
  height: number;
}

/** One job of x2t; all paths are absolute. */
export interface X2tJob {
  from: string;
  to: string;
  /** The number of the source's format, where nothing in it says it. */
  fromFormat?: number | undefined;
  format: number;
  fontsDirectory: string;
  temporaryDirectory: string;
  /** Whether changes lie beside the source, in `changes/changes0.json` and so on, and are to be applied. */
  fromChanges: boolean;
  options: X2tOptions;
}

/** Characters that XML cannot hold, not even escaped (XML 1.0, 2.2). */
const unwritable = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;

/**
 * The job as the XML file that x2t is started with. Addresses in documents are not fetched: the requests would come from
 * inside the operator's network.
 */
export function paramsXml(job: X2tJob): string {
  const { options } = job;
  const members: readonly Member[] = [
    ['m_sKey', 'job'],
    ['m_sFileFrom', job.from],
    ['m_sFileTo', job.to],
    ['m_nFormatFrom', job.fromFormat],
    ['m_nFormatTo', job.format],
    ['m_bIsNoBase64', true],
    ['m_bFromChanges', job.fromChanges || undefined],
    ['m_bDontSaveAdditional', true],
    ['m_sFontDir', job.fontsDirectory],
    ['m_sAllFontsPath', `${job.fontsDirectory}/AllFonts.js`],
    ['m_sTempDir', job.temporaryDirectory],
    ['m_sPassword', options.password],
    ['m_sSavePassword', options.savePassword],
    ['m_nLcid', options.localeNumber],
    ['m_bIsPDFA', options.pdfa],
    ['m_sJsonParams', options.layouts],
    ['m_nCsvTxtEncoding', options.encoding],
    ['m_nCsvDelimiter', options.delimiter],
    ['m_nCsvDelimiterChar', options.delimiterChar],
  ];
  const { thumbnail, textAssociation } = options;
  const body = [
    elements(members),
    thumbnail && `<m_oThumbnail>${elements(Object.entries(thumbnail))}</m_oThumbnail>`,
    textAssociation !== undefined &&
      `<m_oTextParams>${elements([['m_nTextAssociationType', textAssociation]])}</m_oTextParams>`,
    inputLimits,
  ]
    .filter(Boolean)
    .join('');
  const closed = '<options><allowNetworkRequest>false</allowNetworkRequest></options>';
  return `<?xml version="1.0" encoding="utf-8"?><TaskQueueDataConvert>${body}${closed}</TaskQueueDataConvert>`;
}

type Member = readonly [name: string, value: string | number | boolean | undefined];

/** Most XML that a document may unpack to (integration API, 9.6), bytes. */
const inputLimits = `<m_oInputLimits>${[
  ['docx;dotx;docm;dotm', 52_428_800],
  ['xlsx;xltx;xlsm;xltm', 314_572_800],
  ['pptx;ppsx;potx;pptm;ppsm;potm', 52_428_800],
]
  .map(
    ([types, bytes]) =>
      `<m_oInputLimit type="${types}"><m_oZip uncompressed="${bytes}" template="*.xml"/></m_oInputLimit>`,
  )
  .join('')}</m_oInputLimits>`;

const elements = (members: readonly Member[]): string =>
  members
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `<${name}>${escapeXml(String(value))}</${name}>`)
    .join('');

function escapeXml(text: string): string {
  return text
    .replace(unwritable, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
