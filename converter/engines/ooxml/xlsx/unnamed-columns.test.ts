import { expect, it } from 'vitest';
import type { CellOperation } from '../../../../model/cell/operations.ts';
import { edit } from './testing/xlsx-edit.ts';

const sheet = 's1';
const set = (row: number, column: number, f: string): CellOperation => ({
  ...{ op: 'set', sheet },
  cells: [[row, column, { f, v: 5 }]],
});
const text = (v: string) => ({ op: 'block', sheet, row: 0, column: 0, rows: [[v, 'Count']] }) as const;

it('[XS254] columns in formulas have the name of their table in the file; beside tables such a formula is a text', () => {
  const { reopened, part } = edit({ sheets: [{}] }, [
    text('Price'),
    {
      ...{ op: 'put', sheet, kind: 'table', id: 't' },
      item: {
        ...{ area: [0, 0, 2, 1], name: 'Stock', hasHeader: true },
        columns: [{ name: 'Price' }, { name: 'Count', formula: '[[#This Row],[Price]]*2' }],
      },
    },
    set(1, 1, '[[#This Row],[Price]]*2+SUM( [Price])'),
    ...[set(2, 3, '[[#This Row],[Price]]*2'), set(3, 3, 'SUM(Stock[Price])+LEN("[a]")')],
  ]);
  const { grid } = reopened.sheets[0]!;
  const kept = ([row, column]: readonly [number, number]) => {
    const { formula, value } = grid.cell(row, column);
    return formula?.text ?? value;
  };
  expect(
    (
      [
        [1, 1],
        [2, 3],
        [3, 3],
      ] as const
    ).map(kept),
  ).toEqual([
    'Stock[[#This Row],[Price]]*2+SUM( Stock[Price])',
    '=[[#This Row],[Price]]*2',
    'SUM(Stock[Price])+LEN("[a]")',
  ]);
  expect(part('xl/tables/table1.xml')).toContain(
    '<calculatedColumnFormula>Stock[[#This Row],[Price]]*2</calculatedColumnFormula>',
  );
});
