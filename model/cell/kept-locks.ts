import type { CellFormat, FormatTable } from './cell-format.ts';

/** The place of a format with the lock of another one, and whether formulas are hidden as there. */
export function lockKept(
  formats: FormatTable,
  before: number,
  after: number,
): { readonly formats: FormatTable; readonly index: number } {
  const { protection: lock } = formats.at(before);
  const format = formats.at(after);
  if (isSameLock(lock, format.protection)) return { formats, index: after };
  const { protection: _, ...others } = format;
  const { table, index } = formats.with({ ...others, ...(lock && { protection: lock }) });
  return { formats: table, index };
}

const isSameLock = (one: CellFormat['protection'], other: CellFormat['protection']): boolean =>
  (one?.locked ?? true) === (other?.locked ?? true) && (one?.hidden ?? false) === (other?.hidden ?? false);
