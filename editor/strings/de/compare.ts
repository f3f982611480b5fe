export const compare = {
  menu: 'Mit einer anderen Datei vergleichen …',
  title: 'Vergleich',
  meaning:
    'Zu sehen ist die andere Datei. Als hinzugefügt ist markiert, was nur sie hat, als gelöscht, was nur Ihr Dokument hat.',
  differences: '{count} Unterschiede sind markiert',
  differences_one: '1 Unterschied ist markiert',
  cannotShow: 'Die andere Datei kann nicht gezeigt werden',
  notCompared: 'Was in der anderen Datei anders ist, war nicht herauszufinden',
  onlyComparing:
    'Mit einer anderen Datei lässt sich hier vergleichen, zusammenführen oder einfügen lässt sie sich nicht.',
} as const;
