export const unavailable = {
  advice: 'Sie können die Datei herunterladen und mit einem Programm auf Ihrem Gerät öffnen.',
  noDownload: 'Sie dürfen diese Datei nicht herunterladen.',
  download: 'Herunterladen',
  newTab: '(wird in einem neuen Tab geöffnet)',
} as const;
