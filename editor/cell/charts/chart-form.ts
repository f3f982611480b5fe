/** How series are drawn: along axes of categories, as points in the plane, in a circle, in a star; or not here. */
export type ChartForm = 'axes' | 'plane' | 'circle' | 'star' | 'none';

const forms: ReadonlyMap<string, ChartForm> = new Map(
  Object.entries<ChartForm>({
    ...{ column: 'axes', bar: 'axes', line: 'axes', area: 'axes', scatter: 'plane', bubble: 'plane' },
    ...{ pie: 'circle', doughnut: 'circle', radar: 'star' },
  }),
);

export const formOf = (chartType: string): ChartForm => forms.get(chartType) ?? 'none';
