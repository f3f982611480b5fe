/**
 * Characters of fonts that have symbols in the places of letters, by their code in the font. Files have them in the private area
 * (U+F000 and the code) or as the code itself.
 */
type Characters = Readonly<Record<number, string>>;

/** Sixteen characters in a row, beginning at this code; those that the font does not have are spaces. */
const rows = (lines: Readonly<Record<number, string>>): Characters =>
  Object.fromEntries(
    Object.entries(lines).flatMap(([code, line]) =>
      [...line].flatMap((char, at) => (char === ' ' ? [] : [[Number(code) + at, char]])),
    ),
  );

/** The encoding of Symbol, as Unicode's table of Adobe's font has it (MAPPINGS/VENDORS/ADOBE/symbol.txt). */
const symbol = rows({
  32: ' !∀#∃%&∋()∗+,−./',
  48: '0123456789:;<=>?',
  64: '≅ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟ',
  80: 'ΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_',
  96: '‾αβχδεφγηιϕκλμνο',
  112: 'πθρστυϖωξψζ{|}∼ ',
  160: '€ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓',
  176: '°±″≥×∝∂•÷≠≡≈…⏐⎯↵',
  192: 'ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉',
  208: '∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓',
  224: '◊〈®©™∑⎛⎜⎝⎡⎢⎣⎧⎨⎩⎪',
  240: ' 〉∫⌠⎮⌡⎞⎟⎠⎤⎥⎦⎫⎬⎭ ',
});

/** What equations take of MT Extra (Mozilla, MathML fonts, "MT Extra encoding"). */
const mtExtra: Characters = {
  67: '∐',
  68: 'ƛ',
  73: '∩',
  75: '…',
  76: '⋯',
  77: '⋮',
  78: '⋰',
  79: '⋱',
  81: '∵',
  85: '∪',
  96: '‵',
  97: '↦',
  98: '↕',
  99: '⇕',
  104: 'ℏ',
  108: 'ℓ',
};

const wingdings: Characters = {
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

const fonts: ReadonlyMap<string, Characters> = new Map([
  ['symbol', symbol],
  ['wingdings', wingdings],
  ['mt extra', mtExtra],
]);

/** Whether the characters of a font are symbols at places of their own. */
export function isSymbolFont(font: string | null): boolean {
  return (
    font !== null &&
    /^(?:symbol|mt extra|wingdings(?: [23])?|webdings|monotype sorts|zapfdingbats)$/i.test(font.trim())
  );
}

/** A text with the characters of a symbol font as ordinary ones; what is not known in the private area becomes a bullet. */
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
