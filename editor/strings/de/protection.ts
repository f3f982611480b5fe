export const protection = {
  readOnly: 'Dieses Dokument ist geschützt: Es lässt sich nur lesen.',
  comments: 'Dieses Dokument ist geschützt: Es lässt sich nur kommentieren.',
  trackedChanges: 'Dieses Dokument ist geschützt: Alle Änderungen daran werden aufgezeichnet.',
  forms: 'Dieses Dokument ist geschützt: Nur seine Formulare lassen sich ausfüllen.',
  lift: 'Schutz aufheben',
  lifted: 'Das Dokument ist nicht mehr geschützt.',
  wrongPassword: 'Das ist nicht das Kennwort.',
  checking: 'Das Kennwort wird geprüft…',
  cannotCheck:
    'Dieser Schutz hat ein Kennwort, das sich hier nicht prüfen lässt; darum lässt er sich hier nicht aufheben.',
  control_locked: 'Dieses Feld ist gesperrt',
  control_group: 'Nur die Felder dieses Formulars lassen sich ausfüllen',
  control_bound: 'Dieser Text kommt aus Daten des Dokuments, die sich hier nicht ändern lassen',
  control_stays: 'Dieses Feld darf nicht gelöscht werden',
} as const;
