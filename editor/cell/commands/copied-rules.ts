import { type Area, without } from '../../../model/cell/area.ts';
import { Formula } from '../../../model/cell/formula/formula.ts';
import { transposedFormula } from '../../../model/cell/formula/transposing.ts';
import type { ItemOf } from '../../../model/cell/items.ts';
import type { CellOperation } from '../../../model/cell/operations.ts';
import { itemsOf, type Sheet } from '../../../model/cell/workbook.ts';
import type { CellEditor } from '../cell-editor.ts';
import { heightOf, isIn } from '../grid/cell-areas.ts';
import { formulasFrom, type RuleKind, type RulesOfSheet, rulesOf, ruleWithout } from './ruled-areas.ts';

type Rule = ItemOf<'condition'> | ItemOf<'validation'>;

/** Cells that are copied: where each of some rows crosses each of some columns, over and over in others. */
export interface CellCopy {
  readonly rows: readonly number[];
  readonly columns: readonly number[];
  readonly to: Area;
  /** Rows become columns. */
  readonly isTransposed?: boolean;
}

/** Of more rows no rules are filled: whole columns have them already. */
const mostLines = 10_000;
/** With more pieces than this the cells keep the rules that they have. */
export const mostPieces = 1_000;

/** The lines from one to another, as a copy has them. */
export const linesBetween = (from: number, to: number): number[] =>
  Array.from({ length: to - from + 1 }, (_, at) => from + at);

/**
 * Copied cells take their conditional formats and validations along, in the place of those that are there. Cells
 * without any leave those that are there alone.
 * @param from the rules of the sheet that the cells are of, and whether it is the same one
 */
export function copiedRules(
  sheet: Sheet,
  copies: readonly CellCopy[],
  from: { readonly rules: RulesOfSheet; readonly isSame: boolean },
  { kinds, newId }: { readonly kinds: readonly RuleKind[]; readonly newId: () => string },
): CellOperation[] {
  // A protected sheet keeps its rules, and takes what is typed and pasted into open cells.
  if (sheet.properties.protection) return [];
  return kinds.flatMap((kind) => {
    const arrived = [...from.rules[kind]].flatMap(([id, rule]): Arrival[] => {
      const areas = copies.flatMap((copy) => placesOf(rule.areas, copy));
      return areas.length > 0 ? [arrivalOf(id, rule, areas, copies)] : [];
    });
    if (arrived.reduce((sum, { areas }) => sum + areas.length, 0) > mostPieces) return [];
    return arrivalOperations(sheet, kind, from.isSame ? arrived : arrived.map(asNew), newId);
  });
}

/** The rules that cells take along which others are filled with. */
export function filledRules(editor: CellEditor, from: Area, to: Area): CellOperation[] {
  const { sheet } = editor.page;
  const rules = rulesOf(sheet);
  if (heightOf(from) > mostLines || rules.condition.size + rules.validation.size === 0) return [];
  const copy = { rows: linesBetween(from[0], from[2]), columns: linesBetween(from[1], from[3]), to };
  const kinds = ['condition', 'validation'] as const;
  return copiedRules(sheet, [copy], { rules, isSame: true }, { kinds, newId: () => editor.newId() });
}

/** A rule, and where copies of its cells are. */
interface Arrival {
  /** Null where it is none of the sheet that the copies are on. */
  readonly id: string | null;
  readonly rule: Rule;
  readonly areas: readonly Area[];
}

/** A rule with formulas that turn with rows that become columns is another one. */
function arrivalOf(id: string, rule: Rule, areas: readonly Area[], copies: readonly CellCopy[]): Arrival {
  const [row, column] = areas[0]!;
  const copy = copies.find(({ to }) => isIn({ row, column }, to))!;
  if (!copy.isTransposed) return { id, rule, areas };
  const own = {
    row: copy.rows[(column - copy.to[1]) % copy.rows.length]!,
    column: copy.columns[(row - copy.to[0]) % copy.columns.length]!,
  };
  const seen = formulasFrom(rule, [own.row, own.column, own.row, own.column]);
  const formulas = seen.map((text) => transposedFormula(Formula.of(text), own, { row, column }).text);
  const moved = formulasFrom(rule, areas[0]!);
  if (formulas.every((text, at) => text === moved[at])) return { id, rule, areas };
  return { id: null, rule: { ...rule, areas: [...areas], formulas }, areas };
}

