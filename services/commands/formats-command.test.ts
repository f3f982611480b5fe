import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { abilitiesOf } from '../../converter/formats/abilities.ts';
import { ConversionTable } from '../../converter/formats/conversion-table.ts';
import { formatsJson, formatsTable, measuredTable } from '../../converter/formats/formats-page.ts';
import { measuredPairs } from '../../converter/formats/measured-engines.ts';
import { describedFormats } from '../integration/meta.ts';
import { formatsSection, wholeTable } from './formats-command.ts';

const withX2t = new ConversionTable(abilitiesOf([{ engine: 'x2t', version: '1' }]));
const withNone = new ConversionTable(abilitiesOf([]));

describe('the list of what is converted into what', () => {
  it('[CV17] is in the page about conversions as it is made', () => {
    const page = readFileSync(new URL('../../docs/conversion.md', import.meta.url), 'utf8');
    const made = /<!-- made by: quire formats --all -->\n\n([\s\S]*?)\n\n<!--/.exec(page)?.[1];
    expect(made).toBe(formatsSection());
  });

  it('[CV22] the page about conversions has the table by which engines are taken', () => {
    const page = readFileSync(new URL('../../docs/conversion.md', import.meta.url), 'utf8');
    expect(page).toContain(`\n${measuredTable(measuredPairs)}\n`);
  });

  it('[LF10] names every type once, and nothing of an engine that is not there', () => {
    const cells = formatsSection()
      .split('\n')
      .slice(2)
      .map((line) => line.split('|').map((cell) => cell.trim()));
    const types = cells.flatMap(([, from]) => from!.split(' '));
    expect([...types].sort()).toEqual([...new Set(wholeTable().sources())].sort());
    expect(formatsTable(withX2t, ['x2t', 'libreoffice'])).not.toMatch(/\bsxw\b|\bfods ods\b.*\bslk\b/);
    expect(formatsTable(withNone, ['x2t']).split('\n')).toHaveLength(2);
  });

  it('[LF10] tells programs the same, and servers tell it with the engines they have', () => {
    const all = JSON.parse(formatsJson(wholeTable())) as {
      type: string;
      engines: Record<string, string[]>;
    }[];
    const docx = all.find(({ type }) => type === 'docx')!;
    expect(Object.keys(docx.engines)).toEqual(['x2t', 'libreoffice']);
    expect(docx.engines.libreoffice).toContain('doc');
    const named = (table: ConversionTable, name: string) =>
      describedFormats([], table).find((format) => format.name === name);
    expect(named(wholeTable(), 'odt')).toMatchObject({
      engines: { libreoffice: expect.arrayContaining(['pdf']) },
    });
    expect(Object.keys(named(withX2t, 'odt')!.engines)).toEqual(['x2t']);
    expect(named(withX2t, 'sxw')).toBeUndefined();
  });
});
