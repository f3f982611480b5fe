export const find = {
  find: 'Find',
  next: 'Next match',
  previous: 'Previous match',
  caseSensitive: 'Match case',
  wholeWord: 'Whole words',
  replaceWith: 'Replace with',
  replace: 'Replace',
  replaceAll: 'Replace all',
  matches: '{count} matches',
  matches_one: '1 match',
  replaced: '{count} replaced',
} as const;
