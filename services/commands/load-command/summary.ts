import { loadLimitTexts } from '../../../load/load-limits.ts';
import { phaseFigures } from '../../../load/phase-figures.ts';
import type { LoadResult } from '../../../load/result.ts';

const shown = (value: number | null): string =>
  value === null
    ? 'not measured'
    : value.toLocaleString('en', { maximumFractionDigits: Math.abs(value) < 10 ? 2 : 0 });

/** Columns under each other: the first to the left, the others to the right. */
function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, ...rows];
  const widths = head.map((_, column) => Math.max(...lines.map((line) => line[column]!.length)));
  return lines
    .map((line) => {
      const cells = line.map((cell, column) =>
        column === 0 ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!),
      );
      return `  ${cells.join('  ')}`.trimEnd();
    })
    .join('\n');
}

/** A result for the terminal. */
export function summaryOf(result: LoadResult): string {
  const parts = [
    `${result.scenario.title}, scale ${result.scale}, ${Math.round(result.elapsedS)} s`,
    table(
      ['Time, ms', 'count', 'mean', 'p50', 'p95', 'p99', 'max'],
      result.latencies.map(({ title, count, meanMs, p50Ms, p95Ms, p99Ms, maxMs }) => [
        title,
        String(count),
        ...[meanMs, p50Ms, p95Ms, p99Ms, maxMs].map(shown),
      ]),
    ),
    table(
      ['Phase', ...phaseFigures.map(({ title }) => title)],
      result.phases.map((phase) => [
        phase.title,
        ...phaseFigures.map(({ of }) => (of(phase) === null ? '' : shown(of(phase)))),
      ]),
    ),
    table(
      ['Transaction', 'passed', 'failed', 'mean ms', 'deviation ms', 'first byte ms'],
      result.transactions.map(({ title, passed, failed, meanMs, standardDeviationMs, firstByteMs }) => [
        title,
        String(passed),
        String(failed),
        shown(meanMs),
        shown(standardDeviationMs),
        firstByteMs === null ? '' : shown(firstByteMs),
      ]),
    ),
    table(
      ['Count', ''],
      result.counters.map(({ title, value }) => [title, shown(value)]),
    ),
    table(
      ['Compared', 'number', 'different'],
      result.checks.map(({ title, compared, different }) => [title, String(compared), String(different)]),
    ),
    ...result.checks.flatMap(({ differences }) => differences.map((difference) => `  ${difference}`)),
    table(
      ['Threshold', 'wanted', 'measured', ''],
      result.thresholds.map(({ title, bound, wanted, measured, unit, passed }) => [
        title,
        `${bound} ${shown(wanted)} ${unit}`.trimEnd(),
        shown(measured),
        passed ? 'kept' : 'MISSED',
      ]),
    ),
    ...(result.comparison.length > 0
      ? [
          table(
            [`Beside ${result.scenario.published?.source ?? 'others'}`, 'theirs', 'ours'],
            result.comparison.map(({ what, theirs, ours }) => [what, theirs, ours]),
          ),
        ]
      : []),
    ...loadLimitTexts(result),
    ...(result.cut === null ? [] : [`The run was cut: ${result.cut}`]),
    ...(result.checks.some(({ different }) => different > 0)
      ? ['Something differs: no figure of this run counts.']
      : []),
  ];
  return `${parts.join('\n\n')}\n`;
}
