const selecting = {
  readsNothing: 'Keine markierte Formel liest Zellen dieser Arbeitsmappe.',
  isReadByNothing: 'Keine Formel auf diesem Blatt liest, was markiert ist.',
  tooManyRanges: 'Das wären mehr als {most} Bereiche. Markieren Sie zuerst weniger.',
};

export const texts = { selecting };
