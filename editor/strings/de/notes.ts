export const notes = {
  fieldIgnored: '{path} wird nicht verwendet, denn es kann nicht {value} sein.',
  entryLeftOut: '{entry} wird ausgelassen: {path} kann nicht {value} sein.',
  entryLacks: '{entry} wird ausgelassen: {path} fehlt.',
  aList: 'eine Liste',
  anObject: 'ein Objekt',
  aText: 'dieser Text',
  optionsUnused: 'Diese Optionen ändern hier nichts: {names}. Was etwas ändert: {link}',
  optionsUnknown: 'Diese Optionen sind hier nicht bekannt: {names}. Was bekannt ist: {link}',
  eventsUnused: 'Die Seite wartet auf Ereignisse, die es hier nicht gibt: {names}. Welche es gibt: {link}',
  methodUnused: 'Die Methode {name} tut hier nichts. Was etwas tut: {link}',
} as const;
