import { expect, it } from 'vitest';
import { plainSource } from './plain-text.ts';

it('[XS229] LibreOffice gets a table without the line that names its delimiter', () => {
  const table = (text: string, options = {}) => {
    const { bytes, filterOptions } = plainSource(Buffer.from(text), 'csv', options);
    return [Buffer.from(bytes).toString(), filterOptions.split(',')[0]];
  };
  expect(table('sep=;\r\na;b\r\n')).toEqual(['a;b\r\n', '59']);
  expect(table('\uFEFFsep=|\na|b\n')).toEqual(['a|b\n', '124']);
  expect(table('sep=;\na;b\n', { delimiterChar: ',' })).toEqual(['sep=;\na;b\n', '44']);
});
