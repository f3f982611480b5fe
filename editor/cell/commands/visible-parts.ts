import type { Area } from '../../../model/cell/area.ts';
import type { Axis } from '../grid/axis.ts';
import type { Terrain } from '../grid/selection.ts';
import type { Span } from './touched-rows.ts';

/** The parts of ranges whose rows and columns are shown, whatever hides the others: a filter, a group or a person. */
export function visibleParts(
  { rows, columns }: Pick<Terrain, 'rows' | 'columns'>,
  ranges: readonly Area[],
): Area[] {
  return ranges.flatMap(([top, left, bottom, right]) => {
    const across = shownSpans(columns, left, right);
    return shownSpans(rows, top, bottom).flatMap(([from, to]) =>
      across.map(([first, last]): Area => [from, first, to, last]),
    );
  });
}

/** The stretches from one row or column to another that are shown. */
function shownSpans(axis: Axis, from: number, to: number): Span[] {
  const spans: Span[] = [];
  for (let first = axis.next(from - 1); first !== null && first <= to; ) {
    let last = first;
    while (last < to && !axis.isHidden(last + 1)) last += 1;
    spans.push([first, last]);
    first = axis.next(last);
  }
  return spans;
}
