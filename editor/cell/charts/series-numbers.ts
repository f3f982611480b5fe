import type { Chart } from '../../../model/cell/chart.ts';
import type { ReferencedCell } from './referenced-cells.ts';
import type { PartData } from './series-data.ts';

export const numberOf = ({ value }: ReferencedCell): number | null =>
  typeof value === 'number' ? value : null;

/** Words count as 0, as in other programs. What is empty is a gap, or 0 where the chart says so; an error is always a gap. */
export function numbersOf(
  cells: readonly ReferencedCell[],
  { blanks }: Chart,
  type: string,
): (number | null)[] {
  const blank = blanks === 'zero' || type === 'area' ? 0 : null;
  return cells.map(({ value, isError }) => {
    if (typeof value === 'number') return value;
    if (isError) return null;
    return value === null ? blank : 0;
  });
}

/** Where points stand across: 1, 2, 3 … unless all that is said are numbers. */
export function acrossOf(data: PartData | null, count: number): number[] {
  const numbers = data?.cells.map(({ value }) => value) ?? [];
  const areNumbers =
    numbers.length > 0 && numbers.every((value) => value === null || typeof value === 'number');
  return Array.from({ length: count }, (_, at) => {
    const value = areNumbers ? numbers[at] : at + 1;
    return typeof value === 'number' ? value : Number.NaN;
  });
}
