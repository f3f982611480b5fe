/** What a document is, whatever its format; `documentType` of the configuration. */
export type DocumentKind = 'word' | 'cell' | 'slide' | 'pdf' | 'diagram';

/** Extensions of the formats of each kind (integration API, 9.5). `xml` may be two of them. */
const extensions: Readonly<Record<DocumentKind, string>> = {
  word:
    'doc docm docx dot dotm dotx epub fb2 fodt hml htm html hwp hwpx md mht mhtml odt ott pages rtf stw sxw txt ' +
    'wps wpt xml',
  cell: 'csv et ett fods numbers ods ots sxc tsv xls xlsb xlsm xlsx xlt xltm xltx xml',
  slide: 'dps dpt fodp key odg odp otp pot potm potx pps ppsm ppsx ppt pptm pptx sxi',
  pdf: 'djvu docxf oform oxps pdf xps',
  diagram: 'vsdm vsdx vssm vssx vstm vstx',
};

export const documentKinds = Object.keys(extensions) as readonly DocumentKind[];

const oldNames: Readonly<Record<string, DocumentKind>> = {
  text: 'word',
  spreadsheet: 'cell',
  presentation: 'slide',
  'text-pdf': 'pdf',
};

/** The kind that a `documentType` names, by its name of today or of old. */
export function namedKind(documentType: string): DocumentKind | undefined {
  return documentKinds.find((kind) => kind === documentType) ?? oldNames[documentType];
}

/** The kind of a file: its type decides, and `named` where that is not known or not certain. */
export function kindOfFile(fileType: string, named: DocumentKind | undefined): DocumentKind | undefined {
  const kinds = documentKinds.filter((kind) => extensions[kind].split(' ').includes(fileType));
  return named && (kinds.includes(named) || kinds.length === 0) ? named : kinds[0];
}
