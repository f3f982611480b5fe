import { writeFile } from 'node:fs/promises';
import type { LoadResult } from '../../../load/result.ts';
import { runLoad } from '../../../load/run.ts';
import { TargetSampler } from '../../../load/sampling/target-sampler.ts';
import { readScenario, scenarioNames } from '../../../load/scenario.ts';
import type { TransportName } from '../../../load/wire/frames.ts';
import { type Target, targetOf } from '../../../load/wire/target.ts';
import { loadConfig, processEnvironment } from '../../../platform/config.ts';
import { loadSecrets } from '../../../platform/secrets/secrets.ts';
import { withSecretRecords } from '../../composition/database.ts';
import { exitCodes, UsageError } from './exit-codes.ts';
import { writeRunReport } from './result-commands.ts';
import { summaryOf } from './summary.ts';

export interface LoadFlags {
  list?: boolean;
  url: string;
  scale: number;
  /** Seconds. */
  duration?: number;
  /** Seconds. */
  middle?: number;
  /** People a second. */
  rampLimit?: number;
  /** Log-ins a second. */
  bestRate?: number;
  secret?: string;
  seed: number;
  processes?: number;
  transport?: TransportName;
  changesPerSave?: number;
  publicHost: string;
  metrics?: string[];
  result?: string;
  report?: string;
  yes?: boolean;
}

/** Returns the exit code. Throws a `QuireError` for what its caller did wrong. */
export async function runLoadCommand(name: string | undefined, flags: LoadFlags): Promise<number> {
  if (flags.list) return list();
  if (name === undefined) throw new UsageError('A scenario is missing: quire load --list names them.');
  const target = targetFrom(flags);
  const scenario = await readScenario(name);
  if (flags.middle !== undefined && !scenario.phases.some(({ middle }) => middle)) {
    throw new UsageError(`${scenario.name} names no phases of its middle, so --middle says nothing.`);
  }
  const interruption = interruptions();
  try {
    const metrics = flags.metrics ?? [`${target.url.href.replace(/\/$/, '')}/metrics`];
    const result = await runLoad({
      scenario,
      url: target.url.href.replace(/\/$/, ''),
      ...(await secretsFor(target, flags.secret)),
      scale: flags.scale,
      seed: flags.seed,
      transport: flags.transport ?? scenario.transport,
      changesPerSave: flags.changesPerSave ?? scenario.changesPerSave,
      publicHost: flags.publicHost,
      durationS: flags.duration,
      middleS: flags.middle,
      rampLimitPerS: flags.rampLimit,
      bestRatePerS: flags.bestRate,
      processes: flags.processes,
      sampler: new TargetSampler(metrics.map((address) => new URL(address))),
      signal: interruption.signal,
      hurry: interruption.hurry,
      onProgress: (line) => process.stderr.write(`${line}\n`),
    });
    if (flags.result !== undefined) await writeFile(flags.result, `${JSON.stringify(result)}\n`);
    if (flags.report !== undefined) await writeRunReport(result, flags.report);
    process.stdout.write(summaryOf(result));
    return exitCodeOf(result);
  } finally {
    interruption.release();
  }
}

async function list(): Promise<number> {
  for (const name of await scenarioNames()) {
    const { title, about, published } = await readScenario(name);
    const source = published
      ? ` (beside ${[published.source, published.year].filter(Boolean).join(', ')})`
      : '';
    process.stdout.write(`${name}: ${title}${source}\n    ${about}\n`);
  }
  return exitCodes.passed;
}

function targetFrom({ url, yes, publicHost }: LoadFlags): Target {
  let target: Target;
  try {
    target = targetOf(url);
  } catch {
    throw new UsageError(`--url is no address of a server: ${url}`);
  }
  if (!target.isLoopback) {
    const warning = `${url} is not on this machine. Load on a server of others is an attack on it.`;
    if (!yes) throw new UsageError(`${warning} If it is yours, say so with --yes.`);
    process.stderr.write(`${warning}\n`);
    if (publicHost === '127.0.0.1') {
      throw new UsageError(
        'The server has to fetch documents from this machine: name it with --public-host.',
      );
    }
  }
  return target;
}

interface LoadSecrets {
  /** What the load signs with. */
  secret: string | null;
  /** What callbacks are signed with, where that is another secret. */
  callbackSecret?: string | undefined;
}

/** The secret that is given, else that of the environment, else those of the server which this machine's settings are of. */
async function secretsFor(target: Target, given: string | undefined): Promise<LoadSecrets> {
  const environment = processEnvironment();
  const named = given ?? environment.JWT_SECRET;
  if (named !== undefined && named !== '') {
    return { secret: named, callbackSecret: environment.JWT_SECRET_OUTBOX || undefined };
  }
  if (!target.isLoopback) throw new UsageError('--secret is missing: the secret of that server.');
  const config = loadConfig(environment);
  const { inbox, outbox } = await withSecretRecords(config, (records) => loadSecrets(config, records));
  return { secret: inbox, callbackSecret: outbox };
}

function exitCodeOf({ thresholds, checks, cut }: LoadResult): number {
  const isWrong = checks.some(({ different }) => different > 0);
  if (cut !== null && !isWrong) return exitCodes.interrupted;
  return isWrong || thresholds.some(({ passed }) => !passed) ? exitCodes.missed : exitCodes.passed;
}

/** The first signal ends the run, the second one what it waits for, the third one the process. */
function interruptions(): { signal: AbortSignal; hurry: AbortSignal; release: () => void } {
  const run = new AbortController();
  const hurry = new AbortController();
  const onSignal = () => {
    if (hurry.signal.aborted) process.exit(exitCodes.interrupted);
    if (run.signal.aborted) hurry.abort();
    else {
      process.stderr.write('The run is ended. Once more does not wait for files.\n');
      run.abort();
    }
  };
  const names = ['SIGINT', 'SIGTERM'] as const;
  for (const name of names) process.on(name, onSignal);
  return {
    signal: run.signal,
    hurry: hurry.signal,
    release: () => {
      for (const name of names) process.off(name, onSignal);
    },
  };
}
