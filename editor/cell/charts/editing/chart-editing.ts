import { texts } from '../../../strings/en/chart-editing.ts';
import { addLaterTexts } from '../../../strings/strings.ts';

await addLaterTexts(texts, {
  de: () => import('../../../strings/de/chart-editing.ts'),
  ar: () => import('../../../strings/ar/chart-editing.ts'),
});

/** Everything by which charts are made and changed: loaded when somebody does so first. */
export { ChartPanel } from './chart-panel.tsx';
export { insertChart } from './insert-chart.ts';
