import type { CellMoves, ShownChange } from '../../../client/cell/cell-replica.ts';
import type { Area } from '../../../model/cell/area.ts';
import { quotedSheet } from '../../../model/cell/formula/formula-parts.ts';
import { sheetNamed, sheetOf } from '../../../model/cell/workbook.ts';
import { columnName } from '../../../model/cell-address.ts';
import type { Editing } from '../editing/cell-editing.ts';
import { isFormula, type TypedToken, typedTokens } from '../editing/typed-tokens.ts';
import { cornerOf, rangeOf } from '../grid/cell-areas.ts';
import { movedRange, movedSelection } from './moved-places.ts';

/**
 * What is being typed after others have changed the workbook: it stays with its cell, and the references of a formula with theirs.
 * Null where its cell is gone.
 * @param shown the id of the sheet that is shown, on which references are picked
 */
export function followedTyping(
  editing: Editing,
  change: Pick<ShownChange, 'before' | 'after' | 'moves'>,
  shown: string,
): Editing | null {
  const { moves } = change;
  const at = moves ? movedRange(moves, editing.sheet, rangeOf(editing.cell)) : rangeOf(editing.cell);
  if (!at) return null;
  const followed = isFormula(editing.text) ? withReferences(editing, change) : editing;
  if (followed === editing && !moves) return editing;
  const { picked } = followed;
  return {
    ...followed,
    cell: cornerOf(at),
    picked:
      picked && moves ? { ...picked, selection: movedSelection(moves, shown, picked.selection) } : picked,
  };
}

/** A formula that is typed with its references where they are now, and the cursor behind the same signs. */
function withReferences(editing: Editing, change: Pick<ShownChange, 'before' | 'after' | 'moves'>): Editing {
  let text = '';
  const ends: (readonly [before: number, after: number])[] = [[0, 0]];
  for (const token of typedTokens(editing.text)) {
    text += token.kind === 'reference' ? followedReference(token, editing.sheet, change) : token.text;
    ends.push([token.to, text.length]);
  }
  if (text === editing.text) return editing;
  const placed = (place: number): number => {
    const [before, after] = ends.find(([end]) => end >= place) ?? ends.at(-1)!;
    return Math.max(0, after - (before - place));
  };
  const { picked } = editing;
  return {
    ...editing,
    text,
    from: placed(editing.from),
    to: placed(editing.to),
    picked: picked && { ...picked, from: placed(picked.from), to: placed(picked.to) },
  };
}

function followedReference(
  { text, range, sheet: name }: TypedToken,
  own: string,
  { before, after, moves }: Pick<ShownChange, 'before' | 'after' | 'moves'>,
): string {
  const sheet = name === undefined ? sheetOf(before, own) : sheetNamed(before, name);
  if (!range || !sheet) return text;
  const now = sheetOf(after, sheet.id);
  const moved = now && followedRange(moves, sheet.id, range);
  if (!moved) return '#REF!';
  const cells = text.slice(text.lastIndexOf('!') + 1);
  const prefix = text.slice(0, text.length - cells.length);
  const isRenamed = name !== undefined && now.properties.name !== sheet.properties.name;
  return (isRenamed ? `${quotedSheet(now.properties.name)}!` : prefix) + movedCells(cells, moved);
}

const followedRange = (moves: CellMoves | null, sheet: string, range: Area): Area | null =>
  moves ? movedRange(moves, sheet, range) : range;

/** The cells of a reference as it is written, with what holds its rows and columns. */
function movedCells(text: string, [top, left, bottom, right]: Area): string {
  const ends = text.split(':').map((end, at) => {
    const [row, column] = at === 0 ? [top, left] : [bottom, right];
    return end.replace(
      /^(\$?)([a-z]*)(\$?)(\d*)$/i,
      (_, first: string, letters: string, second: string, digits: string) =>
        `${first}${letters && columnName(column)}${second}${digits && row + 1}`,
    );
  });
  return ends.join(':');
}
