/**
 * What random formulas give for an argument, by the name that the list of functions has for it: values for which the function is
 * meant, and those at its edges. Values are separated by blanks or `|`.
 */
const numbers =
  '0 1 2 3 -1 0.5 2.5 -2.5 10 100 -7 1/3 1E-10 1E10 123456.789 A1 B2 A5 B6 B4 One 0.1+0.2 1E300 -1E307 2958466 4.5 1.5';
const wholes = '0 1 2 3 4 5 -1 10 2.7 A2 A3 A7 100 One';
const positives = '1 2 0.5 3 10 2.5 A2 A5 0 -1 100 1E-3';
const shares = '0.5 0.1 0.9 0.25 0.99 0.01 F1 F4 F7 0 1 0.05 1E-6 -0.1 1.5';
const anyText =
  '"abc" "apple" "A" "" "apple pie" "Hello, World" D1 D2 D4 D9 D10 D7 "12" "1.5" C2 C5 "a" 12 TRUE "ß" "x y z" "1,234" B1';
const bits = '0 1 5 13 255 1023 A3 A7 2^40 -1 2.9 2^48';
const dates =
  '43831 DATE(2020,2,29) DATE(2012,12,31) E1 E5 E6 "2020-01-15" 44000.75 DATE(2021,3,31) 45658.5 DATE(2019,7,4) DATE(2000,2,29) DATE(1999,1,31)';
const settled = '43831 DATE(2021,2,15) E1 DATE(2020,2,29) DATE(2022,6,30) DATE(2019,8,31) E3';
const matures = 'DATE(2025,5,31) 46000 DATE(2030,2,28) DATE(2022,11,15) DATE(2024,8,31) DATE(2023,2,15) K6';
const issued = 'DATE(2018,10,1) DATE(2019,1,31) 43000 DATE(2017,2,28)';
const truths = 'TRUE FALSE 1 0 I1 I2 A1>2 2';
const ranges =
  'A1:A12 A1:A5 B1:B12 C1:C12 F1:F5 A1:B6 B1:B4 Numbers Mixed {1,2,3,4} {1;2;3;5;8} {3,1;2,4} A3:A3 G1:G6 G1:G3 D1:D12 E1:E6 I1:I5 J1:J6 H1:H6 A1:F1 {2.5,-1,7} B4:B9 {1,"a",TRUE}';
const ys = 'A1:A6 B1:B6 {2,4,5,4,5} {1;3;2;5;4} J1:J6 F1:F6 Numbers B1:B12 C1:C6 {1,2,3}';
const xs = 'A1:A6 F1:F6 {1,2,3,4,5} {2;1;4;3;5} K1:K6 A7:A12 Numbers C1:C12 M1:M6 {1,2,3}';
const criteria =
  '">2" "<=5" "apple" "a*" "?pple" "<>" "=" "" 3 TRUE "<>apple" A3 D1 ">b" "3" "=3" "*" "<0" G1 ">=2020-01-01" "FALSE" 0 "~*" "A?*e" "#N/A"';
const formats =
  '"0.00" "#,##0" "0%" "0.0E+00" "yyyy-mm-dd" "hh:mm:ss" "General" "@" "# ?/?" "$#,##0.00" "mmm d, yyyy" "[h]:mm" "0;(0);zero" "000" "dddd" "#,##0.0,," "h:mm AM/PM" "mm:ss.0" "\\"a\\"0" "0.#" "??0.0?" "d/m/yy"';
const complexes = '"3+4i" "1-i" "i" "-2" 5 "2.5+0.5j" "0" "1+2" "-i" "1E2+3i" "4i" A3';
const searched = 'D1:D12 A1:A12 {1,2,3,5,8} {1;3;5} C1:C12 E1:E6 Numbers {"a","b","c"} D:D K1:K6 F1:F4';
const tables = 'A1:C12 D1:F12 {1,2;3,4;5,6} K1:N6 L1:N6 A:C A1:F2';
const sought = '1 3 4.5 "apple" "cherry" "a*" 0 100 A3 D2 K3 TRUE 5 "b" "zzz" E1 "b??" 2';
const payments = '{-100,60,60} J1:J6 {-1000;300;400;500} {100,-50,-70} A1:A3 {-1000,0,0,1500} J1:J4 {1,2}';

