/** Names of the formats that documents can be downloaded in, by their extensions. */
export const formats = {
  docx: 'Word-Dokument',
  pdf: 'PDF',
  odt: 'OpenDocument-Text',
  rtf: 'Rich Text',
  doc: 'Word 97 bis 2003',
  txt: 'Reiner Text',
  html: 'Webseite',
  epub: 'E-Book',
  md: 'Markdown',
  dotx: 'Word-Vorlage',
  ott: 'OpenDocument-Vorlage',
} as const;
