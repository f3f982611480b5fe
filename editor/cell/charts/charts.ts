/** Everything about charts that pages load when there is one: the library that draws them is large. */
export { chartLook } from './chart-look.ts';
export { chartWords } from './chart-words.ts';
export { drawChart } from './draw-chart.ts';
export { shownChart } from './shown-chart.ts';
