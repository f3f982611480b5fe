/** What x2t can be told of a source that does not say it itself, and of a text it writes. */
export interface X2tOptions {
  password?: string;
  /** Number of the encoding in the editors' list (46 is UTF-8). */
  encoding?: number;
  /** 0 none, 1 tab, 2 semicolon, 3 colon, 4 comma, 5 space: the numbers of the editors. */
  delimiter?: number;
  /** A delimiter that has no number. */
  delimiterChar?: string;
}

/** One job of x2t; all paths are absolute. */
export interface X2tJob {
  from: string;
  to: string;
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
 * The job as the XML file that x2t is started with. Addresses in documents are not fetched: what a document names would
 * be asked for from inside the operator's network.
 */
export function paramsXml(job: X2tJob): string {
  const { options } = job;
  const members: readonly (readonly [string, string | number | boolean | undefined])[] = [
    ['m_sKey', 'job'],
    ['m_sFileFrom', job.from],
    ['m_sFileTo', job.to],
    ['m_nFormatTo', job.format],
    ['m_bIsNoBase64', true],
    ['m_bFromChanges', job.fromChanges || undefined],
    ['m_bDontSaveAdditional', true],
    ['m_sFontDir', job.fontsDirectory],
    ['m_sAllFontsPath', `${job.fontsDirectory}/AllFonts.js`],
    ['m_sTempDir', job.temporaryDirectory],
    ['m_sPassword', options.password],
    ['m_nCsvTxtEncoding', options.encoding],
    ['m_nCsvDelimiter', options.delimiter],
    ['m_nCsvDelimiterChar', options.delimiterChar],
  ];
  const body = members
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `<${name}>${escapeXml(String(value))}</${name}>`)
    .join('');
  const closed = '<options><allowNetworkRequest>false</allowNetworkRequest></options>';
  return `<?xml version="1.0" encoding="utf-8"?><TaskQueueDataConvert>${body}${closed}</TaskQueueDataConvert>`;
}

function escapeXml(text: string): string {
  return text
    .replace(unwritable, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
