import { createHash } from 'node:crypto';
import type { ReportAssets } from './assets.ts';
import { chartFigure } from './chart-figure.ts';
import { isFlatZero } from './charts.ts';
import type { Chart } from './figures.ts';
import { Html, html, jsonForScript } from './html.ts';

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/**
 * A page that stands alone: script and styles are in it, and it loads nothing. A browser runs no other script in it than ours,
 * whatever names are in a result.
 *
 * @param before what comes before the charts, in the order of reading
 * @param after what is looked up
 * @returns the text of an HTML file
 */
export function standalonePage(
  title: string,
  head: Html,
  before: readonly Html[],
  charts: readonly Chart[],
  after: readonly Html[],
  { script, styles }: ReportAssets,
): string {
  const policy = `default-src 'none'; script-src ${hashOf(script)}; style-src ${hashOf(styles)}; base-uri 'none'; form-action 'none'`;
  const drawn = charts.filter((chart) => !isFlatZero(chart));
  const zero = charts
    .filter(isFlatZero)
    .map(({ title, lines }) => `${title} (${lines.map((line) => line.title).join(', ')})`);
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<title>${title}</title>
<style>${new Html(styles)}</style>
</head>
<body>
${head}
<main>
${before}
${
  charts.length === 0
    ? ''
    : html`<section aria-labelledby="charts-title"><h2 id="charts-title">Over time</h2><div class="charts">${drawn.map(chartFigure)}</div>
${zero.length === 0 ? '' : html`<p class="zero">Zero all the time: ${zero.join('; ')}.</p>`}</section>`
}
${after}
</main>
${jsonForScript('charts', drawn.map(withoutNoise))}
<script>${new Html(script)}</script>
</body>
</html>
`.text;
}

/** Charts need no more than four digits, and the file gets half as large. */
function withoutNoise(chart: Chart): Chart {
  const rounded = (value: number | null) => (value === null ? null : Number(value.toPrecision(4)));
  return {
    ...chart,
    timesS: chart.timesS.map((time) => Math.round(time * 10) / 10),
    lines: chart.lines.map(({ title, values }) => ({ title, values: values.map(rounded) })),
  };
}

export interface Column {
  title: string;
  /** Numbers stand at the end of their cell. */
  isNumber?: boolean;
}

/** A table with a heading of its own. The first cell of a row is its name. */
export function tableSection(
  id: string,
  title: string,
  columns: readonly Column[],
  body: readonly (readonly (Html | string)[])[],
  note: Html | string = '',
): Html {
  if (body.length === 0) return html``;
  const kind = (at: number) => (columns[at]?.isNumber ? 'number' : 'text');
  return html`<section aria-labelledby="${id}"><h2 id="${id}">${title}</h2>${note}
<div class="scroll"><table class="wide">
<thead><tr>${columns.map((column, at) => html`<th scope="col" class="${kind(at)}">${column.title}</th>`)}</tr></thead>
<tbody>${body.map(
    (cells) =>
      html`<tr>${cells.map((cell, at) => (at === 0 ? html`<th scope="row" class="${kind(at)}">${cell}</th>` : html`<td class="${kind(at)}">${cell}</td>`))}</tr>`,
  )}</tbody></table></div></section>`;
}

/** Said by a sign and a word, not by a colour alone. */
export const verdictMark = (passed: boolean): Html =>
  passed
    ? html`<span class="mark passed"><span aria-hidden="true">✓</span> passed</span>`
    : html`<span class="mark failed"><span aria-hidden="true">✗</span> failed</span>`;
