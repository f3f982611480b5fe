export const viewer = {
  page: 'Seite',
  pageOf: 'Seite {page} von {count}',
  previousPage: 'Vorherige Seite',
  nextPage: 'Nächste Seite',
  ofCount: 'von {count}',
  fitPage: 'Ganze Seite',
  actualSize: 'Originalgröße',
  matchOf: '{current} von {total}',
  searching: 'Wird gesucht …',
  noMatch: 'Nichts gefunden',
  noPrint: 'Sie dürfen dieses Dokument nicht drucken.',
  printByButton: 'Bitte die Schaltfläche zum Drucken auf der Seite benutzen: Sie druckt das ganze Dokument.',
} as const;
