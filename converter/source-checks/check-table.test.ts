import { expect, it } from 'vitest';
import { withPlainSource } from '../text/plain-text.ts';
import { checkTable } from './check-table.ts';

/** The error of a table, or null. */
function codeOf(
  text: string,
  { cells = 5_000_000, fromType = 'csv', encoding = 'utf8' as BufferEncoding } = {},
) {
  const source = Buffer.from(text, encoding);
  try {
    checkTable(source, { fromType, options: withPlainSource(source, fromType, {}) }, { cells });
    return null;
  } catch (error) {
    return (error as { serviceError: number }).serviceError;
  }
}

it('[XA6] a table that no sheet has room for is refused with -93: rows, columns, cells, texts', () => {
  expect(codeOf('a\n'.repeat(1_048_576))).toBeNull();
  expect(codeOf('a\n'.repeat(1_048_577))).toBe(-93);
  expect(codeOf('a\r'.repeat(1_048_577))).toBe(-93);
  expect(codeOf(`a${',a'.repeat(16_383)}`)).toBeNull();
  expect(codeOf(`a${',a'.repeat(16_384)}`)).toBe(-93);
  expect(codeOf(`a${';a'.repeat(16_384)}`)).toBe(-93);
  expect(codeOf('a,b\nc,d\n', { cells: 4 })).toBeNull();
  expect(codeOf('a,b\nc,d\ne', { cells: 4 })).toBe(-93);
  expect(codeOf('x'.repeat(32_767))).toBeNull();
  expect(codeOf('x'.repeat(50_000_000))).toBe(-93);
});

it('[XA6] what stands in quotes, what is empty and what is no table does not count', () => {
  expect(codeOf(`"${'a\n'.repeat(9_000)}"`)).toBeNull();
  expect(codeOf(`a${','.repeat(20_000)}\n${'\n'.repeat(1_100_000)}`)).toBeNull();
  expect(codeOf('a,"b ""c"", d"\n', { cells: 2 })).toBeNull();
  expect(codeOf(`"${'""'.repeat(32_767)}"`)).toBeNull();
  expect(codeOf('a\0,b\0\n', { cells: 2 })).toBeNull();
  expect(codeOf('x'.repeat(40_000), { fromType: 'txt' })).toBeNull();
  expect(codeOf(`\uFEFFa\t${'b\t'.repeat(16_384)}b`, { fromType: 'tsv', encoding: 'utf16le' })).toBe(-93);
});

it('[XA6] a quotation mark within a cell is a sign as any other', () => {
  const row = (count: number) => `Monitor 24",${count}\n`;
  expect(codeOf(row(1) + 'Cable,2\n'.repeat(5_000))).toBeNull();
  expect(codeOf(row(1) + row(2), { cells: 3 })).toBe(-93);
  expect(codeOf('a" b,c\n', { cells: 1 })).toBe(-93);
  expect(codeOf('\uFEFF"a,b"\n', { cells: 1 })).toBeNull();
});
