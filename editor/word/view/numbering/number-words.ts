const ones = (
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen ' +
  'nineteen'
).split(' ');
const tens = 'zero ten twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');
const irregular: Readonly<Record<string, string>> = {
  ...{
    one: 'first',
    two: 'second',
    three: 'third',
    five: 'fifth',
    eight: 'eighth',
    nine: 'ninth',
    twelve: 'twelfth',
  },
};

const mostInWords = 999_999;

/** A number in English words as Word writes `cardinalText` and `ordinalText`, with a capital; null where it has none. */
export function numberWords(value: number, format: 'cardinalText' | 'ordinalText'): string | null {
  if (value < 0 || value > mostInWords) return null;
  const words = cardinal(value);
  const text = format === 'cardinalText' ? words : words.replace(/[a-z]+$/, ordinalWord);
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function cardinal(value: number): string {
  if (value < 20) return ones[value]!;
  if (value < 100) return `${tens[Math.floor(value / 10)]}${value % 10 === 0 ? '' : `-${ones[value % 10]}`}`;
  const [worth, name] = value < 1_000 ? [100, 'hundred'] : [1_000, 'thousand'];
  const rest = value % worth;
  return `${cardinal(Math.floor(value / worth))} ${name}${rest === 0 ? '' : ` ${cardinal(rest)}`}`;
}

const ordinalWord = (word: string): string =>
  irregular[word] ?? (word.endsWith('y') ? `${word.slice(0, -1)}ieth` : `${word}th`);
