/** The parts of a header or a footer, in the order in which they stand. */
export const headerParts = ['left', 'center', 'right'] as const;

/** Left, middle and right of a header: `&L…&C…&R…`; without a sign it is the middle. */
export function partsOfText(text = ''): readonly [left: string, center: string, right: string] {
  const found: Record<string, string> = { L: '', C: '', R: '' };
  let current = 'C';
  for (const piece of text.split(/(&[LCR]|&&|&.)/i)) {
    const sign = /^&([LCR])$/i.exec(piece)?.[1]?.toUpperCase();
    if (sign) current = sign;
    else found[current] += piece;
  }
  return [found.L!, found.C!, found.R!];
}

/** A header of its three parts. */
export const textOfParts = (texts: readonly string[]): string =>
  texts.map((text, at) => (text === '' ? '' : `&${'LCR'[at]}${text}`)).join('');
