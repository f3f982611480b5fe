export const unavailable = {
  word: 'Textdokumente können hier noch nicht geöffnet werden.',
  cell: 'Tabellen können hier noch nicht geöffnet werden.',
  slide: 'Präsentationen können hier noch nicht geöffnet werden.',
  pdf: 'PDF-Dokumente können hier noch nicht geöffnet werden.',
  diagram: 'Diagramme können hier noch nicht geöffnet werden.',
  noEditor: 'Dieser Server hat keinen Editor dafür. Wer ihn betreibt, kann einen hinzufügen (EDITORS_DIR).',
  advice: 'Sie können die Datei herunterladen und mit einem Programm auf Ihrem Gerät öffnen.',
  noDownload: 'Sie dürfen diese Datei nicht herunterladen.',
  download: 'Herunterladen',
  newTab: '(wird in einem neuen Tab geöffnet)',
} as const;
