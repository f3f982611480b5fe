import { describe, expect, it } from 'vitest';
import { parseEngineRules } from '../../platform/config/engine-rules.ts';
import { buildDocx } from '../../test/support/docx-fixture.ts';
import { copyAbility, copyEngine } from '../engines/copy-engine.ts';
import { libreofficeAbility } from '../engines/libreoffice/ability.ts';
import { savingOptions, x2tAbility } from '../engines/x2t/conversion.ts';
import { type Conversion, type ConversionOptions, resultType } from './conversion.ts';

import { ConversionTable } from './conversion-table.ts';
import { type EnginePreference, enginePreference } from './engine-preference.ts';

const withX2t = new ConversionTable([copyAbility, x2tAbility('9.3')]);
const without = new ConversionTable([copyAbility]);
const conversion = (fromType: string, toType: string, options: ConversionOptions = {}): Conversion => ({
  fromType,
  toType,
  options,
});
const codeOf = (run: () => unknown): unknown => {
  try {
    run();
    return 'nothing thrown';
  } catch (error) {
    return (error as { serviceError?: number }).serviceError;
  }
};

describe('the table of conversions', () => {
  it('[CV1] names what can be converted into what, and prefers the engine that comes first', () => {
    expect(withX2t.targetsOf('doc')).toEqual(
      'bmp doc docm docx dotm dotx epub fb2 gif html jpg md odt ott pdf pdfa png rtf txt'.split(' '),
    );
    expect(withX2t.targetsOf('csv')).toContain('xlsx');
    expect(withX2t.targetsOf('abc')).toEqual([]);
    expect(withX2t.choose(conversion('docx', 'docx')).name).toBe('copy');
    expect(withX2t.choose(conversion('docx', 'docx', { savePassword: 'x' })).name).toBe('x2t');
    expect(withX2t.choose(conversion('docx', 'pdf')).name).toBe('x2t');
    expect(without.targetsOf('docx')).toEqual(['docx']);
    for (const form of ['docy', 'xlsy', 'ppty', 'pages']) expect(withX2t.sources()).not.toContain(form);
  });

  const both = (preference?: EnginePreference) =>
    new ConversionTable([copyAbility, x2tAbility('9.3'), libreofficeAbility('7.4')], preference);
  const engineOf = (table: ConversionTable, from: string, to: string, options: ConversionOptions = {}) =>
    table.choose(conversion(from, to, options)).name;

  it('[CV22] takes the engine that was measured to keep more, for all formats of a kind, where it is there and able', () => {
    const measured = [
      ['odt', 'docx', 70, 95, 10],
      ['doc', 'pdf', 95, 95.5, 10],
    ] as const;
    const table = both(enginePreference([], measured));
    for (const [from, to] of [
      ['odt', 'docx'],
      ['ott', 'docx'],
      ['fodt', 'dotx'],
    ] as const) {
      expect(engineOf(table, from, to)).toBe('libreoffice');
    }
    expect(engineOf(table, 'doc', 'pdf')).toBe('x2t');
    expect(engineOf(table, 'odt', 'rtf')).toBe('x2t');
    expect(engineOf(table, 'odt', 'odt')).toBe('copy');
    expect(engineOf(table, 'odt', 'docm')).toBe('x2t');
    expect(withX2t.choose(conversion('odt', 'docx')).name).toBe('x2t');
    const form = { pdf: { form: true } };
    const pages = both(enginePreference([], [['odt', 'pdf', 70, 95, 10]]));
    expect(engineOf(pages, 'odt', 'pdf')).toBe('libreoffice');
    expect(engineOf(pages, 'odt', 'pdf', form)).toBe('x2t');
  });

  it('[CV22] keeps headings of an odt, which x2t loses, by the table that was measured', () => {
    expect(engineOf(both(), 'odt', 'docx')).toBe('libreoffice');
    expect(engineOf(both(), 'docx', 'odt')).toBe('libreoffice');
  });

  it('[CA18] a rule for one extension of a format is for all of them', () => {
    const parsed = parseEngineRules('htm:docx=libreoffice html:odt=x2t');
    const table = both(enginePreference('value' in parsed ? parsed.value : [], []));
    expect(['html', 'htm'].map((type) => engineOf(table, type, 'docx'))).toEqual([
      'libreoffice',
      'libreoffice',
    ]);
    expect(['html', 'htm'].map((type) => engineOf(table, type, 'odt'))).toEqual(['x2t', 'x2t']);
  });

  it('[CV23] what the operator says of a pair goes before what was measured', () => {
    const parsed = parseEngineRules('odt:docx=x2t, *:pdf=libreoffice *:docx=libreoffice');
    const table = both(
      enginePreference('value' in parsed ? parsed.value : [], [['odt', 'docx', 70, 95, 10]]),
    );
    expect(engineOf(table, 'odt', 'docx')).toBe('x2t');
    expect(engineOf(table, 'doc', 'docx')).toBe('libreoffice');
    expect(engineOf(table, 'pptx', 'pdf')).toBe('libreoffice');
    for (const wrong of ['odt:docx', 'odt=x2t', 'odt:docx=word', 'odt:docx=x2t;', ':=x2t']) {
      expect(parseEngineRules(wrong), wrong).toHaveProperty('problem');
    }
  });

  it('[CV1] refuses a pair that no engine knows with -82', () => {
    expect(codeOf(() => withX2t.choose(conversion('docx', 'xlsx')))).toBe(-82);
    expect(codeOf(() => withX2t.choose(conversion('zip', 'pdf')))).toBe(-82);
    expect(codeOf(() => without.choose(conversion('docx', 'pdf')))).toBe(-82);
  });

  it.each<[string, string, string, ConversionOptions]>([
    ['a password that the format cannot hold', 'docx', 'txt', { savePassword: 'x' }],
    ['a watermark on what has no pages', 'docx', 'odt', { watermark: {} }],
    ['a form in another format', 'docx', 'odt', { pdf: { form: true } }],
    ['a layout that it does not know', 'docx', 'pdf', { pdfLayout: {} }],
    ['an encoding that it does not know', 'csv', 'xlsx', { codePage: 4_711 }],
    ['a locale that it does not know', 'xlsx', 'pdf', { region: 'qq-QQ' }],
    ['an association that it does not know', 'pdf', 'docx', { documentRenderer: { textAssociation: 'x' } }],
  ])('[CV2] refuses %s with -88, and names the option', (_what, from, to, options) => {
    const choose = () => withX2t.choose(conversion(from, to, options));
    expect(codeOf(choose)).toBe(-88);
    const name = Object.keys(options)[0]!;
    expect(choose).toThrow(name);
  });

  it('[CV2] lets options pass that say nothing about a pair', () => {
    const options = { delimiter: 4, codePage: 65_001, region: 'de', thumbnail: {}, spreadsheetLayout: {} };
    expect(withX2t.choose(conversion('docx', 'pdf', options)).name).toBe('x2t');
    const { thumbnail: _thumbnail, spreadsheetLayout: _layout, ...plain } = options;
    expect(withX2t.choose(conversion('docx', 'docx', plain)).name).toBe('copy');
  });

  it('[CV3] knows what ooxml and odf mean for a type', () => {
    const resolved = ['doc', 'csv', 'ppt', 'txt'].map((type) => withX2t.resolveTarget(type, 'ooxml'));
    expect(resolved).toEqual(['docx', 'xlsx', 'pptx', 'docx']);
    expect(['docx', 'xls', 'pptx'].map((type) => withX2t.resolveTarget(type, 'odf'))).toEqual([
      'odt',
      'ods',
      'odp',
    ]);
    expect(without.resolveTarget('txt', 'ooxml')).toBeNull();
    expect(withX2t.resolveTarget('docx', 'png')).toBe('png');
    expect(withX2t.resolveTarget('docx', 'constructor')).toBe('constructor');
    expect(['jpeg', 'jpe', 'tif', 'htm'].map((type) => withX2t.resolveTarget('docx', type))).toEqual([
      'jpg',
      'jpg',
      'tiff',
      'html',
    ]);
  });

  it('[CV4] says what a result is called', () => {
    expect(resultType(conversion('docx', 'pdfa'))).toBe('pdf');
    expect(resultType(conversion('docx', 'png', { thumbnail: { first: false } }))).toBe('zip');
    expect(resultType(conversion('docx', 'png'))).toBe('png');
    expect(resultType(conversion('docx', 'odt', { thumbnail: { first: false } }))).toBe('odt');
  });
});

