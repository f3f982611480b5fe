/** A text's quote, or a whole number that may be too large for a number of JavaScript; not digits behind a point or in an exponent. */
const quoteOrInteger = /"|(?<![\d.eE+-])-?\d{16,}(?![\d.eE])/g;

/**
 * Reads JSON of others, in which whole numbers that a number of JavaScript would round are texts: ids of many databases are such numbers,
 * and two of them must not become one.
 * @throws SyntaxError
 */
export function exactJson(text: string): unknown {
  return JSON.parse(/\d{16}/.test(text) ? withQuotedIntegers(text) : text);
}

function withQuotedIntegers(text: string): string {
  const parts: string[] = [];
  let doneTo = 0;
  quoteOrInteger.lastIndex = 0;
  for (let found = quoteOrInteger.exec(text); found; found = quoteOrInteger.exec(text)) {
    const [token] = found;
    if (token === '"') quoteOrInteger.lastIndex = behindText(text, found.index);
    else if (!Number.isSafeInteger(Number(token))) {
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
