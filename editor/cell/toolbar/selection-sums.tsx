import { useSignal, useSignalEffect } from '@preact/signals';
import { ChevronUp } from 'lucide-preact';
import { useRef } from 'preact/hooks';
import { type Area, intersection } from '../../../model/cell/area.ts';
import { shownValue } from '../../../model/cell/formats/shown-value.ts';
import { MenuButton, type MenuEntry } from '../../kit/menu.tsx';
import { t } from '../../strings/strings.ts';
import type { CellEditor } from '../cell-editor.ts';
import { filteredRows } from '../commands/filtered-lists.ts';

import type { SheetScene } from '../shown/sheet-scene.ts';
import { chosenSums, sumChoices, toggleSum } from './chosen-sums.ts';

/** What numbers come to. */
export interface Sums {
  readonly count: number;
  readonly numbers: number;
  readonly sum: number;
  /** Of no numbers they are infinite. */
  readonly minimum: number;
  readonly maximum: number;
}

const nothing: Sums = {
  ...{ count: 0, numbers: 0, sum: 0 },
  ...{ minimum: Number.POSITIVE_INFINITY, maximum: Number.NEGATIVE_INFINITY },
};

/** Adds up the cells of ranges that are shown. */
export function sumsOf(view: SheetScene, ranges: readonly Area[]): Sums {
  let { count, numbers, sum, minimum, maximum } = nothing;
  if (!view.used) return nothing;
  const seen = new Set<string>();
  for (const range of ranges) {
    const part = intersection(range, view.used);
    if (!part) continue;
    for (const [row, { columns, line }] of view.sheet.grid.rows(part[0], part[2])) {
      if (line.hidden || line.filtered) continue;
      for (const column of columns) {
        if (column < part[1] || column > part[3]) continue;
        const value = view.valueAt(row, column);
        if (value === null || value === '') continue;
        if (ranges.length > 1) {
          const key = `${row} ${column}`;
          if (seen.has(key)) continue;
          seen.add(key);
        }
        count++;
        if (typeof value !== 'number') continue;
        numbers++;
        sum += value;
        if (value < minimum) minimum = value;
        if (value > maximum) maximum = value;
      }
    }
  }
  return { count, numbers, sum, minimum, maximum };
}

/** Adding up a long column costs some milliseconds: it is done when the selection rests. */
const delayMs = 120;

/**
 * How many rows a filter shows, and sum, average and count of what is selected, where that is more than one cell. A menu adds
 * what is not always told.
 */
export function SelectionSums({ editor }: { editor: CellEditor }) {
  const sums = useSignal(nothing);
  const rows = useSignal<ReturnType<typeof filteredRows>>(null);
  useSignalEffect(() => {
    const view = editor.page.view.value;
    const { ranges } = editor.selection.value;
    const timer = setTimeout(() => {
      sums.value = sumsOf(view, ranges);
      rows.value = filteredRows(editor);
    }, delayMs);
    return () => clearTimeout(timer);
  });
  const more = useRef<HTMLSpanElement>(null);
  const { count, numbers, sum, minimum, maximum } = sums.value;
  const filtered = rows.value && t('sheet.filteredRows', rows.value);
  if (count < 2) return filtered && <span class="sheet-sums">{filtered}</span>;
  const chosen = chosenSums.value;
  const { number = 'General' } = editor.page.formatAt(editor.selection.value.active);
  const shown = (value: number) =>
    shownValue(Number(value.toPrecision(12)), number, editor.page.settings).text;
  return (
    <>
      <span
        class="sheet-sums"
        role="status"
        onContextMenu={(event) => {
          event.preventDefault();
          more.current?.querySelector('button')?.click();
        }}
      >
        {filtered && <span>{filtered}</span>}
        {numbers > 0 && <span>{t('sheet.sum', { value: shown(sum) })}</span>}
        {numbers > 0 && <span>{t('sheet.average', { value: shown(sum / numbers) })}</span>}
        <span>{t('sheet.count', { count })}</span>
        {chosen.has('numbers') && <span>{t('sheet.numbers', { count: numbers })}</span>}
        {chosen.has('minimum') && numbers > 0 && <span>{t('sheet.minimum', { value: shown(minimum) })}</span>}
        {chosen.has('maximum') && numbers > 0 && <span>{t('sheet.maximum', { value: shown(maximum) })}</span>}
      </span>
      <span ref={more} class="sheet-sums-more">
        <MenuButton label={t('sheet.moreSums')} entries={() => choicesOf(editor)}>
          <ChevronUp size={14} />
        </MenuButton>
      </span>
    </>
  );
}

const choiceNames = {
  numbers: 'sheet.tellNumbers',
  minimum: 'sheet.tellMinimum',
  maximum: 'sheet.tellMaximum',
} as const;

const choicesOf = (editor: CellEditor): MenuEntry[] =>
  sumChoices.map((name) => ({
    label: t(choiceNames[name]),
    checked: chosenSums.peek().has(name),
    run() {
      toggleSum(name);
      editor.focus();
    },
  }));
