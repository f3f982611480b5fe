/** A function of formulas, with what it takes. */
export interface FormulaFunction {
  readonly name: string;
  readonly takes: readonly FunctionArgument[];
  /** How many of the last arguments come again and again; 0 where there are no more than are named. */
  readonly repeated: number;
  /** Whether its result may be several values, or a range. */
  readonly givesSeveral: boolean;
  /** What files write before its name: it is younger than the format. */
  readonly prefix: '' | '_xlfn.' | '_xlfn._xlws.';
}

export interface FunctionArgument {
  /** As it is shown: in brackets where it may be left out. */
  readonly text: string;
  /** Whether it is taken as a range or as several values, and not one after the other. */
  readonly isRange: boolean;
}

/**
 * Before a name, `~` stands for `_xlfn.` and `~~` for `_xlfn._xlws.`; behind it, `:` says that several values may come out, and
 * behind an argument, that a range may go in. `…` repeats the arguments before it that have the highest number.
 */
const written = `
ABS number|ACCRINT issue, first_interest, settlement, rate, par, frequency, [basis], [method]|ACCRINTM issue, settlement, rate, par, [basis]|ACOS number|ACOSH number|~ACOT number|~ACOTH number
ADDRESS row, column, [absolute], [a1], [sheet]|~AGGREGATE function, options, reference1:, [reference2:], …|AMORDEGRC cost, purchased, first_period, salvage, period, rate, [basis]|AMORLINC cost, purchased, first_period, salvage, period, rate, [basis]
AND logical1:, [logical2:], …|~ARABIC text|AREAS reference:|~ARRAYTOTEXT array:, [format]|ASC text|ASIN number|ASINH number|ATAN number|ATAN2 x, y|ATANH number|AVEDEV number1:, [number2:], …|AVERAGE number1:, [number2:], …|AVERAGEA value1:, [value2:], …
AVERAGEIF range:, criteria, [average_range:]|AVERAGEIFS average_range:, criteria_range1:, criteria1, …|~BAHTTEXT number|BASE number, radix, [least_length]|BESSELI x, order|BESSELJ x, order|BESSELK x, order|BESSELY x, order
~BETA.DIST x, alpha, beta, cumulative, [low], [high]|~BETA.INV probability, alpha, beta, [low], [high]|BETADIST x, alpha, beta, [low], [high]|BETAINV probability, alpha, beta, [low], [high]|BIN2DEC number|BIN2HEX number, [places]|BIN2OCT number, [places]
~BINOM.DIST successes, trials, probability, cumulative|~BINOM.DIST.RANGE trials, probability, successes, [successes2]|~BINOM.INV trials, probability, alpha|BINOMDIST successes, trials, probability, cumulative
~BITAND number1, number2|~BITLSHIFT number, shift|~BITOR number1, number2|~BITRSHIFT number, shift|~BITXOR number1, number2|~BYCOL: array:, function|~BYROW: array:, function
CEILING number, significance|~CEILING.MATH number, [significance], [mode]|~CEILING.PRECISE number, [significance]|CELL what, [reference:]|CHAR number|CHIDIST x, degrees|CHIINV probability, degrees|~CHISQ.DIST x, degrees, cumulative|~CHISQ.DIST.RT x, degrees|~CHISQ.INV probability, degrees|~CHISQ.INV.RT probability, degrees|~CHISQ.TEST actual:, expected:|CHITEST actual:, expected:
CHOOSE index, value1, [value2], …|~CHOOSECOLS: array:, column1:, [column2:], …|~CHOOSEROWS: array:, row1:, [row2:], …|CLEAN text|CODE text|COLUMN: [reference:]|COLUMNS array:|COMBIN number, chosen|~COMBINA number, chosen|COMPLEX real, imaginary, [suffix]|~CONCAT text1:, [text2:], …|CONCATENATE text1, [text2], …
CONFIDENCE alpha, deviation, size|~CONFIDENCE.NORM alpha, deviation, size|~CONFIDENCE.T alpha, deviation, size|CONVERT number, from_unit, to_unit|CORREL array1:, array2:|COS number|COSH number|~COT number|~COTH number|COUNT value1:, [value2:], …|COUNTA value1:, [value2:], …|COUNTBLANK range:|COUNTIF range:, criteria|COUNTIFS criteria_range1:, criteria1, …
COUPDAYBS settlement, maturity, frequency, [basis]|COUPDAYS settlement, maturity, frequency, [basis]|COUPDAYSNC settlement, maturity, frequency, [basis]|COUPNCD settlement, maturity, frequency, [basis]|COUPNUM settlement, maturity, frequency, [basis]|COUPPCD settlement, maturity, frequency, [basis]
COVAR array1:, array2:|~COVARIANCE.P array1:, array2:|~COVARIANCE.S array1:, array2:|CRITBINOM trials, probability, alpha|~CSC number|~CSCH number|CUMIPMT rate, nper, pv, start, end, type|CUMPRINC rate, nper, pv, start, end, type
DATE year, month, day|DATEDIF start, end, unit|DATEVALUE text|DAVERAGE database:, field, criteria:|DAY date|~DAYS end, start|DAYS360 start, end, [method]|DB cost, salvage, life, period, [month]|DBCS text|DCOUNT database:, field, criteria:|DCOUNTA database:, field, criteria:|DDB cost, salvage, life, period, [factor]
DEC2BIN number, [places]|DEC2HEX number, [places]|DEC2OCT number, [places]|~DECIMAL text, radix|DEGREES angle|DELTA number1, [number2]|DEVSQ number1:, [number2:], …|DGET database:, field, criteria:|DISC settlement, maturity, price, redemption, [basis]|DMAX database:, field, criteria:|DMIN database:, field, criteria:
DOLLAR number, [decimals]|DOLLARDE price, fraction|DOLLARFR price, fraction|DPRODUCT database:, field, criteria:|~DROP: array:, rows, [columns]|DSTDEV database:, field, criteria:|DSTDEVP database:, field, criteria:|DSUM database:, field, criteria:|DURATION settlement, maturity, coupon, yield, frequency, [basis]|DVAR database:, field, criteria:|DVARP database:, field, criteria:
EDATE start, months|EFFECT rate, periods|~ENCODEURL text|EOMONTH start, months|ERF low, [high]|~ERF.PRECISE x|ERFC x|~ERFC.PRECISE x|ERROR.TYPE error|EVEN number|EXACT text1, text2|EXP number|~EXPAND: array:, rows, [columns], [pad_with]|~EXPON.DIST x, lambda, cumulative|EXPONDIST x, lambda, cumulative
~F.DIST x, degrees1, degrees2, cumulative|~F.DIST.RT x, degrees1, degrees2|~F.INV probability, degrees1, degrees2|~F.INV.RT probability, degrees1, degrees2|~F.TEST array1:, array2:|FACT number|FACTDOUBLE number|FALSE |FDIST x, degrees1, degrees2|~~FILTER: array:, include:, [if_empty]|~FILTERXML: xml, path|FIND find_text, within_text, [start]|FINDB find_text, within_text, [start]|FINV probability, degrees1, degrees2
FISHER x|FISHERINV y|FIXED number, [decimals], [no_commas]|FLOOR number, significance|~FLOOR.MATH number, [significance], [mode]|~FLOOR.PRECISE number, [significance]|FORECAST x, known_y:, known_x:|~FORECAST.LINEAR x, known_y:, known_x:|~FORMULATEXT reference|FREQUENCY: data:, bins:|FTEST array1:, array2:|FV rate, nper, pmt, [pv], [type]|FVSCHEDULE principal, schedule:
~GAMMA number|~GAMMA.DIST x, alpha, beta, cumulative|~GAMMA.INV probability, alpha, beta|GAMMADIST x, alpha, beta, cumulative|GAMMAINV probability, alpha, beta|GAMMALN x|~GAMMALN.PRECISE x|~GAUSS z|GCD number1:, [number2:], …|GEOMEAN number1:, [number2:], …|GESTEP number, [step]|~GROUPBY: fields:, values:, function:, [headings:], [total:], [order:], [filter:], [relation:]|GROWTH: known_y:, [known_x:], [new_x:], [constant]
HARMEAN number1:, [number2:], …|HEX2BIN number, [places]|HEX2DEC number|HEX2OCT number, [places]|HLOOKUP lookup_value, table:, row_index, [range_lookup]|HOUR time|~HSTACK: array1:, [array2:], …|HYPERLINK address, [name]|~HYPGEOM.DIST successes, sample, population_successes, population, cumulative|HYPGEOMDIST successes, sample, population_successes, population
IF condition, value_if_true, [value_if_false]|IFERROR value, value_if_error|~IFNA value, value_if_na|~IFS condition1, value1, …|IMABS number|IMAGINARY number|IMARGUMENT number|IMCONJUGATE number|IMCOS number|~IMCOSH number|~IMCOT number|~IMCSC number|~IMCSCH number|IMDIV number1, number2|IMEXP number|IMLN number|IMLOG10 number|IMLOG2 number|IMPOWER number, power
IMPRODUCT number1:, [number2:], …|IMREAL number|~IMSEC number|~IMSECH number|IMSIN number|~IMSINH number|IMSQRT number|IMSUB number1, number2|IMSUM number1:, [number2:], …|~IMTAN number|INDEX: array:, row, [column], [area]|INDIRECT: text, [a1]|INFO what|INT number|INTERCEPT known_y:, known_x:|INTRATE settlement, maturity, investment, redemption, [basis]|IPMT rate, period, nper, pv, [fv], [type]|IRR values:, [guess]
ISBLANK value|ISERR value|ISERROR value|ISEVEN number|~ISFORMULA reference|ISLOGICAL value|ISNA value|ISNONTEXT value|ISNUMBER value|ISO.CEILING number, [significance]|ISODD number|~ISOMITTED argument|~ISOWEEKNUM date|ISPMT rate, period, nper, pv|ISREF value:|ISTEXT value|JIS text
KURT number1:, [number2:], …|~LAMBDA: [parameter1], …, calculation|LARGE array:, k|LCM number1:, [number2:], …|LEFT text, [count]|LEFTB text, [bytes]|LEN text|LENB text|~LET: name1, value1:, …, calculation|LINEST: known_y:, [known_x:], [constant], [statistics]|LN number|LOG number, [base]|LOG10 number|LOGEST: known_y:, [known_x:], [constant], [statistics]|LOGINV probability, mean, deviation
~LOGNORM.DIST x, mean, deviation, cumulative|~LOGNORM.INV probability, mean, deviation|LOGNORMDIST x, mean, deviation|LOOKUP lookup_value, lookup_vector:, [result_vector:]|LOWER text|~MAKEARRAY: rows, columns, function|~MAP: array1:, [array2:], …, function|MATCH lookup_value, lookup_array:, [match_type]|MAX number1:, [number2:], …|MAXA value1:, [value2:], …|~MAXIFS max_range:, criteria_range1:, criteria1, …|MDETERM array:|MDURATION settlement, maturity, coupon, yield, frequency, [basis]
MEDIAN number1:, [number2:], …|MID text, start, count|MIDB text, start, bytes|MIN number1:, [number2:], …|MINA value1:, [value2:], …|~MINIFS min_range:, criteria_range1:, criteria1, …|MINUTE time|MINVERSE: array:|MIRR values:, finance_rate, reinvest_rate|MMULT: array1:, array2:|MOD number, divisor|MODE number1:, [number2:], …|~MODE.MULT: number1:, [number2:], …|~MODE.SNGL number1:, [number2:], …|MONTH date|MROUND number, multiple|MULTINOMIAL number1:, [number2:], …|~MUNIT: size
N value|NA |~NEGBINOM.DIST failures, successes, probability, cumulative|NEGBINOMDIST failures, successes, probability|NETWORKDAYS start, end, [holidays:]|NETWORKDAYS.INTL start, end, [weekend], [holidays:]|NOMINAL rate, periods|~NORM.DIST x, mean, deviation, cumulative|~NORM.INV probability, mean, deviation|~NORM.S.DIST z, cumulative|~NORM.S.INV probability|NORMDIST x, mean, deviation, cumulative|NORMINV probability, mean, deviation|NORMSDIST z|NORMSINV probability|NOT logical|NOW |NPER rate, pmt, pv, [fv], [type]|NPV rate, value1:, [value2:], …|~NUMBERVALUE text, [decimal], [group]
OCT2BIN number, [places]|OCT2DEC number|OCT2HEX number, [places]|ODD number|ODDFPRICE settlement, maturity, issue, first_coupon, rate, yield, redemption, frequency, [basis]|ODDFYIELD settlement, maturity, issue, first_coupon, rate, price, redemption, frequency, [basis]|ODDLPRICE settlement, maturity, last_interest, rate, yield, redemption, frequency, [basis]|ODDLYIELD settlement, maturity, last_interest, rate, price, redemption, frequency, [basis]|OFFSET: reference:, rows, columns, [height], [width]|OR logical1:, [logical2:], …
~PDURATION rate, pv, fv|PEARSON array1:, array2:|PERCENTILE array:, k|~PERCENTILE.EXC array:, k|~PERCENTILE.INC array:, k|~PERCENTOF subset:, all:|PERCENTRANK array:, x, [digits]|~PERCENTRANK.EXC array:, x, [digits]|~PERCENTRANK.INC array:, x, [digits]|PERMUT number, chosen|~PERMUTATIONA number, chosen|~PHI x|PI |~PIVOTBY: rows:, columns:, values:, function:, [headings:], [row_total:], [row_order:], [column_total:], [column_order:], [filter:], [relation:]|PMT rate, nper, pv, [fv], [type]|POISSON x, mean, cumulative|~POISSON.DIST x, mean, cumulative|POWER number, power|PPMT rate, period, nper, pv, [fv], [type]
PRICE settlement, maturity, rate, yield, redemption, frequency, [basis]|PRICEDISC settlement, maturity, discount, redemption, [basis]|PRICEMAT settlement, maturity, issue, rate, yield, [basis]|PROB x_range:, probability_range:, low, [high]|PRODUCT number1:, [number2:], …|PROPER text|PV rate, nper, pmt, [fv], [type]|QUARTILE array:, quart|~QUARTILE.EXC array:, quart|~QUARTILE.INC array:, quart|QUOTIENT numerator, denominator
RADIANS angle|RAND |~RANDARRAY: [rows], [columns], [least], [most], [whole]|RANDBETWEEN bottom, top|RANK number, reference:, [order]|~RANK.AVG number, reference:, [order]|~RANK.EQ number, reference:, [order]|RATE nper, pmt, pv, [fv], [type], [guess]|RECEIVED settlement, maturity, investment, discount, [basis]|~REDUCE: first_value, array:, function|~REGEXEXTRACT: text, pattern, [mode], [case]|~REGEXREPLACE text, pattern, replacement, [occurrence], [case]|~REGEXTEST text, pattern, [case]|REPLACE text, start, count, new_text|REPLACEB text, start, bytes, new_text|REPT text, times|RIGHT text, [count]|RIGHTB text, [bytes]
ROMAN number, [form]|ROUND number, digits|ROUNDDOWN number, digits|ROUNDUP number, digits|ROW: [reference:]|ROWS array:|~RRI nper, pv, fv|RSQ known_y:, known_x:|~SCAN: first_value, array:, function|SEARCH find_text, within_text, [start]|SEARCHB find_text, within_text, [start]|~SEC number|~SECH number|SECOND time|~SEQUENCE: rows, [columns], [start], [step]|SERIESSUM x, power, step, coefficients:|~SHEET [value]|~SHEETS [reference:]|SIGN number|SIN number|SINH number|SKEW number1:, [number2:], …|~SKEW.P number1:, [number2:], …|SLN cost, salvage, life|SLOPE known_y:, known_x:|SMALL array:, k
~~SORT: array:, [sort_index:], [order:], [by_column]|~SORTBY: array:, by_array1:, [order1], …|SQRT number|SQRTPI number|STANDARDIZE x, mean, deviation|STDEV number1:, [number2:], …|~STDEV.P number1:, [number2:], …|~STDEV.S number1:, [number2:], …|STDEVA value1:, [value2:], …|STDEVP number1:, [number2:], …|STDEVPA value1:, [value2:], …|STEYX known_y:, known_x:|SUBSTITUTE text, old_text, new_text, [instance]|SUBTOTAL function, reference1:, [reference2:], …|SUM number1:, [number2:], …|SUMIF range:, criteria, [sum_range:]|SUMIFS sum_range:, criteria_range1:, criteria1, …
SUMPRODUCT array1:, [array2:], …|SUMSQ number1:, [number2:], …|SUMX2MY2 array1:, array2:|SUMX2PY2 array1:, array2:|SUMXMY2 array1:, array2:|~SWITCH expression, value1, result1, …, [default]|SYD cost, salvage, life, period|T value|~T.DIST x, degrees, cumulative|~T.DIST.2T x, degrees|~T.DIST.RT x, degrees|~T.INV probability, degrees|~T.INV.2T probability, degrees|~T.TEST array1:, array2:, tails, type|~TAKE: array:, rows, [columns]|TAN number|TANH number|TBILLEQ settlement, maturity, discount|TBILLPRICE settlement, maturity, discount|TBILLYIELD settlement, maturity, price|TDIST x, degrees, tails
TEXT value, format|~TEXTAFTER text, delimiter:, [instance], [mode], [to_end], [if_not_found]|~TEXTBEFORE text, delimiter:, [instance], [mode], [to_end], [if_not_found]|~TEXTJOIN delimiter:, ignore_empty, text1:, [text2:], …|~TEXTSPLIT: text, column_delimiter:, [row_delimiter:], [ignore_empty], [mode], [pad_with]|TIME hour, minute, second|TIMEVALUE text|TINV probability, degrees|~TOCOL: array:, [ignore], [by_column]|TODAY |~TOROW: array:, [ignore], [by_column]|TRANSPOSE: array:|TREND: known_y:, [known_x:], [new_x:], [constant]|TRIM text|TRIMMEAN array:, percent|~TRIMRANGE: range:, [rows], [columns]|TRUE |TRUNC number, [digits]|TTEST array1:, array2:, tails, type|TYPE value:
~UNICHAR number|~UNICODE text|~UNIQUE: array:, [by_column], [exactly_once]|UPPER text|VALUE text|~VALUETOTEXT value, [format]|VAR number1:, [number2:], …|~VAR.P number1:, [number2:], …|~VAR.S number1:, [number2:], …|VARA value1:, [value2:], …|VARP number1:, [number2:], …|VARPA value1:, [value2:], …|VDB cost, salvage, life, start, end, [factor], [no_switch]|VLOOKUP lookup_value, table:, column_index, [range_lookup]|~VSTACK: array1:, [array2:], …
WEEKDAY date, [type]|WEEKNUM date, [type]|WEIBULL x, alpha, beta, cumulative|~WEIBULL.DIST x, alpha, beta, cumulative|WORKDAY start, days, [holidays:]|WORKDAY.INTL start, days, [weekend], [holidays:]|~WRAPCOLS: vector:, count, [pad_with]|~WRAPROWS: vector:, count, [pad_with]|XIRR values:, dates:, [guess]|~XLOOKUP: lookup_value, lookup_array:, return_array:, [if_not_found], [match_mode], [search_mode]|~XMATCH lookup_value, lookup_array:, [match_mode], [search_mode]|XNPV rate, values:, dates:|~XOR logical1:, [logical2:], …
YEAR date|YEARFRAC start, end, [basis]|YIELD settlement, maturity, rate, price, redemption, frequency, [basis]|YIELDDISC settlement, maturity, price, redemption, [basis]|YIELDMAT settlement, maturity, issue, rate, price, [basis]|~Z.TEST array:, x, [sigma]|ZTEST array:, x, [sigma]
`;

