import type { FormatPatch } from '../../../model/cell/cell-format.ts';
import type { ItemOf } from '../../../model/cell/items.ts';
import type { CellOperation } from '../../../model/cell/operations.ts';
import { itemsOf } from '../../../model/cell/workbook.ts';
import type { CellEditor } from '../cell-editor.ts';
import { cellName } from '../grid/cell-areas.ts';
import { formulasFrom } from './ruled-areas.ts';

export type Condition = ItemOf<'condition'>;
export type ConditionId = readonly [id: string, rule: Condition];

/** The rules of the sheet that is shown, the one that comes first first. */
export const conditionsOf = (editor: CellEditor): ConditionId[] =>
  [...itemsOf(editor.page.sheet, 'condition')].toSorted(
    ([, one], [, other]) => one.priority - other.priority,
  );

/** What a person says of a rule; the formulas that a file needs beside it follow from that. */
export interface ConditionDraft {
  readonly type: Condition['type'];
  readonly operator?: string;
  /** Formulas, or numbers and words as formulas have them, as seen from the first cell. */
  readonly values?: readonly string[];
  readonly text?: string;
  readonly period?: string;
  readonly rank?: number;
  readonly percent?: boolean;
  readonly bottom?: boolean;
  readonly aboveAverage?: boolean;
  readonly deviations?: number;
  readonly equalAverage?: boolean;
  readonly points?: Condition['points'];
  readonly color?: Condition['color'];
  readonly solid?: boolean;
  readonly icons?: string;
  readonly reversed?: boolean;
  readonly showsValue?: boolean;
  readonly stops?: boolean;
  readonly format?: FormatPatch;
}

/** Formulas that stand beside rules on words, days, blanks and errors: Excel goes by these. */
function formulasOf({ type, text = '', period = '', values = [] }: ConditionDraft, cell: string): string[] {
  const words = `"${text.replaceAll('"', '""')}"`;
  const chars = [...text].length;
  switch (type) {
    case 'containsText':
      return [`NOT(ISERROR(SEARCH(${words},${cell})))`];
    case 'notContainsText':
      return [`ISERROR(SEARCH(${words},${cell}))`];
    case 'beginsWith':
      return [`LEFT(${cell},${chars})=${words}`];
    case 'endsWith':
      return [`RIGHT(${cell},${chars})=${words}`];
    case 'containsBlanks':
      return [`LEN(TRIM(${cell}))=0`];
    case 'notContainsBlanks':
      return [`LEN(TRIM(${cell}))>0`];
    case 'containsErrors':
      return [`ISERROR(${cell})`];
    case 'notContainsErrors':
      return [`NOT(ISERROR(${cell}))`];
    case 'timePeriod':
      return periodFormula(period, cell);
    default:
      return [...values];
  }
}

function periodFormula(period: string, cell: string): string[] {
  const week = (from: number, to: number) =>
    `AND(${cell}-WEEKDAY(TODAY())>=0,ROUNDDOWN(${cell},0)-TODAY()>=${from}-WEEKDAY(TODAY()),ROUNDDOWN(${cell},0)-TODAY()<=${to}-WEEKDAY(TODAY()))`;
  const month = (by: number) =>
    `AND(MONTH(${cell})=MONTH(EDATE(TODAY(),${by})),YEAR(${cell})=YEAR(EDATE(TODAY(),${by})))`;
  switch (period) {
    case 'today':
      return [`FLOOR(${cell},1)=TODAY()`];
    case 'yesterday':
      return [`FLOOR(${cell},1)=TODAY()-1`];
    case 'tomorrow':
      return [`FLOOR(${cell},1)=TODAY()+1`];
    case 'last7Days':
      return [`AND(TODAY()-FLOOR(${cell},1)<=6,FLOOR(${cell},1)<=TODAY())`];
    case 'thisWeek':
      return [week(1, 7)];
    case 'lastWeek':
      return [week(-6, 0)];
    case 'nextWeek':
      return [week(8, 14)];
    case 'lastMonth':
      return [month(-1)];
    case 'nextMonth':
      return [month(1)];
    default:
      return [month(0)];
  }
}

/** The rule that a person has described, for cells. */
export function conditionOf(draft: ConditionDraft, areas: Condition['areas'], priority: number): Condition {
  const { values: _values, ...said } = draft;
  const [row, column] = areas[0]!;
  return { ...said, areas, priority, formulas: formulasOf(draft, cellName({ row, column })) } as Condition;
}

/** Puts a rule before all others of the sheet. @param id that of the rule which it takes the place of, or null */
export function putCondition(
  editor: CellEditor,
  id: string | null,
  draft: ConditionDraft,
  areas: Condition['areas'],
): boolean {
  const sheet = editor.page.sheetId.peek();
  const all = conditionsOf(editor);
  const known = all.find(([one]) => one === id)?.[1];
  if (known && id !== null) {
    const item = conditionOf(draft, areas, known.priority);
    return editor.change({ op: 'put', sheet, kind: 'condition', id, item });
  }
  const first = conditionOf(draft, areas, 1);
  return editor.change(...inOrder(sheet, all, 2), {
    op: 'put',
    sheet,
    kind: 'condition',
    id: editor.newId(),
    item: first,
  });
}

export const removeCondition = (editor: CellEditor, id: string): boolean =>
  editor.change({ op: 'drop', sheet: editor.page.sheetId.peek(), kind: 'condition', id });

/** Puts a rule one place further to the front (-1) or to the end (1). */
export function moveCondition(editor: CellEditor, id: string, by: 1 | -1): boolean {
  const all = conditionsOf(editor);
  const at = all.findIndex(([one]) => one === id);
  const to = at + by;
  if (at < 0 || to < 0 || to >= all.length) return false;
  const [moved] = all.splice(at, 1);
  all.splice(to, 0, moved!);
  const operations = inOrder(editor.page.sheetId.peek(), all, 1);
  return operations.length === 0 || editor.change(...operations);
}

/** Gives rules their places from a number on, where they have others. */
function inOrder(sheet: string, rules: readonly ConditionId[], from: number): CellOperation[] {
  return rules.flatMap(([id, { priority }], at): CellOperation[] =>
    priority === from + at
      ? []
      : [{ op: 'patch', sheet, kind: 'condition', id, patch: { priority: from + at } }],
  );
}

/** A rule as a person has said it, with its values as seen from the first of some cells. */
export function draftOf(rule: Condition, areas: Condition['areas'] = rule.areas): ConditionDraft {
  const { areas: _areas, priority: _priority, formulas: _formulas, extra: _extra, ...said } = rule;
  return { ...(said as Omit<ConditionDraft, 'values'>), values: formulasFrom(rule, areas[0]!) };
}