describe('a copy', () => {
  const docx = buildDocx({ paragraphs: ['Text'] });
  const copy = (bytes: Uint8Array, type: string) => copyEngine.convert(bytes, conversion(type, type), []);

  it('[CV5] is the file as it is, when it is of the type that it is said to have', async () => {
    expect(await copy(docx, 'docx')).toBe(docx);
    expect(await copy(docx, 'docm')).toBe(docx);
    for (const type of ['txt', 'csv', 'html', 'md']) {
      const text = Buffer.from('a,b');
      expect(await copy(text, type)).toBe(text);
    }
  });

  it('[CV5] of anything else is refused as damaged, of a protected file with -90', async () => {
    await expect(copy(docx, 'xlsx')).rejects.toMatchObject({ serviceError: -86 });
    await expect(copy(docx, 'txt')).rejects.toMatchObject({ serviceError: -86 });
    await expect(copy(docx.subarray(0, 200), 'docx')).rejects.toMatchObject({ serviceError: -86 });
    await expect(copy(Buffer.from('text'), 'docx')).rejects.toMatchObject({ serviceError: -86 });
    await expect(copy(Buffer.from('text'), 'pdf')).rejects.toMatchObject({ serviceError: -86 });
    await expect(copy(Buffer.alloc(0), 'docx')).rejects.toMatchObject({ serviceError: -86 });
  });
});

describe('what a document is saved with', () => {
  it('[CV16] is the password it was opened with, and the encoding and delimiter of plain text', () => {
    expect(savingOptions({ password: 'p' }, 'docx')).toEqual({ savePassword: 'p' });
    expect(codeOf(() => savingOptions({ password: 'p' }, 'rtf'))).toBe(-80);
    expect(savingOptions({ encoding: 44, delimiter: 2 }, 'csv')).toMatchObject({
      encoding: 44,
      delimiter: 2,
    });
    expect(savingOptions({}, 'csv')).toMatchObject({ encoding: 46, delimiter: 4 });
    expect(savingOptions({ encoding: 0 }, 'tsv')).toMatchObject({ encoding: 0, delimiter: 1 });
  });
});
