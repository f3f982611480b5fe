export const history = {
  none: 'Es gibt keine früheren Versionen',
  cannotShow: 'Diese Version kann nicht angezeigt werden',
  version: 'Version {number}',
  restore: 'Diese Version wiederherstellen',
  back: 'Zurück zum Dokument',
} as const;
