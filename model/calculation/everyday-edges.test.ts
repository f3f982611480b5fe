import type { Table } from './calculation.ts';
import { type Cells, holds } from './testing/formula-cases.ts';

const days: Cells = { A1: 45_351, A2: 45_322, B1: 5, B2: 7 };
const listed = (call: string) => `ARRAYTOTEXT(${call},1)`;
holds('[CE107] functions of the former Analysis ToolPak and several cells', { cells: days }, [
  ['EDATE(A1:A2,1)', '#VALUE!'],
  [listed('EDATE(+A1:A2,1)'), '{45380;45351}'],
  [listed('EDATE({45351;45322},1)'), '{45380;45351}'],
  [listed('EDATE(A1,{1,2})'), '{45380,45411}'],
  [listed('MAP(A1:A2,LAMBDA(day,EDATE(day,1)))'), '{45380;45351}'],
  [listed('EOMONTH(SORT(A1:A2),0)'), '{45322;45351}'],
  ['EDATE(INDEX(A1:A2,2),1)', 45_351],
  ['EDATE(A1:A1,1)', 45_380],
  ['EDATE(INDEX(A1:A2,0),1)', '#VALUE!'],
  ['EDATE(A1,B1:B2)', '#VALUE!'],
  ['EOMONTH(OFFSET(A1,0,0,2),0)', '#VALUE!'],
  ['EOMONTH(Days,0)', '#VALUE!', { names: [{ name: 'Days', formula: 'Sheet1!$A$1:$A$2' }] }],
  ['SUMPRODUCT(--ISEVEN(A1:A2))', '#VALUE!'],
  ['SUMPRODUCT(--ISEVEN(+A1:A2))', 1],
  ['NETWORKDAYS(A2,A1,A1:A2)', 20],
  ['WORKDAY(A2,1,A1:A2)', 45_323],
  ['FVSCHEDULE(1,B1:B2)', 48],
  ['SERIESSUM(1,0,1,B1:B2)', 12],
  ['GCD(B1:B2)', 1],
  ['IMSUM(B1:B2)', '12'],
  [listed('ISOWEEKNUM(A1:A2)'), '{9;5}'],
  [listed('WEEKDAY(A1:A2)'), '{5;4}'],
]);

holds('[CE108] totals of references, and of arrays', { cells: days }, [
  ['AGGREGATE(4,6,{1,2})', '#VALUE!'],
  ['AGGREGATE(9,6,A1:A2*1)', '#VALUE!'],
  ['AGGREGATE(13,6,{1,1,2})', '#VALUE!'],
  ['SUBTOTAL(9,FILTER(A1:A2,A1:A2>0))', '#VALUE!'],
  ['AGGREGATE(9,6,A1:A2)', 90_673],
  ['AGGREGATE(1,6,INDEX(A1:A2,0))', 45_336.5],
  ['AGGREGATE(9,6,OFFSET(A1,0,0,2))', 90_673],
  ['AGGREGATE(12,6,B1:B2)', 6],
  ['AGGREGATE(14,6,{1,2},1)', 2],
  ['AGGREGATE(16,6,{1,2,3},0.5)', 2],
  ['AGGREGATE(9,6,A:A)', 90_673],
]);

holds('[CE109] places in texts with characters of two units', { cells: { A1: '😀 smile', A2: 'a😀b😀c' } }, [
  ['LEN("😀")', 2],
  ['LEN(A1)', 8],
  ['LENB("😀")', 2],
  ['LEFT(A1,2)', '😀'],
  ['RIGHT(A2,3)', '😀c'],
  ['MID(A2,2,2)', '😀'],
  ['MID(A2,4,1)', 'b'],
  ['MID(A1,4,99)', 'smile'],
  ['FIND("b",A2)', 4],
  ['FIND("😀",A2,3)', 5],
  ['SEARCH("C",A2,5)', 7],
  ['SEARCH("s*e",A1)', 4],
  ['REPLACE(A2,4,1,"-")', 'a😀-😀c'],
  ['LEFT(A2,FIND("b",A2)-1)&MID(A2,FIND("b",A2),99)', 'a😀b😀c'],
  ['LEN(A2)-LEN(SUBSTITUTE(A2,"😀",""))', 4],
  // What is cut off half a character is one still.
  ['LEFT("😀",1)', '\uFFFD'],
  ['LEN(LEFT(A1,1)&RIGHT(A2,2))', 3],
  ['MID(A2,3,2)', '\uFFFDb'],
  ['REPLACE("😀",1,1,"x")', 'x\uFFFD'],
  ['LEN(REPT("é",20000))', 20_000],
  ['LEN(REPT("😀",16383))', 32_766],
  ['REPT("😀",16384)', '#VALUE!'],
]);