const asNew = (arrival: Arrival): Arrival => ({ ...arrival, id: null });

function arrivalOperations(
  sheet: Sheet,
  kind: RuleKind,
  arrived: readonly Arrival[],
  newId: () => string,
): CellOperation[] {
  const place = { sheet: sheet.id, kind };
  const here = itemsOf(sheet, kind) as ReadonlyMap<string, Rule>;
  const all = arrived.flatMap(({ areas }) => areas);
  const operations: CellOperation[] = [];
  for (const [id, rule] of here) {
    const own = arrived.find((arrival) => arrival.id === id)?.areas ?? [];
    const left = ruleWithout(rule, minus(all, own));
    const more = minus(own, left?.areas ?? []);
    if (left === rule && more.length === 0) continue;
    const areas = [...(left?.areas ?? []), ...more];
    if (areas.length === 0) operations.push({ op: 'drop', ...place, id });
    else
      operations.push({
        op: 'patch',
        ...place,
        id,
        patch: { areas, formulas: formulasFrom(rule, areas[0]!) },
      });
  }
  const last = Math.max(0, ...[...itemsOf(sheet, 'condition').values()].map(({ priority }) => priority));
  const added = arrived.filter(({ id }) => id === null || !here.has(id));
  for (const [at, { rule, areas }] of added.entries()) {
    const item = { ...rule, areas, formulas: formulasFrom(rule, areas[0]!) };
    const ordered = 'priority' in item ? { ...item, priority: last + 1 + at } : item;
    operations.push({ op: 'put', ...place, id: newId(), item: ordered } as CellOperation);
  }
  return operations;
}

/** What is left of areas without others. */
const minus = (areas: readonly Area[], taken: readonly Area[]): Area[] =>
  taken.reduce<Area[]>((left, area) => left.flatMap((one) => without(one, area)), [...areas]);

/** Where copies of those cells of some areas are that were copied. */
const placesOf = (areas: readonly Area[], { rows, columns, to, isTransposed = false }: CellCopy): Area[] =>
  areas.flatMap(([top, left, bottom, right]) => {
    const [ofRows, ofColumns]: Stretch[] = [
      [to[0], to[2]],
      [to[1], to[3]],
    ];
    const ones = stretches(rows, [top, bottom], isTransposed ? ofColumns! : ofRows!);
    const others = stretches(columns, [left, right], isTransposed ? ofRows! : ofColumns!);
    const [down, across] = isTransposed ? [others, ones] : [ones, others];
    return down.flatMap(([first, last]) => across.map(([from, end]): Area => [first, from, last, end]));
  });

type Stretch = readonly [first: number, last: number];

/** Where lines come to that are copied over and over, of those between two. */
function stretches(lines: readonly number[], [from, last]: Stretch, [start, end]: Stretch): Stretch[] {
  const runs: [number, number][] = [];
  for (const [place, line] of lines.entries()) {
    if (line < from || line > last) continue;
    const run = runs.at(-1);
    if (run && run[1] === place - 1) run[1] = place;
    else runs.push([place, place]);
  }
  const [only] = runs;
  if (runs.length === 1 && only![0] === 0 && only![1] === lines.length - 1) return [[start, end]];
  const found: Stretch[] = [];
  for (let at = start; at <= end && runs.length > 0 && found.length <= mostPieces; at += lines.length)
    for (const [first, to] of runs) if (at + first <= end) found.push([at + first, Math.min(at + to, end)]);
  return found;
}
