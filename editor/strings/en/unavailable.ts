export const unavailable = {
  word: 'Text documents cannot be opened here yet.',
  cell: 'Spreadsheets cannot be opened here yet.',
  slide: 'Presentations cannot be opened here yet.',
  pdf: 'PDF documents cannot be opened here yet.',
  diagram: 'Diagrams cannot be opened here yet.',
  noEditor: 'This server has no editor for them. Whoever runs it can add one (EDITORS_DIR).',
  advice: 'You can download the file and open it with a program on your device.',
  noDownload: 'You are not allowed to download this file.',
  download: 'Download',
  newTab: '(opens in a new tab)',
} as const;
