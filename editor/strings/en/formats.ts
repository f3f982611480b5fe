/** Names of the formats that documents can be downloaded in, by their extensions. */
export const formats = {
  docx: 'Word document',
  pdf: 'PDF',
  odt: 'OpenDocument text',
  rtf: 'Rich text',
  doc: 'Word 97 to 2003',
  txt: 'Plain text',
  html: 'Web page',
  epub: 'E-book',
  md: 'Markdown',
  dotx: 'Word template',
  ott: 'OpenDocument template',
} as const;
