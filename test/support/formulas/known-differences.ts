import { functionNamed } from '../../../editor/cell/editing/functions.ts';
import type { Shown } from './compared-values.ts';
import type { RandomFormula } from './random-formulas.ts';

/** Where LibreOffice (7.4) calculates otherwise than Excel documents, or Excel's documentation leaves it open. */
interface KnownDifference {
  readonly why: string;
  /** Whole names of functions; all when absent. */
  readonly functions?: RegExp;
  is(one: RandomFormula, ours: Shown, theirs: Shown): boolean;
}

const isError = (shown: Shown): boolean => typeof shown === 'object' && shown !== null;
/** Excel refuses, LibreOffice has a value; and the reverse. */
const onlyWeRefuse = (_one: RandomFormula, ours: Shown, theirs: Shown) => isError(ours) && !isError(theirs);
const onlyTheyRefuse = (_one: RandomFormula, ours: Shown, theirs: Shown) => !isError(ours) && isError(theirs);
const differBy =
  (most: number) =>
  (_one: RandomFormula, ours: Shown, theirs: Shown): boolean =>
    typeof ours === 'number' && typeof theirs === 'number' && Math.abs(ours - theirs) <= most;
const differInParts =
  (part: number, least = 0) =>
  (_one: RandomFormula, ours: Shown, theirs: Shown): boolean =>
    typeof ours === 'number' &&
    typeof theirs === 'number' &&
    Math.abs(ours - theirs) <= Math.max(least, part * Math.max(Math.abs(ours), Math.abs(theirs)));
const areTexts = (_one: RandomFormula, ours: Shown, theirs: Shown) =>
  typeof ours === 'string' && typeof theirs === 'string';
const has = (test: RegExp) => (one: RandomFormula) => test.test(one.formula);

const takesSeveral = ({ about }: RandomFormula): boolean =>
  about === 'operators' || (functionNamed(about)?.takes.some(({ isRange }) => isRange) ?? false);

