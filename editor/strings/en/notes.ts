/** For the author of the embedding page, on the console. */
export const notes = {
  fieldIgnored: '{path} is not used: it cannot be {value}.',
  entryLeftOut: '{entry} is left out: {path} cannot be {value}.',
  entryLacks: '{entry} is left out: {path} is missing.',
  aList: 'a list',
  anObject: 'an object',
  aText: 'this text',
} as const;
