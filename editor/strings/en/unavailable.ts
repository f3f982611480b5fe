export const unavailable = {
  advice: 'You can download the file and open it with a program on your device.',
  noDownload: 'You are not allowed to download this file.',
  download: 'Download',
  newTab: '(opens in a new tab)',
} as const;
