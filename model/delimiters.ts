/** Delimiters by the numbers of the integration API (9.1). 0 is none. */
const numbered: readonly (string | undefined)[] = [undefined, '\t', ';', ':', ',', ' '];

/** The delimiters to look for in a table without a given one; of two that fit equally well, the first. */
const candidates: readonly string[] = [',', ';', '\t', '|'];

const COMMA = ',';
/** How many lines are read to find the delimiter. */
const lookedAtLines = 50;

/** What stands between the cells of a line, undefined for nothing. */
export const delimiterOf = (number: number): string | undefined => numbered[number];

/** The number of a delimiter, undefined for one that has none. */
export function delimiterNumber(delimiter: string): number | undefined {
  const number = numbered.indexOf(delimiter);
  return number < 0 ? undefined : number;
}

/** A first line that tells Excel what stands between the cells (`sep=;`): the delimiter, and where the table begins behind it. */
export function separatorLine(
  text: string,
): { readonly delimiter: string; readonly end: number } | undefined {
  const found = /^\uFEFF?sep=([^\r\n"])(?:\r\n|[\r\n])/i.exec(text);
  return found ? { delimiter: found[1]!, end: found[0].length } : undefined;
}

/**
 * The delimiter of a table when it is not given: the one that its first line names, else the one that divides the lines most
 * evenly, else a comma.
 */
export function detectDelimiter(text: string): string {
  const named = separatorLine(text);
  if (named) return named.delimiter;
  const lines = text
    .split(/\r\n|\r|\n/, lookedAtLines)
    .map((line) => line.replaceAll(/"[^"]*"/g, ''))
    .filter((line) => line.trim() !== '');
  let best = COMMA;
  let bestShare = 0;
  for (const candidate of candidates) {
    const counts = lines.map((line) => line.split(candidate).length - 1);
    const usual = mostFrequent(counts.filter((count) => count > 0));
    const share = counts.filter((count) => count > 0 && count === usual).length / Math.max(1, lines.length);
    if (share > bestShare) {
      best = candidate;
      bestShare = share;
    }
  }
  return best;
}

function mostFrequent(counts: readonly number[]): number | undefined {
  const times = new Map<number, number>();
  for (const count of counts) times.set(count, (times.get(count) ?? 0) + 1);
  return [...times].sort(([, one], [, other]) => other - one)[0]?.[0];
}
