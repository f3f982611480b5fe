import { expect, it } from 'vitest';
import { buildXlsx } from '../../test/support/xlsx-fixture.ts';
import { sourceTypeOf } from './source-type.ts';

const page = '<table border="1"><tr><td>Name<td>1</table>';
const workbook = (start = '') =>
  `${start}<?mso-application progid="Excel.Sheet"?>\n<Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet" xmlns:ss="urn:schemas-microsoft-com:office:spreadsheet"><Worksheet ss:Name="One"><Table/></Worksheet></Workbook>`;
const declaration = '<?xml version="1.0"?>\n';
/** As much of an OLE file as tells that a workbook is in it. */
const binary = Buffer.alloc(1_024);
binary.set(Buffer.from('d0cf11e0a1b11ae1', 'hex'));
binary.write('Workbook', 512, 'utf16le');
binary.writeUInt16LE(18, 512 + 64);

it.each<[what: string, content: string | Uint8Array, type: string]>([
  ['a web page with a table', `<html><body>${page}</body></html>`, 'webtable'],
  ['the table of a web page alone', `\uFEFF\n ${page}`, 'webtable'],
  ['a web page in UTF-16', Buffer.from(`\uFEFF<meta name="a">${page}`, 'utf16le'), 'webtable'],
  ['a workbook of Excel 2003', workbook(declaration), 'xml'],
  ['one without a declaration, with a prefix', workbook().replaceAll('Workbook', 'ss:Workbook'), 'xml'],
  ['one in UTF-16', Buffer.from(`\uFEFF${workbook(declaration)}`, 'utf16le'), 'xml'],
  ['text with tabs, and more commas', 'Name\tPrice\nMüller\t1,50\nMeier\t2,50\n', 'tsv'],
  ['text with tabs in UTF-16', Buffer.from('\uFEFFName\tPrice\r\n', 'utf16le'), 'tsv'],
  ['text with semicolons', 'Name;Price\nMüller;1,50\n', 'csv'],
  ['text with a separator line', 'sep=;\nName;Price\n', 'csv'],
  ['SYLK', 'ID;PWXL;N;E\r\nP;PGeneral\r\nE\r\n', 'slk'],
  ['a page in one file', `From: <Saved by a program>\r\nMIME-Version: 1.0\r\n\r\n${page}`, 'mht'],
  ['a workbook of Office Open XML', buildXlsx([['One']]), 'xlsx'],
  ['a binary workbook', binary, 'xls'],
])('[CV29] %s that is called xls is read as that', (_what, content, type) => {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  expect(sourceTypeOf(bytes, 'xls')).toBe(type);
  expect(sourceTypeOf(bytes, 'xlt')).toBe(type === 'xls' ? 'xlt' : type);
});

it.each<[what: string, content: string | Uint8Array]>([
  ['a page without a table, to log in', '<html><body><form>Password</form></body></html>'],
  ['nothing', ''],
  ['blanks', ' \r\n\t\n'],
  ['what is no text', Buffer.from([9, 4, 6, 0, 0, 0, 16, 0])],
  ['zeros', Buffer.alloc(4_096)],
])('[CV29] %s that is called xls stays a workbook, which is damaged', (_what, content) => {
  expect(sourceTypeOf(Buffer.from(content as string), 'xls')).toBe('xls');
});

it('[CV29] under other names text is what it is called, and a binary workbook is one', () => {
  for (const name of ['txt', 'html', 'csv', 'md']) {
    expect([page, workbook(declaration)].map((text) => sourceTypeOf(Buffer.from(text), name))).toEqual([
      name,
      name,
    ]);
  }
  expect(sourceTypeOf(Buffer.from(page), 'xlsx')).toBe('xlsx');
  expect(sourceTypeOf(Buffer.from(workbook(declaration)), 'xml')).toBe('xml');
  expect(sourceTypeOf(binary, 'xlsx')).toBe('xls');
});
