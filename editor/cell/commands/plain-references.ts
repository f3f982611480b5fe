import type { Table } from '../../../model/calculation/calculation.ts';
import { formulaTokens } from '../../../model/calculation/formula-tokens.ts';
import { type Place, rangeOfTable } from '../../../model/calculation/structured-reference.ts';
import { tablesOf } from '../../../model/cell/calculation-feed.ts';
import { Formula } from '../../../model/cell/formula/formula.ts';
import type { CellInput, CellOperation } from '../../../model/cell/operations.ts';
import { namesOf, sameName, type Workbook } from '../../../model/cell/workbook.ts';

/**
 * The operations by which formulas of cells and names say with plain references what they say by a table: for one that is to go,
 * as programs refuse formulas that name a table which is not there.
 * @param sheet the id of the table's sheet
 */
export function plainReferences(workbook: Workbook, sheet: string, name: string): CellOperation[] {
  const { sheets } = workbook;
  const index = sheets.findIndex(({ id }) => id === sheet);
  const table =
    index < 0 ? undefined : tablesOf(sheets[index]!, index).find((one) => sameName(one.name, name));
  if (!table) return [];
  const names = sheets.map(({ properties }) => properties.name);
  const operations: CellOperation[] = [];
  for (const [at, { id, grid }] of sheets.entries()) {
    const cells: [row: number, column: number, input: CellInput][] = [];
    for (const [row, { columns, cells: given }] of grid.rows()) {
      for (const [place, { formula, value }] of given.entries()) {
        const column = columns[place]!;
        if (!formula) continue;
        const text = withoutTable(
          formula.text,
          table,
          { sheet: at, row: row + 1, column: column + 1 },
          names,
        );
        if (text !== formula.text)
          cells.push([row, column, { f: Formula.of(text, formula.span).toJSON(), v: value }]);
      }
    }
    if (cells.length > 0) operations.push({ op: 'set', sheet: id, cells });
  }
  for (const [id, { formula }] of namesOf(workbook)) {
    const text = withoutTable(formula, table, nowhere, names);
    if (text !== formula)
      operations.push({ op: 'patch', sheet: null, kind: 'name', id, patch: { formula: text } });
  }
  return operations;
}

/** Names say the sheet of every reference. */
const nowhere: Place = { sheet: -1, row: 0, column: 0 };

/** A formula with plain references in the place of what it says by tables. @param place the cell that it is in */
export const withoutTables = (
  formula: string,
  tables: readonly Table[],
  place: Place,
  sheets: readonly string[],
): string => tables.reduce((text, table) => withoutTable(text, table, place, sheets), formula);

function withoutTable(formula: string, table: Table, place: Place, sheets: readonly string[]): string {
  // Most formulas are of no table at all.
  if (!formula.includes('[') && !formula.toLowerCase().includes(table.name.toLowerCase())) return formula;
  const tokens = formulaTokens(formula);
  const written: string[] = [];
  for (let at = 0; at < tokens.length; at++) {
    const { kind, text } = tokens[at]!;
    const next = tokens[at + 1];
    if (kind === 'name' && next?.text !== '(') {
      const bracket = next?.kind === 'bracket' ? next.text : undefined;
      if (bracket !== undefined) at++;
      const isOfTable =
        sameName(text, table.name) && tokens[at - (bracket === undefined ? 1 : 2)]?.kind !== 'sheet';
      written.push(isOfTable ? rangeOfTable(table, bracket ?? '[]', place, sheets) : text + (bracket ?? ''));
    } else if (kind === 'bracket' && isIn(table, place))
      written.push(rangeOfTable(table, text, place, sheets));
    else written.push(text);
  }
  return written.join('');
}

/** `[Price]` alone is a column of the table in which it stands. */
const isIn = (table: Table, { sheet, row, column }: Place): boolean =>
  sheet === table.sheet &&
  row >= table.firstRow &&
  row <= table.lastRow &&
  column >= table.firstColumn &&
  column <= table.lastColumn;
