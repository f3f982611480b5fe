import { expect, it } from 'vitest';
import { copyAbility } from '../../converter/engines/copy-engine.ts';
import { libreofficeAbility } from '../../converter/engines/libreoffice/ability.ts';
import { ConversionTable } from '../../converter/formats/conversion-table.ts';
import type { DocumentRow } from '../../db/document-row.ts';
import { DocumentConversions, type DocumentConversionsDependencies } from './document-conversions.ts';

const table = new ConversionTable([copyAbility, libreofficeAbility('7.4')]);

function typesOf(fileType: string, model: string | null, assemblyFormatAsOrigin = true): readonly string[] {
  const given = { table, assemblyFormatAsOrigin } as DocumentConversionsDependencies;
  const baseHash = ['xlsx', 'docx'].includes(fileType) || model === null ? null : 'hash';
  return new DocumentConversions(given).typesOf({ fileType, model, baseHash } as DocumentRow);
}

it('[SV46] a document is not offered in a format that is only read, but first in the one that it comes back as', () => {
  for (const [type, saved] of [
    ['xlsb', 'xlsx'],
    ['sxc', 'xlsx'],
  ] as const) {
    const types = typesOf(type, 'cell');
    expect([types[0], types.includes(type)]).toEqual([saved, false]);
    expect(types).toEqual(expect.arrayContaining(['ods', 'pdf', 'csv']));
    expect(new Set(types).size).toBe(types.length);
  }
  expect(typesOf('sxw', 'word')[0]).toBe('docx');
  for (const type of ['ods', 'xls', 'csv', 'xlsx']) expect(typesOf(type, 'cell')[0]).toBe(type);
  expect(typesOf('ods', 'cell', false)[0]).toBe('ods');
  expect(typesOf('pages', null)[0]).toBe('pages');
});
