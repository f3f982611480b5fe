const ESCAPED = /_x([0-9A-Fa-f]{4})_/g;
/** What XML cannot hold, and what would be read as an escape. */
const TO_ESCAPE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|_(?=x[0-9A-Fa-f]{4}_)/g;
const LONE_SURROGATE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/** A text of a cell as it is meant: `_x000D_` stands for a character that XML does not keep (22.9.2.19, ST_Xstring). */
export function decodeCellText(text: string): string {
  if (!text.includes('_x')) return text;
  return text.replace(ESCAPED, (_match, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

/** A text for a cell; what cannot be said is left out. */
export function encodeCellText(text: string): string {
  return text
    .replace(LONE_SURROGATE, '\ufffd')
    .replace(
      TO_ESCAPE,
      (character) => `_x${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`,
    );
}
