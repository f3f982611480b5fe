export const unavailable = {
  advice: 'يمكنك تنزيل الملف وفتحه ببرنامج على جهازك.',
  noDownload: 'لا يُسمح لك بتنزيل هذا الملف.',
  download: 'تنزيل',
  newTab: '(يُفتح في علامة تبويب جديدة)',
} as const;
