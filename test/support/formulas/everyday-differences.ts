/** Where LibreOffice (7.4) has another value for a formula of an everyday sheet; Excel documents ours unless it is said otherwise. */
interface EverydayDifference {
  readonly why: string;
  /** What the formulas look like. */
  readonly formulas: RegExp;
}

const quoted = (...formulas: string[]): RegExp =>
  new RegExp(`^(${formulas.map((one) => one.replace(/[$()*+.?[\]^{|}\\]/g, '\\$&')).join('|')})$`);

const differences: readonly EverydayDifference[] = [
  {
    why: 'of the former Analysis ToolPak: LibreOffice calls them for each of several cells',
    formulas:
      /\b(EDATE|EOMONTH|WEEKNUM|YEARFRAC|NETWORKDAYS|WORKDAY|QUOTIENT|MROUND|DELTA|GESTEP|CONVERT|DEC2BIN|HEX2DEC|FACTDOUBLE|ISEVEN|ISODD|SQRTPI|COMPLEX|IMABS|ERF|BESSELJ|EFFECT|NOMINAL|DOLLARDE|CUMIPMT)\(A1:A2/,
  },
  {
    why: 'LibreOffice has no truths: in cells, lists and texts they are numbers',
    formulas: /TRUE|FALSE|^1=1=1$|^1<2<3$/,
  },
  {
    why: 'truths in cells, which count as numbers there',
    formulas: quoted(
      ...['SUM(A1:A6)', 'SUM(A2,A6)', 'COUNT(A1:A6)', 'MEDIAN(A1:A6)', 'LEFT(A5,2)', 'COUNT(C1:C3)'],
      ...['SUMPRODUCT(D1:D2,B1:B2)', 'SUMIF(C1:C3,"<>#N/A")'],
    ),
  },
  {
    why: 'LibreOffice takes no texts for numbers here',
    formulas: quoted(
      ...['MAX("7",3)', 'SMALL(A1:A3,"1")', 'SUM(A1:A3,"4")', 'AVERAGE("2",4)', 'ISEVEN("2")'],
    ),
  },
  {
    why: 'days before March 1900, below 0 and beyond 9999',
    formulas:
      /1900|DATE\(0,|DATE\(10000|EOMONTH\((1|32),|EDATE\((1|61),|TEXT\((60|0|-1),"yyyy|YEAR\((-1|2958466|A9)\)|HOUR\(-1\)|^TEXT\(1\.[59]\d*,"d /,
  },
  {
    why: 'the week in which a year begins counts there as its first, whatever is asked',
    formulas: quoted('WEEKNUM(DATE(2024,12,31))'),
  },
  {
    why: 'days in texts that LibreOffice does not read',
    formulas: /"1 March 2020"|"March"&1|1&"-Mar"/,
  },
  {
    why: 'number formats and the writing of large and small numbers',
    formulas: quoted(
      ...['1234567890123456789&""', '1E15+0.3&""', 'TEXT(0,"#.##")', 'TEXT(1E11,"General")', 'TEXT(5,"0.")'],
      ...['TEXT(123456789012,"General")', 'TEXT(1234,"#,##0.##")', 'TEXT(45351,"yyy")', 'TEXT(45351,"e")'],
      ...['TEXT(12345678901.5,"General")', 'TEXT(-1234567890123,"General")', 'TEXT(1E-20,"General")'],
      ...['123456789.123456789&""', '999999999999999.9&""'],
      ...['TEXT(-2,"[=1]0 ""day"";0 ""days""")', 'DOLLAR(-1234.567,2)', 'FIXED(5.5,)', 'VALUE("5-")'],
    ),
  },
  {
    why: 'patterns let empty texts of cells through or not, and numbers in texts are no numbers to criteria there',
    formulas: /^COUNTIF\((C1:C7,("\*"|5)|B1:B4,"(<>)?\??\*")\)$/,
  },
  {
    why: 'cells that are empty texts in the file are empty there, and texts that are numbers are looked up as such',
    formulas: quoted(
      ...[
        'SWITCH(A3,0,"zero","","empty","none")',
        'COUNT(A1:A4*1)',
        'VLOOKUP("5",C6:D7,1,0)',
        'MATCH("3",A1:A3,0)',
      ],
    ),
  },
  {
    why: 'LibreOffice has no such function, and counts its error',
    formulas: /UNIQUE|TEXTSPLIT|ARRAYTOTEXT/,
  },
  { why: 'AGGREGATE takes arrays for all of its totals there', formulas: /AGGREGATE/ },
  { why: 'texts of more than 255 characters are looked for there', formulas: /REPT\("a",256\)/ },
  {
    why: 'units of weight, pressure and power that are rounded there',
    formulas: /^CONVERT\(1,"(HP|atm|ozm|stone|ton|pond)"/,
  },
  {
    why: 'bonds over years of another length, as the documentation of Excel has them',
    formulas: /^M?DURATION\(|^ACCRINT\(.*,FALSE\)$/,
  },
  {
    why: 'arguments that are left out, or that the documentation of Excel calls an error',
    formulas: quoted(
      ...[
        'IFERROR(,1)',
        'SWITCH(1,1,,2)',
        'POWER(0,0)',
        '0^0',
        'FACTDOUBLE(-1)',
        'CODE("")',
        'RANK(35,B1:B7)',
      ],
      ...['SYD(30000,7500,10,11)', 'DB(1000,100,5,6)', 'DB(0,100,5,1)', 'EFFECT(0,4)', 'GEOMEAN(0,1)'],
      ...['XNPV(0.1,{-100,110},{44197,43831})', 'SUM(OFFSET(B2,0,0,-2,-2))', 'COUNTIF(C1:C3,#N/A)'],
      ...['NUMBERVALUE("1,234.5")', 'DSUM(A1:B5,"Qty",C1:C3)', 'FIND("","abc")', 'PERCENTRANK.INC(B1:B7,20)'],
    ),
  },
  {
    why: 'what is next to zero, or to a whole number, is taken for it there in another place than in Excel',
    formulas: quoted('INT(4.35*100)', '(0.3-0.1-0.2)*1E17'),
  },
  {
    why: 'the characters of Windows, which Linux does not have, and capitals of ß',
    formulas: /^CHAR\(1\d\d\)$|^CODE\("™"\)$|CHAR\(160\)|^UPPER\("straße"\)$/,
  },
];

/** Why LibreOffice has another value; undefined where that is not known. */
export const whyOther = (formula: string): string | undefined =>
  differences.find(({ formulas }) => formulas.test(formula))?.why;
