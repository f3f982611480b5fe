/** A function of formulas with the names of what it takes; brackets around what may be left out. */
export interface FormulaFunction {
  readonly name: string;
  readonly takes: string;
}

const written = `
ABS number|AND logical1, [logical2], …|AVERAGE number1, [number2], …|AVERAGEIF range, criteria, [average_range]|AVERAGEIFS average_range, criteria_range1, criteria1, …
CEILING number, significance|CHAR number|CHOOSE index, value1, [value2], …|CLEAN text|COLUMN [reference]|COLUMNS array|CONCAT text1, [text2], …|CONCATENATE text1, [text2], …|CORREL array1, array2
COUNT value1, [value2], …|COUNTA value1, [value2], …|COUNTBLANK range|COUNTIF range, criteria|COUNTIFS criteria_range1, criteria1, …|DATE year, month, day|DATEDIF start, end, unit|DATEVALUE text|DAY date|DAYS end, start
EDATE start, months|EOMONTH start, months|ERROR.TYPE error|EVEN number|EXACT text1, text2|EXP number|FALSE |FILTER array, include, [if_empty]|FIND find_text, within_text, [start]|FLOOR number, significance|FV rate, nper, pmt, [pv], [type]
HLOOKUP lookup_value, table, row_index, [range_lookup]|HOUR time|HYPERLINK address, [name]|IF condition, value_if_true, [value_if_false]|IFERROR value, value_if_error|IFNA value, value_if_na|IFS condition1, value1, …|INDEX array, row, [column]|INDIRECT text, [a1]|INT number|IRR values, [guess]
ISBLANK value|ISERROR value|ISEVEN number|ISNA value|ISNUMBER value|ISODD number|ISTEXT value|LAMBDA [parameter1], …, calculation|LARGE array, k|LEFT text, [count]|LEN text|LET name1, value1, …, calculation|LN number|LOG number, [base]|LOG10 number|LOOKUP lookup_value, lookup_vector, [result_vector]|LOWER text
MATCH lookup_value, lookup_array, [match_type]|MAX number1, [number2], …|MAXIFS max_range, criteria_range1, criteria1, …|MEDIAN number1, [number2], …|MID text, start, count|MIN number1, [number2], …|MINIFS min_range, criteria_range1, criteria1, …|MINUTE time|MOD number, divisor|MODE number1, [number2], …|MONTH date
NETWORKDAYS start, end, [holidays]|NOT logical|NOW |NPER rate, pmt, pv, [fv], [type]|NPV rate, value1, …|ODD number|OFFSET reference, rows, columns, [height], [width]|OR logical1, [logical2], …|PERCENTILE array, k|PI |PMT rate, nper, pv, [fv], [type]|POWER number, power|PRODUCT number1, …|PROPER text|PV rate, nper, pmt, [fv], [type]
QUARTILE array, quart|QUOTIENT numerator, denominator|RAND |RANDBETWEEN bottom, top|RANK number, reference, [order]|RATE nper, pmt, pv, [fv], [type]|REPLACE text, start, count, new_text|REPT text, times|RIGHT text, [count]|ROUND number, digits|ROUNDDOWN number, digits|ROUNDUP number, digits|ROW [reference]|ROWS array
SEARCH find_text, within_text, [start]|SECOND time|SEQUENCE rows, [columns], [start], [step]|SIGN number|SIN number|SLN cost, salvage, life|SMALL array, k|SORT array, [sort_index], [order], [by_column]|SORTBY array, by_array1, [order1], …|SQRT number|STDEV number1, …|STDEV.P number1, …|STDEV.S number1, …|SUBSTITUTE text, old_text, new_text, [instance]|SUBTOTAL function, reference1, …
SUM number1, [number2], …|SUMIF range, criteria, [sum_range]|SUMIFS sum_range, criteria_range1, criteria1, …|SUMPRODUCT array1, [array2], …|SWITCH expression, value1, result1, …, [default]|TAN number|TEXT value, format|TEXTJOIN delimiter, ignore_empty, text1, …|TEXTSPLIT text, column_delimiter, [row_delimiter]|TIME hour, minute, second|TIMEVALUE text|TODAY |TRANSPOSE array|TREND known_y, [known_x], [new_x]|TRIM text|TRUE |TRUNC number, [digits]
UNIQUE array, [by_column], [exactly_once]|UPPER text|VALUE text|VAR number1, …|VLOOKUP lookup_value, table, column_index, [range_lookup]|WEEKDAY date, [type]|WEEKNUM date, [type]|WORKDAY start, days, [holidays]|XLOOKUP lookup_value, lookup_array, return_array, [if_not_found]|XMATCH lookup_value, lookup_array|YEAR date|YEARFRAC start, end, [basis]
`;

/** Those that are suggested, by their names. */
export const functions: readonly FormulaFunction[] = written
  .trim()
  .split(/[\n|]/)
  .map((line) => {
    const space = line.indexOf(' ');
    return { name: line.slice(0, space), takes: line.slice(space + 1) };
  });

const byName = new Map(functions.map((one) => [one.name, one]));

export const functionNamed = (name: string): FormulaFunction | undefined => byName.get(name.toUpperCase());

const mostSuggested = 8;

/** The functions whose names begin with a word, or else have it in them. */
export function suggested(word: string): readonly FormulaFunction[] {
  const upper = word.toUpperCase();
  const beginning = functions
    .filter(({ name }) => name.startsWith(upper))
    .toSorted((one, other) => one.name.length - other.name.length);
  const others = upper.length > 1 ? functions.filter(({ name }) => name.indexOf(upper) > 0) : [];
  return [...beginning, ...others].slice(0, mostSuggested);
}
