import { notify } from '../../kit/notices.tsx';
import { t } from '../../strings/strings.ts';

/** What of copied cells is pasted. */
export type PastedPart =
  | 'all'
  | 'values'
  | 'valuesAndNumbers'
  | 'formulas'
  | 'formats'
  | 'widths'
  | 'allButBorders';

/** How what is pasted is put together with what is there. */
export type PasteOperation = 'none' | 'add' | 'subtract' | 'multiply' | 'divide';

/** How copied cells are pasted. */
export interface PasteOptions {
  readonly part: PastedPart;
  readonly operation: PasteOperation;
  /** Cells that hold nothing leave what is there alone. */
  readonly skipsBlanks: boolean;
  /** Rows become columns. */
  readonly isTransposed: boolean;
}

export const plainPaste: PasteOptions = {
  part: 'all',
  operation: 'none',
  skipsBlanks: false,
  isTransposed: false,
};

/** Whether everything is pasted as it was. */
export const isPlainPaste = ({ part, operation, skipsBlanks, isTransposed }: PasteOptions): boolean =>
  part === 'all' && operation === 'none' && !skipsBlanks && !isTransposed;

/** As many cells as are pasted at once: more would hold the page up for seconds, and be too much for one change. */
export const mostPasted = 300_000;

/** Says that more cells were to be pasted than can be. */
export function sayTooMany(): void {
  notify({ text: t('sheet.tooManyCells', { count: mostPasted }), kind: 'warning', topic: 'clipboard' });
}
