/** A text's quote, or a number with its point and its exponent. */
const quoteOrNumber = /"|-?\d[\d.eE+-]*/g;

/**
 * Reads JSON of others, in which whole numbers that a number of JavaScript would round are texts of their digits: ids of many databases
 * are such numbers, and two of them must not become one.
 * @throws SyntaxError
 */
export function exactJson(text: string): unknown {
  return JSON.parse(/\d{16}/.test(text) ? withQuotedIntegers(text) : text);
}

/** Whether a value may be a whole number of such JSON: a number of JavaScript would have rounded it. */
export const isLargeInteger = (value: unknown): value is string =>
  typeof value === 'string' && /^-?\d{16,}$/.test(value) && !Number.isSafeInteger(Number(value));

function withQuotedIntegers(text: string): string {
  const parts: string[] = [];
  let doneTo = 0;
  quoteOrNumber.lastIndex = 0;
  for (let found = quoteOrNumber.exec(text); found; found = quoteOrNumber.exec(text)) {
    const [token] = found;
    if (token === '"') quoteOrNumber.lastIndex = behindText(text, found.index);
    else if (isLargeInteger(token)) {
      parts.push(text.slice(doneTo, found.index), `"${token}"`);
      doneTo = found.index + token.length;
    }
  }
  return parts.join('') + text.slice(doneTo);
}

/** Where it goes on behind a text that begins at a place. */
function behindText(text: string, start: number): number {
  const end = /["\\]/g;
  end.lastIndex = start + 1;
  for (let found = end.exec(text); found; found = end.exec(text)) {
    if (found[0] === '"') return end.lastIndex;
    // What is escaped ends nothing.
    end.lastIndex += 1;
  }
  return text.length;
}
