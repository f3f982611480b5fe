import type { ItemOf } from '../../../model/cell/items.ts';
import { itemsOf, type Sheet } from '../../../model/cell/workbook.ts';
import type { CellLook } from '../grid/drawn-sheet.ts';
import type { FormatLooks } from './format-looks.ts';

type Table = ItemOf<'table'>;

/** What a part of a table adds to cells that say nothing themselves. */
interface TablePart {
  readonly fill: string | null;
  readonly color: string | null;
  readonly bold: boolean;
}

/**
 * What the built-in table styles make of cells: the heading, stripes and totals in the colour of the style. Lines, and styles
 * that a file defines itself, are not shown.
 */
export class TableLooks {
  readonly #tables: readonly Table[];
  readonly #looks: FormatLooks;
  readonly #made = new WeakMap<CellLook, Map<string, CellLook>>();
  readonly #parts = new Map<string, TablePart | null>();

  constructor(sheet: Sheet, looks: FormatLooks) {
    this.#tables = [...itemsOf(sheet, 'table').values()].filter(({ style }) => style !== undefined);
    this.#looks = looks;
  }

  get isEmpty(): boolean {
    return this.#tables.length === 0;
  }

  has(row: number, column: number): boolean {
    return this.#tables.some(
      ({ area: [top, left, bottom, right] }) =>
        row >= top && row <= bottom && column >= left && column <= right,
    );
  }

  /** The look of a cell with what its table adds; the very same where that is nothing. */
  at(row: number, column: number, look: CellLook): CellLook {
    for (const table of this.#tables) {
      const [top, left, bottom, right] = table.area;
      if (row < top || row > bottom || column < left || column > right) continue;
      const name = partName(table, row, column);
      return name === null ? look : this.#with(look, table.style!, name);
    }
    return look;
  }

  #with(look: CellLook, style: string, name: string): CellLook {
    const key = `${style} ${name}`;
    let part = this.#parts.get(key);
    if (part === undefined) {
      part = this.#part(style, name);
      this.#parts.set(key, part);
    }
    if (!part) return look;
    const known = this.#made.get(look) ?? new Map<string, CellLook>();
    this.#made.set(look, known);
    const made = known.get(key) ?? added(look, part);
    known.set(key, made);
    return made;
  }

  #part(style: string, name: string): TablePart | null {
    const found = /^TableStyle(Light|Medium|Dark)(\d+)$/.exec(style);
    if (!found) return null;
    const [kind, number] = [found[1]!, Number(found[2])];
    const hue = (number - 1) % 7;
    // Of each seven the first is grey, the others have the six accents.
    const color = (tint: number) =>
      this.#looks.color(
        hue === 0
          ? { theme: 0, tint: Math.min(0, tint === 0 ? -0.65 : tint - 0.9) }
          : { theme: 3 + hue, tint },
      );
    const hasFilledHeading = kind !== 'Light' || (number >= 8 && number <= 14);
    switch (name) {
      case 'heading':
        return hasFilledHeading
          ? { fill: kind === 'Dark' ? '#262626' : color(0), color: '#ffffff', bold: true }
          : { fill: null, color: null, bold: true };
      case 'totals':
        return {
          fill: kind === 'Dark' ? '#262626' : null,
          color: kind === 'Dark' ? '#ffffff' : null,
          bold: true,
        };
      case 'strong':
        return { fill: null, color: null, bold: true };
      case 'stripe':
        return {
          fill: color(kind === 'Dark' ? -0.25 : kind === 'Medium' && number > 7 ? 0.6 : 0.8),
          color: kind === 'Dark' ? '#ffffff' : null,
          bold: false,
        };
      default:
        if (kind === 'Dark') return { fill: color(0), color: '#ffffff', bold: false };
        return kind === 'Medium' && number > 7 ? { fill: color(0.8), color: null, bold: false } : null;
    }
  }
}

function partName(table: Table, row: number, column: number): string | null {
  const [top, left, bottom, right] = table.area;
  if (table.hasHeader && row === top) return 'heading';
  if (table.hasTotals && row === bottom) return 'totals';
  if ((table.firstColumn && column === left) || (table.lastColumn && column === right)) return 'strong';
  const first = table.hasHeader ? top + 1 : top;
  const isStriped =
    (table.rowStripes && (row - first) % 2 === 0) || (table.columnStripes && (column - left) % 2 === 0);
  return isStriped ? 'stripe' : 'body';
}

/** What cells say themselves comes before what their table says. */
function added(look: CellLook, { fill, color, bold }: TablePart): CellLook {
  const text = {
    ...look.text,
    ...(color !== null && look.text.color === null && look.fill === null && { color }),
    ...(bold && { bold }),
  };
  return { ...look, text, fill: look.fill ?? (fill === null ? null : { kind: 'solid', color: fill }) };
}
