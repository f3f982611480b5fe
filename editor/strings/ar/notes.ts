export const notes = {
  fieldIgnored: 'لا يُستخدم {path}: لا يمكن أن تكون قيمته {value}.',
  entryLeftOut: 'تُرك {entry}: لا يمكن أن تكون قيمة {path} هي {value}.',
  entryLacks: 'تُرك {entry}: ينقصه {path}.',
  aList: 'قائمة',
  anObject: 'كائنًا',
  aText: 'هذا النص',
} as const;
