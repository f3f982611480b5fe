export const history = {
  none: 'Es gibt keine früheren Versionen',
  cannotShow: 'Diese Version kann nicht angezeigt werden',
  version: 'Version {number}',
  current: 'aktuell',
  shown: 'Version {number} wird angezeigt. Sie kann nicht geändert werden.',
  changes: '{count} Änderungen sind markiert',
  changes_one: '1 Änderung ist markiert',
  notCompared: 'Was sich in dieser Version geändert hat, ließ sich nicht feststellen',
  inserted: 'Hinzugefügt',
  insertedBy: 'Hinzugefügt von {name}',
  deleted: 'Gelöscht',
  deletedBy: 'Gelöscht von {name}',
  restore: 'Diese Version wiederherstellen',
  restoreNow: 'Wiederherstellen',
  restoreText:
    'Version {number} wird zum aktuellen Dokument. Was jetzt da ist, bleibt in der Liste der Versionen.',
  back: 'Zurück zum Dokument',
} as const;
