import { holds } from './testing/formula-cases.ts';

const parts = 'ABC/123/DEF/456/XY-1A/ZY-2F/XY-3F/XY-4f/xyz/123';
const split = { A1: `<t><s>${parts.replaceAll('/', '</s><s>')}</s></t>` };
/** The nodes that a path leads to, with commas between them. */
const found = (path: string) => `TEXTJOIN(",",TRUE,FILTERXML(A1,"${path}"))`;

holds('[CE113] parts of a split text', { cells: split }, [
  [found('//s'), parts.replaceAll('/', ',')],
  [found('//s[4]'), '456'],
  [found('//s[position()<4]'), 'ABC,123,DEF'],
  [found('//s[last()-1]'), 'xyz'],
  [found('//s[position() mod 2 = 1]'), 'ABC,DEF,XY-1A,XY-3F,xyz'],
  [found('//s[floor(position() div 3)=position() div 3]'), 'DEF,ZY-2F,xyz'],
  [found('//s[position()=2 or position()=4]'), '123,456'],
  [found('//s[.*0=0]'), '123,456,123'],
  [found('//s[number()=number()]'), '123,456,123'],
  [found('//s[not(number()=.)]'), 'ABC,DEF,XY-1A,ZY-2F,XY-3F,XY-4f,xyz'],
  [found('//s[.>200]'), '456'],
  [found("//s[contains(., 'XY')]"), 'XY-1A,XY-3F,XY-4f'],
  [found("//s[starts-with(., 'Z')]"), 'ZY-2F'],
  [found("//s[substring(., string-length(.))='F']"), 'DEF,ZY-2F,XY-3F'],
  [found("//s[translate(.,'ABCDEFXYZ','abcdefxyz')=.]"), '123,456,xyz,123'],
  [found("//s[substring-before(.,'-')='XY' and substring-after(.,'-')!='1A']"), 'XY-3F,XY-4f'],
  [found('//s[string-length()=3]'), 'ABC,123,DEF,456,xyz,123'],
  [found('//s[preceding::*=.]'), '123'],
  [found('//s[not(preceding::*=. or following::*=.)]'), 'ABC,DEF,456,XY-1A,ZY-2F,XY-3F,XY-4f,xyz'],
  [found("//s[.='ABC']/following-sibling::*[1]"), '123'],
  [found("//s[preceding-sibling::*[1]='DEF']"), '456'],
  [found('//s[position()=last()]|//s[1]'), 'ABC,123'],
  [found('(//s)[2]'), '123'],
  [found('/t/s[1]'), 'ABC'],
]);

const nested = {
  A1: '<?xml version="1.0"?><r><i n="1">a &amp; b</i><!-- no --><i n="x"><c>2</c></i><e/></r>',
};
holds('[CE113] elements and attributes', { cells: nested }, [
  ['FILTERXML(A1,"//i[1]")', 'a & b'],
  ['FILTERXML(A1,"//i/@n")', 1],
  ['INDEX(FILTERXML(A1,"//i/@n"),2)', 'x'],
  ['FILTERXML(A1,"//i[@n=\'x\']/c")', 2],
  ['FILTERXML(A1,"//c/../@n")', 'x'],
  ['FILTERXML(A1,"//c/ancestor::i/@n")', 'x'],
  ['FILTERXML(A1,"/r/*[self::i][2]")', 2],
  ['FILTERXML(A1,"//i[1]/text()")', 'a & b'],
  ['FILTERXML(A1,"//e")', ''],
  ['ROWS(FILTERXML(A1,"/r/*"))', 3],
  ['SUM(FILTERXML("<a><b>1</b><b>2</b></a>","//b"))', 3],
  ['SUMPRODUCT(FILTERXML("<a><b>1</b><b>2</b></a>","//b"))', 3, { kind: 'single' }],
  ['FILTERXML("<a>01</a>","/a")', 1],
]);

holds('[CE113] what is no XML, no path, or leads to nothing', { cells: nested }, [
  ['FILTERXML(A1,"//q")', '#VALUE!'],
  ['FILTERXML(A1,"//i[")', '#VALUE!'],
  ['FILTERXML(A1,"count(//i)")', '#VALUE!'],
  ['FILTERXML("<a>","//a")', '#VALUE!'],
  ['FILTERXML("<a></b>","//a")', '#VALUE!'],
  ['FILTERXML("text","//a")', '#VALUE!'],
  ['FILTERXML("<a/><b/>","//a")', '#VALUE!'],
  ['FILTERXML("<a>&x;</a>","//a")', '#VALUE!'],
  ['FILTERXML(NA(),"//a")', '#N/A'],
]);
