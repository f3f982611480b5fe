export const common = {
  close: 'Schließen',
  cancel: 'Abbrechen',
  ok: 'OK',
  save: 'Speichern',
  delete: 'Löschen',
  loading: 'Wird geladen …',
  retry: 'Erneut versuchen',
  appearance: 'Sprache und Farben',
  themeSystem: 'Wie das System',
  themeLight: 'Hell',
  themeDark: 'Dunkel',
  themeContrast: 'Hoher Kontrast',
} as const;
