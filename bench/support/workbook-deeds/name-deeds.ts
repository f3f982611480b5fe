import { namesOf } from '../../../model/cell/workbook.ts';
import { type Deed, quoted } from './deed.ts';

export const nameDeeds: readonly Deed[] = [
  {
    name: 'put name',
    operations: ({ sheet }) => [
      {
        op: 'put',
        sheet: null,
        kind: 'name',
        id: 'bench.1',
        item: { name: 'quire_name', formula: `${quoted(sheet)}!$A$1` },
      },
    ],
  },
  {
    name: 'put name of a sheet',
    operations: ({ sheet }) => [
      {
        ...{ op: 'put', sheet: null, kind: 'name', id: 'bench.1' },
        item: {
          name: 'quire_name',
          formula: `${quoted(sheet)}!$A$1:$B$2`,
          scope: sheet.id,
          comment: 'a < b',
        },
      },
    ],
  },
  {
    name: 'rename name',
    moves: true,
    operations: ({ workbook }) => {
      const found = [...namesOf(workbook)].find(([, { name }]) => !name.startsWith('_xlnm.'));
      return found
        ? [{ op: 'patch', sheet: null, kind: 'name', id: found[0], patch: { name: 'quire_renamed' } }]
        : null;
    },
  },
  {
    name: 'drop name',
    operations: ({ workbook }) => {
      const [id] = namesOf(workbook).keys();
      return id === undefined ? null : [{ op: 'drop', sheet: null, kind: 'name', id }];
    },
  },
];
