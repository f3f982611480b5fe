import type { Chart } from '../chart.ts';
import { type ChartChange, nextSeriesNumber, type SeriesFields, seriesNumbers } from '../chart-change.ts';
import { chartTypes, groupingsOf, isOfLines, labelPlacesOf } from '../chart-kinds.ts';

interface Chance {
  readonly below: (count: number) => number;
  readonly pick: <Value>(values: readonly Value[]) => Value;
  readonly marker: () => string;
  readonly reference: () => string;
}

/** A change of a chart as the panel of the editor makes them. */
export function randomChartChange(chart: Chart, { below, pick, marker, reference }: Chance): ChartChange {
  const numbers = seriesNumbers(chart.series);
  const color = () =>
    pick([{ rgb: '00AA44' }, { theme: 5, tint: 0.4 }, { theme: 4 }, { theme: 8, tint: -0.25 }]);
  const some = <Value>(value: Value) => pick([value, value, null]);
  const ofSeries = (fields: SeriesFields): ChartChange =>
    numbers.length === 0 ? {} : { series: { [pick(numbers)]: fields } };
  const lines: SeriesFields[] = [
    { smooth: some(true) },
    { stroke: some({ none: true }) },
    { marker: some({ symbol: pick(['none', 'circle', 'x']), size: 5 + below(9) }) },
  ];
  switch (below(13)) {
    case 0:
    case 1: {
      if (chart.editable === false) return { patch: { title: marker() } };
      const type = pick(chartTypes);
      const groupings = groupingsOf(type);
      return { patch: { type, grouping: groupings.length > 0 ? pick(groupings) : null } };
    }
    case 2:
      return { patch: { title: some(marker()), titleFormula: null, autoTitle: null } };
    case 3:
      return { patch: { legend: some(pick(['right', 'left', 'top', 'bottom', 'topRight'] as const)) } };
    case 4:
      return { patch: { categoryTitle: some(marker()), valueTitle: some(`${marker()}\n<&>`) } };
    case 5:
      return {
        patch: { minimum: some(below(5)), maximum: some(10 + below(90)), valueFormat: some('0.0"x"') },
      };
    case 6: {
      const fields = { gridlines: some(below(2) === 0), reversed: some(true), hidden: some(true) };
      return { axes: { [pick(['category', 'value'] as const)]: fields } };
    }
    case 7:
      if (chart.editable === false || numbers.length > 8) return { order: numbers.toReversed() };
      return {
        series: {
          [nextSeriesNumber(chart)]: {
            name: pick([`"${marker()}"`, reference()]),
            values: reference(),
            ...(below(2) ? { categories: reference() } : {}),
          },
        },
      };
    case 8:
      return numbers.length > 1 ? { series: { [pick(numbers)]: null } } : ofSeries({ values: reference() });
    case 9:
      return ofSeries(
        pick<SeriesFields>([
          { name: `"${marker()}"` },
          { values: reference() },
          { categories: some(reference()) },
          { color: some(color()) },
          ...(isOfLines(chart.type) ? lines : []),
          { points: some([{ at: below(3), color: color() }]) },
        ]),
      );
    case 10: {
      const places = labelPlacesOf(chart.type, chart.grouping, chart.solid);
      return ofSeries({
        labels: some(true),
        labelParts: some(['category', 'value'] as const),
        labelPlace: places.length > 0 ? some(pick(places)) : null,
        labelFormat: some('0.00'),
      });
    }
    case 11:
      return { order: numbers.toReversed() };
    default:
      return { patch: { showsHidden: some(true), blanks: some(pick(['zero', 'span'] as const)) } };
  }
}
