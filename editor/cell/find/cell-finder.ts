import { type Signal, signal } from '@preact/signals';
import type { CellOperation } from '../../../model/cell/operations.ts';
import { announce } from '../../kit/announce.tsx';
import type { Finder, SearchQuery } from '../../shell/bars/find-bar.tsx';
import { t } from '../../strings/strings.ts';
import type { CellEditor } from '../cell-editor.ts';
import { setOperation } from '../commands/cell-input.ts';
import { type CellPosition, cellName, isSameCell, rangeOf } from '../grid/cell-range.ts';

/** So many matches are kept; who has more looks for less. */
const mostFound = 10_000;

/** What is looked for, as a pattern; null for nothing. */
export function patternOf({ text, caseSensitive, wholeWord }: SearchQuery): RegExp | null {
  if (text === '') return null;
  const escaped = text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(wholeWord ? `^${escaped}$` : escaped, caseSensitive ? 'gu' : 'giu');
}

/** Finds cells of the sheet that is shown by what they show or have, and replaces in what they have. */
export function cellFinder(editor: CellEditor): Finder {
  const matches: Signal<readonly CellPosition[]> = signal([]);
  const at = signal(-1);
  let pattern: RegExp | null = null;

  const find = (): CellPosition[] => {
    const found: CellPosition[] = [];
    const view = editor.view.peek();
    const searched = pattern;
    if (!searched) return found;
    for (const [row, { columns }] of view.sheet.grid.rows()) {
      for (const column of columns) {
        const shown = view.cellAt(row, column);
        if (!shown || shown.kind === 'blank') continue;
        searched.lastIndex = 0;
        let isMatch = searched.test(shown.text);
        if (!isMatch) {
          searched.lastIndex = 0;
          isMatch = searched.test(editor.textOf({ row, column }));
        }
        if (isMatch && found.push({ row, column }) >= mostFound) return found;
      }
    }
    return found;
  };
  const show = (index: number) => {
    at.value = index;
    const cell = matches.peek()[index];
    if (!cell) return;
    editor.select({ ranges: [rangeOf(cell)], current: 0, active: cell, head: cell });
    announce(`${cellName(cell)}, ${editor.view.peek().cellAt(cell.row, cell.column)?.text ?? ''}`);
  };
  const look = () => {
    matches.value = find();
    editor.found.value = matches.peek().slice(0, 1_000).map(rangeOf);
  };
  const step = (by: 1 | -1) => {
    look();
    const count = matches.peek().length;
    if (count === 0) return;
    const { active } = editor.selection.peek();
    const here = matches.peek().findIndex((cell) => isSameCell(cell, active));
    if (here >= 0) return show((here + by + count) % count);
    const after = matches
      .peek()
      .findIndex(({ row, column }) => row > active.row || (row === active.row && column > active.column));
    const next = Math.max(after, 0);
    show(by > 0 ? next : (next - 1 + count) % count);
  };
  const replaced = (cells: readonly CellPosition[], text: string): CellOperation | null => {
    const searched = pattern;
    if (!searched || cells.length === 0) return null;
    const changed = cells.flatMap(({ row, column }) => {
      const cell = editor.editedCell({ row, column });
      const before = editor.textOf({ row, column });
      searched.lastIndex = 0;
      const after = before.replace(searched, () => text);
      return after === before ? [] : [{ row, column, text: after, cell }];
    });
    return changed.length === 0 ? null : setOperation(editor.sheetId.peek(), changed, editor.settings);
  };
  const replaceIn = (cells: readonly CellPosition[], text: string) => {
    const operation = replaced(cells, text);
    if (operation) editor.change(operation);
  };
  return {
    initialText: '',
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
          const { active } = editor.selection.peek();
          const here = matches.peek().find((cell) => isSameCell(cell, active));
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
