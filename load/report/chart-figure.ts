import { type Chart, clockText, lineStyle, meanOf, mostOf, numberText, valueText } from './figures.ts';
import { type Html, html } from './html.ts';

/** Rows of the table of a chart's values. */
const rows = 24;

/** A place for a chart, what its lines are, and its values as a table, which say the same without a picture. */
export function chartFigure(chart: Chart, position: number): Html {
  const { title, unit, lines, limits, isLogarithmic } = chart;
  const id = `chart-${position}`;
  const about = [unitTitle(unit), isLogarithmic ? 'logarithmic' : '']
    .filter((part) => part !== '')
    .join(', ');
  return html`<figure class="chart" aria-labelledby="${id}">
<figcaption id="${id}">${title}${about === '' ? '' : html` <small>${about}</small>`}</figcaption>
<div class="plot" data-chart="${position}" role="img" aria-label="${summaryOf(chart)}"></div>
<div class="scroll"><table class="legend">
<thead><tr><th scope="col"><span class="hidden">Line</span></th><th scope="col">mean</th><th scope="col">most</th><th scope="col">last</th><th scope="col" class="pointer"><span class="hidden">under the pointer</span> <span data-at></span></th></tr></thead>
<tbody>${lines.map(({ title: name, values }, at) => {
    const known = values.filter((value) => value !== null);
    const { colour, isDashed } = lineStyle(at, chart);
    return html`<tr><th scope="row"><span class="swatch line-${colour}${isDashed ? ' dashed' : ''}"></span>${name}</th>
<td>${numberText(meanOf(known))}</td><td>${numberText(mostOf(known))}</td><td>${numberText(known.at(-1) ?? null)}</td><td class="pointer" data-line="${at}"></td></tr>`;
  })}${limits.map(
    (limit) =>
      html`<tr><th scope="row"><span class="swatch limit"></span>Threshold: ${limit.title}</th><td></td><td>${numberText(limit.value)}</td><td></td><td class="pointer"></td></tr>`,
  )}</tbody></table></div>
<details><summary>Values over time<span class="hidden">: ${title}</span></summary>${valuesTable(chart)}</details>
</figure>`;
}

/** What a chart says in one sentence. */
function summaryOf({ title, unit, lines }: Chart): string {
  const parts = lines.map((line) => {
    const known = line.values.filter((value) => value !== null);
    return `${line.title}: mean ${valueText(meanOf(known), unit)}, most ${valueText(mostOf(known), unit)}`;
  });
  return `${title}. ${parts.join('; ')}. The tables below have the values.`;
}

function valuesTable({ title, timesS, lines }: Chart): Html {
  const step = Math.max(1, Math.ceil(timesS.length / rows));
  const chosen = timesS.map((_, at) => at).filter((at) => (timesS.length - 1 - at) % step === 0);
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${title}, values"><table class="values">
<thead><tr><th scope="col">Time</th>${lines.map((line) => html`<th scope="col">${line.title}</th>`)}</tr></thead>
<tbody>${chosen.map(
    (at) =>
      html`<tr><th scope="row">${clockText(timesS[at]!)}</th>${lines.map(({ values }) => html`<td>${numberText(values[at] ?? null)}</td>`)}</tr>`,
  )}</tbody></table></div>`;
}

const unitTitles: Readonly<Record<string, string>> = { '1/s': 'a second' };

const unitTitle = (unit: string): string => unitTitles[unit] ?? unit;
