export const history = {
  none: 'لا توجد إصدارات سابقة',
  cannotShow: 'يتعذر عرض هذا الإصدار',
  version: 'الإصدار {number}',
  restore: 'استعادة هذا الإصدار',
  back: 'العودة إلى المستند',
} as const;
