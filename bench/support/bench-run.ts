import { parseArgs } from 'node:util';
import type { Environment } from '../../platform/config.ts';
import type { TestRedis } from '../../test/support/redis.ts';
import { type ServerProcess, startServerProcess } from './server-process.ts';
import { type SourceHost, startSourceHost } from './source-host.ts';

/** The running parts of a benchmark. */
export interface Bench {
  server: ServerProcess;
  sources: SourceHost;
}

/** Any benchmark takes `--profile <directory>`, where a CPU profile of the service is left. */
const profile = { profile: { type: 'string' as const } };

/**
 * Runs a benchmark against a server of its own, which is stopped afterwards, also on Ctrl-C. A benchmark that throws
 * ends the process with code 1.
 *
 * @param options.redis stopped after the server, which would look for it
 */
export async function runBench(
  body: (bench: Bench) => Promise<void>,
  options: { environment?: Environment; nodeOptions?: readonly string[]; redis?: TestRedis | null } = {},
): Promise<void> {
  const sources = await startSourceHost();
  const directory = parseArgs({ options: profile, strict: false }).values.profile;
  const profiling = directory === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${directory}`];
  const server = await startServerProcess({
    ...options,
    nodeOptions: [...(options.nodeOptions ?? []), ...profiling],
  });
  let stopping: Promise<void> | undefined;
  const stop = () => {
    stopping ??= server
      .stop()
      .then(() => Promise.all([sources.stop(), options.redis?.stop()]))
      .then(() => undefined);
    return stopping;
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void stop().finally(() => process.exit(130)));
  }
  try {
    await body({ server, sources });
  } finally {
    await stop();
  }
  process.exit();
}

/** The numbers given as `--name value`, each with a default. */
export function numbersFrom<Name extends string>(
  defaults: Readonly<Record<Name, number>>,
): Record<Name, number> {
  const names = Object.keys(defaults) as Name[];
  const { values } = parseArgs({
    options: { ...profile, ...Object.fromEntries(names.map((name) => [name, { type: 'string' as const }])) },
  });
  return Object.fromEntries(
    names.map((name) => {
      const given = (values as Readonly<Record<string, string | undefined>>)[name];
      const value = given === undefined ? defaults[name] : Number(given);
      if (!Number.isFinite(value)) throw new Error(`--${name} takes a number`);
      return [name, value];
    }),
  ) as Record<Name, number>;
}

/** Runs a task for each number below `count`, at most `width` at a time. */
export async function inParallel(
  count: number,
  width: number,
  task: (number: number) => Promise<void>,
): Promise<void> {
  let next = 0;
  const worker = async () => {
    while (next < count) {
      const number = next;
      next += 1;
      await task(number);
    }
  };
  await Promise.all(Array.from({ length: Math.min(width, count) }, worker));
}
