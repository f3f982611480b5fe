const selecting = {
  readsNothing: 'لا تقرأ أي صيغة في التحديد خلايا من هذا المصنف.',
  isReadByNothing: 'لا تقرأ أي صيغة في هذا المصنف ما هو محدد.',
  isReadElsewhere: 'تقرأ ذلك أيضًا صيغ في أوراق أخرى: {sheets}.',
  tooManyRanges: 'سيكون ذلك أكثر من {most} نطاقًا. حدّد أقل أولًا.',
};

export const texts = { selecting };
