import { expect, it } from 'vitest';
import { copyAbility } from '../../converter/engines/copy-engine.ts';
import { libreofficeAbility } from '../../converter/engines/libreoffice/ability.ts';
import { ConversionTable } from '../../converter/formats/conversion-table.ts';
import type { DocumentRow } from '../../db/document-row.ts';
import type { ConversionRequest } from './conversions.ts';
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

it('[XS218] pages are made of a file that is called by the title of the document, for headers that show it', async () => {
  const asked: ConversionRequest[] = [];
  const dependencies = {
    table,
    assemblyFormatAsOrigin: true,
    copies: { of: async () => ({ hash: 'copy', fileType: 'xlsx' }) },
    conversions: {
      convert: async (request: ConversionRequest) => {
        asked.push(request);
        return { ok: true, hash: 'made', fileType: request.toType };
      },
    },
  } as unknown as DocumentConversionsDependencies;
  const conversions = new DocumentConversions(dependencies);
  const fileNameOf = async (title: string, toType: string) => {
    const row = { key: 'k', fileType: 'ods', model: 'cell', baseHash: 'base', title, openingOptions: null };
    await conversions.make({ row: row as unknown as DocumentRow, of: 'document', toType });
    return asked.pop()?.options?.fileName;
  };
  expect(await fileNameOf('Budget 2026.ods', 'pdf')).toBe('Budget 2026.ods');
  expect(await fileNameOf('Zahlen/Größe', 'png')).toBe('Zahlen_Größe.ods');
  expect(await fileNameOf('', 'pdfa')).toBe('document.ods');
  expect(await fileNameOf('Budget.ods', 'csv')).toBeUndefined();
});

it('[XS230] tables in plain text are downloaded with a byte order mark, and nothing else is', async () => {
  const asked: unknown[] = [];
  const given = {
    ...{ table, assemblyFormatAsOrigin: true, sealing: {} },
    copies: { of: async () => ({ hash: 'hash', fileType: 'xlsx' }) },
    conversions: {
      convert: async ({ toType, options }: ConversionRequest) => {
        asked.push([toType, options?.byteOrderMark]);
        return { ok: true, hash: toType, fileType: toType };
      },
    },
  } as unknown as DocumentConversionsDependencies;
  const row = {
    key: 'key',
    title: '',
    fileType: 'xlsx',
    model: 'cell',
    baseHash: null,
    openingOptions: null,
  };
  for (const toType of ['csv', 'tsv', 'pdf', 'ods'])
    await new DocumentConversions(given).make({ row: row as DocumentRow, of: 'document', toType });
  expect(asked).toEqual([
    ['csv', true],
    ['tsv', true],
    ['pdf', undefined],
    ['ods', undefined],
  ]);
});
