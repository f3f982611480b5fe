export const find = {
  find: 'بحث',
  next: 'التطابق التالي',
  previous: 'التطابق السابق',
  caseSensitive: 'مطابقة حالة الأحرف',
  wholeWord: 'كلمات كاملة',
  replaceWith: 'استبدال بـ',
  replace: 'استبدال',
  replaceAll: 'استبدال الكل',
  matches: '{count} من التطابقات',
  matches_one: 'تطابق واحد',
  replaced: 'تم استبدال {count}',
} as const;
