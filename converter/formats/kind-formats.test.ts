import { expect, it } from 'vitest';
import { buildDocx } from '../../test/support/docx-fixture.ts';
import { buildPdf } from '../../test/support/pdf-fixture.ts';
import { buildXlsx } from '../../test/support/xlsx-fixture.ts';
import type { EngineAbility } from '../engines/conversion-engine.ts';
import { ConversionTable } from './conversion-table.ts';
import { checkSource } from './formats.ts';

const engine = (types: string, unable: EngineAbility['unable'] = () => []): ConversionTable => {
  const pairs = new Map(types.split(' ').map((type) => [type, new Set(['pdf'])]));
  return new ConversionTable([{ name: 'engine', version: '1', pairs, unable }]);
};
const none = new ConversionTable([]);
const pdf = buildPdf([{ lines: ['One'] }]);
const xlsx = buildXlsx([['One']]);
/** As much of an OLE file as tells that an encrypted package is in it. */
const encrypted = Buffer.alloc(1_024);
encrypted.set(Buffer.from('d0cf11e0a1b11ae1', 'hex'));
encrypted.write('EncryptedPackage', 512, 'utf16le');
encrypted.writeUInt16LE(34, 512 + 64);

it('[PV2] a PDF is shown without an engine, anything else where one makes a PDF of it', () => {
  expect(checkSource(pdf, 'pdf', 'pages', none)).toEqual({ fileType: 'pdf' });
  expect(checkSource(xlsx, 'xlsx', 'pages', none)).toMatchObject({ errorCode: -82 });
  expect(checkSource(xlsx, 'xlsx', 'pages', engine('xlsx'))).toEqual({ fileType: 'xlsx' });
  expect(checkSource(Buffer.from('a;b'), 'csv', 'pages', engine('csv'))).toEqual({ fileType: 'csv' });
  expect(checkSource(Buffer.from('AT&TFORM'), 'djvu', 'pages', engine('xlsx'))).toMatchObject({
    errorCode: -82,
  });
});

it('[PV2] where name and content disagree the content is right', () => {
  expect(checkSource(pdf, 'xlsx', 'pages', none)).toEqual({ fileType: 'pdf' });
  expect(checkSource(xlsx, 'pdf', 'pages', engine('xlsx'))).toEqual({ fileType: 'xlsx' });
  expect(checkSource(buildDocx({ paragraphs: ['One'] }), 'pptx', 'pages', engine('docx pptx'))).toEqual({
    fileType: 'docx',
  });
});

it.for(['pdf', 'xlsx', 'pptx', 'odt'])('[PV2] what is called %s and is none is damaged', (type) => {
  const table = engine('xlsx pptx odt');
  expect(checkSource(Buffer.from('no such thing'), type, 'pages', table)).toMatchObject({ errorCode: -86 });
});

it('[PV2] what is encrypted goes to an engine that decrypts, or is said to be encrypted', () => {
  expect(checkSource(encrypted, 'xlsx', 'pages', engine('xlsx docx'))).toEqual({ fileType: 'xlsx' });
  expect(checkSource(encrypted, 'pdf', 'pages', engine('xlsx docx'))).toEqual({ fileType: 'docx' });
  const cannot = engine('xlsx docx', ({ options }) => (options.password === undefined ? [] : ['password']));
  expect(checkSource(encrypted, 'xlsx', 'pages', cannot)).toMatchObject({ errorCode: -85 });
});

it('[CV29] a document keeps the name of a workbook where Excel opens its content under it, and no other', () => {
  const pairs = new Map(['xls', 'xml'].map((type) => [type, new Set(['xlsx', 'pdf'])]));
  const table = new ConversionTable([{ name: 'engine', version: '1', pairs, unable: () => [] }]);
  const page = Buffer.from('<table><tr><td>1</td></tr></table>');
  const workbook = Buffer.from(
    '<?xml version="1.0"?><Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet"/>',
  );
  for (const bytes of [page, workbook, Buffer.from('a\tb\n')]) {
    expect(checkSource(bytes, 'xls', 'cell', table)).toEqual({ fileType: 'xls' });
    expect(checkSource(bytes, 'xlsx', 'cell', table)).toMatchObject({ errorCode: -86 });
  }
  expect(checkSource(xlsx, 'xls', 'cell', table)).toEqual({ fileType: 'xlsx' });
  expect(checkSource(workbook, 'xls', 'pages', table)).toEqual({ fileType: 'xls' });
  expect(checkSource(workbook, 'xml', 'cell', table)).toEqual({ fileType: 'xml' });
  expect(checkSource(workbook, 'xml', 'word', table)).toMatchObject({ errorCode: -82 });
  expect(checkSource(Buffer.from('<a/>'), 'xml', 'cell', table)).toMatchObject({ errorCode: -86 });
});
