import { isReference, partsOf } from '../../../../model/cell/formula/formula-parts.ts';
import { inQuotes, quotedText } from '../../../../model/cell/formula/quoted-text.ts';
import { namesOf, type Sheet, sameName, sheetNamed, type Workbook } from '../../../../model/cell/workbook.ts';
import { absoluteReference } from '../../commands/names.ts';

/** How data of a series is shown in a field: text as itself, everything else as a formula. */
export function shownData(formula: string | undefined): string {
  if (formula === undefined) return '';
  return quotedText(formula) ?? `=${formula}`;
}

/** Cells that are typed as a reference, with their sheet and absolute; null for what leads to no cells. @param sheet that is meant by itself */
export function readCells(typed: string, sheet: Sheet, workbook: Workbook): string | null {
  const given = typed.trim().replace(/^=/, '').trim();
  if (given === '' || given.includes('[')) return null;
  let count = 0;
  const parts: string[] = [];
  for (const part of partsOf(given)) {
    if (typeof part === 'string') {
      if (!/^[\s(),;]*$/.test(part)) return null;
      parts.push(part.replaceAll(';', ','));
    } else if (isReference(part)) {
      const of = part.sheet === null ? sheet : sheetNamed(workbook, part.sheet);
      if (!of || part.toSheet !== null) return null;
      parts.push(absoluteReference(of, part.area));
      count++;
    } else {
      if (![...namesOf(workbook).values()].some(({ name }) => sameName(name, part.word))) return null;
      parts.push(part.sheet === null ? part.word : given);
      count++;
    }
  }
  const formula = parts.join('').trim();
  return count > 1 && !formula.startsWith('(') ? `(${formula})` : count > 0 ? formula : null;
}

/** A name or labels: cells behind an equals sign, else the words themselves; null for cells that are none. */
export function readWords(typed: string, sheet: Sheet, workbook: Workbook): string | null {
  if (typed.trim().startsWith('=')) return readCells(typed, sheet, workbook);
  return inQuotes(typed.trim().slice(0, 2_000));
}
