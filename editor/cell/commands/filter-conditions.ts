import type { FilterColumn } from '../../../model/cell/filter-columns.ts';
import type { FormatSettings } from '../../../model/cell/formats/shown-value.ts';
import { typedValue } from '../../../model/cell/formats/typed-value.ts';

/** What a column can be filtered by besides its values, in the order in which it is offered. */
export const filterKinds = {
  text: ['contains', 'notContains', 'begins', 'ends', 'is', 'isNot'],
  number: [
    ...['equal', 'notEqual', 'greaterThan', 'greaterThanOrEqual', 'lessThan', 'lessThanOrEqual', 'between'],
    ...['top', 'bottom', 'topPercent', 'bottomPercent', 'aboveAverage', 'belowAverage'],
  ],
  date: [
    ...['before', 'after', 'today', 'yesterday', 'tomorrow', 'thisWeek', 'lastWeek', 'nextWeek'],
    ...['thisMonth', 'lastMonth', 'nextMonth', 'thisYear', 'lastYear', 'nextYear', 'yearToDate'],
  ],
} as const satisfies Record<string, readonly string[]>;

export type FilterKind = (typeof filterKinds)[keyof typeof filterKinds][number];

/** A condition as people choose it: its kind and what they type for it. */
export interface FilterCondition {
  readonly kind: FilterKind;
  readonly values: readonly string[];
}

const ofTexts: Partial<Record<FilterKind, readonly [operator: string, before: string, after: string]>> = {
  contains: ['equal', '*', '*'],
  notContains: ['notEqual', '*', '*'],
  begins: ['equal', '', '*'],
  ends: ['equal', '*', ''],
  is: ['equal', '', ''],
  isNot: ['notEqual', '', ''],
};
const ofNumbers: Partial<Record<FilterKind, string>> = {
  equal: 'equal',
  notEqual: 'notEqual',
  greaterThan: 'greaterThan',
  greaterThanOrEqual: 'greaterThanOrEqual',
  lessThan: 'lessThan',
  lessThanOrEqual: 'lessThanOrEqual',
  before: 'lessThan',
  after: 'greaterThan',
};
const ranks: Partial<Record<FilterKind, { readonly percent: boolean; readonly bottom: boolean }>> = {
  top: { percent: false, bottom: false },
  bottom: { percent: false, bottom: true },
  topPercent: { percent: true, bottom: false },
  bottomPercent: { percent: true, bottom: true },
};

/** One condition, or two of which both or either has to hold. */
export interface FilterChoice {
  readonly first: FilterCondition;
  readonly second?: FilterCondition;
  readonly either?: boolean;
}

/** Conditions of which two can be asked for at once: those that compare with one text or number. */
export const isCombined = (kind: FilterKind): boolean =>
  ofTexts[kind] !== undefined || ofNumbers[kind] !== undefined;

/** How many values a condition takes. */
export function valuesTaken(kind: FilterKind): 0 | 1 | 2 {
  if (kind === 'between') return 2;
  return ofTexts[kind] || ofNumbers[kind] || ranks[kind] ? 1 : 0;
}

/** The filter of a column by a condition; null where a value is none that the condition takes. */
export function columnOf(
  column: number,
  { kind, values }: FilterCondition,
  settings: FormatSettings,
): FilterColumn | null {
  const [first = '', second = ''] = values;
  const text = ofTexts[kind];
  if (text) {
    const [operator, before, after] = text;
    if (first === '') return null;
    return { column, conditions: [{ operator, value: before + first.replaceAll(/[*?~]/g, '~$&') + after }] };
  }
  const rank = ranks[kind];
  if (rank) {
    const count = Math.trunc(numberOf(first, settings) ?? 0);
    return count >= 1 && count <= (rank.percent ? 100 : 500) ? { column, top: { count, ...rank } } : null;
  }
  if (kind === 'between') {
    const [from, to] = [numberOf(first, settings), numberOf(second, settings)];
    if (from === null || to === null) return null;
    return {
      column,
      all: true,
      conditions: [
        { operator: 'greaterThanOrEqual', value: String(Math.min(from, to)) },
        { operator: 'lessThanOrEqual', value: String(Math.max(from, to)) },
      ],
    };
  }
  const operator = ofNumbers[kind];
  if (!operator) return { column, dynamic: kind };
  const number = numberOf(first, settings);
  // A day that is gone by ends with its last second.
  const value = number !== null && kind === 'after' ? Math.floor(number) + 1 : number;
  if (value === null) return null;
  return {
    column,
    conditions: [{ operator: kind === 'after' ? 'greaterThanOrEqual' : operator, value: String(value) }],
  };
}

