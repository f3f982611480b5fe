import { readFileSync } from 'node:fs';
import { Command, InvalidArgumentError } from 'commander';
import { ConfigError, loadConfig, processEnvironment } from '../../platform/config.ts';
import { checksOf, type DoctorOptions } from './doctor.ts';
import { type Check, type CheckResult, fail, runChecks, type Verdict, worst } from './finding.ts';

/** A day: timers do not take much more than 24 of them. */
const longestJobTimeoutS = 86_400;

interface Options {
  url?: string;
  downloadUrl?: string;
  callbackUrl?: string;
  callbackFile?: string;
  callbackKey?: string;
  token?: string;
  jobTimeout: number;
  only?: string[];
  json?: boolean;
}

/** `quire doctor`: exit code 0 when nothing has failed, 1 otherwise. */
export function doctorCommand(): Command {
  return new Command('doctor')
    .description(
      'check the set-up end to end with the settings of the environment, whether or not the server runs',
    )
    .option('--url <address>', 'address of the server as browsers see it; PUBLIC_URL unless given')
    .option(
      '--download-url <address>',
      'address of a document at an integrator: can it be fetched from here?',
    )
    .option('--callback-url <address>', 'address for callbacks of an integrator: does it take them?')
    .option(
      '--callback-file <file>',
      'deliver this file to --callback-url, where it replaces the document; the one of --download-url unless given',
    )
    .option('--callback-key <key>', 'key of the document for --callback-url, where integrators look at it')
    .option(
      '--token <token>',
      'token of an integrator, or - to read it from standard input: what is wrong with it?',
    )
    .option('--job-timeout <seconds>', 'how long a worker may take to answer', secondsOf, 20)
    .option('--only <checks...>', 'make these checks alone, by their names in the report')
    .option('--json', 'print the results as JSON')
    .action(async ({ json = false, jobTimeout, token, only, ...options }: Options) => {
      const results = await diagnose({
        ...options,
        ...(token !== undefined && { token: token === '-' ? readFileSync(0, 'utf8') : token }),
        only,
        jobTimeoutMs: jobTimeout * 1_000,
        onResult: json ? () => undefined : (result) => process.stdout.write(`${resultText(result)}\n`),
      });
      process.stdout.write(`${json ? reportJson(results) : summaryText(results)}\n`);
      // Connections that a check did not wait for must not keep the process alive.
      process.exit(results.some(({ verdict }) => verdict === 'fail') ? 1 : 0);
    });
}

function secondsOf(text: string): number {
  const seconds = Number(text);
  if (seconds >= 1 && seconds <= longestJobTimeoutS) return seconds;
  throw new InvalidArgumentError(`1 to ${longestJobTimeoutS} seconds.`);
}

interface Diagnosis extends DoctorOptions {
  only: readonly string[] | undefined;
  onResult: (result: CheckResult) => void;
}

async function diagnose({ onResult, only, ...options }: Diagnosis): Promise<CheckResult[]> {
  const environment = processEnvironment();
  try {
    const checks = checksOf(loadConfig(environment), environment, options);
    return await runChecks(only ? chosen(checks, only) : checks, onResult);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const { problems } = error;
    return runChecks(
      [
        {
          name: 'configuration',
          timeoutMs: 1_000,
          run: async () =>
            problems.map((problem) =>
              fail(problem, 'The server does not start with this: `quire config` lists all settings.'),
            ),
        },
      ],
      onResult,
    );
  }
}

function chosen(checks: readonly Check[], names: readonly string[]): Check[] {
  const unknown = names.find((name) => !checks.some((check) => check.name === name));
  if (unknown !== undefined) {
    process.stderr.write(
      `There is no check ${unknown}. There are: ${checks.map(({ name }) => name).join(', ')}\n`,
    );
    process.exit(1);
  }
  return checks.filter(({ name }) => names.includes(name));
}

const marks: Readonly<Record<Verdict, string>> = { ok: 'ok  ', warn: 'warn', fail: 'FAIL', skip: 'skip' };

/** A result as lines for a terminal. */
export function resultText({ name, verdict, elapsedMs, findings }: CheckResult): string {
  const lines = findings.flatMap(({ verdict: mark, sentence, remedy }) => [
    `    ${marks[mark]}  ${sentence}`,
    ...(remedy === undefined ? [] : [`          → ${remedy}`]),
  ]);
  return [`${marks[verdict]}  ${name} (${elapsedMs} ms)`, ...lines].join('\n');
}

/** The last line of the report. */
export function summaryText(results: readonly CheckResult[]): string {
  const count = (verdict: Verdict) => results.filter((result) => result.verdict === verdict).length;
  return `${count('ok')} ok, ${count('warn')} with warnings, ${count('fail')} failed, ${count('skip')} skipped`;
}

/** All results for programs. `verdict` is `fail` when something does not work; warnings leave it usable. */
export function reportJson(results: readonly CheckResult[]): string {
  return JSON.stringify({ verdict: worst(results.map(({ verdict }) => verdict)), checks: results }, null, 2);
}
