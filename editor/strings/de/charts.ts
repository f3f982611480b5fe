export const charts = {
  insert: 'Diagramm',
  edit: 'Diagramm ändern',
  panel: 'Diagramm',
  choose: 'Wählen Sie ein Diagramm aus, um es zu ändern.',
} as const;
