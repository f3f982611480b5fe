import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { optionsFor } from './conversion-options.ts';
import { conversionParameters } from './conversion-parameters.ts';

const good = {
  url: 'https://storage.test/plan.docx?v=7&x=1',
  key: 'plan-7',
  filetype: 'docx',
  outputtype: 'pdf',
};

const everything = {
  ...good,
  async: true,
  title: 'Plan.pdf',
  password: 'a secret',
  codePage: 1252,
  delimiter: 2,
  delimiterChar: '|',
  region: 'en-US',
  thumbnail: { aspect: 1, first: false, width: 200, height: 300 },
  spreadsheetLayout: {
    ignorePrintArea: true,
    orientation: 'landscape',
    fitToWidth: 1,
    fitToHeight: 0,
    scale: 80,
    headings: true,
    gridLines: false,
    pageSize: { width: '210mm', height: '29.7 cm' },
    margins: { left: '1in', right: '10pt', top: '3px', bottom: '2pc' },
  },
  documentLayout: { drawPlaceHolders: true, drawFormHighlight: false, isPrint: true },
  documentRenderer: { textAssociation: 'plainLine' },
  pdf: { form: true, pdfa: false },
  watermark: { type: 'rect', paragraphs: [{ runs: [{ text: 'Draft' }] }] },
  pdfLayout: { any: 'thing' },
};