const hasTruth = has(/\bI\d|TRUE|FALSE|A\d+>\d/);
const hasText = has(/[(,]"[^"]*"|\bD\d\b|\bC\d+\b/);
const hasError = has(/#[A-Z]|\bH\d|\bC7\b/);
const hasRange = has(/[A-Z]\d*:[A-Z]|\{|Numbers|Mixed/);

const bonds =
  /^(ACCRINTM?|AMOR.*|COUP.*|DISC|M?DURATION|INTRATE|ODD[FL].*|PRICE.*|RECEIVED|TBILL.*|YIELD.*)$/;
const days =
  /^(DATE|DATEDIF|DATEVALUE|DAY|DAYS|DAYS360|EDATE|EOMONTH|HOUR|ISOWEEKNUM|MINUTE|MONTH|NETWORKDAYS.*|SECOND|TEXT|TIME|WEEKDAY|WEEKNUM|WORKDAY.*|YEAR|YEARFRAC|XNPV|XIRR)$/;

/** Of the former Analysis ToolPak, but for bonds. */
const toolPak =
  /^(EDATE|EOMONTH|NETWORKDAYS|WORKDAY|YEARFRAC|WEEKNUM|ISEVEN|ISODD|MROUND|QUOTIENT|SQRTPI|FACTDOUBLE|SERIESSUM|CONVERT|DELTA|GESTEP|ERFC?|BESSEL.|(BIN|DEC|HEX|OCT)2.*|COMPLEX|IM.*|CUM.*|DOLLAR..|EFFECT|NOMINAL|FVSCHEDULE|XIRR|XNPV)$/;

const knownDifferences: readonly KnownDifference[] = [
  {
    why: 'Excel has no value for several cells where a function of the former Analysis ToolPak takes one; LibreOffice calls it for each',
    functions: new RegExp(`${toolPak.source}|${bonds.source}`),
    is: (one, ours, theirs) => onlyWeRefuse(one, ours, theirs) && hasRange(one),
  },
  {
    why: 'what FILTERXML finds is a text in LibreOffice also where it is a number, and no value to INDEX',
    functions: /^FILTERXML$/,
    is: (_one, _ours, theirs) => typeof theirs === 'string' || isError(theirs),
  },
  {
    why: 'LibreOffice widens no spaces',
    functions: /^(DBCS|JIS)$/,
    is: (_one, ours, theirs) => String(ours).replaceAll('\u3000', ' ') === theirs,
  },
  {
    why: 'truths and texts of arrays count in LibreOffice as those of cells do',
    functions: /^(AVERAGEA|MAXA|MINA|STDEVP?A|VARP?A)$/,
    is: has(/\{/),
  },
  {
    why: 'one text or empty cell is no number to them; LibreOffice passes over it',
    functions: /^(MODE(\.SNGL|\.MULT)?|SUMPRODUCT)$/,
    is: onlyWeRefuse,
  },
  { why: 'in Excel they end at 2^27', functions: /^(SIN|COS|TAN)$/, is: onlyWeRefuse },
  {
    why: 'it is said that we do not calculate it',
    is: (_one, ours) => typeof ours === 'string' && ours.startsWith('stale:'),
  },
  {
    why: 'LibreOffice has no truths: in cells, lists, texts and comparisons they are numbers, and functions of the former add-in take them',
    is: (one, ours, theirs) =>
      hasTruth(one) &&
      (takesSeveral(one) ||
        isError(ours) ||
        [ours, theirs].some((shown) => typeof shown === 'string') ||
        /^(TYPE|N|SWITCH|IS[A-Z]*|LENB?|UNICODE|CODE|AMORDEGRC)$/.test(one.about)),
  },
  {
    why: 'Excel takes a text that is a number for one where it is an argument, and refuses others; LibreOffice refuses all in lists, or takes them for 0',
    is: (one, ours, theirs) =>
      hasText(one) &&
      (takesSeveral(one) || isError(ours)) &&
      (isError(ours) || isError(theirs) || /A$|^FVSCHEDULE$/.test(one.about)),
  },
  {
    why: 'of several errors Excel takes the first, and an error that is not looked at is none for LibreOffice',
    is: (one, ours) => hasError(one) && isError(ours),
  },
  {
    why: 'an error that is a criterion, or one that AGGREGATE or a choice passes over',
    functions: /^(AGGREGATE|.*IFS?|SWITCH|XLOOKUP|VALUETOTEXT|ERROR\.TYPE|TYPE)$/,
    is: (one) => hasError(one),
  },
  {
    why: 'days before March 1900 are counted from another day, and before 1900 Excel has none',
    functions: days,
    is: (one, ours, theirs) =>
      onlyWeRefuse(one, ours, theirs) ||
      differBy(2)(one, ours, theirs) ||
      has(
        /^DATE\(|[({,;](-?[0-9.]+|[CGI]\d+:?[CGI]?\d*|"1,234"|Mixed|Numbers|[A-D]\d+:[A-D]\d+|1E-\d+|One|[A-DI]\d+|TRUE|FALSE|"\$?\d+%?")[,;)}]/,
      )(one),
  },
  {
    why: 'a time takes whole hours, minutes and seconds, and SECOND is rounded there; Excel documents no rounding',
    functions: /^(TIME|SECOND)$/,
    is: (one, ours, theirs) => differBy(60)(one, ours, theirs),
  },
  {
    why: 'days between dates at ends of February and of months, and years of more than one, are counted by the rules of bonds in Excel; odd first periods are missing there',
    functions: bonds,
    is: (one, ours, theirs) =>
      differInParts(0.1, 0.1)(one, ours, theirs) ||
      has(/^AMOR|^TBILL|[{]/)(one) ||
      onlyWeRefuse(one, ours, theirs) ||
      onlyTheyRefuse(one, ours, theirs),
  },
  {
    why: 'Excel documents an error for what is out of bounds, or leaves the bound itself open',
    functions:
      /^(BASE|BESSEL.|BETA.*|BIN2.*|BINOM.*|BIT.*|CHI.*|CODE|CRITBINOM|CSCH?|COTH?|SECH?|CUM.*|D[BC].*|DB|DECIMAL|DGET|DSTDEV|DVAR|EFFECT|ENCODEURL|EXPON.*|F\.INV.*|FINV|GAMMA.*|GCD|GEOMEAN|HYPGEOM.*|IM.*|LCM|LOGNORM.*|MROUND|MULTINOMIAL|NEGBINOM.*|NOMINAL|NPER|NUMBERVALUE|PMT|PERMUT.*|PPMT|PV|RANK.*|RATE|SERIESSUM|STANDARDIZE|SYD|ADDRESS|UNICHAR|CHAR|VDB|WEIBULL.*|T\.INV.*|MIRR|IPMT)$/,
    is: onlyWeRefuse,
  },
  {
    why: 'LibreOffice refuses what Excel calculates: lists and ranges of several shapes, empty criteria, negative costs, several values for one',
    functions:
      /^(BESSEL.|CHI.*|CO(MBINA|RREL|VAR.*|UNT.*|LUMNS?|MPLEX)|COSH?|D(AVERAGE|B|COUNTA?|DB|ELTA|GET|MAX|MIN|PRODUCT|STDEVP?|SUM|VARP?)|ENCODEURL|F\.INV.*|FACTDOUBLE|FORECAST.*|FREQUENCY|GESTEP|HEX2.*|OCT2.*|BIN2.*|DEC2.*|IM.*|INDEX|INTERCEPT|IPMT|IRR|IS(EVEN|ODD)|MIDB|MULTINOMIAL|NEGBINOM.*|PEARSON|POISSON.*|PROB|RATE|REPLACEB|ROWS?|RRI|RSQ|SIN|SKEW.*|SLOPE|STEYX|SUMX.*|T\.?TEST|TAN|TREND|GROWTH|LINEST|LOGEST|VDB|Z\.?TEST|LARGE|SMALL|ADDRESS)$/,
    is: onlyTheyRefuse,
  },
  {
    why: 'a range stands for the cell of the row or column, or several values for the first, in other places',
    is: (one, ours, theirs) =>
      hasRange(one) &&
      /^(operators|IF|IFS|SWITCH|INDEX|COUNTIFS?|SUMIFS?|AVERAGEIFS?|TEXTJOIN|SMALL|LARGE|TTEST|FVSCHEDULE|DCOUNT|PPMT|IPMT|ERF|SERIESSUM|NORM.*|PROB|NPV)$/.test(
        one.about,
      ) &&
      (isError(ours) || isError(theirs) || /^(SMALL|LARGE|SERIESSUM|PROB|NPV)$/.test(one.about)),
  },
  {
    why: 'Excel cuts ranks off at the digits that are asked for, LibreOffice rounds',
    functions: /^PERCENTRANK.*$/,
    is: differBy(0.1001),
  },
  {
    why: 'the rank of a single number that is the only one is left open',
    functions: /^PERCENTRANK.*$/,
    is: onlyWeRefuse,
  },
  {
    why: 'Excel documents parentheses for negative amounts',
    functions: /^DOLLAR$/,
    is: areTexts,
  },
  {
    why: 'characters of Windows, and letters without a single capital: Excel documents no more than letters',
    functions: /^(CHAR|CODE|UNICHAR|UPPER|PROPER|ENCODEURL)$/,
    is: () => true,
  },
  {
    why: 'approximate search in what is not in order, and what stands for several characters in it, are left open',
    functions: /^([HVX]?LOOKUP|X?MATCH)$/,
    is: has(/\bD\d*:|\bC\d+:|Mixed|E1:E6|A1:C12|A:C|[KL]1:N6|"[a-z]+\?|\{.*[a-z]|"b"|,-1\)|,[12]\)/),
  },
  {
    why: 'Excel documents that wildcards find texts only',
    functions: /^(COUNT|SUM|AVERAGE|MAX|MIN)IFS?$/,
    is: has(/"[^"]*[*?][^"]*"/),
  },
  {
    why: 'LibreOffice is less exact, or differences of nearly equal numbers are left',
    functions:
      /^(ACOT|BESSEL.|F\.?(DIST|INV).*|FISHER|GAUSS|I?PPMT|IPMT|NEGBINOM.*|SKEW.*|T\.INV.*|TINV|WEIBULL.*|Z\.?TEST|CUM.*|GAMMA.*|POISSON.*|TREND|GROWTH|CHISQ.*|NORM.*)$/,
    is: differInParts(1e-4, 1e-11),
  },
  {
    why: 'LibreOffice does not stop at numbers that are too large for its series',
    functions: /^(GAUSS|Z\.?TEST|ZTEST|T\.INV.*|TINV)$/,
    is: has(/E-?\d+|B\d/),
  },
  {
    why: 'of several numbers that are as frequent Excel takes the first',
    functions: /^MODE.*$/,
    is: () => true,
  },
  {
    why: 'Excel takes days without their times',
    functions: /^DAYS$/,
    is: differBy(1),
  },
  {
    why: 'the last days of a year are of its last week in Excel',
    functions: /^WEEKNUM$/,
    is: () => true,
  },
  {
    why: 'Excel documents that nothing is found at once, that an empty text is the number 0, and takes lists that lie and stand for the same',
    functions: /^(FINDB?|SEARCHB?|NUMBERVALUE|LOOKUP|ROUND.*)$/,
    is: onlyTheyRefuse,
  },
  {
    why: 'Excel documents which error it is',
    functions:
      /^(STANDARDIZE|AVERAGEIFS?|PROB|COTH?|CSCH?|Z\.?TEST|DB|DSTDEVP?|DVARP?|AVEDEV|BITLSHIFT|BITRSHIFT)$/,
    is: (_one, ours, theirs) => isError(ours) && isError(theirs),
  },
  {
    why: 'the name of another sheet, and a format with times in a number, are written in the way of each program',
    functions: /^(ADDRESS|TEXT)$/,
    is: areTexts,
  },
  {
    why: 'a result that is 0 is no error',
    functions: /^(operators|POWER|MOD)$/,
    is: (_one, ours, theirs) => isError(theirs) && typeof ours === 'number',
  },
  {
    why: 'Excel has fifteen digits, LibreOffice writes all that a number has',
    functions: /^(FIXED|DOLLAR)$/,
    is: (one, ours, theirs) => areTexts(one, ours, theirs) && has(/1E30\d/)(one),
  },
  {
    why: 'Excel documents #NUM! for a rest where the number holds the divisor more often than digits can tell',
    functions: /^MOD$/,
    is: onlyWeRefuse,
  },
  {
    why: 'powers of very large numbers are too large for LibreOffice',
    functions: /^(KURT|SKEW.*)$/,
    is: (one, ours, theirs) => onlyTheyRefuse(one, ours, theirs) && has(/E30\d/)(one),
  },
  {
    why: 'what is left where nearly equal numbers are taken from each other',
    functions: /^(PV|RATE)$/,
    is: differBy(1e-9),
  },
  {
    why: 'Excel documents #DIV/0! for the direction of nothing, and has #NUM! for the power 0 of 0',
    functions: /^(ATAN2|POWER|operators)$/,
    is: (one, ours, theirs) => onlyWeRefuse(one, ours, theirs) && has(/ATAN2|POWER|\)\^\(/)(one),
  },
  {
    why: 'functions of the former add-in take no ranges in Excel',
    functions: /^DEC2.*$/,
    is: (one, ours, theirs) => onlyWeRefuse(one, ours, theirs) && hasRange(one),
  },
  {
    why: 'a number as a criterion finds texts that look like it, too',
    functions: /^(COUNT|SUM|AVERAGE|MAX|MIN)IFS?$/,
    is: has(/C1:C12|Mixed/),
  },
  {
    why: 'Excel documents that pairs with an empty cell are passed over',
    functions: /^SUMX.*$/,
    is: has(/\b[CG]\d+:/),
  },
  {
    why: 'LibreOffice has no truths, so that what is behind one that holds is calculated',
    functions: /^(IFS?|CHOOSE|SWITCH)$/,
    is: hasTruth,
  },
  {
    why: 'there is one way to choose nothing, and no multiple of nothing',
    functions: /^(COMBINA|LCM)$/,
    is: () => true,
  },
  {
    why: 'LibreOffice gives up large degrees of freedom',
    functions: /^F\.DIST.*$/,
    is: onlyTheyRefuse,
  },
  {
    why: 'a range is an array in Excel, and its cell of the same row there',
    functions: /^TYPE$/,
    is: hasRange,
  },
  {
    why: 'Excel reads payments row by row',
    functions: /^(MIRR|IRR|NPV)$/,
    is: has(/A1:B\d/),
  },
  {
    why: 'an argument that is left out between commas is 0 in Excel',
    functions: /^(FIXED|DOLLAR)$/,
    is: has(/,,/),
  },
  {
    why: 'whole numbers are cut off towards 0 in Excel',
    functions: /^(DEC2.*)$/,
    is: areTexts,
  },
];

/** Why a difference is none that has to be mended; undefined where it is not known. */
export const whyKnown = (one: RandomFormula, ours: Shown, theirs: Shown): string | undefined =>
  knownDifferences.find(({ functions, is }) => (functions?.test(one.about) ?? true) && is(one, ours, theirs))
    ?.why;
