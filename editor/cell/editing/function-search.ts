import { type FormulaFunction, functions } from './functions.ts';

/** Names of functions by what they are for; all others are statistics. */
const written = {
  financial: `ACCRINT ACCRINTM AMORDEGRC AMORLINC COUPDAYBS COUPDAYS COUPDAYSNC COUPNCD COUPNUM COUPPCD CUMIPMT
    CUMPRINC DB DDB DISC DOLLARDE DOLLARFR DURATION EFFECT FV FVSCHEDULE INTRATE IPMT IRR ISPMT
    MDURATION MIRR NOMINAL NPER NPV ODDFPRICE ODDFYIELD ODDLPRICE ODDLYIELD PDURATION PMT PPMT PRICE
    PRICEDISC PRICEMAT PV RATE RECEIVED RRI SLN SYD TBILLEQ TBILLPRICE TBILLYIELD VDB XIRR XNPV YIELD
    YIELDDISC YIELDMAT`,
  dates: `DATE DATEDIF DATEVALUE DAY DAYS DAYS360 EDATE EOMONTH HOUR ISOWEEKNUM MINUTE MONTH NETWORKDAYS
    NETWORKDAYS.INTL NOW SECOND TIME TIMEVALUE TODAY WEEKDAY WEEKNUM WORKDAY WORKDAY.INTL YEAR YEARFRAC`,
  math: `ABS ACOS ACOSH ACOT ACOTH AGGREGATE ARABIC ASIN ASINH ATAN ATAN2 ATANH BASE CEILING CEILING.MATH
    CEILING.PRECISE COMBIN COMBINA COS COSH COT COTH CSC CSCH DECIMAL DEGREES EVEN EXP FACT FACTDOUBLE
    FLOOR FLOOR.MATH FLOOR.PRECISE GCD INT ISO.CEILING LCM LN LOG LOG10 MDETERM MINVERSE MMULT MOD
    MROUND MULTINOMIAL MUNIT ODD PERCENTOF PI POWER PRODUCT QUOTIENT RADIANS RAND RANDARRAY RANDBETWEEN
    ROMAN ROUND ROUNDDOWN ROUNDUP SEC SECH SEQUENCE SERIESSUM SIGN SIN SINH SQRT SQRTPI SUBTOTAL SUM
    SUMIF SUMIFS SUMPRODUCT SUMSQ SUMX2MY2 SUMX2PY2 SUMXMY2 TAN TANH TRUNC`,
  lookup: `ADDRESS AREAS CHOOSE CHOOSECOLS CHOOSEROWS COLUMN COLUMNS DROP EXPAND FILTER FORMULATEXT GROUPBY
    HLOOKUP HSTACK HYPERLINK INDEX INDIRECT LOOKUP MATCH OFFSET ROW ROWS SORT SORTBY TAKE TOCOL TOROW
    TRANSPOSE TRIMRANGE UNIQUE VLOOKUP VSTACK WRAPCOLS WRAPROWS XLOOKUP XMATCH`,
  database: 'DAVERAGE DCOUNT DCOUNTA DGET DMAX DMIN DPRODUCT DSTDEV DSTDEVP DSUM DVAR DVARP',
  text: `ARRAYTOTEXT ASC BAHTTEXT CHAR CLEAN CODE CONCAT CONCATENATE DOLLAR ENCODEURL EXACT FILTERXML FIND FINDB FIXED
    LEFT LEFTB LEN LENB LOWER MID MIDB NUMBERVALUE PROPER REGEXEXTRACT REGEXREPLACE REGEXTEST REPLACE
    REPLACEB REPT RIGHT RIGHTB SEARCH SEARCHB SUBSTITUTE T TEXT TEXTAFTER TEXTBEFORE TEXTJOIN TEXTSPLIT
    TRIM UNICHAR UNICODE UPPER VALUE VALUETOTEXT`,
  logic: `AND BYCOL BYROW FALSE IF IFERROR IFNA IFS LAMBDA LET MAKEARRAY MAP NOT OR REDUCE SCAN SWITCH TRUE
    XOR`,
  information: `CELL ERROR.TYPE INFO ISBLANK ISERR ISERROR ISEVEN ISFORMULA ISLOGICAL ISNA ISNONTEXT ISNUMBER ISODD
    ISOMITTED ISREF ISTEXT N NA SHEET SHEETS TYPE`,
  engineering: `BESSELI BESSELJ BESSELK BESSELY BIN2DEC BIN2HEX BIN2OCT BITAND BITLSHIFT BITOR BITRSHIFT BITXOR
    COMPLEX CONVERT DEC2BIN DEC2HEX DEC2OCT DELTA ERF ERF.PRECISE ERFC ERFC.PRECISE GESTEP HEX2BIN
    HEX2DEC HEX2OCT IMABS IMAGINARY IMARGUMENT IMCONJUGATE IMCOS IMCOSH IMCOT IMCSC IMCSCH IMDIV IMEXP
    IMLN IMLOG10 IMLOG2 IMPOWER IMPRODUCT IMREAL IMSEC IMSECH IMSIN IMSINH IMSQRT IMSUB IMSUM IMTAN
    OCT2BIN OCT2DEC OCT2HEX`,
} as const;

/** What a function is for. */
export type FunctionCategory = keyof typeof written | 'statistics';

export const functionCategories: readonly FunctionCategory[] = [
  ...(Object.keys(written) as (keyof typeof written)[]),
  'statistics',
];

const categories = new Map(
  Object.entries(written).flatMap(([category, names]) =>
    names.split(/\s+/).map((name) => [name, category as FunctionCategory] as const),
  ),
);

export const categoryOf = ({ name }: FormulaFunction): FunctionCategory =>
  categories.get(name) ?? 'statistics';

/**
 * The functions of a category, or of all, that a search finds, by name: first those whose name begins with it, then those that have it in
 * their name or in what they do.
 * @param aboutOf what a function does, in the language of the page
 */
export function foundFunctions(
  search: string,
  category: FunctionCategory | null,
  aboutOf: (one: FormulaFunction) => string | null,
): readonly FormulaFunction[] {
  const wanted = search.trim().toLowerCase();
  const rank = (one: FormulaFunction): number => {
    const place = one.name.toLowerCase().indexOf(wanted);
    if (place >= 0) return Math.min(place, 1);
    return aboutOf(one)?.toLowerCase().includes(wanted) ? 2 : 3;
  };
  return functions
    .filter((one) => category === null || categoryOf(one) === category)
    .map((one) => ({ one, rank: rank(one) }))
    .filter(({ rank: at }) => at < 3)
    .toSorted((a, b) => a.rank - b.rank || (a.one.name < b.one.name ? -1 : 1))
    .map(({ one }) => one);
}
