export const page = {
  document: 'Dokument',
  opening: 'Das Dokument wird geöffnet …',
  fetching: 'Die Datei wird von ihrem Speicher geholt …',
  waiting: 'Die Datei wartet darauf, umgewandelt zu werden …',
  waitingBehind_one: '{count} andere Datei wird vor dieser umgewandelt …',
  waitingBehind: '{count} andere Dateien werden vor dieser umgewandelt …',
  converting: 'Die Datei wird umgewandelt …',
  password: 'Passwort',
  openFile: 'Öffnen',
  encodingUnknown:
    'Die Datei sagt nicht, in welcher Kodierung ihr Text ist. Wählen Sie die, in der er lesbar ist.',
  encoding: 'Kodierung',
  encodingPreview: 'Der Anfang des Textes',
  reload: 'Neu laden',
  renamed: 'Das Dokument heißt jetzt {title}',
  rightsRevoked: 'Sie dürfen dieses Dokument nicht mehr ändern',
  newerVersion: 'Es gibt eine neuere Version dieses Dokuments. Wird neu geladen …',
  noAnswer: 'Der Server antwortet nicht. Es wird weiter versucht …',
  otherServer:
    'Auf dem Server läuft eine andere Version des Editors. Laden Sie die Seite neu, um fortzufahren.',
  oldVersion:
    'Es gibt eine neuere Version dieses Dokuments. Diese lässt sich nur lesen; Ihre noch nicht gesendeten Änderungen sind in diesem Browser aufbewahrt.',
} as const;
