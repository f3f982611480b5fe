export const frame = {
  noHost:
    'Diese Seite zeigt Dokumente innerhalb anderer Anwendungen und kann nicht für sich geöffnet werden.',
  unknown: 'Etwas ist schiefgegangen.',
  conversionTimeout:
    'Das Dokument konnte nicht rechtzeitig vorbereitet werden. Versuchen Sie es später noch einmal.',
  downloadFailed: 'Das Dokument konnte nicht aus seinem Speicher heruntergeladen werden.',
  database: 'Der Server konnte seine Daten nicht lesen oder schreiben.',
  request: 'Die Anfrage wurde nicht verstanden.',
  badToken: 'Das Dokument wurde mit einem ungültigen Token geöffnet.',
  imageSize: 'Das Bild ist zu groß.',
  imageExtension: 'Bilder dieser Art können nicht verwendet werden.',
  imageCount: 'Das sind zu viele Bilder auf einmal.',
  imageUrl: 'Das Bild konnte nicht heruntergeladen werden.',
  connectionLost: 'Die Verbindung zum Server ist unterbrochen.',
  passwordNeeded: 'Das Dokument ist durch ein Passwort geschützt.',
  encryption: 'Das Dokument ist verschlüsselt und kann nicht geöffnet werden.',
  expired:
    'Die Erlaubnis, dieses Dokument zu öffnen, ist abgelaufen. Öffnen Sie es erneut von dort, wo Sie es gefunden haben.',
  userLimit: 'Zu viele Personen haben dieses Dokument geöffnet.',
  accessDenied: 'Sie dürfen dieses Dokument nicht öffnen oder ändern.',
  otherEditor:
    'Das Dokument ist in einem anderen Editor offen oder für einen anderen gemacht. Öffnen Sie es wieder, wenn es dort geschlossen ist.',
  scriptFailed: 'Ein Teil des Editors konnte nicht geladen werden.',
  editing: 'Im Editor ist ein Fehler aufgetreten, nach dem er nicht weiterarbeiten kann.',
  openFailed: 'Das Dokument ist beschädigt oder kann nicht gelesen werden.',
  saveFailed: 'Das Dokument konnte nicht gespeichert werden.',
  tooBig: 'Das Dokument ist zu groß, um geöffnet zu werden.',
  formatNotRecognised: 'Dokumente dieser Art können nicht geöffnet werden.',
  dropped:
    'Ihre Sitzung in diesem Dokument wurde beendet. Öffnen Sie es erneut von dort, wo Sie es gefunden haben.',
  warning: 'Etwas hat nicht so funktioniert, wie es sollte.',
  versionUpdated: 'Es gibt eine neuere Fassung dieses Dokuments. Öffnen Sie es erneut, um weiterzuarbeiten.',
  forcedView: 'Das Dokument ist nur zum Lesen geöffnet.',
  notAssembled:
    'Frühere Änderungen haben den Speicher dieses Dokuments nicht erreicht. Sie wurden aufbewahrt und sind hier zu sehen.',
  storageConflict:
    'Die Datei wurde inzwischen in ihrem Speicher geändert. Ihre Änderungen konnten dort nicht gesichert werden; auf dem Server sind sie aufbewahrt. Laden Sie eine Kopie herunter, um sie zu haben.',
  absoluteSessionLimit: 'Sie hatten dieses Dokument so lange geöffnet, wie es erlaubt ist.',
  idleSession: 'Das Dokument wurde geschlossen, weil lange nichts darin getan wurde.',
  sessionToken: 'Ihre Sitzung in diesem Dokument ist nicht mehr gültig.',
  forceSaveByButtonFailed:
    'Das Dokument konnte nicht in seinem Speicher gesichert werden. Ihre Änderungen bleiben auf dem Server.',
  forceSaveByTimerFailed:
    'Das Dokument konnte nicht selbsttätig in seinem Speicher gesichert werden. Ihre Änderungen bleiben auf dem Server.',
  submitFailed: 'Das Formular konnte nicht abgesendet werden.',
  wrongPassword: 'Das Passwort ist nicht richtig.',
} as const;
