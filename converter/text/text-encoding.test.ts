import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { detectDelimiter } from '../../model/delimiters.ts';
import { withMark, withPlainSource } from './plain-text.ts';

import { decodeMarkup, decodeText, detectCodePage, encodeText, isKnownCodePage } from './text-encoding.ts';

describe('the encoding of plain text', () => {
  it.each([
    ['Größe naïve\n', 1_252],
    ['Größe;Preis;Stück\nKäse;1,50;3\n', 1_252],
    ['Español niño año\n', 1_252],
    ['Привет, мир; число строк\n', 1_251],
    ['Сегодня мы поговорим о том, как люди работают над документом вместе.\n', 1_251],
    ['Сегодня мы поговорим о том, как люди работают над документом вместе.\n', 20_866],
    ['こんにちは世界。これは日本語のテキストです。\n', 932],
    ['안녕하세요 세계. 이것은 한국어 문장입니다. 많은 사람들이 이것을 읽고 있습니다.\n', 949],
    ['Größe\n', 1_200],
    ['Größe\n', 1_201],
    ['Größe, 世界\n', 65_001],
    ['plain\n', 65_001],
  ])('[LF3] is found: %j in %i', (text, codePage) => {
    expect(detectCodePage(encodeText(text, codePage))).toBe(codePage);
    expect(decodeText(encodeText(text, codePage), codePage)).toBe(text);
  });

  it('[LF3] is UTF-16 also without a mark, and UTF-8 with one', () => {
    expect(detectCodePage(encodeText('Hello world', 1_200).subarray(2))).toBe(1_200);
    expect(detectCodePage(Buffer.from('\uFEFFa'))).toBe(65_001);
    expect(decodeText(Buffer.from('\uFEFFa'), 65_001)).toBe('a');
    expect(detectCodePage(Buffer.alloc(0))).toBe(65_001);
  });

  it('[LF3] is UTF-8 for every text in UTF-8 that has no zeros', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        fc.pre(!text.includes('\0') && !text.startsWith('\uFEFF'));
        expect(detectCodePage(Buffer.from(text))).toBe(65_001);
      }),
    );
  });

  it('[LF3] may be any of those that editors know, and no other', () => {
    for (const codePage of [720, 28_596, 10_007, 855, 950, 936, 51_949, 65_000, 12_001]) {
      expect([codePage, isKnownCodePage(codePage)]).toEqual([codePage, true]);
    }
    expect(isKnownCodePage(4_711)).toBe(false);
  });
});

describe('the delimiter of a table', () => {
  it.each([
    ['a;b\n1,5;2\n', ';'],
    ['a,b\n1;2,3\n', ','],
    ['a\tb\n1,2\t3\n', '\t'],
    ['a|b|c\n1|2|3', '|'],
    ['"a,b";c\n"d,e,f";g', ';'],
    ['one\ntwo', ','],
    ['', ','],
  ])('[LF3] is found: %j', (text, delimiter) => {
    expect(detectDelimiter(text)).toBe(delimiter);
  });

  it('[LF3] is looked for only where nobody says it', () => {
    const table = Buffer.from('a;b\n');
    expect(withPlainSource(table, 'csv', {})).toEqual({ codePage: 65_001, delimiter: 2 });
    expect(withPlainSource(table, 'csv', { delimiter: 4, codePage: 1_252 })).toEqual({
      delimiter: 4,
      codePage: 1_252,
    });
    expect(withPlainSource(Buffer.from('a|b'), 'csv', {})).toEqual({ codePage: 65_001, delimiterChar: '|' });
    expect(withPlainSource(table, 'txt', {})).toEqual({ codePage: 65_001 });
    expect(withPlainSource(table, 'docx', {})).toEqual({});
  });
});

describe('a table in plain text', () => {
  it('[XS229] begins behind its byte order mark and is divided as its first line says, in every encoding', () => {
    for (const bytes of [
      ...[1_200, 1_201, 65_001, 1_252].map((codePage) => encodeText('sep=;\r\nGröße;1,5\r\n', codePage)),
      Buffer.from('\uFEFFsep=;\r\nGröße;1,5\r\n'),
    ]) {
      const { codePage, delimiter } = withPlainSource(bytes, 'csv', {});
      expect([delimiter, decodeText(bytes, codePage!)]).toEqual([2, 'sep=;\r\nGröße;1,5\r\n']);
    }
    expect(withPlainSource(Buffer.from('sep=^\na^b\n'), 'csv', {}).delimiterChar).toBe('^');
    expect(withPlainSource(Buffer.from('sep=;\na,b\n'), 'csv', { delimiter: 4 }).delimiter).toBe(4);
  });

  it('[XS230] has a byte order mark where one is wanted, once, and none of another encoding', () => {
    const marked = (text: string, options: object) =>
      Buffer.from(withMark(Buffer.from(text), options)).toString();
    expect(marked('ä', { byteOrderMark: true })).toBe('\uFEFFä');
    expect(marked('\uFEFFä', { byteOrderMark: true, codePage: 65_001 })).toBe('\uFEFFä');
    expect(marked('ä', { byteOrderMark: true, codePage: 1_252 })).toBe('ä');
    expect(marked('ä', {})).toBe('ä');
  });
});

describe('markup', () => {
  it('[CV29] is in the encoding that its form shows, then in the one that it names', () => {
    const xml = (name: string) => `<?xml version='1.0' encoding='${name}'?><a>Größe</a>`;
    expect(decodeMarkup(encodeText(xml('UTF-8'), 65_001))).toBe(xml('UTF-8'));
    expect(decodeMarkup(encodeText(xml('iso-8859-2'), 28_592))).toBe(xml('iso-8859-2'));
    expect(decodeMarkup(encodeText(xml('utf-16'), 1_252))).toBe(xml('utf-16'));
    expect(decodeMarkup(encodeText(xml('no-such-thing'), 1_252))).toBe(xml('no-such-thing'));
    expect(decodeMarkup(Buffer.from(`<meta charset="utf-8">Gr\xf6\xdfe`, 'latin1'))).toContain('Gr\uFFFD');
  });
});
