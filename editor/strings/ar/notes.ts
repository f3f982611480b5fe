export const notes = {
  fieldIgnored: 'لا يُستخدم {path}: لا يمكن أن تكون قيمته {value}.',
  entryLeftOut: 'تُرك {entry}: لا يمكن أن تكون قيمة {path} هي {value}.',
  entryLacks: 'تُرك {entry}: ينقصه {path}.',
  aList: 'قائمة',
  anObject: 'كائنًا',
  aText: 'هذا النص',
  optionsUnused: 'هذه الخيارات لا تغيّر شيئًا هنا: {names}. ما يعمل: {link}',
  optionsUnknown: 'هذه الخيارات غير معروفة هنا: {names}. المعروف منها: {link}',
  eventsUnused: 'تنتظر الصفحة أحداثًا لا تقع هنا: {names}. ما يقع منها: {link}',
  methodUnused: 'الدالة {name} لا تفعل شيئًا هنا. ما يعمل: {link}',
} as const;
