/** The text that a formula is, if it is nothing but a text in quotes; undefined for any other. */
export const quotedText = (formula: string): string | undefined =>
  /^"((?:[^"]|"")*)"$/.exec(formula)?.[1]?.replaceAll('""', '"');

/** A text as formulas have it. */
export const inQuotes = (text: string): string => `"${text.replaceAll('"', '""')}"`;