/** Functions that are not calculated here, but which files write with a prefix, so that other programs know them. */
const prefixedElsewhere =
  'DETECTLANGUAGE FIELDVALUE FORECAST.ETS FORECAST.ETS.CONFINT FORECAST.ETS.SEASONALITY FORECAST.ETS.STAT IMAGE STOCKHISTORY TRANSLATE WEBSERVICE';

function readFunction(line: string): FormulaFunction {
  const space = line.indexOf(' ');
  const head = line.slice(0, space);
  const parts = line
    .slice(space + 1)
    .split(', ')
    .filter((part) => part !== '');
  const dots = parts.indexOf('…');
  const takes = parts.map((part) => ({ text: part.replace(':', ''), isRange: part.includes(':') }));
  const numbers = parts
    .slice(0, Math.max(0, dots))
    .map((part) => Number(/\d+(?=:?\]?$)/.exec(part)?.[0] ?? 0));
  return {
    name: head.replace(/[~:]/g, ''),
    takes,
    repeated: numbers.filter((number) => number === Math.max(...numbers)).length,
    givesSeveral: head.endsWith(':'),
    prefix: head.startsWith('~~') ? '_xlfn._xlws.' : head.startsWith('~') ? '_xlfn.' : '',
  };
}

/** Those that are calculated, by their names. */
export const functions: readonly FormulaFunction[] = written.trim().split(/[\n|]/).map(readFunction);

