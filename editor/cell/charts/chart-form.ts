/** How series are drawn: along axes of categories, as points in the plane, in a circle, in a star; or not here. */
export type ChartForm = 'axes' | 'plane' | 'circle' | 'star' | 'none';

const forms: Readonly<Record<string, ChartForm>> = {
  ...{ column: 'axes', bar: 'axes', line: 'axes', area: 'axes', scatter: 'plane', bubble: 'plane' },
  ...{ pie: 'circle', doughnut: 'circle', radar: 'star' },
};

export const formOf = (chartType: string): ChartForm => forms[chartType] ?? 'none';
