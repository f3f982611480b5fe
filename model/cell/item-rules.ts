import { isLawfulFormula } from '../calculation/formula-shape.ts';
import { hasNameSigns, isTakenByFormulas } from './defined-name.ts';
import { columnKey } from './formula/column-renaming.ts';
import { unknownWords } from './item-words.ts';
import type { Item, ItemKind, ItemOf } from './items.ts';

type Table = ItemOf<'table'>;

/**
 * Whether an operation may make this of an item: programs that read the file would take out an item, and more with it, that says
 * what is not in xlsx. What it has said before, in the file, it may go on saying.
 * @param before null for a new item
 */
export function mayBecome(kind: ItemKind, after: Item, before: Item | null): boolean {
  if (after === before) return true;
  const words = unknownWords(kind, after);
  if (words.size > 0) {
    const known = before ? unknownWords(kind, before) : new Set<string>();
    if ([...words].some((word) => !known.has(word))) return false;
  }
  const known = new Set(before ? formulasIn(kind, before) : []);
  const isLawful = (formula: string) => formula === '' || known.has(formula) || isLawfulFormula(formula);
  if (!formulasIn(kind, after).every(isLawful)) return false;
  if (kind === 'name') return isNamed((after as ItemOf<'name'>).name, before);
  if (kind === 'table')
    return isNamed((after as Table).name, before) && isTable(after as Table, before as Table | null);
  return true;
}

/** The formulas of a rule, a name or the columns of a table. */
function formulasIn(kind: ItemKind, item: Item): readonly string[] {
  switch (kind) {
    case 'name':
      return [(item as ItemOf<'name'>).formula];
    case 'validation':
      return (item as ItemOf<'validation'>).formulas;
    case 'condition': {
      const { formulas, points = [] } = item as ItemOf<'condition'>;
      return [
        ...formulas,
        ...points.flatMap(({ type, value }) => (type === 'formula' && value ? [value] : [])),
      ];
    }
    case 'table':
      return (item as Table).columns.flatMap(({ formula, totalsFormula }) =>
        [formula, totalsFormula].filter((text) => text !== undefined),
      );
    default:
      return [];
  }
}

const isNamed = (name: string, before: Item | null): boolean =>
  (before as { readonly name: string } | null)?.name === name ||
  (hasNameSigns(name) && !isTakenByFormulas(name));

const hasAllColumns = ({ area, columns }: Table): boolean => columns.length === area[3] - area[1] + 1;

/** A table has as many columns as its cells, each with a name of its own. */
function isTable(after: Table, before: Table | null): boolean {
  if (!hasAllColumns(after) && (!before || hasAllColumns(before))) return false;
  const { columns } = after;
  const names = new Set(columns.map(({ name }) => columnKey(name)));
  if (names.size === columns.length && !names.has('')) return true;
  return (
    before?.columns.length === columns.length &&
    columns.every(({ name }, at) => name === before.columns[at]!.name)
  );
}
