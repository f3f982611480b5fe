import { type Area, without } from '../../../model/cell/area.ts';
import { Formula } from '../../../model/cell/formula/formula.ts';
import type { ItemOf } from '../../../model/cell/items.ts';
import { itemsOf, type Sheet } from '../../../model/cell/workbook.ts';
import { rangeName, readRange } from '../grid/cell-areas.ts';

/** What conditions and validations have in common: cells, and formulas as seen from the first of these. */
interface Ruled {
  readonly areas: readonly Area[];
  readonly formulas: readonly string[];
}

export type RuleKind = 'condition' | 'validation';

/** The rules of a sheet, by their ids. */
export type RulesOfSheet = { readonly [Kind in RuleKind]: ReadonlyMap<string, ItemOf<Kind>> };

export const rulesOf = (sheet: Sheet): RulesOfSheet => ({
  condition: itemsOf(sheet, 'condition'),
  validation: itemsOf(sheet, 'validation'),
});

/** A formula as it reads so many rows and columns further. */
export const movedFormula = (text: string, rows: number, columns: number): string =>
  Formula.copied(Formula.of(text), rows, columns).text;

/** The formulas of a rule as they are seen from the first of other cells. */
export function formulasFrom({ areas, formulas }: Ruled, [row, column]: Area): string[] {
  const [top, left] = areas[0]!;
  return formulas.map((formula) => movedFormula(formula, row - top, column - left));
}

/** What is left of a rule without some cells, null for nothing; the rule itself where it has none of them. */
export function ruleWithout<Rule extends Ruled>(
  rule: Rule,
  taken: readonly Area[],
): Pick<Ruled, 'areas' | 'formulas'> | null | Rule {
  const areas = taken.reduce<readonly Area[]>(
    (left, area) => left.flatMap((one) => without(one, area)),
    rule.areas,
  );
  if (areas.length === rule.areas.length && areas.every((area, at) => area === rule.areas[at])) return rule;
  const [first] = areas;
  return first ? { areas, formulas: formulasFrom(rule, first) } : null;
}

/** `A1:B3, D4`; null where a part of it is no range. */
export function readAreas(text: string): Area[] | null {
  const ranges = text
    .split(/[,;\s]+/)
    .filter((part) => part !== '')
    .map(readRange);
  return ranges.length > 0 && ranges.every((range): range is Area => range !== null) ? ranges : null;
}

export const areasName = (areas: readonly Area[]): string => areas.map((area) => rangeName(area)).join(', ');
