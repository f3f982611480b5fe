export const charts = {
  insert: 'Chart',
  edit: 'Change chart',
  panel: 'Chart',
  choose: 'Select a chart to change it.',
} as const;
