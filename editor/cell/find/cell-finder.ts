import { type Signal, signal } from '@preact/signals';
import type { CellOperation } from '../../../model/cell/operations.ts';
import type { Sheet } from '../../../model/cell/workbook.ts';
import { visibleSheets } from '../../../model/cell/workbook.ts';
import { announce } from '../../kit/announce.tsx';
import type { Finder, FindOption, SearchQuery } from '../../shell/bars/find-bar.tsx';
import { t } from '../../strings/strings.ts';
import type { CellEditor } from '../cell-editor.ts';
import { setOperation } from '../commands/cell-input.ts';
import { type CellPosition, cellName, isSameCell, rangeOf } from '../grid/cell-range.ts';
import type { SheetScene } from '../shown/sheet-scene.ts';

/** So many matches are kept; who has more looks for less. */
const mostFound = 10_000;

/** What is looked for, as a pattern; null for nothing. */
export function patternOf({ text, caseSensitive, wholeWord }: SearchQuery): RegExp | null {
  if (text === '') return null;
  const escaped = text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(wholeWord ? `^${escaped}$` : escaped, caseSensitive ? 'gu' : 'giu');
}

/** A cell that was found, and where. */
interface FoundCell extends CellPosition {
  readonly sheet: string;
}

/**
 * Finds cells of the sheet that is shown, or of all, by what they show and what they have, or by their formulas alone;
 * replaces in what they have.
 */
export function cellFinder(editor: CellEditor): Finder {
  const matches: Signal<readonly FoundCell[]> = signal([]);
  const at = signal(-1);
  const isInWorkbook = signal(false);
  const isInFormulas = signal(false);
  let pattern: RegExp | null = null;

  const sheets = (): readonly Sheet[] =>
    isInWorkbook.peek() ? visibleSheets(editor.workbook.peek()) : [editor.view.peek().sheet];
  const isMatch = (sheet: SheetScene, row: number, column: number, searched: RegExp): boolean => {
    const matched = (text: string) => {
      searched.lastIndex = 0;
      return searched.test(text);
    };
    const place = { row, column };
    if (isInFormulas.peek() && sheet.sheet.grid.cell(row, column).formula === null) return false;
    const isShown = !isInFormulas.peek() && matched(sheet.cellAt(row, column)?.text ?? '');
    return isShown || matched(editor.textOf(place, sheet));
  };
  const find = (): FoundCell[] => {
    const found: FoundCell[] = [];
    const searched = pattern;
    if (!searched) return found;
    for (const sheet of sheets()) {
      const view = editor.viewOf(sheet);
      for (const [row, { columns, cells }] of sheet.grid.rows()) {
        for (const [place, column] of columns.entries()) {
          const { value, formula } = cells[place]!;
          if (value === null && formula === null) continue;
          if (!isMatch(view, row, column, searched)) continue;
          if (found.push({ sheet: sheet.id, row, column }) >= mostFound) return found;
        }
      }
    }
    return found;
  };
  const isHere = ({ sheet, ...cell }: FoundCell) =>
    sheet === editor.sheetId.peek() && isSameCell(cell, editor.selection.peek().active);
  const show = (index: number) => {
    at.value = index;
    const cell = matches.peek()[index];
    if (!cell) return;
    editor.showSheet(cell.sheet);
    editor.select({ ranges: [rangeOf(cell)], current: 0, active: cell, head: cell });
    mark();
    announce(`${cellName(cell)}, ${editor.view.peek().cellAt(cell.row, cell.column)?.text ?? ''}`);
  };
  const mark = () => {
    const here = matches.peek().filter(({ sheet }) => sheet === editor.sheetId.peek());
    editor.found.value = here.slice(0, 1_000).map(rangeOf);
  };
  const look = () => {
    matches.value = find();
    mark();
  };
  const step = (by: 1 | -1) => {
    look();
    const count = matches.peek().length;
    if (count === 0) return;
    const here = matches.peek().findIndex(isHere);
    if (here >= 0) return show((here + by + count) % count);
    const { active } = editor.selection.peek();
    const order = sheets().map(({ id }) => id);
    const own = order.indexOf(editor.sheetId.peek());
    const after = matches.peek().findIndex(({ sheet, row, column }) => {
      const place = order.indexOf(sheet);
      if (place !== own) return place > own;
      return row > active.row || (row === active.row && column > active.column);
    });
    const next = Math.max(after, 0);
    show(by > 0 ? next : (next - 1 + count) % count);
  };
  const replaced = (sheet: Sheet, cells: readonly FoundCell[], text: string): CellOperation[] => {
    const searched = pattern;
    if (!searched) return [];
    const view = editor.viewOf(sheet);
    const changed = cells.flatMap(({ row, column }) => {
      const cell = editor.editedCell({ row, column }, view);
      const before = editor.textOf({ row, column }, view);
      searched.lastIndex = 0;
      const after = before.replace(searched, () => text);
      return after === before ? [] : [{ row, column, text: after, cell }];
    });
    return changed.length === 0 ? [] : [setOperation(sheet.id, changed, editor.settings)];
  };
  const replaceIn = (cells: readonly FoundCell[], text: string) => {
    const operations = sheets().flatMap((sheet) => {
      const own = cells.filter((cell) => cell.sheet === sheet.id);
      return replaced(sheet, own, text);
    });
    editor.change(...operations);
  };
  const choice = (label: string, isOn: Signal<boolean>): FindOption => ({
    label,
    isOn: isOn.value,
    toggle() {
      isOn.value = !isOn.peek();
      at.value = -1;
      look();
    },
  });
  return {
    initialText: '',
    wholeLabel: t('sheet.wholeCell'),
    get options() {
      return [choice(t('sheet.inWorkbook'), isInWorkbook), choice(t('sheet.inFormulas'), isInFormulas)];
    },
    get found() {
      const count = matches.value.length;
      const place =
        at.value < 0 ? t('find.matches', { count }) : t('sheet.foundPlace', { place: at.value + 1, count });
      return { count, text: place };
    },
    search(query) {
      pattern = patternOf(query);
      at.value = -1;
      look();
    },
    next: () => step(1),
    previous: () => step(-1),
    ...(editor.canEdit && {
      replacing: {
        replace(text) {
          const here = matches.peek().find(isHere);
          if (here) replaceIn([here], text);
          step(1);
        },
        replaceAll(text) {
          replaceIn(matches.peek(), text);
          requestAnimationFrame(look);
        },
      },
    }),
  };
}
