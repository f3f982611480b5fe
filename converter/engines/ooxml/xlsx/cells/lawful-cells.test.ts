import { expect, it } from 'vitest';
import type { CellOperation } from '../../../../../model/cell/operations.ts';
import { edit } from '../testing/xlsx-edit.ts';

const sheet = 's1';
const deep = `${'SIN('.repeat(300)}A1${')'.repeat(300)}`;
const set = (row: number, f: string): CellOperation => {
  return { op: 'set', sheet, cells: [[row, 1, { f, v: 5 }]] };
};

it('[XE90] a formula that programs would repair is a text in the file, with all that was typed', () => {
  const rows = '<row r="1"><c r="A1"><v>1</v></c><c r="B1"><f>A1+1</f><v>2</v></c></row>';
  const { reopened, xml } = edit({ sheets: [{ rows }] }, [
    ...[set(0, deep), set(1, '1+'), set(2, `LEN("${'a'.repeat(256)}")`), set(3, 'A1+2')],
  ]);
  const { grid } = reopened.sheets[0]!;
  expect(
    [0, 1, 2, 3].map((row) => grid.cell(row, 1)).map(({ value, formula }) => formula?.text ?? value),
  ).toEqual([...[`=${deep}`, '=1+', `=LEN("${'a'.repeat(256)}")`, 'A1+2']]);
  expect(xml.match(/<f>/g)).toHaveLength(1);
});

it('[XE90] one that the file has stays, wherever it goes', () => {
  const rows = `<row r="1"><c r="A1"><v>1</v></c><c r="B1"><f>${deep}</f><v>2</v></c></row>`;
  const { xml } = edit({ sheets: [{ rows }] }, [
    { op: 'insert', sheet, axis: 'row', at: 3, count: 1 },
    { op: 'set', sheet, cells: [[0, 0, { v: 3 }]] },
  ]);
  expect(xml).toContain(`<f>${deep}</f>`);
});
