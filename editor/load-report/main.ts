import 'uplot/dist/uPlot.min.css';
import './main.css';
import UPlot from 'uplot';
import { type Chart, clockText, lineStyle, numberText } from '../../load/report/figures.ts';

const height = 200;
const narrowest = 160;
const dash = [6, 4];

const charts = JSON.parse(document.getElementById('charts')!.textContent!) as readonly Chart[];
let plots: UPlot[] = [];

function draw(): void {
  for (const plot of plots) plot.destroy();
  plots = [...document.querySelectorAll<HTMLElement>('[data-chart]')].map((element) => {
    const chart = charts[Number(element.dataset.chart)]!;
    return new UPlot(optionsOf(chart, element), dataOf(chart), element);
  });
}

/** A logarithmic axis has no zero. */
function dataOf({ timesS, lines, limits, isLogarithmic }: Chart): UPlot.AlignedData {
  const shown = (value: number | null) => (isLogarithmic && value !== null && value <= 0 ? null : value);
  return [
    [...timesS],
    ...lines.map(({ values }) => values.map(shown)),
    ...limits.map(({ value }) => timesS.map(() => value)),
  ];
}

function optionsOf(chart: Chart, element: HTMLElement): UPlot.Options {
  const style = getComputedStyle(document.documentElement);
  const colour = (name: string) => style.getPropertyValue(name).trim();
  const axis = {
    ...{ stroke: colour('--muted'), font: `12px ${getComputedStyle(element).fontFamily}` },
    grid: { stroke: colour('--grid'), width: 1 },
    ticks: { stroke: colour('--grid'), width: 1, size: 4 },
  };
  const line = (label: string, at: number): UPlot.Series => ({
    ...{
      label,
      stroke: colour(`--line-${lineStyle(at, chart).colour}`),
      width: 1.75,
      spanGaps: chart.isOfTwo,
    },
    // Dots where there is room for them: a value between two gaps has no line.
    ...{ points: { size: 4 }, ...(lineStyle(at, chart).isDashed && { dash }) },
  });
  const limit = (label: string): UPlot.Series => ({
    ...{ label, stroke: colour('--failed'), width: 1, dash: [2, 4], points: { show: false } },
  });
  return {
    ...{ width: widthOf(element), height, legend: { show: false } },
    cursor: { sync: { key: 'report' }, y: false, drag: { x: true, y: false, setScale: true } },
    scales: {
      x: { time: false },
      y: chart.isLogarithmic
        ? { distr: 3 }
        : { range: (_plot, _least, most) => [0, most === null || most <= 0 ? 1 : most * 1.06] },
    },
    axes: [
      { ...axis, size: 30, space: 64, incrs: steps, values: (_plot, times) => times.map(clockText) },
      {
        ...axis,
        size: 62,
        values: (_plot, values) => values.map((value) => (value === null ? '' : numberText(value))),
      },
    ],
    series: [
      {},
      ...chart.lines.map(({ title }, at) => line(title, at)),
      ...chart.limits.map(({ title }) => limit(title)),
    ],
    hooks: { setCursor: [(plot) => showAt(chart, element, plot.cursor.idx ?? null)] },
  };
}

/** Distances between marks of time, seconds. */
const steps = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200];

const widthOf = (element: HTMLElement): number => Math.max(narrowest, Math.floor(element.clientWidth));

/** The values under the pointer, beside the names of the lines. */
function showAt({ timesS, lines }: Chart, element: HTMLElement, at: number | null): void {
  const figure = element.closest('figure')!;
  const head = figure.querySelector('[data-at]')!;
  head.textContent = at === null ? '' : clockText(timesS[at]!);
  for (const cell of figure.querySelectorAll<HTMLElement>('[data-line]')) {
    const value = at === null ? null : (lines[Number(cell.dataset.line)]!.values[at] ?? null);
    cell.textContent = at === null ? '' : numberText(value);
  }
}

draw();

new ResizeObserver(() => {
  for (const plot of plots) {
    const width = widthOf(plot.root.parentElement!);
    if (width !== plot.width) plot.setSize({ width, height });
  }
}).observe(document.querySelector('.charts') ?? document.body);

matchMedia('(prefers-color-scheme: dark)').addEventListener('change', draw);
// Paper is white whatever the screen is.
addEventListener('beforeprint', () => {
  document.documentElement.dataset.print = '';
  draw();
});
addEventListener('afterprint', () => {
  delete document.documentElement.dataset.print;
  draw();
});
