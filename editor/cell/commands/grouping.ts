import { type Axis, lastColumn, lastRow } from '../../../model/cell/area.ts';
import { type Line, type LinePatch, type LineRun, noLine } from '../../../model/cell/lines.ts';
import type { CellOperation } from '../../../model/cell/operations.ts';
import type { Sheet } from '../../../model/cell/workbook.ts';
import { columnName } from '../../../model/cell-address.ts';
import { announce } from '../../kit/announce.tsx';
import { t } from '../../strings/strings.ts';
import type { CellEditor } from '../cell-editor.ts';
import { groupAt, type OutlineGroup } from '../grid/outline.ts';
import type { SheetScene } from '../shown/sheet-scene.ts';
import { selectedSpans } from './structure.ts';

/** Lines are in so many groups at most. */
const deepest = 7;

type Span = readonly [from: number, to: number];

const outlineOn = ({ rowOutline, columnOutline }: SheetScene, axis: Axis) =>
  axis === 'row' ? rowOutline : columnOutline;

function linesIn({ grid, columns }: Sheet, axis: Axis, [from, to]: Span): LineRun[] {
  const said =
    axis === 'column'
      ? columns.between(from, to)
      : [...grid.rows(from, to)].map(([row, { line }]): LineRun => [row, 1, line]);
  const all: LineRun[] = [];
  let next = from;
  const add = (first: number, count: number, line: Line) => {
    const before = all.at(-1);
    const isLike = before !== undefined && before[2].level === line.level && before[2].hidden === line.hidden;
    if (isLike) all[all.length - 1] = [before[0], before[1] + count, before[2]];
    else if (count > 0) all.push([first, count, line]);
  };
  for (const [first, count, line] of said) {
    add(next, first - next, noLine);
    add(first, count, line);
    next = first + count;
  }
  add(next, to - next + 1, noLine);
  return all;
}

const change = (
  sheet: string,
  axis: Axis,
  spans: readonly Span[],
  patch: Omit<LinePatch, 'format'>,
): CellOperation[] => (spans.length === 0 ? [] : [{ op: 'lines', sheet, axis, spans, patch }]);

/** Puts lines into one group more, or takes them out of one; those that come out of a closed group are shown. */
export function regrouped(sheet: Sheet, axis: Axis, spans: readonly Span[], by: 1 | -1): CellOperation[] {
  const byPatch = new Map<string, { readonly patch: Omit<LinePatch, 'format'>; readonly spans: Span[] }>();
  for (const span of spans) {
    for (const [first, count, { level = 0, hidden }] of linesIn(sheet, axis, span)) {
      const next = Math.min(deepest, Math.max(0, level + by));
      if (next === level) continue;
      const patch = { level: next === 0 ? null : next, ...(next === 0 && hidden && { hidden: null }) };
      const key = JSON.stringify(patch);
      const known = byPatch.get(key)?.spans ?? [];
      byPatch.set(key, { patch, spans: [...known, [first, first + count - 1]] });
    }
  }
  return [...byPatch.values()].flatMap((one) => change(sheet.id, axis, one.spans, one.patch));
}

/** Groups the selected rows or columns, or takes them out of the innermost of their groups. */
export function groupLines(editor: CellEditor, axis: Axis, by: 1 | -1): boolean {
  const { used } = editor.page.view.peek();
  // All rows are selected where columns are: the last that is used is far enough.
  const furthest = Math.max((axis === 'row' ? used?.[2] : used?.[3]) ?? 0, 0);
  const isAll = ([from, to]: Span) => from === 0 && to === (axis === 'row' ? lastRow : lastColumn);
  const spans = selectedSpans(editor, axis).map((span): Span => (isAll(span) ? [0, furthest] : span));
  return editor.change(...regrouped(editor.page.sheet, axis, spans, by));
}

/** What whole columns are selected of are columns; everything else counts as its rows. */
export function groupSelected(editor: CellEditor, by: 1 | -1): boolean {
  const isOfColumns = editor.selection
    .peek()
    .ranges.every(([top, , bottom]) => top === 0 && bottom === lastRow);
  return groupLines(editor, isOfColumns ? 'column' : 'row', by);
}

