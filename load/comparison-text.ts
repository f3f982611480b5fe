import type { ComparedGroup } from './comparison.ts';
import { loadLimitTexts } from './load-limits.ts';
import { runTitle } from './report/comparison-report.ts';
import { numberText, valueText } from './report/figures.ts';
import type { LoadResult } from './result.ts';
import { alignedTable } from './text-table.ts';

/** Two runs for a terminal. */
export function comparisonText(
  runs: readonly [LoadResult, LoadResult],
  groups: readonly ComparedGroup[],
): string {
  const heads = runs.flatMap((run, at) => [
    `${'AB'[at]}  ${runTitle(run)}`,
    ...loadLimitTexts(run).map((text) => `   ${text}`),
  ]);
  const tables = groups.map(({ title, rows }) =>
    alignedTable([
      [title, 'A', 'B', 'B / A', ''],
      ...rows.map(({ title: name, unit, first, second, ratio, isWorse }) => [
        ...[`  ${name}`, valueText(first, unit), valueText(second, unit)],
        ...[ratio === null ? '–' : numberText(ratio), isWorse ? 'worse' : ''],
      ]),
    ]),
  );
  return `${[...heads, '', ...tables.flatMap((table) => [table, ''])].join('\n')}`;
}
