export const common = {
  close: 'Close',
  cancel: 'Cancel',
  ok: 'OK',
  save: 'Save',
  delete: 'Delete',
  more: 'More',
  loading: 'Loading…',
  retry: 'Try again',
} as const;
