import { type Sheet, sheetOf, visibleSheets, type Workbook } from '../../../model/cell/workbook.ts';

/** The next sheet that people see in a direction; undefined where none is. @param id of a sheet of the workbook */
export function sheetBeside(workbook: Workbook, id: string, by: 1 | -1): Sheet | undefined {
  const { sheets } = workbook;
  const at = sheets.findIndex((sheet) => sheet.id === id);
  const others = by === 1 ? sheets.slice(at + 1) : sheets.slice(0, at).toReversed();
  const visible = visibleSheets(workbook);
  return others.find((sheet) => visible.includes(sheet));
}

/** The sheet that comes to be seen where one goes: the one behind it, else the one before it. */
export const neighbourOf = (workbook: Workbook, id: string): Sheet | undefined =>
  sheetBeside(workbook, id, 1) ?? sheetBeside(workbook, id, -1);

/** Whether a sheet is hidden that was not before. */
export const hasBeenHidden = (before: Workbook, after: Workbook, id: string): boolean =>
  isSeen(before, id) && sheetOf(after, id) !== undefined && !isSeen(after, id);

const isSeen = (workbook: Workbook, id: string): boolean =>
  visibleSheets(workbook).some((sheet) => sheet.id === id);
