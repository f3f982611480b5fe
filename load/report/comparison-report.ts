import { type ComparedGroup, differencesOf } from '../comparison.ts';
import type { LoadResult } from '../result.ts';
import type { ReportAssets } from './assets.ts';
import { chartsOfBoth } from './charts.ts';
import { clockText, numberText, valueText } from './figures.ts';
import { type Html, html } from './html.ts';
import { standalonePage, tableSection } from './page.ts';
import { loadLimitNotes, machineText, verdictOf } from './run-report.ts';

type Runs = readonly [LoadResult, LoadResult];

/** Which run this is, in one line. */
export const runTitle = ({ scenario, scale, target, startedAt, elapsedS }: LoadResult): string =>
  `${scenario.name} at scale ${scale}, ${startedAt.slice(0, 16).replace('T', ' ')} UTC, ${clockText(elapsedS)}, ${target.url}${
    target.version === null ? '' : ` (${target.version})`
  }`;

/** Two runs as one HTML file. */
export function comparisonReport(runs: Runs, groups: readonly ComparedGroup[], assets: ReportAssets): string {
  return standalonePage(
    `${runs[0].scenario.title}: two runs compared`,
    headOf(runs, groups),
    groups.map(groupSection),
    chartsOfBoth(runs, ['A', 'B']),
    [],
    assets,
  );
}

function headOf(runs: Runs, groups: readonly ComparedGroup[]): Html {
  const worse = groups.flatMap(({ rows }) => rows).filter(({ isWorse }) => isWorse).length;
  const unlike = differencesOf(...runs);
  const facts = runs.map((run, at) => {
    const { passed, why } = verdictOf(run);
    return html`<div><dt>Run ${'AB'[at]!}</dt><dd>${runTitle(run)}<br>${machineText(run.machine)}<br>${passed ? 'Passed' : 'Failed'}: ${why}${loadLimitNotes(run)}</dd></div>`;
  });
  return html`<header><p class="kind">Load test, two runs compared</p><h1>${runs[0].scenario.title}</h1>
<p class="verdict ${worse === 0 ? 'passed' : 'failed'}"><strong>${worse === 0 ? '✓ B is not worse than A' : `✗ B is worse than A in ${numberText(worse)} figures`}</strong>${
    unlike.length === 0 ? '' : html` The runs are not alike: ${unlike.join('; ')}.`
  }</p>
<dl class="facts">${facts}</dl></header>`;
}

const groupSection = ({ title, rows }: ComparedGroup, position: number): Html =>
  tableSection(
    `group-${position}`,
    title,
    [
      { title: 'What' },
      { title: 'A', isNumber: true },
      { title: 'B', isNumber: true },
      { title: 'B / A', isNumber: true },
      { title: 'Finding' },
    ],
    rows.map(({ title: name, unit, first, second, ratio, isWorse }) => [
      ...[name, valueText(first, unit), valueText(second, unit), ratio === null ? '–' : numberText(ratio)],
      isWorse ? html`<strong class="worse">worse</strong>` : '',
    ]),
  );