const typed: Cells = { B1: '2024-01-15', B2: '1,000', B3: '50%', B4: '$5', B5: 'x', C1: 1, C2: 2 };
holds('[CE110] texts in arrays are the numbers that they are alone', { cells: typed }, [
  ['SUM(B1:B4*1)', 46_311.5],
  ['SUMPRODUCT(--B2:B4)', 1_005.5],
  ['SUMPRODUCT(B2:B3*C1:C2)', 1_001],
  ['SUMPRODUCT(B2:B3*1)', 1_000.5, { kind: 'single' }],
  [listed('{"50%","1,000"}*1'), '{0.5,1000}'],
  [listed('IFERROR(B1:B5+0,"-")'), '{45306;1000;0.5;5;"-"}'],
  ['SUM({"12:00"}+0)', 0.5],
  ['SUM({"1/1/2024";"1/2/2024"}-45291)', 3],
  ['SUM(IF(ISNUMBER(--B1:B5),1,0))', 4],
  ['SUM({"5","x"}^2)', '#VALUE!'],
  [listed('LEFT("abcdef",{"2","3"})'), '{"ab","abc"}'],
  ['RIGHT("abc","50%")', ''],
]);

holds('[CE111] texts that are too long to be looked for', { cells: typed }, [
  ['COUNTIF(B1:B5,REPT("a",256))', '#VALUE!'],
  ['COUNTIF(B1:B5,REPT("a",255))', 0],
  ['COUNTIFS(B1:B5,"x",B1:B5,REPT("a",256))', '#VALUE!'],
  ['SUMIF(B1:B5,REPT("a",256),C1:C5)', '#VALUE!'],
  ['MAXIFS(C1:C5,B1:B5,REPT("a",256))', '#VALUE!'],
  ['MATCH(REPT("a",256),B1:B5,0)', '#VALUE!'],
  ['VLOOKUP(REPT("a",256),B1:C5,2,FALSE)', '#VALUE!'],
  ['HLOOKUP(REPT("a",256),B1:C5,2,FALSE)', '#VALUE!'],
  ['XMATCH(REPT("a",256),B1:B5)', '#N/A'],
]);

const priced: Table = {
  ...{ name: 'Sales', sheet: 0, firstRow: 1, lastRow: 5, firstColumn: 1, lastColumn: 3 },
  ...{ headerRows: 1, totalsRows: 1, columns: ['Item', 'Qty', 'Unit Price'] },
};
const items: Cells = {
  ...{ A1: 'Item', B1: 'Qty', C1: 'Unit Price', A2: 'a', B2: 1, C2: 10, A3: 'b', B3: 2, C3: 20 },
  ...{ A4: 'c', B4: 3, C4: 30, A5: 'Total', B5: '=SUBTOTAL(109,Sales[Qty])', C5: 60 },
};
holds('[CE106] columns, rows and totals of tables', { cells: items, tables: [priced], at: 'F3' }, [
  ['SUM(Sales)', 66],
  ['SUM(Sales[#All])', 132],
  [listed('Sales[#Totals]'), '{"Total",6,60}'],
  ['Sales[[#Totals],[Qty]]', 6],
  ['Sales[[#Headers],[Qty]]', 'Qty'],
  ['Sales[[#This Row],[Qty]]', 2],
  ['Sales[@[Unit Price]]*Sales[@Qty]', 40],
  ['SUM(Sales[[Qty]:[Unit Price]])', 66],
  ['SUM(Sales[@[Qty]:[Unit Price]])', 22],
  ['SUM(Sales[[#Data],[#Totals],[Qty]])', 12],
  ['COUNTA(Sales[[#Headers],[#Data],[Qty]])', 4],
  ['SUM(Sales[Qty]:Sales[Unit Price])', 66],
  ['SUMIFS(Sales[Unit Price],Sales[Qty],">1")', 50],
  ['SUMPRODUCT(Sales[Qty],Sales[Unit Price])', 140],
  ['INDEX(Sales[Item],MATCH(MAX(Sales[Qty]),Sales[Qty],0))', 'c'],
  ['VLOOKUP("c",Sales,3,FALSE)', 30],
  ['Sales[@Qty]/SUM(Sales[Qty])', 1 / 3],
  [listed('FILTER(Sales[Item],Sales[Qty]>=2)'), '{"b";"c"}'],
  [listed('SORT(Sales,2,-1)'), '{"c",3,30;"b",2,20;"a",1,10}'],
  ['ROW()-ROW(Sales[#Headers])', 2],
  ['SUM(OFFSET(Sales[Qty],1,0,2))', 5],
  ['EOMONTH(Sales[Qty],0)', '#VALUE!'],
]);

