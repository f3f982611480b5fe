export const pictures = {
  inserted: '{name} was inserted',
  tooLarge: '{name} is too large',
  noConnection: '{name} could not be uploaded: no connection',
  notAllowed: 'You may not insert pictures here',
  notAPicture: '{name} is not a picture that a document can hold',
} as const;
