const selecting = {
  readsNothing: 'No formula in what is selected reads cells of this workbook.',
  isReadByNothing: 'No formula on this sheet reads what is selected.',
  tooManyRanges: 'That would be more than {most} ranges. Select less first.',
} as const;

export const texts = { selecting } as const;
