/** How a check, or a part of it, ended. `skip`: there was nothing to check, or what it needs is not there. */
export type Verdict = 'ok' | 'warn' | 'fail' | 'skip';

/** One thing that was found out. */
export interface Finding {
  verdict: Verdict;
  /** What is so, in a sentence. Never a secret. */
  sentence: string;
  /** What to do about it. */
  remedy?: string;
}

/** One check: of one part of the set-up, from this machine. */
export interface Check {
  name: string;
  /** Longest it may take, milliseconds. */
  timeoutMs: number;
  run(): Promise<Finding[]>;
}

/** What came of a check. */
export interface CheckResult {
  name: string;
  /** The worst of its findings. */
  verdict: Verdict;
  elapsedMs: number;
  findings: Finding[];
}

export const ok = (sentence: string): Finding => ({ verdict: 'ok', sentence });
export const skip = (sentence: string): Finding => ({ verdict: 'skip', sentence });
export const warn = (sentence: string, remedy: string): Finding => ({ verdict: 'warn', sentence, remedy });
export const fail = (sentence: string, remedy: string): Finding => ({ verdict: 'fail', sentence, remedy });

const badness: readonly Verdict[] = ['skip', 'ok', 'warn', 'fail'];

/** The worst of some verdicts; `skip` of none. */
export function worst(verdicts: readonly Verdict[]): Verdict {
  return badness[Math.max(0, ...verdicts.map((verdict) => badness.indexOf(verdict)))]!;
}

/** Runs checks one after the other. One that throws, or is not done in time, has failed; the others are run all the same. */
export async function runChecks(
  checks: readonly Check[],
  onResult: (result: CheckResult) => void = () => undefined,
): Promise<CheckResult[]> {
  const results: CheckResult[] = [];
  for (const check of checks) {
    const startedAt = performance.now();
    const findings = await inTime(check);
    const verdict = worst(findings.map((finding) => finding.verdict));
    const elapsedMs = Math.round(performance.now() - startedAt);
    const result = { name: check.name, verdict, elapsedMs, findings };
    onResult(result);
    results.push(result);
  }
  return results;
}

async function inTime({ run, timeoutMs }: Check): Promise<Finding[]> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Finding[]>((resolve) => {
    const sentence = `The check was not done within ${timeoutMs / 1_000} s`;
    timer = setTimeout(() => resolve([fail(sentence, 'Look at what the other checks say.')]), timeoutMs);
  });
  const done = run().catch((error: unknown) => [
    fail(`The check could not be made: ${(error as Error).message}`, 'Look at what the other checks say.'),
  ]);
  const findings = await Promise.race([done, late]);
  clearTimeout(timer);
  return findings;
}
