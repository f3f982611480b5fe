const selecting = {
  readsNothing: 'Keine markierte Formel liest Zellen dieser Arbeitsmappe.',
  isReadByNothing: 'Keine Formel in dieser Arbeitsmappe liest, was markiert ist.',
  isReadElsewhere: 'Auch Formeln auf anderen Blättern lesen das: {sheets}.',
  tooManyRanges: 'Das wären mehr als {most} Bereiche. Markieren Sie zuerst weniger.',
};

export const texts = { selecting };
