import { clockText, numberText, valueText } from '../report/figures.ts';
import type { LoadResult } from '../result.ts';
import { alignedTable } from '../text-table.ts';
import type { Capacity, Machines, Prediction } from './capacity.ts';
import type { CostModel } from './cost-model.ts';
import type { Part } from './windows.ts';

const partTitles: Readonly<Record<Part, string>> = {
  service: 'Service',
  redis: 'Redis',
  database: 'PostgreSQL',
  converter: 'Converter',
};

const runName = ({ scenario, scale, elapsedS, startedAt }: LoadResult): string =>
  `${scenario.name} at scale ${scale}, ${clockText(elapsedS)}, ${startedAt.slice(0, 16).replace('T', ' ')} UTC`;

/** The costs with their errors, and what the fit leaves. */
export function costsText(model: CostModel, runs: readonly LoadResult[]): string {
  const rows = model.parts.flatMap((part) => {
    const { cpu, memory, cpuResidualCores, memoryResidualMb } = model.costsOf(part);
    const line = (kind: string) => (cost: (typeof cpu)[number]) => [
      ...[`  ${kind} of ${cost.title}`, valueText(cost.value, cost.unit)],
      cost.error === null ? '' : `± ${numberText(cost.error)}`,
    ];
    return [
      [partTitles[part], '', ''],
      ...cpu.map(line('CPU')),
      ['  CPU, left by the fit', valueText(cpuResidualCores, 'cores'), ''],
      ...memory.map(line('memory')),
      ['  memory, left by the fit', valueText(memoryResidualMb, 'MB'), ''],
    ];
  });
  const pairs = model
    .inseparable()
    .map(
      ([one, other]) =>
        `Of ${one} and ${other} the runs have always as much of both: their costs may stand at either.`,
    );
  return [
    'Fitted from',
    ...runs.map((run) => `  ${runName(run)}`),
    '',
    alignedTable([['Costs', '', 'error'], ...rows]),
    '',
    ...pairs,
  ].join('\n');
}

/** What is needed, and where it stops being linear. */
export function capacityText({ people, actionEveryS, needs, limits }: Capacity, machines: Machines): string {
  const head = `${numberText(people)} people, each with an action every ${numberText(actionEveryS)} s, on machines with ${machines.cores} cores and ${machines.memoryGb} GB of which ${numberText(machines.busyShare * 100)} % are to be in use`;
  const rows = needs.map(({ part, cores, memoryGb, processes, machines: count }) => [
    ...[
      `  ${partTitles[part]}`,
      numberText(cores),
      numberText(memoryGb),
      numberText(processes),
      numberText(count),
    ],
  ]);
  const where =
    limits.length === 0
      ? ['Nothing stops being linear before that.']
      : [
          'It stops being linear',
          ...limits.map(
            ({ title, people: at, remedy }) => `  at ${numberText(at)} people: ${title}. Then: ${remedy}.`,
          ),
        ];
  return [
    head,
    '',
    alignedTable([['', 'cores', 'memory, GB', 'processes', 'machines'], ...rows]),
    '',
    ...where,
  ].join('\n');
}

/** What was predicted of a run, what was measured, and the error of the prediction. */
export function predictionText(result: LoadResult, predictions: readonly Prediction[]): string {
  const error = ({ predicted, measured }: { predicted: number; measured: number }) =>
    measured === 0
      ? '–'
      : `${predicted >= measured ? '+' : '−'}${numberText(Math.abs(predicted / measured - 1) * 100)} %`;
  const rows = predictions.map(({ part, cores, memoryMb }) => [
    ...[`  ${partTitles[part]}`, numberText(cores.predicted), numberText(cores.measured), error(cores)],
    ...[numberText(memoryMb.predicted), numberText(memoryMb.measured), error(memoryMb)],
  ]);
  const head = ['', 'cores predicted', 'measured', 'error', 'MB predicted', 'measured', 'error'];
  return [`Predicted: ${runName(result)}`, alignedTable([head, ...rows])].join('\n');
}
