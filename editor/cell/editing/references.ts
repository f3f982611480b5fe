import type { Area } from '../../../model/cell/area.ts';
import { quotedSheet } from '../../../model/cell/formula/formula-parts.ts';
import { type Sheet, sheetNamed, type Workbook } from '../../../model/cell/workbook.ts';
import { rangeName } from '../grid/cell-areas.ts';
import type { ColoredRange } from '../grid/overlay-painter.ts';
import type { Editing } from './cell-editing.ts';
import { coloredTokens, isFormula } from './typed-tokens.ts';

/** The reference to a range of the sheet that is shown, as it stands in a formula that may be on another one. */
export function referenceTo({ sheet }: { readonly sheet: Sheet }, editing: Editing, range: Area): string {
  const name = rangeName(range);
  return sheet.id === editing.sheet ? name : `${quotedSheet(sheet.properties.name)}!${name}`;
}

/** The ranges on a sheet that the formula being typed refers to. */
export function rangesInFormula({ text, sheet }: Editing, workbook: Workbook, shown: string): ColoredRange[] {
  if (!isFormula(text)) return [];
  return coloredTokens(text).flatMap(({ range, sheet: name, color }) => {
    if (!range || color === null) return [];
    const id = name === undefined ? sheet : sheetNamed(workbook, name)?.id;
    return id === shown ? [{ range, color, isFilled: true }] : [];
  });
}
