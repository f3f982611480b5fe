/** How numbers are said in a script that has signs for ten, hundred and thousand. */
interface Counting {
  /** Signs of 0 to 9; of 0, where a place in between is empty, and nothing where that is not said. */
  readonly digits: readonly string[];
  /** Signs of ten, a hundred and a thousand, and of ten thousand. */
  readonly units: readonly [string, string, string, string];
  /** Before which of these a one is not said. */
  readonly silentOne: 'never' | 'first ten' | 'below ten thousand';
}

const counting = (digits: string, units: string, silentOne: Counting['silentOne'], zero = ''): Counting => ({
  digits: [zero, ...digits],
  units: [...units] as unknown as Counting['units'],
  silentOne,
});

const chinese = counting('一二三四五六七八九', '十百千万', 'first ten', '零');
const taiwanese = counting('一二三四五六七八九', '十百千萬', 'first ten', '零');
const legalTraditional = counting('壹貳參肆伍陸柒捌玖', '拾佰仟萬', 'never', '零');

/** Formats of ST_NumberFormat (17.18.59) by which numbers are said. */
const countings: Readonly<Record<string, Counting>> = {
  chineseCounting: chinese,
  chineseCountingThousand: chinese,
  chineseLegalSimplified: counting('壹贰叁肆伍陆柒捌玖', '拾佰仟萬', 'never', '零'),
  taiwaneseCounting: taiwanese,
  taiwaneseCountingThousand: taiwanese,
  ideographLegalTraditional: legalTraditional,
  japaneseCounting: counting('一二三四五六七八九', '十百千万', 'below ten thousand'),
  japaneseLegal: counting('壱弐参四伍六七八九', '拾百阡万', 'never'),
  koreanCounting: counting('일이삼사오육칠팔구', '십백천만', 'below ten thousand'),
};

/** Formats that write the digits of a number, one after the other, by the signs of 0 to 9. */
const digitSigns: Readonly<Record<string, string>> = {
  ideographDigital: '〇一二三四五六七八九',
  japaneseDigitalTenThousand: '〇一二三四五六七八九',
  taiwaneseDigital: '○一二三四五六七八九',
  koreanDigital: '영일이삼사오육칠팔구',
  koreanDigital2: '零一二三四五六七八九',
  thaiNumbers: '๐๑๒๓๔๕๖๗๘๙',
  hindiNumbers: '०१२३४५६७८९',
  decimalFullWidth: '０１２３４５６７８９',
  decimalFullWidth2: '０１２３４５６７８９',
};

const largest = 99_999_999;

/** A number in one of these formats; null for other formats, and for numbers that they do not say. */
export function sayNumber(value: number, format: string): string | null {
  const signs = digitSigns[format];
  if (signs !== undefined)
    return value < 0 ? null : [...String(value)].map((digit) => signs[Number(digit)]).join('');
  if (format === 'koreanLegal') return value >= 1 && value <= 99 ? nativeKorean(value) : null;
  const system = countings[format];
  return system && value >= 1 && value <= largest ? said(value, system) : null;
}

function said(value: number, system: Counting): string {
  const [high, low] = [Math.floor(value / 10_000), value % 10_000];
  if (high === 0) return belowTenThousand(low, system, true);
  const head = belowTenThousand(high, system, true) + system.units[3];
  if (low === 0) return head;
  return head + (low < 1_000 ? system.digits[0] : '') + belowTenThousand(low, system, false);
}

function belowTenThousand(value: number, { digits, units, silentOne }: Counting, isFirst: boolean): string {
  let text = '';
  let hasGap = false;
  for (const place of [3, 2, 1, 0]) {
    const digit = Math.floor(value / 10 ** place) % 10;
    if (digit === 0) {
      hasGap ||= text !== '';
      continue;
    }
    if (hasGap) text += digits[0];
    hasGap = false;
    const isSilent =
      digit === 1 &&
      place > 0 &&
      (silentOne === 'below ten thousand' ||
        (silentOne === 'first ten' && place === 1 && text === '' && isFirst));
    text += (isSilent ? '' : digits[digit]!) + (place > 0 ? units[place - 1]! : '');
  }
  return text;
}

const koreanTens = ['', '열', '스물', '서른', '마흔', '쉰', '예순', '일흔', '여든', '아흔'];
const koreanOnes = ['', '하나', '둘', '셋', '넷', '다섯', '여섯', '일곱', '여덟', '아홉'];

const nativeKorean = (value: number): string => koreanTens[Math.floor(value / 10)]! + koreanOnes[value % 10]!;
