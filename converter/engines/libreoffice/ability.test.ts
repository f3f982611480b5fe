import { describe, expect, it } from 'vitest';
import type { ConversionOptions } from '../../formats/conversion.ts';
import { libreofficeAbility, libreofficePairs } from './ability.ts';

const { unable } = libreofficeAbility('7.4');
const run = { text: 'DRAFT', 'font-size': 40, fill: [255, 0, 0] };
const watermark = (members: object, runs: readonly object[] = [run]) => ({
  watermark: { type: 'rect', transparent: 0.5, paragraphs: [{ align: 2, runs }], ...members },
});

describe('what LibreOffice can do', () => {
  it.each<[name: string, from: string, to: string, options: ConversionOptions]>([
    ['savePassword', 'docx', 'rtf', { savePassword: 'x' }],
    ['savePassword', 'pptx', 'ppt', { savePassword: 'x' }],
    ['savePassword', 'docm', 'dotm', { savePassword: 'x' }],
    ['savePassword', 'docx', 'pdfa', { savePassword: 'x' }],
    ['savePassword', 'docx', 'pdf', { savePassword: 'x', pdf: { pdfa: true } }],
    ['savePassword', 'docx', 'pdf', { savePassword: 'п' }],
    ['savePassword', 'docx', 'doc', { savePassword: 'x'.repeat(16) }],
    ['pdf.form', 'docx', 'pdf', { pdf: { form: true } }],
    ['pdf.pdfa', 'docx', 'odt', { pdf: { pdfa: true } }],
    ['pdfLayout', 'docx', 'pdf', { pdfLayout: {} }],
    ['codePage', 'csv', 'xlsx', { codePage: 4_711 }],
    ['delimiter', 'xlsx', 'csv', { delimiter: 0 }],
    ['delimiterChar', 'xlsx', 'csv', { delimiterChar: '||' }],
    ['region', 'xlsx', 'pdf', { region: 'qq-QQ' }],
    ['sheet', 'xlsx', 'ods', { sheet: 2 }],
    ['sheet', 'docx', 'pdf', { sheet: 1 }],
    ['sheet', 'xlsx', 'csv', { sheet: 0 }],
    [
      'documentRenderer.textAssociation',
      'pdf',
      'png',
      { documentRenderer: { textAssociation: 'blockLine' } },
    ],
    ['documentLayout.drawPlaceHolders', 'docx', 'pdf', { documentLayout: { drawPlaceHolders: false } }],
    ['documentLayout.drawFormHighlight', 'docx', 'pdf', { documentLayout: { drawFormHighlight: true } }],
    ['watermark', 'docx', 'odt', watermark({})],
    ['watermark.type', 'docx', 'pdf', watermark({ type: 'image' })],
    ['watermark.transparent', 'docx', 'pdf', watermark({ transparent: 0.3 })],
    ['watermark.stroke', 'docx', 'pdf', watermark({ stroke: [0, 0, 0] })],
    ['watermark.fill', 'docx', 'pdf', watermark({ fill: [0, 0, 0] })],
    ['watermark.paragraphs', 'docx', 'pdf', watermark({}, [run, run])],
    ['watermark.paragraphs', 'docx', 'pdf', watermark({}, [])],
    ['watermark.bold', 'docx', 'pdf', watermark({}, [{ ...run, bold: true }])],
  ])('[LF8] is not %s from %s to %s', (name, fromType, toType, options) => {
    expect(libreofficePairs.get(fromType)?.has(toType)).toBe(true);
    expect(unable({ fromType, toType, options })).toContain(name);
  });

  it('[LF8] is all of the rest', () => {
    for (const [fromType, toType, options] of [
      [
        'docx',
        'pdf',
        { savePassword: 'größer', ...watermark({ width: 100, rotate: 45 }, [{ ...run, bold: false }]) },
      ],
      ['docx', 'pdf', { pdf: { form: false, pdfa: true }, documentLayout: { isPrint: true } }],
      ['xlsx', 'pdf', { region: 'de-DE', spreadsheetLayout: { scale: 50 } }],
      ['xlsx', 'csv', { sheet: 2, delimiterChar: ';' }],
      ['csv', 'xlsx', { codePage: 1_251, delimiter: 0, savePassword: 'пароль' }],
    ] as const) {
      expect(unable({ fromType, toType, options })).toEqual([]);
    }
  });

  it('[LF9] is no file with macros from one whose macros would be lost', () => {
    const targets = (type: string) => [...libreofficePairs.get(type)!];
    expect(targets('docm')).toContain('dotm');
    expect(targets('xls')).toContain('xlsm');
    expect(targets('docx')).toContain('docm');
    for (const [from, to] of [
      ['doc', 'docm'],
      ['odt', 'docm'],
      ['ods', 'xlsm'],
      ['ppt', 'pptm'],
      ['odp', 'potm'],
    ]) {
      expect([from, targets(from!).includes(to!)]).toEqual([from, false]);
    }
  });
});
