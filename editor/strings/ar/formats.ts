/** Names of the formats that documents can be downloaded in, by their extensions. */
export const formats = {
  docx: 'مستند Word',
  pdf: 'PDF',
  odt: 'نص OpenDocument',
  rtf: 'نص منسق',
  doc: 'Word 97 إلى 2003',
  txt: 'نص عادي',
  html: 'صفحة ويب',
  epub: 'كتاب إلكتروني',
  md: 'Markdown',
  dotx: 'قالب Word',
  ott: 'قالب OpenDocument',
} as const;
