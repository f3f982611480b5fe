import { cellAddress } from '../model/cell-address.ts';
import { placeOf, textOfChange } from './cell-batches.ts';
import { sourceText, textOf } from './document-text.ts';
import { cellsOf, firstFreeRow, sourceCells } from './sheet-cells.ts';
import { lettersOf, marks } from './word-batches.ts';

/** Author and serial number of a save. */
export type FoundSave = readonly [author: string, serial: number];

/**
 * The saves in a docx that began as a source, the newest first; a sentence where what is in it was not saved so.
 * @throws when the bytes are no docx
 */
export function savesInText(docx: Uint8Array, edition: number, changesPerSave: number): FoundSave[] | string {
  const text = textOf(docx);
  const source = sourceText(edition);
  if (!text.endsWith(source)) return 'the text that was there before is not there any more';
  const typed = text.slice(0, text.length - source.length);
  const letters = lettersOf(changesPerSave);
  const mark = marks();
  const saves: [string, number][] = [];
  for (let at = 0; at < typed.length; at = mark.lastIndex) {
    mark.lastIndex = at + letters.length;
    const found = mark.exec(typed);
    if (!typed.startsWith(letters, at) || !found) {
      return `what was typed is broken at character ${at}: ${JSON.stringify(typed.slice(at, at + 60))}`;
    }
    saves.push([found[1]!, Number(found[2])]);
  }
  return saves;
}

/**
 * The saves in an xlsx that began as a source, those of each author the newest first; a sentence where what is in it was not
 * saved so.
 * @throws when the bytes are no xlsx
 */
export function savesInCells(
  xlsx: Uint8Array,
  edition: number,
  changesPerSave: number,
): FoundSave[] | string {
  const cells = cellsOf(xlsx);
  for (const [name, text] of sourceCells(edition)) {
    if (cells.get(name) !== text) return `${name} is not what it was before`;
    cells.delete(name);
  }
  const saves: [string, number][] = [];
  for (const [name, text] of cells) {
    const [, author, digits] = /^\[([0-9a-z]{6})\.(\d{6})\]$/.exec(text) ?? [];
    if (author === undefined) continue;
    const serial = Number(digits);
    for (let change = 0; change < changesPerSave; change += 1) {
      const { row, column } = placeOf(author, serial, change, changesPerSave);
      const place = cellAddress(row, column);
      if (change === 0 && place !== name) return `${text} stands in ${name}`;
      if (cells.get(place) !== textOfChange(author, serial, change)) return `${place} has not what was saved`;
    }
    saves.push([author, serial]);
  }
  if (saves.length * changesPerSave !== cells.size) {
    const rest = `${cells.size} cells below row ${firstFreeRow}`;
    return `${rest}, ${saves.length} saves of ${changesPerSave}`;
  }
  return saves.sort(([, one], [, other]) => other - one);
}