holds('[CE41] units, hours, names of months, and first cells', { cells: days }, [
  ['DATEDIF(A2,A1,"x")', '#NUM!'],
  ['DATEDIF(A2,A1,"")', '#NUM!'],
  ['DATEVALUE("8:30 PM")', 0],
  ['DATEVALUE("36:00")', 1],
  ['HOUR(45351+1/24+1/24+1/24)', 3],
  ['HOUR(TIME(10,0,0)-TIME(9,0,0))', 1],
  ['MONTH("March"&1)', 3],
  ['MONTH(1&"Sep")', 9],
  ['DATEVALUE("1Mar2020")', 43_891],
  ['DAY("May21")', 21],
  ['"A1"*1', '#VALUE!'],
  ['VALUE("Q1")', '#VALUE!'],
  ['"5PM"*24', 17],
  ['N(B1:B2)', 5],
  ['SUM(N(+B1:B2))', 12],
  ['SUM(N({1,2}))', 3],
  ['T(B1:B2)', ''],
  ['UNICODE(1E-300)', 49],
  ['UNICODE(2^0.5)', 49],
  ['RANDBETWEEN(2,1)', '#NUM!'],
  ['RANDBETWEEN(3,3)', 3],
  ['VALUE("1,234")', 1_234],
  ['VALUE("1,0000")', 10_000],
  ['VALUE("1,000,")', '#VALUE!'],
  ['VALUE("1,23")', '#VALUE!'],
  ['VALUE("(1,234)")', -1_234],
  ['VALUE("(1,23)")', '#VALUE!'],
  ['VALUE("1,2")', '#VALUE!'],
]);

holds('[CE118] months about the February of 1900, which has 29 days', { cells: {} }, [
  ['EDATE(31,1)', 60],
  ['EDATE(30,1)', 60],
  ['EDATE(29,1)', 60],
  ['EDATE(28,1)', 59],
  ['EDATE(60,1)', 89],
  ['EDATE(60,12)', 425],
  ['EDATE(60,0)', 60],
  ['EDATE(91,-1)', 60],
  ['EDATE(0,1)', 31],
  ['EDATE(0,2)', 60],
  ['EDATE(1,-1)', '#NUM!'],
  ['EDATE(45688,1)', 45_716],
  ['EDATE(45351,12)', 45_716],
  ['EDATE(45351,1E9)', '#NUM!'],
  ['EOMONTH(31,1)', 60],
]);

holds('[CE119] one value in place of the list of MATCH', { cells: { A3: 5, A4: 'x' } }, [
  ['MATCH(5,5,0)', '#N/A'],
  ['MATCH(5,A3+0,0)', '#N/A'],
  ['MATCH(TRUE,A3=5,0)', '#N/A'],
  ['MATCH("x","x",0)', '#VALUE!'],
  ['MATCH(5,"5",0)', '#N/A'],
  ['MATCH("x",A4&"",0)', '#VALUE!'],
  ['MATCH(5,A3,0)', 1],
  ['MATCH(5,{5},0)', 1],
  ['MATCH(5,FILTER(A3,A3=5),0)', 1],
  ['MATCH(5,INDEX(A1:A3,3),0)', 1],
  ['MATCH(5,1/0,0)', '#DIV/0!'],
]);

holds('[CE120] letters of half and of full width', { cells: {} }, [
  ['ASC("ＥＸＣＥＬ　２")', 'EXCEL 2'],
  ['ASC("エクセル")', 'ｴｸｾﾙ'],
  ['ASC("ガパヴー。「」、・ッ漢")', 'ｶﾞﾊﾟｳﾞｰ｡｢｣､･ｯ漢'],
  ['DBCS("EXCEL 2")', 'ＥＸＣＥＬ　２'],
  ['DBCS("ｴｸｾﾙ")', 'エクセル'],
  ['JIS("ｶﾞﾊﾟｳﾞｰ｡｢｣､･ｯ漢é")', 'ガパヴー。「」、・ッ漢é'],
  ['DBCS("ｱﾞﾟ")', 'ア゛゜'],
  ['DBCS(12)', '１２'],
]);

