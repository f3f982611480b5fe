export const common = {
  close: 'إغلاق',
  cancel: 'إلغاء',
  ok: 'موافق',
  save: 'حفظ',
  delete: 'حذف',
  more: 'المزيد',
  loading: 'جارٍ التحميل…',
  retry: 'إعادة المحاولة',
} as const;
