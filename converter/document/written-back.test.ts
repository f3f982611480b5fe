import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { xlsbSeed } from '../../test/support/package-seeds.ts';
import { buildPptx } from '../../test/support/pptx-fixture.ts';
import { buildXlsx } from '../../test/support/xlsx-fixture.ts';
import { copyAbility } from '../engines/copy-engine.ts';
import { libreofficeAbility } from '../engines/libreoffice/ability.ts';
import { x2tAbility } from '../engines/x2t/conversion.ts';
import { ConversionTable } from '../formats/conversion-table.ts';
import { checkSource, typeOfSaved } from '../formats/formats.ts';
import { likeSourceText } from '../text/plain-text.ts';

const without = new ConversionTable([copyAbility]);
const withX2t = new ConversionTable([copyAbility, x2tAbility('9.3')]);
const withOffice = new ConversionTable([copyAbility, libreofficeAbility('7.4')]);

describe('formats of the word processor', () => {
  it('[BO18] a changed document is saved in its own format where an engine writes it and that is wanted, else as docx', () => {
    const saved = (fileType: string, table: ConversionTable, keepsType = true) =>
      typeOfSaved({ model: 'word', fileType }, keepsType, table);
    const types = ['docx', 'docm', 'odt', 'doc', 'epub'];
    expect(types.map((type) => saved(type, without))).toEqual(['docx', 'docm', 'docx', 'docx', 'docx']);
    expect(types.map((type) => saved(type, withX2t))).toEqual(['docx', 'docm', 'odt', 'docx', 'epub']);
    expect(types.map((type) => saved(type, withOffice))).toEqual(['docx', 'docm', 'odt', 'doc', 'epub']);
    expect(types.map((type) => saved(type, withOffice, false))).toEqual([
      ...['docx', 'docm', 'docx', 'docx', 'docx'],
    ]);
    const binary = (fileType: string, keepsType: boolean) =>
      typeOfSaved({ model: 'binary', fileType }, keepsType, withX2t);
    expect(['odt', 'ods', 'xlsm'].map((type) => binary(type, true))).toEqual(['odt', 'ods', 'xlsm']);
    expect(['odt', 'ods', 'xlsm'].map((type) => binary(type, false))).toEqual(['docx', 'xlsx', 'xlsm']);
  });

  it('[BO11] what is opened depends on the engines, the content, and then the name', () => {
    const rtf = Buffer.from('{\\rtf1 a}');
    expect(checkSource(rtf, 'odt', 'word', withOffice)).toEqual({ fileType: 'rtf' });
    expect(checkSource(rtf, 'docx', 'word', withOffice)).toEqual({ fileType: 'rtf' });
    expect(checkSource(rtf, 'rtf', 'word', without)).toMatchObject({ errorCode: -82 });
    expect(checkSource(Buffer.from('text'), 'txt', 'word', withOffice)).toEqual({ fileType: 'txt' });
    expect(checkSource(Buffer.from('text'), 'odt', 'word', withOffice)).toMatchObject({ errorCode: -86 });
    expect(checkSource(Buffer.from('text'), 'docx', 'word', withOffice)).toMatchObject({ errorCode: -86 });
    expect(checkSource(Buffer.from('%PDF-1.7'), 'pdf', 'word', withX2t)).toMatchObject({ errorCode: -82 });
    expect(checkSource(Buffer.from('a,b'), 'csv', 'word', withX2t)).toMatchObject({ errorCode: -82 });
  });

  it('[OP19] a file that no engine opens or shows is told from one that is damaged, with where to see the engines', () => {
    const slides = buildPptx(['One']);
    const told = (bytes: Uint8Array, type: string, model: string, table: ConversionTable) => {
      const check = checkSource(bytes, type, model, table);
      return 'message' in check ? check.message : check.fileType;
    };
    expect(told(slides, 'pptx', 'pages', withOffice)).toBe('pptx');
    expect(told(slides, 'pptx', 'pages', without)).toMatch(
      /\(pptx\).*no engine here makes a PDF.*`quire doctor`/,
    );
    expect(told(Buffer.from('{\\rtf1 a}'), 'rtf', 'word', without)).toMatch(
      /\(rtf\).*no engine here opens.*`quire doctor`/,
    );
    for (const [model, type] of [
      ['pages', 'pptx'],
      ['word', 'docx'],
    ] as const)
      expect(told(Buffer.from('PK'), type, model, without)).toBe('The file is damaged');
  });

  it('[BO11] a workbook of binary records is told by its content, whatever it is called, and is edited as an xlsx', () => {
    const binary = xlsbSeed();
    const plain = buildXlsx([[1]]);
    for (const model of ['cell', 'binary'])
      for (const name of ['xlsb', 'xlsx', 'xlsm'])
        expect(checkSource(binary, name, model, withOffice)).toEqual({ fileType: 'xlsb' });
    expect(checkSource(plain, 'xlsb', 'cell', withOffice)).toEqual({ fileType: 'xlsx' });
    expect(checkSource(binary, 'xlsx', 'cell', without)).toMatchObject({ errorCode: -82 });
    expect(checkSource(binary, 'xlsb', 'pages', withOffice)).toEqual({ fileType: 'xlsb' });
    for (const model of ['cell', 'binary'])
      expect(typeOfSaved({ model, fileType: 'xlsb' }, true, withOffice)).toBe('xlsx');
  });

  it('[BO19] plain text that is written has the line ends, the mark and the last line end of its source', () => {
    const utf8 = 65_001;
    const line = fc.stringMatching(/^[a-zä€]{1,8}$/);
    fc.assert(
      fc.property(
        fc.array(line, { minLength: 1, maxLength: 5 }),
        fc.constantFrom('\n', '\r\n', '\r'),
        fc.constantFrom('', '\uFEFF'),
        fc.boolean(),
        fc.constantFrom('\n', '\r\n'),
        (lines, end, mark, isEnded, otherEnd) => {
          const text = (by: string) => lines.join(by);
          // A source of one line without an end does not say how its lines end.
          const known = lines.length > 1 || isEnded ? end : '\n';
          const source = Buffer.from(mark + text(end) + (isEnded ? end : ''));
          const written = likeSourceText(Buffer.from(`\uFEFF${text(otherEnd)}${otherEnd}`), source, utf8);
          expect(Buffer.from(written).toString()).toBe(mark + text(known) + (isEnded ? end : ''));
        },
      ),
    );
  });
});
