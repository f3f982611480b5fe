export const viewer = {
  page: 'الصفحة',
  pageOf: 'الصفحة {page} من {count}',
  previousPage: 'الصفحة السابقة',
  nextPage: 'الصفحة التالية',
  ofCount: 'من {count}',
  fitPage: 'احتواء الصفحة',
  actualSize: 'الحجم الفعلي',
  matchOf: '{current} من {total}',
  searching: 'جارٍ البحث…',
  noMatch: 'لم يُعثر على شيء',
  noPrint: 'غير مسموح لك بطباعة هذا المستند.',
  printByButton: 'استخدم زر الطباعة في الصفحة: فهو يطبع المستند كله.',
} as const;