describe('parameters of a conversion', () => {
  it('[CA18] another extension of a format is that format, and a long title is cut', () => {
    const types = ['jpeg', 'JPE', 'tif', 'htm', 'png'].map(
      (outputtype) => conversionParameters({ ...good, outputtype })?.outputType,
    );
    expect(types).toEqual(['jpg', 'jpg', 'tiff', 'html', 'png']);
    for (const filetype of ['htm', 'xhtml', 'MHTML', 'markdown', 'text'])
      expect(conversionParameters({ ...good, filetype })?.fileType, filetype).toBe(filetype.toLowerCase());
    const titleOf = (title: string) => conversionParameters({ ...good, title })?.title;
    expect(titleOf('x'.repeat(600))).toBe('x'.repeat(512));
    expect(titleOf(`${'x'.repeat(511)}😀.docx`)).toBe('x'.repeat(511));
  });

  it('[CA19] a region of any form is taken, and what says no language counts as none', () => {
    const of = (region: string, from = 'xlsx') => {
      const parameters = conversionParameters({ ...good, region });
      return parameters && optionsFor(parameters.options, from, 'pdf');
    };
    for (const region of ['C', 'POSIX', 'x', 'not a locale', '@', '']) expect(of(region)).toEqual({});
    expect(of('en_US.UTF-8')).toEqual({ region: 'en-US' });
    expect(['ca@valencia', 'sr@latin', 'zh-Hans'].map((region) => of(region)?.region)).toEqual([
      'ca',
      'sr',
      'zh-Hans',
    ]);
    expect(of('ca@valencia', 'docx')).toEqual({});
  });

  it('[CA3] every documented parameter is read', () => {
    const { url, key, filetype, outputtype, async: isAsync, title, ...options } = everything;
    expect(conversionParameters(everything)).toEqual({
      url,
      key,
      fileType: filetype,
      outputType: outputtype,
      isAsync,
      title,
      options,
    });
    const least = { ...good, filetype: undefined };
    expect(conversionParameters(least)).toEqual({
      url,
      key,
      fileType: null,
      outputType: 'pdf',
      isAsync: false,
      title: null,
      options: {},
    });
  });

  it('[CA3] names count in any spelling, the documented one first; null and empty members are absent', () => {
    const wanted = conversionParameters(everything);
    fc.assert(
      fc.property(fc.infiniteStream(fc.boolean()), (upper) => {
        const spelled = Object.entries(everything).map(([name, value]) => [
          [...name].map((one) => (upper.next().value ? one.toUpperCase() : one)).join(''),
          value,
        ]);
        expect(conversionParameters(Object.fromEntries(spelled))).toEqual(wanted);
      }),
    );
    const both = { fileType: 'odt', filetype: 'docx', FILETYPE: 'rtf', outputType: 'pdf' };
    expect(conversionParameters({ ...good, ...both })).toMatchObject({ fileType: 'docx' });
    for (const nothing of [null, '', undefined]) {
      const empty = { password: nothing, region: nothing, title: nothing, async: nothing, pdf: nothing };
      expect(conversionParameters({ ...good, ...empty })).toEqual(conversionParameters(good));
    }
    expect(conversionParameters({ ...good, unknown: { any: 'thing' }, __proto__: null })).toEqual(
      conversionParameters(good),
    );
  });

  it('[CA3] numbers, flags and objects count as text too, and types in capitals', () => {
    const asText = Object.fromEntries(
      Object.entries(everything).map(([name, value]) => [
        name,
        typeof value === 'object' ? JSON.stringify(value) : String(value),
      ]),
    );
    expect(conversionParameters(asText)).toEqual(conversionParameters(everything));
    expect(conversionParameters({ ...good, filetype: 'DOCX', outputtype: 'Pdf' })).toEqual(
      conversionParameters(good),
    );
  });

  it('[CA3] the empty list that PHP writes for an object without members is one, also as text and inside of another', () => {
    const options = (given: object) => conversionParameters({ ...good, outputtype: 'png', ...given });
    for (const empty of [[], '[]', {}]) {
      expect(options({ thumbnail: empty })).toEqual(options({ thumbnail: {} }));
      expect(options({ thumbnail: empty })).not.toBeNull();
    }
    const sheet = { filetype: 'xlsx', outputtype: 'pdf' };
    const layout = (spreadsheetLayout: object) => options({ ...sheet, spreadsheetLayout });
    expect(layout({ pageSize: [], margins: [], scale: 50 })).toEqual(
      layout({ pageSize: {}, margins: {}, scale: 50 }),
    );
    expect(layout({ pageSize: [], margins: [] })).not.toBeNull();
  });

  it('[CA5] what is missing or not what it must be makes no request', () => {
    for (const wrong of [
      { url: undefined },
      { url: 'plan.docx' },
      { url: 'file:///etc/passwd' },
      { url: 'ftp://storage.test/plan.docx' },
      { url: 'https://' },
      { url: `https://storage.test/${'x'.repeat(17_000)}` },
      { key: undefined },
      { key: 'a key' },
      { key: 'a/b' },
      { key: 'k'.repeat(241) },
      { outputtype: undefined },
      { outputtype: 'exe' },
      { outputtype: '.pdf' },
      { filetype: 'exe' },
      { filetype: 'png' },
      { filetype: '../../x' },
      { async: 'maybe' },
      { async: 2 },
      { title: ['x'] },
      { password: 'x'.repeat(256) },
      { codePage: -1 },
      { codePage: 1.5 },
      { codePage: 65_536 },
      { delimiter: 6 },
      { thumbnail: { width: 0 } },
      { thumbnail: { height: 20_000 } },
      { thumbnail: { aspect: 3 } },
      { thumbnail: 'x' },
      { thumbnail: [100] },
      { spreadsheetLayout: { margins: ['1mm'] } },
      { spreadsheetLayout: { orientation: 'upside down' } },
      { spreadsheetLayout: { margins: { left: 'wide' } } },
      { documentRenderer: { textAssociation: 'none' } },
      { pdf: true },
      { watermark: 'Draft' },
    ]) {
      expect([wrong, conversionParameters({ ...good, ...wrong })]).toEqual([wrong, null]);
    }
  });

  it('[CA4] an option that has no meaning for the types is left out', () => {
    const { options } = conversionParameters(everything)!;
    const named = (from: string, to: string) => Object.keys(optionsFor(options, from, to)).sort();
    expect(named('docx', 'docx')).toEqual(['password']);
    expect(named('csv', 'csv')).toEqual(['password']);
    expect(named('docx', 'odt')).toEqual(['password']);
    expect(named('docx', 'pdf')).toEqual(['documentLayout', 'password', 'pdf', 'pdfLayout', 'watermark']);
    expect(named('xlsx', 'png')).toEqual([
      'password',
      'region',
      'spreadsheetLayout',
      'thumbnail',
      'watermark',
    ]);
    expect(named('csv', 'xlsx')).toEqual(['codePage', 'delimiter', 'delimiterChar', 'password']);
    expect(named('xlsx', 'csv')).toEqual(['codePage', 'delimiter', 'delimiterChar', 'password']);
    expect(named('docx', 'txt')).toEqual(['codePage', 'password']);
    expect(named('pdf', 'docx')).toEqual(['documentRenderer', 'password']);
    expect(optionsFor({}, 'csv', 'xlsx')).toEqual({});
    expect(optionsFor({ region: 'de_DE' }, 'xlsx', 'pdf')).toEqual({ region: 'de-DE' });
    expect(optionsFor({}, 'docx', 'docx')).toEqual({});
  });
});
