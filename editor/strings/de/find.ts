export const find = {
  find: 'Suchen',
  next: 'Nächster Treffer',
  previous: 'Vorheriger Treffer',
  caseSensitive: 'Groß/klein',
  wholeWord: 'Ganze Wörter',
  replaceWith: 'Ersetzen durch',
  replace: 'Ersetzen',
  replaceAll: 'Alle ersetzen',
  matches: '{count} Treffer',
  matches_one: '1 Treffer',
  replaced: '{count} ersetzt',
} as const;