/** Opens and closes groups at once. What is closed in a group that is opened stays closed. */
export function turned(
  { sheet, rowOutline, columnOutline }: Pick<SheetScene, 'sheet' | 'rowOutline' | 'columnOutline'>,
  axis: Axis,
  isClosedAfter: (group: OutlineGroup) => boolean,
): CellOperation[] {
  const { groups } = axis === 'row' ? rowOutline : columnOutline;
  const changed = groups.filter((group) => isClosedAfter(group) !== group.isClosed);
  const [opened, closed] = [
    changed.filter(({ isClosed }) => isClosed),
    changed.filter(({ isClosed }) => !isClosed),
  ];
  const lines = ({ from, to }: OutlineGroup): Span => [from, to];
  const button = ({ summary }: OutlineGroup): Span => [summary, summary];
  const meet = (one: OutlineGroup, other: OutlineGroup) => one.from <= other.to && other.from <= one.to;
  const hidden = groups.filter((group) => isClosedAfter(group) && changed.some((one) => meet(one, group)));
  return [
    ...change(sheet.id, axis, opened.map(lines), { hidden: null }),
    ...change(sheet.id, axis, hidden.map(lines), { hidden: true }),
    ...change(sheet.id, axis, opened.map(button), { collapsed: null }),
    ...change(sheet.id, axis, closed.map(button), { collapsed: true }),
  ];
}

export const groupName = (axis: Axis, { from, to }: OutlineGroup): string =>
  axis === 'row'
    ? t('sheet.groupOfRows', { from: from + 1, to: to + 1 })
    : t('sheet.groupOfColumns', { from: columnName(from), to: columnName(to) });

/** Opens a closed group, or closes an open one. */
export function toggleGroup(editor: CellEditor, axis: Axis, group: OutlineGroup): boolean {
  const { isClosed } = group;
  // Those in it whose button stands on the same line are told apart from it by nothing in the file: they open with it.
  const isMeant = ({ from, level, summary }: OutlineGroup) =>
    isClosed
      ? summary === group.summary && level >= group.level
      : from === group.from && level === group.level;
  const isDone = editor.change(
    ...turned(editor.page.view.peek(), axis, (one) => (isMeant(one) ? !isClosed : one.isClosed)),
  );
  if (isDone) {
    const name = groupName(axis, group);
    announce(group.isClosed ? t('sheet.groupOpened', { name }) : t('sheet.groupClosed', { name }));
  }
  return isDone;
}

/** Opens all groups up to a level, and closes those that lie deeper; 1 closes all. */
export function showLevel(editor: CellEditor, axis: Axis, level: number): boolean {
  return editor.change(...turned(editor.page.view.peek(), axis, (group) => group.level >= level));
}

/** The group around the active cell that can be opened, or closed: of its row, else of its column. */
function groupToTurn(editor: CellEditor, isClosed: boolean): readonly [Axis, OutlineGroup] | null {
  const view = editor.page.view.peek();
  const { row, column } = editor.selection.peek().active;
  for (const [axis, line] of [
    ['row', row],
    ['column', column],
  ] as const) {
    const outline = outlineOn(view, axis);
    const beside = outline.groups.find((group) => group.summary === line && group.isClosed === isClosed);
    const inside = groupAt(outline, line);
    if (beside) return [axis, beside];
    if (inside && inside.isClosed === isClosed) return [axis, inside];
  }
  return null;
}

/** Opens or closes the group that the active cell is in, or whose button stands beside it. */
export function turnGroup(editor: CellEditor, closes: boolean): boolean {
  const found = groupToTurn(editor, !closes);
  return found !== null && toggleGroup(editor, ...found);
}

export const canTurnGroup = (editor: CellEditor, closes: boolean): boolean =>
  groupToTurn(editor, !closes) !== null;

/** Whether some of the selected lines are in a group. */
export function isGrouped(editor: CellEditor, axis: Axis): boolean {
  const spans = selectedSpans(editor, axis);
  return outlineOn(editor.page.view.value, axis).groups.some(({ from, to }) =>
    spans.some(([first, last]) => first <= to && last >= from),
  );
}

/** Where the sums of groups stand: above or below rows, before or behind columns. */
export function turnSummary(editor: CellEditor, axis: Axis): boolean {
  const { summaryAbove, summaryLeft } = editor.page.sheet.properties;
  const patch =
    axis === 'row'
      ? { summaryAbove: summaryAbove ? null : true }
      : { summaryLeft: summaryLeft ? null : true };
  return editor.change({ op: 'sheet', sheet: editor.page.sheetId.peek(), patch });
}
