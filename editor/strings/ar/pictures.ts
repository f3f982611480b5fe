export const pictures = {
  inserted: 'تم إدراج {name}',
  tooLarge: '{name} كبير جدًا',
  noConnection: 'تعذر رفع {name}: لا يوجد اتصال',
  notAllowed: 'لا يُسمح لك بإدراج صور هنا',
  notAPicture: '{name} ليس صورة يمكن إدراجها',
} as const;
