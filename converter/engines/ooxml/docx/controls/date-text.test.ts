import { describe, expect, it } from 'vitest';
import { isoDate, readDate } from './date-text.ts';

describe('dates as content controls show them', () => {
  it.each([
    ['5/6/2024', 'M/d/yyyy', '2024-05-06T00:00:00'],
    ['06-05-2024', 'dd-MM-yyyy', '2024-05-06T00:00:00'],
    ['6.5.24', 'd.M.yy', '2024-05-06T00:00:00'],
    ['Monday, May 06, 2024', 'dddd, MMMM dd, yyyy', '2024-05-06T00:00:00'],
    ['  6 sept.  1999 ', 'd MMM  yyyy', undefined],
    ['6 Sep. 1999', 'd MMM yyyy', '1999-09-06T00:00:00'],
    ["6 o'clock", "d 'o''clock'", undefined],
    ['2024-05-06 3:07:09 pm', 'yyyy-MM-dd h:mm:ss am/pm', '2024-05-06T15:07:09'],
    ['12:30 AM 2024-05-06', 'h:mm AM/PM yyyy-MM-dd', '2024-05-06T00:30:00'],
    ['29.02.2023', 'dd.MM.yyyy', undefined],
    ['06. Mai 2024', 'dd. MMMM yyyy', undefined],
    ['6.5.2024 at (noon)', "d.M.yyyy 'at (noon)'", '2024-05-06T00:00:00'],
    ['next week', 'd.M.yyyy', undefined],
    ['5/2024', 'M/yyyy', undefined],
  ])('[FD44] %s by %s', (text, format, expected) => {
    const date = readDate(text, format);
    expect(date && isoDate(date)).toBe(expected);
  });

  it('[FD44] formats that are none are refused whatever is in them', () => {
    for (const format of ['\\d+[(', 'M'.repeat(1_000), ' '.repeat(1_000), 'dM'.repeat(20)]) {
      expect(readDate('1'.repeat(60), format)).toBeUndefined();
    }
  });
});
