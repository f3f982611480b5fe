export const word = {
  document: 'Dokument',
  opening: 'Das Dokument wird geöffnet …',
  reload: 'Neu laden',
  renamed: 'Das Dokument heißt jetzt {title}',
  rightsRevoked: 'Sie dürfen dieses Dokument nicht mehr ändern',
  newerVersion: 'Es gibt eine neuere Version dieses Dokuments. Wird neu geladen …',
  noHeadings: 'Hier stehen Absätze mit einer Überschriften-Vorlage.',
} as const;
