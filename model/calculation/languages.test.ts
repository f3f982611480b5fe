import { describe, expect, test } from 'vitest';
import type { CellFormula } from './calculation.ts';
import { Book } from './testing/changing-book.ts';
import { holds } from './testing/formula-cases.ts';

holds('[CE134] names of months and days in the language of a format', { cells: {} }, [
  ['TEXT(45351,"[$-416]d mmmm yyyy")', '29 fevereiro 2024'],
  ['TEXT(45351,"[$-816]mmm")', 'fev'],
  ['TEXT(45352,"[$-413]dddd d mmm")', 'vrijdag 1 mrt'],
  ['TEXT(45352,"[$-407]ddd, mmm")', 'Fr, Mrz'],
  ['TEXT(45444,"[$-407]mmm")', 'Jun'],
  ['TEXT(45544,"[$-C0A]mmm")', 'sep'],
  ['TEXT(45352,"[$-41D]mmm mmmm")', 'mar mars'],
  ['TEXT(45351,"[$-406]dddd")', 'torsdag'],
  ['TEXT(45351,"[$-414]dddd")', 'torsdag'],
  ['TEXT(45351,"[$-40E]dddd")', 'csütörtök'],
  ['TEXT(45351,"[$-41F]mmmm dddd")', 'Şubat Perşembe'],
  ['TEXT(45351,"[$-411]yyyy年m月d日 dddd")', '2024年2月29日 木曜日'],
  ['TEXT(45351,"[$-412]dddd")', '목요일'],
  ['TEXT(45351,"[$-804]mmmm dddd")', '二月 星期四'],
  ['TEXT(45351,"[$-pt-BR]mmmm")', 'fevereiro'],
  ['TEXT(45351,"[$-1010409]d mmm yyyy;@")', '29 Feb 2024'],
  ['TEXT(45351,"[$-F800]dddd, mmmm dd, yyyy")', 'Thursday, February 29, 2024'],
  ['TEXT(45351,"[$-419]dd.mm.yyyy")', '29.02.2024'],
  ['TEXT("x","[$-419]mmmm")', 'x'],
  ['TEXT(0.75,"[$-804]上午/下午h")', '下午6'],
]);

describe('[CE135] names, digits and calendars that are not known', () => {
  test.each([
    'TEXT(45351,"[$-419]mmmm")',
    'TEXT(45351,"[$-404]dddd")',
    'TEXT(45351,"[$-ru-RU]d mmm")',
    'IFERROR(TEXT(45351,"[$-415]mmmm"),"")',
    'TEXT(45351,"[$-1070000]yyyy")',
    'TEXT(45351,"[$-2000401]0")',
    'TEXT(5,"[DBNum1][$-411]0")',
    'TEXT(45351,"[$-411]ggge")',
  ])('%s keeps its stored value', (formula) => {
    const book = new Book();
    const content: CellFormula = { formula, kind: 'single', stored: 'of the file' };
    book.change([{ sheet: 0, row: 1, column: 1, content }]);
    expect(book.shown()).toEqual({ '0:1:1': 'of the file', '0:1:1 stale': 'not-supported' });
  });
});
