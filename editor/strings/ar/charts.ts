export const charts = {
  insert: 'مخطط',
  edit: 'تغيير المخطط',
  panel: 'مخطط',
  choose: 'حدّد مخططًا لتغييره.',
} as const;
