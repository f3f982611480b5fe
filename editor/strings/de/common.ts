export const common = {
  close: 'Schließen',
  cancel: 'Abbrechen',
  ok: 'OK',
  save: 'Speichern',
  delete: 'Löschen',
  more: 'Mehr',
  loading: 'Wird geladen …',
  retry: 'Erneut versuchen',
} as const;
