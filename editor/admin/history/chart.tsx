import 'uplot/dist/uPlot.min.css';
import { useEffect, useRef } from 'preact/hooks';
import UPlot from 'uplot';
import { currentLanguage, t } from '../../strings/strings.ts';
import { shownTheme } from '../../theme/theme.ts';
import { timeOfDay } from '../formats.ts';
import { ScrollTable } from '../shell/section-parts.tsx';
import './chart.css';

export interface ChartLine {
  name: string;
  /** One for each time; null: not known. */
  values: readonly (number | null)[];
}

interface ChartProps {
  title: string;
  /** Milliseconds since 1970, the oldest first. */
  atMs: readonly number[];
  lines: readonly ChartLine[];
  /** How much time the chart shows, up to the last moment, milliseconds. */
  spanMs: number;
  format: (value: number) => string;
  /** The smallest value that the full height may stand for, so that small noise looks small. */
  atLeast: number;
}

const height = 180;
/** Each line has another dash too: colours alone do not tell lines apart for everybody. */
const dashes = [[], [6, 3], [2, 2], [10, 3, 2, 3], [1, 3], [12, 4]];
const rowsOfTable = 12;

/** Values over time, with axes, the values under the pointer, and a table of them. */
export function Chart({ title, atMs, lines, spanMs, format, atLeast }: ChartProps) {
  const place = useRef<HTMLDivElement>(null);
  const plot = useRef<UPlot | null>(null);
  const language = currentLanguage();
  const theme = shownTheme.value;
  const names = lines.map(({ name }) => name).join('\n');

  useEffect(() => {
    const element = place.current!;
    const made = new UPlot(
      optionsOf(element, { title, atMs, lines, spanMs, format, atLeast }),
      dataOf(atMs, lines),
      element,
    );
    plot.current = made;
    const resizing = new ResizeObserver(([entry]) => {
      made.setSize({ width: Math.max(120, Math.floor(entry!.contentRect.width)), height });
    });
    resizing.observe(element);
    return () => {
      resizing.disconnect();
      made.destroy();
      plot.current = null;
    };
  }, [title, names, spanMs, language, theme]);

  useEffect(() => {
    plot.current?.setData(dataOf(atMs, lines));
  }, [atMs, lines]);

  return (
    <figure class="chart">
      <figcaption>{title}</figcaption>
      <div ref={place} class="chart-plot" role="img" aria-label={summaryOf({ title, lines, format })} />
      <details>
        <summary>
          {t('admin.asTable')}
          <span class="visually-hidden">: {title}</span>
        </summary>
        <ChartTable title={title} atMs={atMs} lines={lines} format={format} />
      </details>
    </figure>
  );
}

/** What a chart says in one sentence. */
function summaryOf({ title, lines, format }: Pick<ChartProps, 'title' | 'lines' | 'format'>): string {
  const parts = lines.map(({ name, values }) => {
    const known = values.filter((value) => value !== null);
    const now = values.findLast((value) => value !== null);
    return t('admin.graphText', {
      name,
      now: now === undefined ? '–' : format(now),
      most: format(Math.max(0, ...known)),
    });
  });
  return [title, ...parts].join('. ');
}

/** Some moments of a chart, spread over its time. */
function ChartTable({ title, atMs, lines, format }: Omit<ChartProps, 'atLeast' | 'spanMs'>) {
  const step = Math.max(1, Math.ceil(atMs.length / rowsOfTable));
  const chosen = atMs.map((_, index) => index).filter((index) => (atMs.length - 1 - index) % step === 0);
  return (
    <ScrollTable label={title}>
      <thead>
        <tr>
          <th scope="col">{t('admin.time')}</th>
          {lines.map(({ name }) => (
            <th key={name} scope="col" class="number">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {chosen.map((index) => (
          <tr key={atMs[index]}>
            <th scope="row">{timeOfDay(atMs[index]!)}</th>
            {lines.map(({ name, values }) => {
              const value = values[index] ?? null;
              return (
                <td key={name} class="number">
                  {value === null ? '–' : format(value)}
                </td>
              );
            })}
          </tr>
        ))}
      </tbody>
    </ScrollTable>
  );
}

/** uPlot counts time in seconds. */
const dataOf = (atMs: readonly number[], lines: readonly ChartLine[]): UPlot.AlignedData => [
  atMs.map((ms) => ms / 1_000),
  ...lines.map(({ values }) => [...values]),
];

function optionsOf(element: HTMLElement, { lines, spanMs, format, atLeast }: ChartProps): UPlot.Options {
  const style = getComputedStyle(element);
  const colour = (name: string) => style.getPropertyValue(name).trim();
  const font = `12px ${style.fontFamily}`;
  const axis = {
    ...{ stroke: colour('--color-muted'), font },
    grid: { stroke: colour('--color-border'), width: 1 },
    ticks: { stroke: colour('--color-border'), width: 1 },
  };
  const colourOf = (index: number) => colour(`--chart-${(index % dashes.length) + 1}`);
  return {
    ...{ width: Math.max(120, element.clientWidth), height },
    ...{ cursor: { sync: { key: 'history' }, y: false }, legend: { live: true } },
    scales: {
      x: { time: true, range: (plot) => [lastIn(plot, 0)! - spanMs / 1_000, lastIn(plot, 0)!] },
      y: { range: (_plot, _least, most) => [0, Math.max(atLeast, (most ?? 0) * 1.05)] },
    },
    axes: [
      { ...axis, space: 70, values: (_plot, times) => times.map((seconds) => timeOfDay(seconds * 1_000)) },
      { ...axis, size: 78, values: (_plot, values) => values.map(format) },
    ],
    series: [
      { label: t('admin.time'), value: (plot, at) => timeOfDay((at ?? lastIn(plot, 0)!) * 1_000) },
      ...lines.map(({ name }, index) => ({
        label: name,
        ...{ stroke: colourOf(index), width: 1.5, dash: dashes[index % dashes.length]! },
        ...{ points: { size: 4 }, spanGaps: false },
        // Without a pointer in the chart: the last.
        value: (plot: UPlot, value: number | null, at: number, place: number | null) => {
          const shown = place === null ? lastIn(plot, at) : value;
          return shown === null ? '–' : format(shown);
        },
      })),
    ],
  };
}

/** The last known value of a series; of the first, the last time. */
const lastIn = (plot: UPlot, series: number): number | null =>
  [...plot.data[series]!].findLast((value) => typeof value === 'number') ?? null;
