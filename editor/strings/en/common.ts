export const common = {
  close: 'Close',
  cancel: 'Cancel',
  ok: 'OK',
  save: 'Save',
  delete: 'Delete',
  loading: 'Loading…',
  retry: 'Try again',
  appearance: 'Language and theme',
  themeSystem: 'As the system',
  themeLight: 'Light',
  themeDark: 'Dark',
  themeContrast: 'High contrast',
} as const;
