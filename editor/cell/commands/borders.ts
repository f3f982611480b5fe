import { type Area, intersection } from '../../../model/cell/area.ts';
import type { BorderLine, Borders } from '../../../model/cell/cell-format.ts';
import type { CellOperation } from '../../../model/cell/operations.ts';
import type { CellEditor } from '../cell-editor.ts';
import { heightOf, widthOf } from '../grid/cell-areas.ts';
import { doRepeatably } from './repeating.ts';

export type BorderChoice =
  | 'all'
  | 'outer'
  | 'inner'
  | 'top'
  | 'bottom'
  | 'left'
  | 'right'
  | 'thickOuter'
  | 'diagonalDown'
  | 'diagonalUp'
  | 'none';

const thin: BorderLine = { style: 'thin' };

/** Draws lines around, between and across what is selected. */
export function setBorders(editor: CellEditor, choice: BorderChoice, line: BorderLine = thin): boolean {
  return doRepeatably(editor, () => {
    const sheet = editor.page.sheetId.peek();
    const operations = editor.selection
      .peek()
      .ranges.flatMap((range) => borderOperations(sheet, boundedRange(editor, range), choice, line));
    return editor.change(...operations);
  });
}

/** Whole rows and columns get lines only where something is. */
function boundedRange(editor: CellEditor, range: Area): Area {
  const { used } = editor.page.view.peek();
  const isLarge = heightOf(range) * widthOf(range) > 1_000_000;
  return isLarge && used ? (intersection(range, used) ?? range) : range;
}

const medium: BorderLine = { style: 'medium' };

type Edges = { readonly [Part in keyof Borders]?: Borders[Part] | null };

export function borderOperations(
  sheet: string,
  range: Area,
  choice: BorderChoice,
  line: BorderLine = thin,
): CellOperation[] {
  const [top, left, bottom, right] = range;
  const format = (part: Area, border: Edges): CellOperation => ({
    op: 'format',
    sheet,
    areas: [part],
    patch: { border },
  });
  const edge = (side: 'top' | 'right' | 'bottom' | 'left', drawn: BorderLine): CellOperation =>
    format(
      [
        side === 'bottom' ? bottom : top,
        side === 'right' ? right : left,
        side === 'top' ? top : bottom,
        side === 'left' ? left : right,
      ],
      { [side]: drawn },
    );
  const outer = (drawn: BorderLine) =>
    (['top', 'right', 'bottom', 'left'] as const).map((side) => edge(side, drawn));
  // A cell beside the range may say of the same line that it is there.
  const beside = (): CellOperation[] => {
    const parts: (readonly [Area, Edges])[] = [
      [[top - 1, left, top - 1, right], { bottom: null }],
      [[bottom + 1, left, bottom + 1, right], { top: null }],
      [[top, left - 1, bottom, left - 1], { right: null }],
      [[top, right + 1, bottom, right + 1], { left: null }],
    ];
    return parts
      .filter(([part]) => part[0] >= 0 && part[1] >= 0)
      .map(([part, border]) => format(part, border));
  };
  switch (choice) {
    case 'all':
      return [format(range, { top: line, right: line, bottom: line, left: line })];
    case 'none':
      return [
        format(range, {
          ...{ top: null, right: null, bottom: null, left: null },
          ...{ diagonal: null, diagonalUp: null, diagonalDown: null },
        }),
        ...beside(),
      ];
    case 'diagonalDown':
    case 'diagonalUp':
      return [format(range, { diagonal: line, [choice]: true })];
    case 'outer':
      return outer(line);
    case 'thickOuter':
      return outer(medium);
    case 'inner': {
      const lines: CellOperation[] = [];
      if (bottom > top) lines.push(format([range[0], range[1], bottom - 1, range[3]], { bottom: line }));
      if (bottom > top) lines.push(format([top + 1, range[1], range[2], range[3]], { top: line }));
      if (right > left) lines.push(format([range[0], range[1], range[2], right - 1], { right: line }));
      if (right > left) lines.push(format([range[0], left + 1, range[2], range[3]], { left: line }));
      return lines;
    }
    default:
      return [edge(choice, line)];
  }
}
