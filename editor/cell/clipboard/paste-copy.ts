import { type Area, intersection } from '../../../model/cell/area.ts';
import type { CellOperation } from '../../../model/cell/operations.ts';
import { itemsOf } from '../../../model/cell/workbook.ts';
import { notify } from '../../kit/notices.tsx';
import { t } from '../../strings/strings.ts';
import type { CellEditor } from '../cell-editor.ts';
import { numbersIn, widening } from '../commands/column-widening.ts';
import { copiedRules } from '../commands/copied-rules.ts';
import { holdSelected } from '../commands/later-acts.ts';
import { rulesOf } from '../commands/ruled-areas.ts';
import { pastedGrowth } from '../commands/table-rows.ts';
import { type CellPosition, cornerOf, heightOf, isSameCell, rangeOf, widthOf } from '../grid/cell-areas.ts';
import { selectRange } from '../grid/selection.ts';
import type { CellTable } from './cell-table.ts';
import type { Copied } from './copied.ts';
import { copiedBlock } from './copied-block.ts';
import { copyCells, mostCopied, readOwn } from './copied-cells.ts';
import { copiesOf } from './copied-places.ts';
import { wantsLateValues, withLateValues } from './late-values.ts';
import { fallsOff, type Pasting, pastedRange, pasteOperations } from './paste.ts';
import { mostPasted, type PasteOptions, plainPaste, sayTooMany } from './paste-options.ts';
import { pastedLinks } from './pasted-links.ts';

/** The sheet that cells were copied of, and its rules. */
type CopySource = Pick<Copied, 'sheet' | 'rules'>;

/** Copies cells to another place of their sheet, and selects them there. */
export function copyTo(editor: CellEditor, from: Area, to: CellPosition): void {
  const view = editor.page.view.peek();
  const block = copiedBlock(view, [from])!;
  if (block.rows.length * block.columns.length > mostCopied) {
    sayTooMany();
    return;
  }
  const { own } = copyCells(editor.page.workbook.peek(), view, block, editor.newId());
  const copied = { sheet: view.sheet.id, rules: rulesOf(view.sheet) };
  editor.select(selectRange(view, rangeOf(to)), { reveals: false });
  pasteCopy(editor, readOwn(own)!.table, plainPaste, copied);
}

/**
 * Pastes into each range that is selected, or into the last, where the copies would lie over each other. Values of formulas that were
 * copied before they were calculated are waited for.
 * @param from what was copied of this workbook in this page; null for anything else
 */
export function pasteCopy(
  editor: CellEditor,
  table: CellTable,
  options: PasteOptions,
  from: CopySource | null,
): void {
  if (!from || !wantsLateValues(options.part, table)) {
    pasteKnown(editor, table, options, from);
    return;
  }
  const onMeant = holdSelected(editor);
  void withLateValues(editor, table, from.sheet).then((known) =>
    onMeant(() => pasteKnown(editor, known, options, from)),
  );
}

function pasteKnown(
  editor: CellEditor,
  table: CellTable,
  options: PasteOptions,
  from: CopySource | null,
): void {
  const { used } = editor.page.view.peek();
  const selection = editor.selection.peek();
  const all = selection.ranges.map((target) => ({
    target,
    range: pastedRange(table, target, options, used),
  }));
  const areApart = all.every(({ range }, at) =>
    all.slice(0, at).every((before) => intersection(before.range, range) === null),
  );
  const places = areApart ? all : [all[selection.current]!];
  const count = places.reduce((sum, { range }) => sum + heightOf(range) * widthOf(range), 0);
  if (count > mostPasted) {
    sayTooMany();
    return;
  }
  if (places.some(({ range }) => fallsOff(table, range, options))) {
    notify({ text: t('sheet.wouldFallOff'), kind: 'warning', topic: 'clipboard' });
    return;
  }
  const operations = places.flatMap(({ target }) =>
    pasteOperations(pastingInto(editor, target, table, options)),
  );
  if (operations.length === 0) notify({ text: t('pasting.noWidths'), kind: 'info', topic: 'clipboard' });
  const rules = from
    ? pastedRules(editor, table, { options, from, ranges: places.map(({ range }) => range) })
    : [];
  const links = places.flatMap(({ range }) =>
    pastedLinks(editor.page.sheet, table, range, { options, newId: () => editor.newId() }),
  );
  const growth =
    places.length === 1 && options.part !== 'widths' && options.part !== 'formats'
      ? pastedGrowth(editor.page, places[0]!.range)
      : [];
  const hasWidths = operations.some((one) => one.op === 'lines' && one.axis === 'column');
  const numbers = hasWidths ? [] : operations.flatMap((one) => numbersIn(editor, one));
  const along = [...rules, ...links, ...widening(editor, numbers)];
  if (!editor.change(...growth, ...operations, ...along)) return;
  if (places.length === 1) selectPasted(editor, places[0]!.range);
  else {
    const ranges = places.map(({ range }) => range);
    editor.select({ ...selection, ranges }, { reveals: false });
  }
}

/** The rules that cells take along which are pasted with their looks. */
function pastedRules(
  editor: CellEditor,
  table: CellTable,
  { options, from, ranges }: { options: PasteOptions; from: CopySource; ranges: readonly Area[] },
): CellOperation[] {
  const { part } = options;
  if (!['all', 'allButBorders', 'formats'].includes(part)) return [];
  return copiedRules(
    editor.page.sheet,
    ranges.flatMap((to) => copiesOf(table, to, options)),
    { rules: from.rules, isSame: from.sheet === editor.page.sheetId.peek() },
    {
      kinds: part === 'formats' ? ['condition'] : ['condition', 'validation'],
      newId: () => editor.newId(),
    },
  );
}

/** How a table is pasted into a range of the sheet that is shown. */
function pastingInto(editor: CellEditor, target: Area, table: CellTable, options: PasteOptions): Pasting {
  const view = editor.page.view.peek();
  return {
    sheet: view.sheet.id,
    ...{ table, target, options, used: view.used, settings: editor.page.settings },
    contentAt: (row, column) => editor.page.cellAt({ row, column }),
    formatAt: (row, column) => editor.page.formatAt({ row, column }),
    newId: () => editor.newId(),
    isCovered: (row, column) => {
      const merge = view.mergeAt(row, column);
      return merge !== null && !isSameCell(cornerOf(merge), { row, column });
    },
    mergesIn: (within) =>
      [...itemsOf(editor.page.sheet, 'merge')]
        .filter(([, { area }]) => intersection(area, within))
        .map(([merge]) => merge),
  };
}

function selectPasted(editor: CellEditor, range: Area): void {
  editor.select(selectRange(editor.page.view.peek(), range), { reveals: false });
}