holds(
  '[CE121] hyphens and apostrophes in the order of texts',
  { cells: { A1: "O'Brien", A2: 'Oakes', A3: 'Obst' } },
  [
    [listed('SORT(A1:A3)'), '{"Oakes";"O\'Brien";"Obst"}'],
    [listed('SORT({"co-op";"coop";"co-opt";"con"})'), '{"con";"coop";"co-op";"co-opt"}'],
    ['"a-b">"ab"', true],
    ['"a-b"="ab"', false],
    ['"-b">"a"', true],
    ['"it\'s">"its"', true],
    ['MATCH("co-op",{"con","co-op","cop"},1)', 2],
    ['COUNTIF(A1:A3,">Oakes")', 2],
  ],
);

holds('[CE122] angles of 2^27 and beyond', { cells: {} }, [
  ['SIN(2^27)', '#NUM!'],
  ['COS(-2^27)', '#NUM!'],
  [listed('TAN({0,1E9})'), '{0,#NUM!}'],
  ['ROUND(SIN(2^27-1),6)', -0.955_993],
]);

holds('[CE41] the sheet of a range, and of a table', { cells: {} }, [
  ['SHEET(A1:B2)', 1],
  ["SHEET('2024'!A1:B2)", 2],
  ["SHEET(INDEX('2024'!A1:B2,1,1))", 2],
]);

holds('[CE41] first cells in formulas of old', { cells: days, kind: 'single' }, [
  ['N(B1:B2)', 5],
  ['N(OFFSET(B1,1,0,2))', 7],
  ['T(B1:B2)', ''],
  ["SHEET('2024'!A1:B2)", 2],
  ['N(+B1:B2)', '#VALUE!'],
]);

holds('[CE128] numbers of more than fifteen digits, and next to zero', { cells: { A1: 1e-300 } }, [
  ['1234567890123456789&""', '1234567890123450000'],
  ['4111111111111111&""', '4111111111111110'],
  ['0.12345678901234567=0.123456789012345', true],
  ['0.00012345678901234567=0.000123456789012345', true],
  ['123456789012345.99&""', '123456789012345'],
  ['1.2345678901234567E20=1.23456789012345E20', true],
  ['1E-320=0', true],
  ['A1*1E-10=0', true],
  ['IF(A1/1E10,1,2)', 2],
]);

const mixed: Cells = { A1: 1, A2: 5, A3: 2, A4: 9, B1: 'a', B2: 'b', B3: 'c', B4: 'd' };
holds('[CE129] the nearest value in what is not in order', { cells: mixed }, [
  ['MATCH(2,A1:A4)', 1],
  ['LOOKUP(2,A1:A4,B1:B4)', 'a'],
  ['VLOOKUP(6,A1:B4,2)', 'c'],
  ['MATCH(3,{4;1;2;3;9})', 4],
  ['MATCH(1E9,A1:A4)', 4],
]);

holds('[CE59] an amount of NPV that is left out', { cells: {} }, [
  ['NPV(0.1,,121)', 100],
  ['NPV(0.1,110,)', 100],
]);

const five: Cells = { A1: 1, A2: 2, A3: 3, A4: 4, A5: 5 };
holds('[CE132] the cells that TAKE and DROP leave of a range', { cells: five }, [
  ['SUM(TAKE(A1:A9,3):A4)', 10],
  ['SUM(A1:TAKE(A1:A5,-1))', 15],
  ['SUM(DROP(A1:A5,2):A1)', 15],
  ['ISREF(TAKE(A1:A5,2))', true],
  ['ISREF(DROP({1;2},1))', false],
  [listed('ROW(TAKE(A1:A5,-2))'), '{4;5}'],
  ['SUMIF(TAKE(A1:A5,3),">1")', 5],
  ['COUNTIF(DROP(A1:A5,1),">2")', 3],
  ['SUMIFS(DROP(A1:A5,1),TAKE(A1:A5,4),">2")', 9],
  ['SUBTOTAL(9,TAKE(A1:A5,2))', 3],
  ['SUBTOTAL(9,TAKE({1;2},1))', '#VALUE!'],
  ['OFFSET(TAKE(A1:A5,1),1,0)', 2],
  ['CELL("address",TAKE(A1:A5,-1))', '$A$5'],
  ['RANK(2,TAKE(A1:A5,3))', 2],
  ['SUM(TAKE(DROP(A1:A5,1),2):A5)', 14],
  ['AVERAGE(TAKE(A:A,3))', 2],
]);

holds('[CE133] complex numbers are written without spaces', { cells: {} }, [
  ['IMREAL("1 + 2i")', '#NUM!'],
  ['IMREAL(" 1+2i")', '#NUM!'],
  ['IMABS("3+4i ")', '#NUM!'],
  ['IMSUM("1+2i","1 - i")', '#NUM!'],
  ['IMREAL("1+2i")', 1],
]);
