import { lastColumn, lastRow } from '../area.ts';
import { brokenReference, Formula, withLinked } from './formula.ts';
import { between, type Corner, type FormulaPart, isReference, type Reference } from './formula-parts.ts';

interface Place {
  readonly row: number;
  readonly column: number;
}

/**
 * The formula that one is when its cell is pasted with rows for columns: what was so many rows down of it is so many columns to the
 * right. A cell that is absolute in both stays the same one; where one side is, `$A2` becomes `B$1`.
 * @param from where the formula is
 * @param to where it comes to be
 */
export function transposedFormula(formula: Formula, from: Place, to: Place): Formula {
  const parts = formula.parts.map((part) => {
    if (typeof part === 'string') return part;
    if (part.type === 'linked') return withLinked(part, (reference) => transposed(reference, from, to));
    return isReference(part) ? transposed(part, from, to) : part;
  });
  const { span } = formula;
  return Formula.ofParts(parts, span && { ...span, rows: span.columns, columns: span.rows });
}

function transposed(reference: Reference, from: Place, to: Place): FormulaPart {
  const [one, other] = cornersOf(reference).map((corner) => transposedCorner(corner, from, to));
  if (reference.type === 'cell' || reference.type === 'area') return placed(reference, one!, other!);
  const isFixed = (reference.absolute & 15) === (reference.type === 'rows' ? 5 : 10);
  if (isFixed) return reference;
  return reference.type === 'rows'
    ? placed({ ...reference, type: 'columns' }, { ...one!, row: 0 }, { ...other!, row: lastRow })
    : placed({ ...reference, type: 'rows' }, { ...one!, column: 0 }, { ...other!, column: lastColumn });
}

const cornersOf = ({ area, absolute }: Reference): Corner[] => [
  {
    ...{ row: area[0], absoluteRow: (absolute & 1) !== 0 },
    ...{ column: area[1], absoluteColumn: (absolute & 2) !== 0 },
  },
  {
    ...{ row: area[2], absoluteRow: (absolute & 4) !== 0 },
    ...{ column: area[3], absoluteColumn: (absolute & 8) !== 0 },
  },
];

function transposedCorner(corner: Corner, from: Place, to: Place): Corner {
  const { row, column, absoluteRow, absoluteColumn } = corner;
  if (absoluteRow && absoluteColumn) return corner;
  return {
    row: absoluteColumn ? column : to.row + column - from.column,
    column: absoluteRow ? row : to.column + row - from.row,
    absoluteRow: absoluteColumn,
    absoluteColumn: absoluteRow,
  };
}

/** The reference with other corners, if they are on the sheet. */
function placed(reference: Reference, one: Corner, other: Corner): FormulaPart {
  const isThere = [one, other].every(
    ({ row, column }) => row >= 0 && row <= lastRow && column >= 0 && column <= lastColumn,
  );
  return isThere ? { ...reference, ...between(one, other) } : brokenReference(reference);
}
