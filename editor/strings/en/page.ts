export const page = {
  document: 'Document',
  opening: 'Opening the document…',
  fetching: 'Fetching the file from where it is stored…',
  waiting: 'Waiting to be converted…',
  waitingBehind_one: '{count} other file is converted before this one…',
  waitingBehind: '{count} other files are converted before this one…',
  converting: 'Converting the file…',
  password: 'Password',
  openFile: 'Open',
  encodingUnknown:
    'This file does not say in which encoding its text is. Choose the one in which it can be read.',
  encoding: 'Encoding',
  encodingPreview: 'The beginning of the text',
  reload: 'Reload',
  renamed: 'The document is now called {title}',
  rightsRevoked: 'You may no longer change this document',
  newerVersion: 'There is a newer version of this document. Reloading…',
  noAnswer: 'The server does not answer. Still trying…',
  otherServer: 'The server runs another version of the editor. Load the page again to go on.',
  oldVersion:
    'There is a newer version of this document. This one can only be read; changes of yours that were not sent are kept in this browser.',
} as const;
