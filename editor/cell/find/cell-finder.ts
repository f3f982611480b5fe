import { type Signal, signal } from '@preact/signals';
import { announce } from '../../kit/announce.tsx';
import type { Finder, FindOption, ReplacingFinder, SearchQuery } from '../../shell/bars/find-bar.tsx';
import { t } from '../../strings/strings.ts';
import type { CellEditor } from '../cell-editor.ts';
import { cellName, isSameCell, rangeName, rangeOf } from '../grid/cell-areas.ts';
import { isWithinOneCell, selectCell } from '../grid/selection.ts';
import { CellSearch, type FoundCell, type SearchScope } from './cell-search.ts';
import { replaceIn } from './replacing.ts';

/** So many cells are marked at once. */
const mostMarked = 1_000;

/**
 * Finds cells of the sheet that is shown, or of all, by what they show and what they have, or by their formulas alone;
 * replaces in what they have.
 */
export class CellFinder implements Finder {
  readonly initialText = '';
  readonly wholeLabel = t('sheet.wholeCell');
  readonly replacing: ReplacingFinder | undefined;
  readonly #editor: CellEditor;
  readonly #matches: Signal<readonly FoundCell[]> = signal([]);
  /** Index of the match that is shown; -1 for none. */
  readonly #at = signal(-1);
  readonly #isInWorkbook = signal(false);
  readonly #isInFormulas = signal(false);
  /** The cells that were selected when the search began, where these are several: what is looked for is in them at first. */
  readonly #selected: NonNullable<SearchScope['within']> | null;
  readonly #isInSelection: Signal<boolean>;
  #query: SearchQuery | null = null;

  constructor(editor: CellEditor) {
    this.#editor = editor;
    const { ranges, active } = editor.selection.peek();
    const view = editor.page.view.peek();
    const areSeveral = ranges.length > 1 || !isWithinOneCell(view, ranges[0]!, active);
    this.#selected = areSeveral ? { sheet: view.sheet.id, areas: ranges } : null;
    this.#isInSelection = signal(areSeveral);
    if (!editor.canEdit) return;
    this.replacing = {
      replace: (text) => this.#replace(text),
      replaceAll: (text) => this.#replaceAll(text),
    };
  }

  get options(): FindOption[] {
    const names = this.#selected?.areas.map(rangeName);
    const range = names && [...names.slice(0, 3), ...(names.length > 3 ? ['…'] : [])].join(', ');
    return [
      ...(range === undefined
        ? []
        : [this.#choice(t('sheet.inSelection', { range }), this.#isInSelection, this.#isInWorkbook)]),
      this.#choice(t('sheet.inWorkbook'), this.#isInWorkbook, this.#isInSelection),
      this.#choice(t('sheet.inFormulas'), this.#isInFormulas),
    ];
  }

  get found(): { count: number; text: string } {
    const count = this.#matches.value.length;
    const at = this.#at.value;
    // The one that was shown may have been replaced.
    const isShown = at >= 0 && at < count;
    return {
      count,
      text: isShown ? t('sheet.foundPlace', { place: at + 1, count }) : t('find.matches', { count }),
    };
  }

  search(query: SearchQuery): void {
    this.#query = query;
    this.#begin();
  }

  next(): void {
    this.#step(1);
  }

  previous(): void {
    this.#step(-1);
  }

  get #search(): CellSearch {
    return new CellSearch(this.#editor, this.#query, {
      isInWorkbook: this.#isInWorkbook.peek(),
      isInFormulas: this.#isInFormulas.peek(),
      within: this.#isInSelection.peek() ? this.#selected : null,
    });
  }

  /** @param other what cannot be chosen together with it */
  #choice(label: string, isOn: Signal<boolean>, other?: Signal<boolean>): FindOption {
    return {
      label,
      isOn: isOn.value,
      toggle: () => {
        isOn.value = !isOn.peek();
        if (other && isOn.peek()) other.value = false;
        this.#begin();
      },
    };
  }

  /** Looks for something else, of which nothing is shown yet. */
  #begin(): void {
    this.#at.value = -1;
    this.#look();
  }

  #look(): void {
    this.#matches.value = this.#search.find();
    this.#mark();
  }

  /** Marks those of the sheet that is shown. */
  #mark(): void {
    const { marks, page } = this.#editor;
    const here = this.#matches.peek().filter(({ sheet }) => sheet === page.sheetId.peek());
    marks.found.value = here.slice(0, mostMarked).map(rangeOf);
  }

  /** Shows the next match or the one before, seen from the active cell. */
  #step(by: 1 | -1): void {
    this.#look();
    const matches = this.#matches.peek();
    const count = matches.length;
    if (count === 0) return;
    const here = matches.findIndex((match) => this.#isHere(match));
    // One that is behind the active cell is the next; so the one before it is the previous.
    const next = here >= 0 ? here + by : Math.max(this.#firstBehind(matches), 0) - (by > 0 ? 0 : 1);
    this.#show((next + count) % count);
  }

  #isHere({ sheet, ...cell }: FoundCell): boolean {
    const { page, selection } = this.#editor;
    return sheet === page.sheetId.peek() && isSameCell(cell, selection.peek().active);
  }

  /** Index of the first match behind the active cell; -1 where there is none. */
  #firstBehind(matches: readonly FoundCell[]): number {
    const { active } = this.#editor.selection.peek();
    const order = this.#search.sheets.map(({ id }) => id);
    const own = order.indexOf(this.#editor.page.sheetId.peek());
    return matches.findIndex(({ sheet, row, column }) => {
      const place = order.indexOf(sheet);
      if (place !== own) return place > own;
      return row > active.row || (row === active.row && column > active.column);
    });
  }

  #show(index: number): void {
    const editor = this.#editor;
    this.#at.value = index;
    const cell = this.#matches.peek()[index];
    if (!cell) return;
    editor.sheets.show(cell.sheet);
    editor.select(selectCell(editor.page.view.peek(), cell));
    this.#mark();
    announce(`${cellName(cell)}, ${editor.page.view.peek().cellAt(cell.row, cell.column)?.text ?? ''}`);
  }

  #replace(text: string): void {
    const here = this.#matches.peek().find((match) => this.#isHere(match));
    if (here) replaceIn(this.#editor, this.#search, [here], text);
    // What was replaced is shown, and so searched, by then.
    queueMicrotask(() => this.#step(1));
  }

  #replaceAll(text: string): void {
    replaceIn(this.#editor, this.#search, this.#matches.peek(), text);
    queueMicrotask(() => this.#look());
  }
}
