import { type CheckResult, type Verdict, worst } from './finding.ts';

const marks: Readonly<Record<Verdict, string>> = { ok: 'ok  ', warn: 'warn', fail: 'FAIL', skip: 'skip' };

/** A result as lines for a terminal. */
export function resultText({ name, verdict, elapsedMs, findings }: CheckResult): string {
  const lines = findings.flatMap(({ verdict: mark, sentence, remedy }) => [
    `    ${marks[mark]}  ${sentence}`,
    ...(remedy === undefined ? [] : [`          → ${remedy}`]),
  ]);
  return [`${marks[verdict]}  ${name} (${elapsedMs} ms)`, ...lines].join('\n');
}

/** The last line. */
export function summaryText(results: readonly CheckResult[]): string {
  const count = (verdict: Verdict) => results.filter((result) => result.verdict === verdict).length;
  return `${count('ok')} ok, ${count('warn')} with warnings, ${count('fail')} failed, ${count('skip')} skipped`;
}

/** All results for programs. `verdict` is `fail` when something does not work; warnings leave it usable. */
export function reportJson(results: readonly CheckResult[]): string {
  return JSON.stringify({ verdict: worst(results.map(({ verdict }) => verdict)), checks: results }, null, 2);
}