/** The filter of a column by one or two conditions; null where a value is none that its condition takes. */
export function columnOfChoice(
  column: number,
  { first, second, either = false }: FilterChoice,
  settings: FormatSettings,
): FilterColumn | null {
  const one = columnOf(column, first, settings);
  if (!second) return one;
  const other = columnOf(column, second, settings);
  if (!one?.conditions || !other?.conditions) return null;
  return { column, conditions: [...one.conditions, ...other.conditions], ...(!either && { all: true }) };
}

/** The conditions that a column is filtered by, as people chose them; null for what {@link conditionOf} does not offer. */
export function choiceOf(own: FilterColumn, shown: (number: number) => string): FilterChoice | null {
  const first = conditionOf(own, shown);
  if (first || own.conditions?.length !== 2) return first && { first };
  const [one, other] = own.conditions.map((condition) =>
    conditionOf({ column: own.column, conditions: [condition] }, shown),
  );
  return one && other ? { first: one, second: other, ...(!own.all && { either: true }) } : null;
}

function numberOf(text: string, settings: FormatSettings): number | null {
  const typed = typedValue(text.trim(), 'General', settings);
  return typed.kind === 'number' ? typed.number : null;
}

/**
 * The condition that a column is filtered by, as people chose it; null for one of values, of colours, or of a kind that is not
 * offered here.
 * @param shown a number as it is typed
 */
export function conditionOf(
  { conditions, all, top, dynamic }: FilterColumn,
  shown: (number: number) => string,
): FilterCondition | null {
  if (top) {
    const kind = `${top.bottom ? 'bottom' : 'top'}${top.percent ? 'Percent' : ''}` as FilterKind;
    return { kind, values: [String(top.count)] };
  }
  if (dynamic !== undefined) {
    const kinds: readonly string[] = Object.values(filterKinds).flat();
    return kinds.includes(dynamic) ? { kind: dynamic as FilterKind, values: [] } : null;
  }
  const [one, other] = conditions ?? [];
  if (!one) return null;
  if (other) {
    const isBetween = all && one.operator === 'greaterThanOrEqual' && other.operator === 'lessThanOrEqual';
    const ends = [Number(one.value), Number(other.value)];
    return isBetween && ends.every(Number.isFinite) ? { kind: 'between', values: ends.map(shown) } : null;
  }
  const { operator, value } = one;
  if (value.trim() !== '' && Number.isFinite(Number(value)) && ofNumbers[operator as FilterKind])
    return { kind: operator as FilterKind, values: [shown(Number(value))] };
  if (operator !== 'equal' && operator !== 'notEqual') return null;
  // Stars within a text that are not its own ends are a pattern that was typed elsewhere.
  const [, start, plain = '', end] = /^(\*?)((?:~[*?~]|[^*?~])*)(\*?)$/.exec(value) ?? [];
  if (start === undefined) return null;
  const found = Object.entries(ofTexts).find(
    ([, [by, before, after]]) => by === operator && before === start && after === end,
  );
  return found ? { kind: found[0] as FilterKind, values: [plain.replaceAll(/~([*?~])/g, '$1')] } : null;
}
