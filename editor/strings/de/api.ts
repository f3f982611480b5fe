export const api = {
  frameTitle: 'Editor: {title}',
  unnamed: 'Unbenannt',
  cannotOpen: 'Der Editor kann nicht geöffnet werden.',
  noScript:
    'Das Skript api.js findet sein eigenes Skript-Element nicht; die Adresse des Servers ist daher unbekannt.',
  noPlaceholder: 'Die Seite hat kein Element mit der ID „{id}“, an dessen Stelle der Editor treten könnte.',
  occupied: 'In „{id}“ ist bereits ein Editor. Rufen Sie zuerst dessen destroyEditor auf.',
  notJson: 'Die Konfiguration kann nicht an den Editor übergeben werden: {reason}',
  missing: 'Die Option {name} fehlt.',
  notObject: 'Die Option {name} muss ein Objekt sein.',
  notText: 'Die Option {name} muss eine Zeichenkette sein.',
  notSize: 'Die Option {name} muss eine Zahl von Pixeln oder eine CSS-Länge sein.',
  notFunction: 'Die Option {name} muss eine Funktion sein.',
  notAddress: 'Die Option {name} muss eine absolute http- oder https-Adresse sein; sie ist „{value}“.',
  notOneOf: 'Die Option {name} muss einer dieser Werte sein: {list}; sie ist „{value}“.',
  badKey: 'Die Option {name} darf 1 bis {most} der Zeichen 0-9 a-z A-Z - . _ = enthalten; sie ist „{value}“.',
  unknownFileType: 'Die Option document.fileType „{value}“ ist unbekannt, und documentType fehlt.',
  noKind: 'Eine der Optionen document.fileType und documentType fehlt.',
  noKey: 'Die Option document.key fehlt: Niemand sonst kann an diesem Dokument mitarbeiten.',
  withPassword:
    'Die Option {name} enthält einen Namen und ein Passwort, die nirgendwohin gesendet werden: Geben Sie die Adresse ohne sie an.',
  noCallback:
    'Die Option editorConfig.callbackUrl fehlt: Was bearbeitet wird, gelangt nicht in Ihren Speicher.',
  frameFailed:
    'Der Editor konnte nicht geladen werden. Prüfen Sie die Verbindung und ob diese Adresse antwortet: {address}',
  noConnector:
    'createConnector gibt es nicht: Dieser Editor hat keine Schnittstelle zur Automatisierung. Was hier geht: {link}',
} as const;
