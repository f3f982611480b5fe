export const history = {
  none: 'There are no earlier versions',
  cannotShow: 'This version cannot be shown',
  version: 'Version {number}',
  current: 'current',
  shown: 'Version {number} is shown. It cannot be changed.',
  changes: '{count} changes are marked',
  changes_one: '1 change is marked',
  notCompared: 'What has changed in this version could not be found out',
  inserted: 'Added',
  insertedBy: 'Added by {name}',
  deleted: 'Deleted',
  deletedBy: 'Deleted by {name}',
  restore: 'Restore this version',
  restoreNow: 'Restore',
  restoreText:
    'Version {number} becomes the current document. What is there now stays in the list of versions.',
  back: 'Back to the document',
} as const;
