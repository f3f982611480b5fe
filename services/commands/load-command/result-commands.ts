import { writeFile } from 'node:fs/promises';
import { Command, InvalidArgumentError } from 'commander';
import type { LoadResult } from '../../../load/result.ts';
import { QuireError } from '../../../platform/quire-error.ts';
import { exitCodes } from './exit-codes.ts';

/** `quire load report`: the page of a result, made again. */
export function reportCommand(): Command {
  return new Command('report')
    .description('make the page of a result')
    .argument('<result>', 'what --result has written')
    .option('-o, --output <file>', 'the page; beside the result without it')
    .action((file: string, { output = file.replace(/(?:\.json)?$/, '.html') }: { output?: string }) =>
      endingInOrder(async () => writeRunReport(await read(file), output)),
    );
}

/** Writes the page of a run. */
export async function writeRunReport(result: LoadResult, file: string): Promise<void> {
  const [{ runReport }, { readAssets }] = await Promise.all([
    import('../../../load/report/run-report.ts'),
    import('../../../load/report/assets.ts'),
  ]);
  await writeFile(file, runReport(result, await readAssets()));
}

interface CompareFlags {
  anyway?: true;
  tolerance: number;
  report?: string;
}

/** `quire load compare`: two runs side by side. */
export function compareCommand(): Command {
  return new Command('compare')
    .description('compare the results of two runs; ends with 1 where the second is worse')
    .argument('<first>', 'result of the run before')
    .argument('<second>', 'result of the run after')
    .option('--anyway', 'also of different scenarios, scales or settings')
    .option('--tolerance <share>', 'how much worse a figure may be', numberFrom(0), 0.1)
    .option('--report <file>', 'write a page with both in each chart')
    .action((first: string, second: string, flags: CompareFlags) =>
      endingInOrder(async () => {
        const [{ comparisonOf }, { comparisonText }] = await Promise.all([
          import('../../../load/comparison.ts'),
          import('../../../load/comparison-text.ts'),
        ]);
        const runs = [await read(first), await read(second)] as const;
        const groups = comparisonOf(...runs, { anyway: flags.anyway ?? false, tolerance: flags.tolerance });
        process.stdout.write(`${comparisonText(runs, groups)}\n`);
        if (flags.report !== undefined) {
          const [{ comparisonReport }, { readAssets }] = await Promise.all([
            import('../../../load/report/comparison-report.ts'),
            import('../../../load/report/assets.ts'),
          ]);
          await writeFile(flags.report, comparisonReport(runs, groups, await readAssets()));
        }
        if (groups.some(({ rows }) => rows.some(({ isWorse }) => isWorse)))
          process.exitCode = exitCodes.missed;
      }),
    );
}

interface CapacityFlags {
  people: number;
  every?: number;
  cores: number;
  memory: number;
  busy: number;
  connections: number;
  predict: string[];
}

/** `quire load capacity`: what any number of people need, from the costs in several runs. */
export function capacityCommand(): Command {
  return new Command('capacity')
    .description('compute from several results what a number of people needs')
    .argument('<results...>', 'results of runs of several sizes, if possible on several numbers of nodes')
    .option('--people <number>', 'how many people', numberFrom(1), 1_000_000)
    .option(
      '--every <seconds>',
      'time between two actions of a person; that of the largest run without it',
      numberFrom(0.001),
    )
    .option('--cores <number>', 'of a machine', numberFrom(1), 16)
    .option('--memory <gigabytes>', 'of a machine', numberFrom(1), 64)
    .option('--busy <share>', 'how much of a machine is to be in use', numberFrom(0.01), 0.5)
    .option('--connections <number>', 'that a process may have: its file descriptors', numberFrom(1), 20_000)
    .option(
      '--predict <results...>',
      'compare what the costs say with runs that are not among the results',
      [],
    )
    .action((files: string[], flags: CapacityFlags) =>
      endingInOrder(async () => {
        const [{ CostModel }, capacity, text] = await Promise.all([
          import('../../../load/capacity/cost-model.ts'),
          import('../../../load/capacity/capacity.ts'),
          import('../../../load/capacity/capacity-text.ts'),
        ]);
        const runs = await Promise.all(files.map(read));
        const model = new CostModel(runs);
        const mixOfLargest = capacity.mixOfLargest(runs);
        const mix = flags.every === undefined ? mixOfLargest : capacity.mixEvery(mixOfLargest, flags.every);
        const machines = {
          ...{
            cores: flags.cores,
            memoryGb: flags.memory,
            busyShare: flags.busy,
            connectionsEach: flags.connections,
          },
        };
        const parts = [
          text.costsText(model, runs),
          text.capacityText(capacity.capacityFor(model, flags.people, mix, machines), machines),
        ];
        for (const file of flags.predict) {
          const run = await read(file);
          parts.push(text.predictionText(run, capacity.predict(model, run)));
        }
        process.stdout.write(`${parts.join('\n\n')}\n`);
      }),
    );
}

/** An error that the caller can mend is printed as its message. */
async function endingInOrder(task: () => Promise<void>): Promise<void> {
  try {
    await task();
  } catch (error) {
    if (!(error instanceof QuireError)) throw error;
    process.stderr.write(`${error.code}: ${error.message}\n`);
    process.exitCode = exitCodes.usage;
  }
}

async function read(file: string): Promise<LoadResult> {
  // Loaded late, so that other commands start quickly.
  const { readResult } = await import('../../../load/read-result.ts');
  return readResult(file);
}

const numberFrom =
  (least: number) =>
  (text: string): number => {
    const number = Number(text);
    if (text.trim() === '' || !(number >= least))
      throw new InvalidArgumentError(`A number from ${least} on.`);
    return number;
  };
