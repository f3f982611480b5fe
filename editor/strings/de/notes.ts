export const notes = {
  fieldIgnored: '{path} wird nicht verwendet, denn es kann nicht {value} sein.',
  entryLeftOut: '{entry} wird ausgelassen: {path} kann nicht {value} sein.',
  entryLacks: '{entry} wird ausgelassen: {path} fehlt.',
  aList: 'eine Liste',
  anObject: 'ein Objekt',
  aText: 'dieser Text',
} as const;
