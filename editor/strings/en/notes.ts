/** For the author of the embedding page, on the console. */
export const notes = {
  fieldIgnored: '{path} is not used: it cannot be {value}.',
  entryLeftOut: '{entry} is left out: {path} cannot be {value}.',
  entryLacks: '{entry} is left out: {path} is missing.',
  aList: 'a list',
  anObject: 'an object',
  aText: 'this text',
  optionsUnused: 'These options change nothing here: {names}. What does: {link}',
  optionsUnknown: 'These options are not known here: {names}. What is: {link}',
  eventsUnused: 'The page listens for events that do not come here: {names}. Which do: {link}',
  methodUnused: 'The method {name} does nothing here. What does: {link}',
} as const;
