import { BarChart, LineChart, PieChart, RadarChart, ScatterChart } from 'echarts/charts';
import { GridComponent, LegendComponent, RadarComponent, TitleComponent } from 'echarts/components';
import { init, use } from 'echarts/core';
import { LabelLayout } from 'echarts/features';
import { SVGRenderer } from 'echarts/renderers';
import type { DrawingContext } from './chart-look.ts';
import { chartOption } from './chart-option.ts';
import type { ShownChart } from './shown-chart.ts';

use([BarChart, LineChart, PieChart, RadarChart, ScatterChart]);
use([GridComponent, LegendComponent, RadarComponent, TitleComponent, LabelLayout, SVGRenderer]);

/** A chart as the text of an SVG. Nobody acts on it, so nothing of the library is kept for it. */
export function drawChart(chart: ShownChart, context: DrawingContext): string {
  const { width, height } = context;
  const drawing = init(null, null, { renderer: 'svg', ssr: true, width, height });
  try {
    drawing.setOption(chartOption(chart, context));
    // Its rules are for pointers, which do nothing here, and would count for the whole page.
    return drawing.renderToSVGString().replace(/<style[^>]*>[\s\S]*?<\/style>/g, '');
  } finally {
    drawing.dispose();
  }
}
