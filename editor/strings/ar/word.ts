export const word = {
  document: 'المستند',
  opening: 'جارٍ فتح المستند…',
  reload: 'إعادة التحميل',
  renamed: 'أصبح اسم المستند {title}',
  rightsRevoked: 'لم يعد يُسمح لك بتغيير هذا المستند',
  newerVersion: 'توجد نسخة أحدث من هذا المستند. جارٍ إعادة التحميل…',
  noHeadings: 'تظهر هنا الفقرات ذات نمط العنوان.',
} as const;
