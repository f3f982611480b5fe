const selecting = {
  readsNothing: 'No formula in what is selected reads cells of this workbook.',
  isReadByNothing: 'No formula in this workbook reads what is selected.',
  isReadElsewhere: 'Formulas on other sheets read this, too: {sheets}.',
  tooManyRanges: 'That would be more than {most} ranges. Select less first.',
} as const;

export const texts = { selecting } as const;
