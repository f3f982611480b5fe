/**
 * Characters of the fonts Symbol and Wingdings that bullets are made of, by their code in the font. Files have them in
 * the private area (U+F000 and the code) or as the code itself.
 */
const symbol: Readonly<Record<number, string>> = {
  45: '−',
  167: '♣',
  168: '♦',
  169: '♥',
  170: '♠',
  171: '↔',
  172: '←',
  173: '↑',
  174: '→',
  175: '↓',
  176: '°',
  180: '×',
  183: '•',
  184: '÷',
  215: '⋅',
  222: '⇒',
  224: '◊',
};

const wingdings: Readonly<Record<number, string>> = {
  33: '✏',
  34: '✂',
  40: '☎',
  42: '✉',
  70: '☞',
  74: '☺',
  108: '●',
  109: '❍',
  110: '■',
  111: '□',
  113: '❑',
  114: '❒',
  115: '⬧',
  116: '⧫',
  117: '◆',
  118: '❖',
  119: '⬥',
  120: '⌧',
  122: '⌘',
  159: '•',
  160: '▪',
  161: '○',
  167: '▪',
  168: '◻',
  170: '✦',
  171: '★',
  178: '⯎',
  216: '➢',
  220: '➲',
  224: '→',
  232: '➔',
  240: '⇨',
  251: '✗',
  252: '✓',
  253: '☒',
  254: '☑',
};

const fonts: ReadonlyMap<string, Readonly<Record<number, string>>> = new Map([
  ['symbol', symbol],
  ['wingdings', wingdings],
]);

/** Whether the characters of a font are symbols at places of their own. */
export function isSymbolFont(font: string | null): boolean {
  return (
    font !== null &&
    /^(?:symbol|wingdings(?: [23])?|webdings|monotype sorts|zapfdingbats)$/i.test(font.trim())
  );
}

/** A label with the characters of a symbol font as ordinary ones; what is not known becomes a bullet. */
export function symbolText(text: string, font: string | null): string {
  const codes = fonts.get(font?.trim().toLowerCase() ?? '');
  const inSymbols = isSymbolFont(font);
  return [...text]
    .map((char) => {
      const code = char.codePointAt(0)!;
      const isPrivate = code >= 0xf000 && code <= 0xf0ff;
      if (!isPrivate && !inSymbols) return char;
      const own = codes?.[code & 0xff];
      if (own !== undefined) return own;
      if (!isPrivate) return char;
      return inSymbols ? '•' : (symbol[code & 0xff] ?? wingdings[code & 0xff] ?? '•');
    })
    .join('');
}
