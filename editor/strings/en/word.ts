export const word = {
  document: 'Document',
  opening: 'Opening the document…',
  reload: 'Reload',
  renamed: 'The document is now called {title}',
  rightsRevoked: 'You may no longer change this document',
  newerVersion: 'There is a newer version of this document. Reloading…',
  noHeadings: 'Paragraphs with a heading style are listed here.',
} as const;
