export interface Fit {
  /** One for each column; none is below zero. */
  coefficients: number[];
  /** Standard errors, as far as the rows are independent of each other; null where a coefficient is zero for want of a better. */
  errors: (number | null)[];
  /** Root of the mean square of what the fit leaves, in the unit of the values. */
  residual: number;
}

/** Beyond so many columns there would be too many choices of them. */
export const mostColumns = 10;

/**
 * The coefficients, none below zero, with which the columns come nearest to the values in the least squares. Costs are never
 * negative, and a plain fit of columns that rise together pays one of them with another. With few columns every choice of those
 * that are not zero can be tried, which is exact.
 *
 * @param rows one for each value
 */
export function nonNegativeFit(rows: readonly (readonly number[])[], values: readonly number[]): Fit {
  const width = rows[0]?.length ?? 0;
  if (width > mostColumns) throw new RangeError(`A fit has at most ${mostColumns} columns`);
  // Fits that differ by less are as good as each other: that is rounding.
  const noise = (1e-9 * Math.hypot(...values)) / Math.sqrt(Math.max(1, values.length));
  let best: Fit | null = null;
  for (let choice = 0; choice < 2 ** width; choice += 1) {
    const chosen = Array.from({ length: width }, (_, at) => at).filter((at) => (choice >> at) % 2 === 1);
    const fit = fitOf(rows, values, chosen);
    // Of two that are as good as each other, the one with fewer columns was first.
    if (fit && (!best || fit.residual < best.residual * (1 - 1e-9) - noise)) best = fit;
  }
  return best!;
}

/** The fit with some of the columns; null where they do not determine it or a coefficient is negative. */
function fitOf(
  rows: readonly (readonly number[])[],
  values: readonly number[],
  chosen: readonly number[],
): Fit | null {
  const scales = chosen.map((column) => Math.hypot(...rows.map((row) => row[column]!)));
  if (scales.some((scale) => scale === 0)) return null;
  const scaled = rows.map((row) => chosen.map((column, at) => row[column]! / scales[at]!));
  const inverse = inverseOf(
    chosen.map((_, a) => chosen.map((_, b) => sumOver(scaled, (row) => row[a]! * row[b]!))),
  );
  if (!inverse) return null;
  const right = chosen.map((_, a) => scaled.reduce((sum, row, at) => sum + row[a]! * values[at]!, 0));
  const solution = inverse.map((row) => row.reduce((sum, value, at) => sum + value * right[at]!, 0));
  if (solution.some((value) => value < 0)) return null;
  const square = scaled.reduce((sum, row, at) => {
    const left = values[at]! - row.reduce((all, value, column) => all + value * solution[column]!, 0);
    return sum + left * left;
  }, 0);
  const variance = square / Math.max(1, rows.length - chosen.length);
  const coefficients = rows[0]!.map(() => 0);
  const errors: (number | null)[] = rows[0]!.map(() => null);
  for (const [at, column] of chosen.entries()) {
    coefficients[column] = solution[at]! / scales[at]!;
    errors[column] = Math.sqrt(variance * inverse[at]![at]!) / scales[at]!;
  }
  return { coefficients, errors, residual: Math.sqrt(square / rows.length) };
}

const sumOver = <Item>(items: readonly Item[], of: (item: Item) => number): number =>
  items.reduce((sum, item) => sum + of(item), 0);

/** By Gauss and Jordan; null where the matrix has none, or one that rounding would spoil. */
function inverseOf(matrix: readonly (readonly number[])[]): number[][] | null {
  const size = matrix.length;
  const work = matrix.map((row, at) => [...row, ...row.map((_, column) => (column === at ? 1 : 0))]);
  for (let column = 0; column < size; column += 1) {
    let pivot = column;
    for (let row = column; row < size; row += 1) {
      if (Math.abs(work[row]![column]!) > Math.abs(work[pivot]![column]!)) pivot = row;
    }
    // The columns are scaled to a length of one.
    if (Math.abs(work[pivot]![column]!) < 1e-10) return null;
    [work[column], work[pivot]] = [work[pivot]!, work[column]!];
    const head = work[column]!.map((value) => value / work[column]![column]!);
    for (let row = 0; row < size; row += 1) {
      const factor = work[row]![column]!;
      work[row] = row === column ? head : work[row]!.map((value, at) => value - factor * head[at]!);
    }
  }
  return work.map((row) => row.slice(size));
}
