/** Most values, and most levels, of a JSON text that is parsed. A request to the API has some dozen. */
const most = { values: 20_000, levels: 64 };

const code = (character: string): number => character.charCodeAt(0);
const [quote, backslash, comma, colon] = [code('"'), code('\\'), code(','), code(':')];
const opening = new Set([code('['), code('{')]);
const closing = new Set([code(']'), code('}')]);

/**
 * Whether a JSON text in UTF-8 has so few values and levels that parsing it takes no more than some milliseconds: it is the number of
 * objects that makes a text of a megabyte take a tenth of a second. What is no JSON is left to the parser.
 */
export function isParsedSoon(bytes: Uint8Array): boolean {
  let values = 0;
  let levels = 0;
  let inText = false;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at]!;
    if (inText) {
      if (byte === backslash) at += 1;
      else if (byte === quote) inText = false;
    } else if (byte === quote) inText = true;
    else if (byte === comma || byte === colon) values += 1;
    else if (opening.has(byte)) {
      values += 1;
      levels += 1;
    } else if (closing.has(byte)) levels -= 1;
    if (values > most.values || levels > most.levels) return false;
  }
  return true;
}