/** By the name of the argument, with a colon where it takes a range. */
const values: Readonly<Record<string, string>> = {
  number: numbers,
  x: `${numbers} 0.2 0.8 5 20`,
  y: numbers,
  z: numbers,
  value: `${numbers} ${anyText} {1,2} A1:A3 #N/A H2 G1 E1`,
  'number:': `${ranges} A:A A:B ${numbers} "5" TRUE G1`,
  'value:': `${ranges} A:A C:D ${numbers} "5" "x" TRUE G1 FALSE`,
  'array:': ranges,
  'text:': `${ranges} D:D ${anyText}`,
  'logical:': `${truths} A1:A3 I1:I5 C1:C12 G1:G3 "TRUE" "x" B1:B4 G1 H1:H3`,
  logical: `${truths} G1 "x" A3 "FALSE"`,
  condition: `${truths} G1 "TRUE" A1:A3>2 B1`,
  text: anyText,
  settlement: settled,
  maturity: matures,
  issue: issued,
  first_interest: 'DATE(2021,7,1) DATE(2020,4,1) 44000',
  first_coupon: 'DATE(2021,11,15) DATE(2020,5,31) 44800',
  last_interest: issued,
  rate: '0.05 0.1 0 0.0025 0.08/12 Rate -0.02 1 0.0625 F6',
  yield: '0.05 0.065 0.1 0 0.0025 Rate',
  coupon: '0.05 0.08 0 0.1',
  discount: '0.05 0.0525 0.09 0.01 0',
  price: '95 100 98.45 110 1.125 1.02 A10',
  redemption: '100 105 95 A10',
  par: '1000 100 1',
  basis: '0 1 2 3 4 5 -1 G1',
  frequency: '1 2 4 3 2.5',
  probability: shares,
  percent: shares,
  degrees: '1 2 3 5 10 60 2.7 A4 0.5 100 1000 0',
  start: dates,
  end: dates,
  date: dates,
  time: '0.5 0.75 "7:30" 44000.75 E9 0.999999 E12 1/3 "8:15:30 PM"',
  cumulative: truths,
  alpha: positives,
  beta: positives,
  lambda: positives,
  deviation: positives,
  size: '1 2 5 50 100 3.7 0',
  sigma: positives,
  mean: numbers,
  type: '0 1 2 3 11 21 G1 TRUE',
  'reference:': 'A1:A5 A1:B6 C1:C12 G1:G3 B4 D2 Numbers A1:A12 H1 J1:J6',
  reference: 'A1 C7 G1 D2',
  'database:': 'L1:N6 L1:N4 L1:M6 L1:N3',
  field: '"Age" "Sum" 2 3 "Name" 1 "age" 0 4 "None"',
  'criteria:': 'P1:P2 P1:Q2 Q1:Q2 Q1:Q3 P1:Q3 G1:G2',
  criteria,
  'range:': 'A1:A12 B1:B12 C1:C12 D1:D12 G1:G6 A1:B6 E1:E6 H1:H6 A:A',
  'criteria_range:': 'A1:A12 B1:B12 C1:C12 D1:D12 E1:E12',
  'average_range:': 'A1:A12 B1:B12 C1:C12 F1:F12',
  'sum_range:': 'A1:A12 B1:B12 C1:C12 F1:F12',
  'max_range:': 'A1:A12 B1:B12 C1:C12 F1:F12',
  'min_range:': 'A1:A12 B1:B12 C1:C12 F1:F12',
  pv: '1000 -1000 0 100000 B5',
  fv: '0 1000 -1000 2000 G1',
  pmt: '-100 100 0 -8000 250.5',
  nper: '12 10 1 360 5.5 0 A6 -1',
  'known_y:': ys,
  'known_x:': xs,
  'new_x:': '{6,7} A1:A3 7 F1:F2',
  'actual:': ys,
  'expected:': 'A1:A6 {2,3,4,5,6} {1;2;3;4;5} A7:A12',
  'bins:': '{2,4} {1;5;9} A2:A4 G1:G2',
  'data:': ranges,
  order: '0 1 2 3 1.9 -1 5 TRUE FALSE',
  places: '4 8 10 0 3 11 2.9',
  period: '1 2 3 5 0 12 6.5',
  successes: wholes,
  failures: wholes,
  trials: '10 5 20 1 0 3.9 100',
  chosen: '0 1 2 3 5 2.9 10',
  sample: '4 3 1 10 0',
  population_successes: '8 5 1 10',
  population: '20 10 30 8',
  cost: '10000 2400 1000 1E6 0',
  salvage: '1000 300 0 500 20000',
  life: '5 10 6 3.5 1',
  significance: '1 2 0.5 -2 0 3 0.1 -0.25 10',
  digits: '0 1 2 3 -1 -2 5 1.9 20',
  decimals: '0 1 2 -1 3 2.7 -3',
  low: '0 1 -1 0.5',
  high: '1 2 10 3',
  mode: '0 1 -1',
  lookup_value: sought,
  'lookup_array:': searched,
  'lookup_vector:': searched,
  'result_vector:': 'B1:B12 {10,20,30,40,50} {7;8;9} C1:C12',
  'table:': tables,
  match_type: '0 1 -1 TRUE 2',
  range_lookup: 'FALSE TRUE 0 1 G1',
  column_index: '1 2 3 0 4 2.9 -1',
  row_index: '1 2 3 0 13',
  count: '1 2 3 0 5 -1 100 2.9',
  bytes: '1 2 3 0 5 100',
  k: '1 2 3 0.5 0.25 0 0.9 12 13 -1',
  quart: '0 1 2 3 4 5 2.9',
  find_text: '"a" "l" "" "p" "z" "A" "a*e" "?" "~*" 1',
  within_text: anyText,
  old_text: '"a" "p" "" "l" "pp" 1',
  new_text: '"X" "" "yy" 5',
  instance: '1 2 0 3 1.9',
  'values:': payments,
  'dates:': 'K1:K3 K1:K6 {43831,43891,44013} K1:K4',
  'schedule:': '{0.05,0.1,0.02} F1:F4 A1:A2 0.1',
  'holidays:': 'E1:E3 {43832,43833} 43850 G1:G3',
  weekend: '1 2 7 11 17 "0000011" "1000001" 8 0 "1111111"',
  days: '0 1 5 -5 30 250 2.9 -100',
  months: '0 1 -1 12 6 -13 2.9 24',
  year: '2020 1999 120 1899 1900 9999 2020.9 0',
  month: '1 2 12 13 0 -1 6.5',
  day: '1 29 31 0 -1 45 15.9',
  hour: '0 12 23 25 6.5',
  minute: '0 30 59 90 -5',
  second: '0 30 59 90 59.9',
  unit: '"y" "m" "d" "ym" "yd" "md" "Y"',
  purchased: 'DATE(2008,8,19) 43831 E1',
  first_period: 'DATE(2008,12,31) 44196',
  guess: '0.1 0.01 G1 -0.1',
  method: 'TRUE FALSE 0 1',
  absolute: '1 2 3 4',
  row: '1 2 5 0',
  column: '1 2 0 27',
  a: 'TRUE FALSE 1 0',
  sheet: '"Sheet1" "My Sheet" ""',
  radix: '2 16 10 36 8 3',
  least_length: '0 4 8',
  shift: '0 1 3 -2 10',
  from_unit:
    '"m" "km" "lbm" "F" "C" "mi" "l" "hr" "J" "kg" "g" "in" "gal" "day" "N" "Pa" "W" "T" "K" "ft" "bit" "byte" "yd" "cal" "Nmi" "mn" "psi" "HP" "ar" "m2" "ft2" "m/s" "kn" "Mm" "um" "kbyte" "Gibit"',
  to_unit:
    '"ft" "mi" "g" "C" "F" "km" "gal" "mn" "cal" "lbm" "kg" "in" "K" "sec" "l" "eV" "dyn" "atm" "HP" "ga" "m" "yd" "byte" "bit" "J" "hr" "pt" "N" "W" "ha" "acre" "m/h" "mph" "nm" "kbit"',
  real: numbers,
  imaginary: numbers,
  suffix: '"i" "j" "k" ""',
  error: '#N/A #DIV/0! H2 H5 1 #VALUE! #REF! #NUM! #NAME? #NULL! 1/0',
  factor: '2 1.5 1 0.5',
  no_switch: truths,
  fraction: '16 32 8 2 10 0 1',
  periods: '4 12 1 2.9 0',
  'subset:': ranges,
  finance_rate: '0.1 0.05 0',
  reinvest_rate: '0.12 0.08 0',
  divisor: '2 3 -3 0 0.5 1E-3 2.5',
  denominator: '2 3 -3 0 0.5 2.5',
  numerator: numbers,
  multiple: '3 0.2 -2 0 5 1.5',
  decimal: '"." ","',
  group: '"," "." " "',
  'x_range:': '{0,1,2,3} A1:A4 {1;2;3}',
  'probability_range:': 'F1:F4 {0.2,0.3,0.1,0.4} {0.5;0.25;0.25}',
  times: '0 1 3 -1 2.9',
  form: '0 1 2 3 4 TRUE FALSE',
  step: '0 1 2 0.5',
  power: '0 1 2 0.5 -1 3 1/3 -2.5',
  angle: numbers,
  base: '2 10 0.5 1 0 2.718281828',
  'coefficients:': '{1,2,3} A1:A4 2 F1:F3',
  tails: '1 2 3',
  format: formats,
  what: '"row" "col" "address" "contents" "type"',
  index: '1 2 3 0 1.9 A1 4',
  result: numbers,
  expression: sought,
  default: '"other" 0',
  value_if_true: '"yes" 1 A1 A1:A3',
  value_if_false: '"no" 0 B2',
  value_if_error: '"bad" 0',
  value_if_na: '"none" 0',
  investment: '1000 95 100000',
  principal: '1000 1 100',
  no_commas: truths,
  constant: truths,
  statistics: truths,
  rows: '1 2 0 3',
  columns: '1 2 0 3',
  function: '1 2 3 4 5 6 7 8 9 10 11 101 109',
  options: '0 4 6',
  'delimiter:': '"," "-" "" {"a",";"}',
  ignore_empty: truths,
  xml: '"<a><b>1</b><b>x</b></a>" "<b>2</b>" "<a>" 5',
  path: '"//b" "//b[2]" "//c" 1',
  area: '1 2',
  height: '1 2',
  width: '1 2',
};

