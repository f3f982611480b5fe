import { loadLimitTexts } from '../load-limits.ts';
import { phaseFigures } from '../phase-figures.ts';
import type { LoadResult } from '../result.ts';
import type { ReportAssets } from './assets.ts';
import { chartsOf } from './charts.ts';
import { clockText, meanOf, mostOf, numberText, valueText } from './figures.ts';
import { type Html, html } from './html.ts';
import { memorySlopes } from './memory-slope.ts';
import { type Column, standalonePage, tableSection, verdictMark } from './page.ts';

const bytesPerMb = 1e6;
const bytesPerGb = 1e9;

/** A run as one HTML file. */
export function runReport(result: LoadResult, assets: ReportAssets): string {
  return standalonePage(
    `${result.scenario.title}: load test of ${result.target.url}`,
    headOf(result),
    [
      ...[publishedSection, thresholdsSection, checksSection, phasesSection, latenciesSection],
      transactionsSection,
    ].map((section) => section(result)),
    chartsOf(result),
    [processesSection, memorySection, countersSection, aboutSection].map((section) => section(result)),
    assets,
  );
}

/** Why a run counts, or does not. */
export function verdictOf({ thresholds, checks, cut }: LoadResult): { passed: boolean; why: string } {
  const broken = thresholds.filter(({ passed }) => !passed).length;
  const different = checks.reduce((sum, check) => sum + check.different, 0);
  const reasons = [
    ...(different > 0 ? [`${numberText(different)} differences: no figure of this run counts`] : []),
    ...(cut === null ? [] : [`ended early: ${cut}`]),
    ...(broken > 0 ? [`${broken} of ${thresholds.length} thresholds broken`] : []),
  ];
  const compared = checks.reduce((sum, check) => sum + check.compared, 0);
  const good = `${thresholds.length} of ${thresholds.length} thresholds kept, ${numberText(compared)} comparisons without a difference`;
  return { passed: reasons.length === 0, why: reasons.length === 0 ? good : reasons.join('; ') };
}

function headOf(result: LoadResult): Html {
  const { scenario, target, machine, startedAt, elapsedS, scale } = result;
  const { passed, why } = verdictOf(result);
  const facts: readonly (readonly [string, string])[] = [
    ['Target', `${target.url}${target.version === null ? '' : `, Quire ${target.version}`}`],
    ['Started', `${startedAt.slice(0, 16).replace('T', ' ')} UTC, ran ${clockText(elapsedS)}`],
    ['Scale', scale === 1 ? 'the whole test' : `${numberText(scale * 100)} % of the published size`],
    ['Machine', machineText(machine)],
  ];
  return html`<header><p class="kind">Load test</p><h1>${scenario.title}</h1>
<p class="verdict ${passed ? 'passed' : 'failed'}"><strong>${passed ? '✓ Passed' : '✗ Failed'}</strong> ${why}</p>${loadLimitNotes(result)}
<dl class="facts">${facts.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl></header>`;
}

/** Where the load was the limit, for the head of a report. */
export const loadLimitNotes = (result: LoadResult): Html =>
  html`${loadLimitTexts(result).map((text) => html`<p class="note">⚠ ${text}</p>`)}`;

export const machineText = (machine: LoadResult['machine']): string =>
  `${machine.cores} cores (${machine.cpu}), ${numberText(machine.memoryBytes / bytesPerGb)} GB, Node ${machine.node}, ${
    machine.sharedWithTarget ? 'with target and load on it' : 'which made the load'
  }`;

function publishedSection({ scenario, comparison }: LoadResult): Html {
  const { published } = scenario;
  const note =
    published === null
      ? ''
      : html`<p class="note">Published: ${published.source}${published.year === null ? '' : ` (${published.year})`}, on ${published.machine}.</p>`;
  return tableSection(
    'published',
    'Beside the published test',
    [{ title: 'What' }, { title: 'Published', isNumber: true }, { title: 'This run', isNumber: true }],
    comparison.map(({ what, theirs, ours }) => [what, theirs, html`<strong>${ours}</strong>`]),
    note,
  );
}

const thresholdsSection = ({ thresholds }: LoadResult): Html =>
  tableSection(
    'thresholds',
    'Thresholds',
    [
      { title: 'What' },
      { title: 'Wanted', isNumber: true },
      { title: 'Measured', isNumber: true },
      { title: 'Verdict' },
    ],
    thresholds.map(({ title, bound, wanted, measured, unit, passed }) => [
      title,
      `${bound} ${valueText(wanted, unit)}`,
      measured === null ? 'nothing' : valueText(measured, unit),
      verdictMark(passed),
    ]),
  );

function checksSection({ checks }: LoadResult): Html {
  const differences = checks.flatMap((check) =>
    check.differences.map((text) => html`<li>${check.title}: ${text}</li>`),
  );
  return html`${tableSection(
    'checks',
    'What was proved right',
    [
      { title: 'What' },
      { title: 'Compared', isNumber: true },
      { title: 'Different', isNumber: true },
      { title: 'Verdict' },
    ],
    checks.map(({ title, compared, different }) => [
      title,
      numberText(compared),
      numberText(different),
      verdictMark(different === 0),
    ]),
  )}${differences.length === 0 ? '' : html`<ul class="differences">${differences}</ul>`}`;
}

