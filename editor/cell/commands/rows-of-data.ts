import type { Area } from '../../../model/cell/area.ts';
import type { CellOperation } from '../../../model/cell/operations.ts';
import { type CellValue, textOfValue } from '../../../model/cell/values.ts';
import { notify } from '../../kit/notices.tsx';
import { t } from '../../strings/strings.ts';
import type { CellEditor } from '../cell-editor.ts';
import { setOperation } from './cell-input.ts';
import { areMergedAlike, compareValues, putInOrder, type SortKey } from './sorting.ts';

type ValueAt = (row: number, column: number) => CellValue;

/** Rows in the order of several columns. Equal ones keep theirs. */
export function orderBy(
  rows: readonly number[],
  keys: readonly SortKey[],
  valueAt: ValueAt,
  locale: string,
): number[] {
  const collator = new Intl.Collator(locale, { numeric: true });
  const compared = keys.map(({ column, direction }) => ({
    column,
    compare: compareValues(collator, direction),
  }));
  return rows.toSorted((one, other) => {
    for (const { column, compare } of compared) {
      const order = compare(valueAt(one, column), valueAt(other, column));
      if (order !== 0) return order;
    }
    return one - other;
  });
}

/** The rows that say in some columns what an earlier one says; letters count without their case. */
export function duplicatesAmong(
  rows: readonly number[],
  columns: readonly number[],
  valueAt: ValueAt,
): Set<number> {
  const seen = new Set<string>();
  const found = new Set<number>();
  for (const row of rows) {
    const key = JSON.stringify(
      columns.map((column) => {
        const value = valueAt(row, column);
        return [typeof value === 'number' ? 'n' : 't', textOfValue(value).toLowerCase()];
      }),
    );
    if (seen.has(key)) found.add(row);
    else seen.add(key);
  }
  return found;
}

/** The rows of a range that hold something. */
function rowsIn(editor: CellEditor, [top, , bottom]: Area): number[] {
  const last = Math.min(bottom, editor.page.view.peek().used?.[2] ?? -1);
  return Array.from({ length: Math.max(0, last - top + 1) }, (_, at) => top + at);
}

export function sortBy(editor: CellEditor, range: Area, keys: readonly SortKey[]): boolean {
  const view = editor.page.view.peek();
  const rows = rowsIn(editor, range).filter((row) => !view.rows.isHidden(row));
  const order = orderBy(rows, keys, (row, column) => view.valueAt(row, column), editor.page.settings.locale);
  return putInOrder(editor, range, order, keys);
}

/** Takes out rows that come again: what is left moves up inside the range. @returns how many there were; null when refused */
export function removeDuplicates(editor: CellEditor, range: Area, columns: readonly number[]): number | null {
  const view = editor.page.view.peek();
  const rows = rowsIn(editor, range);
  const gone = duplicatesAmong(rows, columns, (row, column) => view.valueAt(row, column));
  if (gone.size === 0) return 0;
  if (!areMergedAlike(view, rows, range)) {
    notify({ text: t('ruleDialogs.duplicatesMerged'), kind: 'warning', topic: 'sheet-duplicates' });
    return null;
  }
  const order = [...rows.filter((row) => !gone.has(row)), ...gone];
  const sheet = editor.page.sheetId.peek();
  const last = rows.at(-1)!;
  const isDone = editor.change(
    { op: 'sort', sheet, axis: 'row', band: [range[1], range[3]], order },
    {
      ...{ op: 'clear', sheet, part: 'content' },
      areas: [[last - gone.size + 1, range[1], last, range[3]]],
    },
  );
  return isDone ? gone.size : null;
}

/** The parts of a text; a separator between quotes is part of it. */
export function partsOfText(text: string, separator: string): string[] {
  if (separator === '') return [text];
  const parts: string[] = [];
  let part = '';
  let isQuoted = false;
  for (let at = 0; at < text.length; at++) {
    const sign = text[at]!;
    if (sign === '"' && isQuoted && text[at + 1] === '"') {
      part += '"';
      at++;
    } else if (sign === '"' && (isQuoted || part === '')) isQuoted = !isQuoted;
    else if (!isQuoted && text.startsWith(separator, at)) {
      parts.push(part);
      part = '';
      at += separator.length - 1;
    } else part += sign;
  }
  return [...parts, part];
}

/** Puts the parts of the texts of a column into it and the columns behind it, as if they were typed. */
export function splitTexts(editor: CellEditor, range: Area, separator: string): boolean {
  const view = editor.page.view.peek();
  const cells = rowsIn(editor, range).flatMap((row) => {
    const text = textOfValue(view.valueAt(row, range[1]));
    const parts = partsOfText(text, separator);
    if (parts.length < 2) return [];
    return parts.map((part, at) => {
      const place = { row, column: range[1] + at };
      return { ...place, text: part.trim(), cell: editor.page.editedCell(place) };
    });
  });
  if (cells.length === 0) return false;
  return editor.change(
    setOperation(editor.page.sheetId.peek(), cells, editor.page.settings) as CellOperation,
  );
}
