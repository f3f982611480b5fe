export const common = {
  close: 'إغلاق',
  cancel: 'إلغاء',
  ok: 'موافق',
  save: 'حفظ',
  delete: 'حذف',
  loading: 'جارٍ التحميل…',
  retry: 'إعادة المحاولة',
  appearance: 'اللغة والمظهر',
  themeSystem: 'كالنظام',
  themeLight: 'فاتح',
  themeDark: 'داكن',
  themeContrast: 'تباين عالٍ',
} as const;
