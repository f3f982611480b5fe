import { intersection } from '../../../model/cell/area.ts';
import type { Alignment, Color, FormatPatch } from '../../../model/cell/cell-format.ts';
import type { FormatSettings } from '../../../model/cell/formats/shown-value.ts';
import type { CellOperation } from '../../../model/cell/operations.ts';
import type { CellEditor } from '../cell-editor.ts';
import { cellsOf } from '../grid/cell-areas.ts';
import { type EnteredNumber, mostMeasured, widening } from './column-widening.ts';
import { doRepeatably } from './repeating.ts';
import { selectedAreas } from './selected-areas.ts';

/** Has what is selected look otherwise. */
export function formatSelection(editor: CellEditor, patch: FormatPatch): boolean {
  return doRepeatably(editor, () => editor.change(...formatOperations(editor, patch)));
}

function formatOperations(editor: CellEditor, patch: FormatPatch): CellOperation[] {
  const sheet = editor.page.sheetId.peek();
  return selectedAreas(editor).map((areas) => ({ op: 'format', sheet, areas, patch }));
}

export type FontToggle = 'bold' | 'italic' | 'strike' | 'underline';

/** The active cell says what a toggle is. */
export function isFontOn(editor: CellEditor, name: FontToggle): boolean {
  const font = editor.page.formatAt(editor.selection.value.active).font;
  return name === 'underline' ? font?.underline !== undefined : font?.[name] === true;
}

export function toggleFont(editor: CellEditor, name: FontToggle): boolean {
  const isOn = isFontOn(editor, name);
  const on = name === 'underline' ? ('single' as const) : true;
  return formatSelection(editor, { font: { [name]: isOn ? null : on } });
}

export const alignmentOf = (editor: CellEditor): Alignment =>
  editor.page.formatAt(editor.selection.value.active).align ?? {};

export function setHorizontal(editor: CellEditor, side: NonNullable<Alignment['horizontal']>): boolean {
  const isOn = alignmentOf(editor).horizontal === side;
  return formatSelection(editor, { align: { horizontal: isOn ? null : side } });
}

export const setVertical = (editor: CellEditor, side: NonNullable<Alignment['vertical']>): boolean =>
  formatSelection(editor, { align: { vertical: side === 'bottom' ? null : side } });

export const toggleWrap = (editor: CellEditor): boolean =>
  formatSelection(editor, { align: { wrap: alignmentOf(editor).wrap ? null : true } });

export function changeIndent(editor: CellEditor, by: 1 | -1): boolean {
  const indent = Math.min(15, Math.max(0, (alignmentOf(editor).indent ?? 0) + by));
  return formatSelection(editor, { align: { indent: indent === 0 ? null : indent, horizontal: 'left' } });
}

/** Turns text counter-clockwise, or clockwise below 0; to upright where it is turned that way already. */
export function turnText(editor: CellEditor, degrees: 45 | -45 | 0): boolean {
  // As xlsx counts: what is turned clockwise goes on behind 90.
  const stored = (angle: number) => (angle < 0 ? 90 - angle : angle);
  const isTurned = alignmentOf(editor).rotation === stored(degrees);
  const rotation = stored(isTurned ? degrees * 2 : degrees);
  return formatSelection(editor, { align: { rotation: rotation === 0 ? null : rotation } });
}

export function setNumberFormat(editor: CellEditor, pattern: string): boolean {
  const patch = { number: pattern === 'General' ? null : pattern };
  return doRepeatably(editor, () => {
    const wide = widening(editor, selectedNumbers(editor, pattern));
    return editor.change(...formatOperations(editor, patch), ...wide);
  });
}

/** The numbers that are selected, as they are shown by another number format. */
function selectedNumbers(editor: CellEditor, pattern: string): EnteredNumber[] {
  const view = editor.page.view.peek();
  const { used } = view;
  const numbers: EnteredNumber[] = [];
  for (const range of used ? editor.selection.peek().ranges : []) {
    const part = intersection(range, used!);
    for (const { row, column } of part ? cellsOf(part) : []) {
      const value = view.valueAt(row, column);
      if (typeof value === 'number') numbers.push({ row, column, value, pattern });
      if (numbers.length >= mostMeasured) return numbers;
    }
  }
  return numbers;
}

export const setTextColor = (editor: CellEditor, color: Color | null): boolean =>
  formatSelection(editor, { font: { color } });

export const setFillColor = (editor: CellEditor, color: Color | null): boolean =>
  formatSelection(editor, { fill: color && { pattern: 'solid', color } });

export const clearFormats = (editor: CellEditor): boolean => clearSelection(editor, 'format');
export const clearContents = (editor: CellEditor): boolean => clearSelection(editor, 'content');

function clearSelection(editor: CellEditor, part: 'format' | 'content'): boolean {
  const sheet = editor.page.sheetId.peek();
  return editor.change(
    ...selectedAreas(editor).map((areas): CellOperation => ({ op: 'clear', sheet, areas, part })),
  );
}

/** Days in numbers, in the order of the page's region. */
export function datePattern({ locale }: FormatSettings): string {
  const parts = new Intl.DateTimeFormat(locale, { dateStyle: 'short' }).formatToParts(new Date(2024, 10, 23));
  const names: Readonly<Record<string, string>> = { day: 'dd', month: 'mm', year: 'yyyy' };
  return parts.map(({ type, value }) => names[type] ?? value.replace(/[^\s./-]/g, '')).join('');
}
