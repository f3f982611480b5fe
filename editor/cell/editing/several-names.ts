import { itemsOf, namesOf, type Sheet, sameName, type Workbook } from '../../../model/cell/workbook.ts';
import { standsForSeveral } from './typed-formula.ts';

/** Whether a name in a formula of a sheet stands for several values: that of several cells, or of a table. */
export function namesSeveral(workbook: Workbook, sheet: Sheet, name: string): boolean {
  const named = [...namesOf(workbook).values()].filter((one) => sameName(one.name, name));
  const found =
    named.find(({ scope = null }) => scope === sheet.id) ?? named.find(({ scope = null }) => scope === null);
  if (found) return standsForSeveral(found.formula);
  return workbook.sheets.some((one) =>
    [...itemsOf(one, 'table').values()].some((table) => sameName(table.name, name)),
  );
}
