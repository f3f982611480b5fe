export const pictures = {
  inserted: '{name} wurde eingefügt',
  tooLarge: '{name} ist zu groß',
  noConnection: '{name} konnte nicht hochgeladen werden: keine Verbindung',
  notAllowed: 'Sie dürfen hier keine Bilder einfügen',
  notAPicture: '{name} ist kein Bild, das ein Dokument enthalten kann',
} as const;