/** What no argument is meant to be, or that has to be taken for something else. */
const strangers =
  '"abc" "3" "1E2" "2020-01-15" TRUE FALSE G1 #N/A #DIV/0! H2 {1,2,3} {1;2} A1:A5 C1:C12 D3 Numbers I1 C7 "" H5 A1:B3 B1:D1 0 -1 "$5" "10%" 1E-300 C9 Mixed';

const split = (words: string): readonly string[] => words.match(/(?:"[^"]*"|\{[^}]*\}|[^\s"{])+/g) ?? [];

const lists = new Map(Object.entries(values).map(([name, words]) => [name, split(words)]));
const strange = split(strangers);

/** Complex numbers are texts. */
const complexList = split(complexes);
const bitList = split(bits);
const wholeList = split(wholes);
/** Without those of control, which no file has. */
const characterList = split('33 65 97 127.9 223 255 256 0 -1 A12+40 "66"');
const systems: Readonly<Record<string, readonly string[]>> = {
  BIN: split('"101" 1101 "1111111111" "0" 2 "" 100 "10101010101"'),
  OCT: split('"17" 765 "7777777777" "8" 0 "" 54'),
  HEX: split('"FF" "a5" "FFFFFFFFFF" "G" 0 "" 10'),
};

/**
 * Texts of formulas that an argument may be.
 * @param argument its name in the list of functions, without brackets and number, with a colon where it takes a range
 */
