import { sayNumber } from './counting-systems.ts';
import { numberWords } from './number-words.ts';

/** Letters that number one after the other; after the last one each is written twice, then three times. */
const alphabets: Readonly<Record<string, string>> = {
  russianUpper: 'АБВГДЕЖЗИКЛМНОПРСТУФХЦЧШЩЭЮЯ',
  russianLower: 'абвгдежзиклмнопрстуфхцчшщэюя',
  arabicAlpha: 'أبتثجحخدذرزسشصضطظعغفقكلمنهوي',
  arabicAbjad: 'أبجدهوزحطيكلمنسعفصقرشتثخذضظغ',
  aiueo: 'ｱｲｳｴｵｶｷｸｹｺｻｼｽｾｿﾀﾁﾂﾃﾄﾅﾆﾇﾈﾉﾊﾋﾌﾍﾎﾏﾐﾑﾒﾓﾔﾕﾖﾗﾘﾙﾚﾛﾜｦﾝ',
  aiueoFullWidth:
    'アイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワヲン',
  iroha: 'ｲﾛﾊﾆﾎﾍﾄﾁﾘﾇﾙｦﾜｶﾖﾀﾚｿﾂﾈﾅﾗﾑｳヰﾉｵｸﾔﾏｹﾌｺｴﾃｱｻｷﾕﾒﾐｼヱﾋﾓｾｽﾝ',
  irohaFullWidth:
    'イロハニホヘトチリヌルヲワカヨタレソツネナラムウヰノオクヤマケフコエテアサキユメミシヱヒモセスン',
  ganada: '가나다라마바사아자차카타파하',
  chosung: 'ㄱㄴㄷㄹㅁㅂㅅㅇㅈㅊㅋㅌㅍㅎ',
  thaiLetters: 'กขคงจฉชซฌญฎฏฐฑฒณดตถทธนบปผฝพฟภมยรลวศษสหฬอฮ',
};

/** Signs that there are for the first numbers alone. */
const enclosed: Readonly<Record<string, { first: number; count: number }>> = {
  decimalEnclosedCircle: { first: 0x2460, count: 20 },
  decimalEnclosedCircleChinese: { first: 0x2460, count: 20 },
  decimalEnclosedParen: { first: 0x2474, count: 20 },
  decimalEnclosedFullstop: { first: 0x2488, count: 20 },
  ideographEnclosedCircle: { first: 0x3280, count: 10 },
};

const stems = '甲乙丙丁戊己庚辛壬癸';
const branches = '子丑寅卯辰巳午未申酉戌亥';

/** A number as ST_NumberFormat (17.18.59) writes it; formats that are not known are decimal. */
export function formatNumber(value: number, format: string): string {
  const said = sayNumber(value, format);
  if (said !== null) return said;
  const alphabet = alphabets[format];
  if (alphabet !== undefined) return letterOf(value, alphabet);
  const signs = enclosed[format];
  if (signs && value >= 1 && value <= signs.count) return String.fromCodePoint(signs.first + value - 1);
  switch (format) {
    case 'upperRoman':
      return roman(value);
    case 'lowerRoman':
      return roman(value).toLowerCase();
    case 'upperLetter':
      return letters(value, 'A', 26);
    case 'lowerLetter':
      return letters(value, 'a', 26);
    case 'hebrew1':
      return hebrewNumeral(value);
    case 'hebrew2':
      return hebrewLetters(value);
    case 'ideographTraditional':
      return cyclic(value, stems);
    case 'ideographZodiac':
      return cyclic(value, branches);
    case 'ideographZodiacTraditional':
      return value < 1 ? String(value) : cyclic(value, stems) + cyclic(value, branches);
    case 'cardinalText':
    case 'ordinalText':
      return numberWords(value, format) ?? String(value);
    case 'decimalZero':
      return String(value).padStart(2, '0');
    case 'decimalZero3':
    case 'decimalZero4':
    case 'decimalZero5':
      return String(value).padStart(Number(format.at(-1)), '0');
    case 'ordinal':
      return `${value}${ordinalEnding(value)}`;
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

const cyclic = (value: number, signs: string): string =>
  value < 1 ? String(value) : signs.charAt((value - 1) % signs.length);

const hebrewAlphabet = 'אבגדהוזחטיכלמנסעפצקרשת';
const hebrewWorths: readonly (readonly [number, string])[] = [
  ...[400, 300, 200, 100].map((worth, at) => [worth, 'תשרק'.charAt(at)] as const),
  ...[90, 80, 70, 60, 50, 40, 30, 20, 10].map((worth, at) => [worth, 'צפעסנמלכי'.charAt(at)] as const),
  ...[9, 8, 7, 6, 5, 4, 3, 2, 1].map((worth, at) => [worth, 'טחזוהדגבא'.charAt(at)] as const),
];

/** Letters by what they are worth; 15 and 16 are 9 and 6, 9 and 7, since the usual way would be a name of God. */
function hebrewNumeral(value: number): string {
  if (value < 1 || value > 999) return String(value);
  let rest = value;
  let text = '';
  for (const [worth, letter] of hebrewWorths) {
    while (rest >= worth && !(worth <= 10 && (rest === 15 || rest === 16))) {
      text += letter;
      rest -= worth;
    }
    if (rest === 15 || rest === 16) return `${text}ט${rest === 15 ? 'ו' : 'ז'}`;
  }
  return text;
}

/** The letters in their order; beyond the last it stands before the next ones, as often as the alphabet has been gone through. */
function hebrewLetters(value: number): string {
  if (value < 1) return String(value);
  const rounds = Math.floor((value - 1) / hebrewAlphabet.length);
  return hebrewAlphabet.at(-1)!.repeat(rounds) + hebrewAlphabet.charAt((value - 1) % hebrewAlphabet.length);
}

function ordinalEnding(value: number): string {
  const rule = new Intl.PluralRules('en', { type: 'ordinal' }).select(value);
  return { one: 'st', two: 'nd', few: 'rd', other: 'th', many: 'th', zero: 'th' }[rule];
}
