export const compare = {
  menu: 'Compare with another file…',
  title: 'Comparison',
  meaning:
    'The other file is shown. Marked as added is what only it has, and as deleted what only your document has.',
  differences: '{count} differences are marked',
  differences_one: '1 difference is marked',
  cannotShow: 'The other file cannot be shown',
  notCompared: 'What is different in the other file could not be found out',
  onlyComparing: 'Another file can be compared with here, but not combined or inserted.',
} as const;
