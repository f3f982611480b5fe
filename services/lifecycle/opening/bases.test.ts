import { expect, test } from 'vitest';
import { cellKind, type EditedKind, wordKind } from '../../../model/kinds.ts';
import type { Conversions } from '../conversions.ts';
import { Bases } from './bases.ts';

const asked: { fromType: string; toType: string; options: object }[] = [];
const bases = new Bases({
  conversions: {
    convert: async ({ fromType, toType, options }: (typeof asked)[number]) => {
      asked.push({ fromType, toType, options });
      return { ok: true, hash: `${fromType} as ${toType}`, fileType: toType };
    },
  } as unknown as Conversions,
  table: { handles: (from, to) => from !== 'numbers' && ['docx', 'xlsx'].includes(to) },
  blobs: { read: async () => Buffer.from('') },
});

test.each<[string, EditedKind, string, string | null | -82]>([
  ['docx', wordKind, 'docx', null],
  ['odt', wordKind, 'odt', 'odt as docx'],
  ['xlsx', cellKind, 'xlsx', null],
  ['a template', cellKind, 'xltm', null],
  ['ods', cellKind, 'ods', 'ods as xlsx'],
  ['xls', cellKind, 'xls', 'xls as xlsx'],
  ['what no engine reads', cellKind, 'numbers', -82],
  ['a file of another kind', cellKind, 'odt', -82],
])('[KD8] the base of %s is of the native type of its kind', async (_what, kind, fileType, expected) => {
  const base = await bases.of(kind, { sourceHash: 'source', fileType }, {});
  expect(base).toEqual(
    typeof expected === 'number' ? { ok: false, errorCode: expected } : { ok: true, baseHash: expected },
  );
});

test('[BO8] how a csv is read is asked for, and a tsv is asked for its encoding where it shows none', async () => {
  const of = (fileType: string, options: object) =>
    bases.of(cellKind, { sourceHash: 'source', fileType }, options);
  expect(await of('csv', {})).toEqual({ ok: false, errorCode: -89 });
  expect(await of('csv', { encoding: 14, delimiterChar: '|' })).toMatchObject({ ok: true });
  expect(asked.at(-1)).toMatchObject({ fromType: 'csv', options: { codePage: 1251, delimiterChar: '|' } });
  expect(await of('tsv', {})).toMatchObject({ ok: true });
  expect(asked.at(-1)).toMatchObject({ options: { codePage: 65_001 } });
});

test('[KD8] a protected file of a native type has a base without the password', async () => {
  const base = await bases.of(cellKind, { sourceHash: 'source', fileType: 'xlsx' }, { password: 'open' });
  expect(base).toEqual({ ok: true, baseHash: 'xlsx as xlsx' });
  expect(asked.at(-1)).toMatchObject({ fromType: 'xlsx', toType: 'xlsx', options: { password: 'open' } });
});