const byName = new Map(functions.map((one) => [one.name, one]));
const elsewhere = new Set(prefixedElsewhere.split(' '));

/** What a function takes, in brackets. */
export const takenBy = ({ takes }: FormulaFunction): string =>
  `(${takes.map(({ text }) => text).join(', ')})`;

export const functionNamed = (name: string): FormulaFunction | undefined => byName.get(name.toUpperCase());

/** What files write before the name of a function. */
export const prefixOf = (name: string): FormulaFunction['prefix'] =>
  functionNamed(name)?.prefix ?? (elsewhere.has(name.toUpperCase()) ? '_xlfn.' : '');

/** Which of the arguments that are named is the one at a place, from 0; -1 where there is none. */
export function argumentNumber({ takes, repeated }: FormulaFunction, place: number): number {
  const dots = takes.findIndex(({ text }) => text === '…');
  if (dots < 0) return place < takes.length ? place : -1;
  return place < dots ? place : dots - repeated + ((place - dots) % repeated);
}

const mostSuggested = 8;

/**
 * The functions whose names begin with a word, or else have it in them.
 * @param among the names of those that are meant; all when absent
 */
export function suggested(word: string, among?: ReadonlySet<string>): readonly FormulaFunction[] {
  const upper = word.toUpperCase();
  const meant = among ? functions.filter(({ name }) => among.has(name)) : functions;
  const beginning = meant
    .filter(({ name }) => name.startsWith(upper))
    .toSorted((one, other) => one.name.length - other.name.length);
  const others = upper.length > 1 ? meant.filter(({ name }) => name.indexOf(upper) > 0) : [];
  return [...beginning, ...others].slice(0, mostSuggested);
}