export function valuesFor(functionName: string, argument: string): readonly string[] {
  const found = meantFor(functionName, argument);
  return countsOn.test(functionName) ? found.filter((value) => !large.test(value)) : found;
}

/** LibreOffice counts on and on in these where a number is large. */
const countsOn =
  /^(MULTINOMIAL|COMBIN|PERMUT|NEGBINOM|FACT|POISSON|BINOM|CRITBINOM|HYPGEOM|VDB|DDB|DB|BESSEL|GAMMA|CHI|TDIST|T\.|F\.|FDIST)/;
const large = /^-?(\d+E\d{2,}|\d{6,}(\.\d+)?)$/;

function meantFor(functionName: string, argument: string): readonly string[] {
  if (/^IM[A-Z]/.test(functionName) && argument.startsWith('number')) return complexList;
  if (functionName.startsWith('BIT') && argument === 'number') return bitList;
  if (/^CUM|^VDB/.test(functionName) && /start|end/.test(argument)) return wholeList;
  if (functionName.endsWith('CHAR')) return characterList;
  const system = systems[functionName.slice(0, 3)];
  if (system && functionName.includes('2') && argument === 'number') return system;
  return lists.get(argument) ?? lists.get(argument.endsWith(':') ? 'array:' : 'number')!;
}

export const strangeValues: readonly string[] = strange;
