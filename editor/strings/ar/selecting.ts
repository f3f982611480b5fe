const selecting = {
  readsNothing: 'لا تقرأ أي صيغة في التحديد خلايا من هذا المصنف.',
  isReadByNothing: 'لا تقرأ أي صيغة في هذه الورقة ما هو محدد.',
  tooManyRanges: 'سيكون ذلك أكثر من {most} نطاقًا. حدّد أقل أولًا.',
};

export const texts = { selecting };
