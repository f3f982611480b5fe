/** Everything by which charts are made and changed: loaded when somebody does so first. */
export { ChartPanel } from './chart-panel.tsx';
export { insertChart } from './insert-chart.ts';
