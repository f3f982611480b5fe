export const history = {
  none: 'There are no earlier versions',
  cannotShow: 'This version cannot be shown',
  version: 'Version {number}',
  restore: 'Restore this version',
  back: 'Back to the document',
} as const;
