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
