import { columnName } from '../../model/cell-address.ts';
import { buildWorkbook } from '../../test/support/workbook-fixture.ts';

const words = ['Nails', 'Glue', 'Timber', 'Paint', 'Screws', 'Brushes', 'Sand', 'Tiles'];

/** What a value cell holds: a number that is easy to add up, except for words in column B and days in column C. */
function valueXml(row: number, column: number): string {
  const at = `r="${columnName(column)}${row + 1}"`;
  if (column === 1) return `<c ${at} t="s"><v>${row % words.length}</v></c>`;
  if (column === 2) return `<c ${at} s="1"><v>${45_000 + (row % 1_000)}</v></c>`;
  return `<c ${at}><v>${row === 0 && column === 0 ? 1 : ((row * column) % 997) / 4}</v></c>`;
}

/**
 * A workbook of one sheet, as programs write it.
 *
 * @param values columns of values: words, days and numbers
 * @param formulas with the sum of a row's numbers from column D on in the column behind them, and that sum times A1 in the next one
 */
export function largeWorkbook({
  rows,
  values,
  formulas,
}: {
  readonly rows: number;
  readonly values: number;
  readonly formulas: boolean;
}): Uint8Array {
  const [last, sum, product] = [values - 1, values, values + 1].map(columnName) as [string, string, string];
  const xml = Array.from({ length: rows }, (_, row) => {
    const cells = Array.from({ length: values }, (_unused, column) => valueXml(row, column));
    if (formulas) {
      let total = 0;
      for (let column = 3; column < values; column++) total += ((row * column) % 997) / 4;
      const place = row + 1;
      cells.push(
        `<c r="${sum}${place}"><f>SUM(D${place}:${last}${place})</f><v>${total}</v></c>`,
        `<c r="${product}${place}"><f>${sum}${place}*$A$1</f><v>${total}</v></c>`,
      );
    }
    return `<row r="${row + 1}">${cells.join('')}</row>`;
  });
  return buildWorkbook({
    sheets: [{ name: 'Data', rows: xml.join('') }],
    strings: words.map((word) => `<si><t>${word}</t></si>`).join(''),
  });
}
