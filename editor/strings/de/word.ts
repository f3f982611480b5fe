export const word = {
  document: 'Dokument',
  opening: 'Das Dokument wird geöffnet …',
  reload: 'Neu laden',
  renamed: 'Das Dokument heißt jetzt {title}',
  rightsRevoked: 'Sie dürfen dieses Dokument nicht mehr ändern',
  newerVersion: 'Es gibt eine neuere Version dieses Dokuments. Wird neu geladen …',
  noHeadings: 'Hier stehen Absätze mit einer Überschriften-Vorlage.',
  noAnswer: 'Der Server antwortet nicht. Es wird weiter versucht …',
  otherServer:
    'Auf dem Server läuft eine andere Version des Editors. Laden Sie die Seite neu, um fortzufahren.',
  oldVersion:
    'Es gibt eine neuere Version dieses Dokuments. Diese lässt sich nur lesen; Ihre noch nicht gesendeten Änderungen sind in diesem Browser aufbewahrt.',
} as const;