/** What was measured in each phase: who came in, who was refused, and what those noticed who were in. */
const phasesSection = ({ phases }: LoadResult): Html =>
  tableSection(
    'phases',
    'Phases',
    [{ title: 'Phase' }, { title: 'From, to' }, ...phaseFigures.map(({ title }) => number(title))],
    phases.map((phase) => [
      phase.title,
      `${clockText(phase.fromS)} to ${clockText(phase.toS)}`,
      ...phaseFigures.map(({ of }) => numberText(of(phase))),
    ]),
  );

const number = (title: string): Column => ({ title, isNumber: true });

const latenciesSection = ({ latencies }: LoadResult): Html =>
  tableSection(
    'latencies',
    'Latencies of the whole run, milliseconds',
    [
      { title: 'From, to' },
      ...['count', 'mean', 'p50', 'p90', 'p95', 'p99', 'p99.9', 'most', 'std. dev.'].map(number),
    ],
    latencies.map((one) => [
      one.title,
      ...[one.count, one.meanMs, one.p50Ms, one.p90Ms, one.p95Ms, one.p99Ms, one.p999Ms, one.maxMs].map(
        numberText,
      ),
      numberText(one.standardDeviationMs),
    ]),
  );

const transactionsSection = ({ transactions }: LoadResult): Html =>
  tableSection(
    'transactions',
    'Transactions',
    [
      { title: 'What' },
      ...['passed', 'failed', 'pass rate', 'mean, ms', 'std. dev., ms', 'first byte, ms'].map(number),
    ],
    transactions.map(({ title, passed, failed, meanMs, standardDeviationMs, firstByteMs }) => [
      title,
      numberText(passed),
      numberText(failed),
      passed + failed === 0 ? '–' : `${shareText(passed, passed + failed)} %`,
      ...[meanMs, standardDeviationMs, firstByteMs].map(numberText),
    ]),
  );

/** Percent, never rounded up to 100. */
const shareText = (part: number, whole: number): string =>
  part === whole
    ? '100'
    : (Math.floor((part / whole) * 100_000) / 1_000).toLocaleString('en', { maximumFractionDigits: 3 });

/** CPU and memory of each process in one line. */
function processesSection({ processes, timesS }: LoadResult): Html {
  const known = (points: readonly (number | null)[]) => points.filter((value) => value !== null);
  const seconds = (points: readonly (number | null)[]) =>
    points.reduce<number>((sum, cores, at) => sum + (cores ?? 0) * (timesS[at]! - (timesS[at - 1] ?? 0)), 0);
  return tableSection(
    'processes',
    'Processes',
    [
      { title: 'Process' },
      ...[
        'CPU mean, cores',
        'CPU most, cores',
        'CPU, seconds',
        'memory first, MB',
        'memory most, MB',
        'memory last, MB',
      ].map(number),
    ],
    processes.map(({ name, pid, cpuCores, memoryBytes }) => {
      const memory = known(memoryBytes).map((bytes) => bytes / bytesPerMb);
      return [
        html`${name}${pid === null ? '' : html` <small>pid ${String(pid)}</small>`}`,
        ...[meanOf(known(cpuCores)), mostOf(known(cpuCores)), seconds(cpuCores)].map(numberText),
        ...[memory[0] ?? null, mostOf(memory), memory.at(-1) ?? null].map(numberText),
      ];
    }),
  );
}

/** Whether memory stays where it is while everybody is in. */
function memorySection(result: LoadResult): Html {
  const slopes = memorySlopes(result);
  const first = slopes.find((slope) => slope !== null);
  if (!first) return html``;
  return tableSection(
    'memory',
    'Memory while everybody is in',
    [{ title: 'Process' }, ...['mean, MB', 'slope, MB an hour', 'standard error', '% an hour'].map(number)],
    result.processes.flatMap(({ name }, at) => {
      const slope = slopes[at];
      if (!slope) return [];
      const { meanMb, perHourMb, errorMb } = slope;
      return [[name, ...[meanMb, perHourMb, errorMb, (100 * perHourMb) / meanMb].map(numberText)]];
    }),
    html`<p class="note">By least squares over means of a minute, from ${clockText(first.fromS)} to ${clockText(first.toS)}.</p>`,
  );
}

const countersSection = ({ counters }: LoadResult): Html =>
  tableSection(
    'counters',
    'Counted',
    [{ title: 'What' }, number('Number')],
    counters.map(({ title, value }) => [title, numberText(value)]),
  );

const aboutSection = ({ scenario, parameters, seed, scale }: LoadResult): Html =>
  tableSection(
    'about',
    'How it was run',
    [{ title: 'Setting' }, { title: 'Value' }],
    [
      ['scenario', scenario.name],
      ['scale', String(scale)],
      ['seed', String(seed)],
      ...Object.entries(parameters).map(([name, value]) => [name, String(value)]),
    ],
  );
