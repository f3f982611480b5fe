/** A number as ST_NumberFormat (17.18.59) writes it; formats that are not known are decimal. */
export function formatNumber(value: number, format: string): string {
  switch (format) {
    case 'upperRoman':
      return roman(value);
    case 'lowerRoman':
      return roman(value).toLowerCase();
    case 'upperLetter':
      return letters(value, 'A', 26);
    case 'lowerLetter':
      return letters(value, 'a', 26);
    case 'russianUpper':
      return letterOf(value, 'АБВГДЕЖЗИКЛМНОПРСТУФХЦЧШЩЭЮЯ');
    case 'russianLower':
      return letterOf(value, 'абвгдежзиклмнопрстуфхцчшщэюя');
    case 'arabicAlpha':
      return letterOf(value, 'أبتثجحخدذرزسشصضطظعغفقكلمنهوي');
    case 'arabicAbjad':
      return letterOf(value, 'أبجدهوزحطيكلمنسعفصقرشتثخذضظغ');
    case 'hebrew1':
      return letterOf(value, 'אבגדהוזחטיכלמנסעפצקרשת');
    case 'decimalZero':
      return String(value).padStart(2, '0');
    case 'ordinal':
      return `${value}${ordinalEnding(value)}`;
    case 'decimalEnclosedCircle':
      return value >= 1 && value <= 20 ? String.fromCodePoint(0x245f + value) : String(value);
    case 'decimalFullWidth':
      return [...String(value)].map((digit) => String.fromCodePoint(digit.charCodeAt(0) + 0xfee0)).join('');
    case 'numberInDash':
      return `- ${value} -`;
    case 'hex':
      return value.toString(16).toUpperCase();
    case 'chicago':
      return '*†‡§'.charAt((value - 1) % 4).repeat(Math.floor((value - 1) / 4) + 1);
    case 'none':
      return '';
    default:
      return String(value);
  }
}

const romans: readonly (readonly [number, string])[] = [
  [1000, 'M'],
  [900, 'CM'],
  [500, 'D'],
  [400, 'CD'],
  [100, 'C'],
  [90, 'XC'],
  [50, 'L'],
  [40, 'XL'],
  [10, 'X'],
  [9, 'IX'],
  [5, 'V'],
  [4, 'IV'],
  [1, 'I'],
];

function roman(value: number): string {
  if (value < 1 || value > 32_767) return String(value);
  let rest = value;
  let text = '';
  for (const [worth, sign] of romans) {
    while (rest >= worth) {
      text += sign;
      rest -= worth;
    }
  }
  return text;
}

/** After z comes aa, then bb: Word repeats the letter. */
function letters(value: number, first: string, count: number): string {
  if (value < 1 || value > 780) return String(value);
  const letter = String.fromCodePoint(first.codePointAt(0)! + ((value - 1) % count));
  return letter.repeat(Math.floor((value - 1) / count) + 1);
}

function letterOf(value: number, alphabet: string): string {
  if (value < 1) return String(value);
  const letter = alphabet.charAt((value - 1) % alphabet.length);
  return letter.repeat(Math.floor((value - 1) / alphabet.length) + 1);
}

function ordinalEnding(value: number): string {
  const rule = new Intl.PluralRules('en', { type: 'ordinal' }).select(value);
  return { one: 'st', two: 'nd', few: 'rd', other: 'th', many: 'th', zero: 'th' }[rule];
}
