export const viewer = {
  page: 'Page',
  pageOf: 'Page {page} of {count}',
  previousPage: 'Previous page',
  nextPage: 'Next page',
  ofCount: 'of {count}',
  fitPage: 'Fit page',
  actualSize: 'Actual size',
  matchOf: '{current} of {total}',
  searching: 'Searching…',
  noMatch: 'Nothing found',
  noPrint: 'You are not allowed to print this document.',
  printByButton: 'Use the print button of the page: it prints all of the document.',
} as const;
