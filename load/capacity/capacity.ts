import type { LoadResult } from '../result.ts';
import { type CostModel, type Load, plateauLoad } from './cost-model.ts';
import { type Action, actions, type Part } from './windows.ts';

/** Machines that one wants to use. */
export interface Machines {
  cores: number;
  memoryGb: number;
  /** Share of a machine, and of a process with one thread, that is to be in use. */
  busyShare: number;
  /** Connections that a process can have: its file descriptors. */
  connectionsEach: number;
}

interface PartNeed {
  part: Part;
  cores: number;
  memoryGb: number;
  processes: number;
  machines: number;
}

/** Something that does not grow further on its own. */
interface Limit {
  title: string;
  /** People at whom it is reached. */
  people: number;
  remedy: string;
}

export interface Capacity {
  people: number;
  /** Seconds between two actions of a person. */
  actionEveryS: number;
  needs: PartNeed[];
  limits: Limit[];
}

export interface Prediction {
  part: Part;
  cores: { predicted: number; measured: number };
  memoryMb: { predicted: number; measured: number };
}

const mbPerGb = 1_000;
/** What one process of PostgreSQL is asked by each service process at most: the default of DATABASE_POOL_SIZE. */
const poolSize = 10;
/** What a PostgreSQL with a usual configuration takes before a pooler has to stand before it. */
const databaseConnections = 500;

/** How often a person does each thing, a second, at the time of a run with most people. */
function mixOf(result: LoadResult): Record<Action, number> {
  const { load } = plateauLoad(result);
  return Object.fromEntries(
    actions.map((name) => [name, load.rates[name] / Math.max(1, load.people)]),
  ) as Record<Action, number>;
}

/** The mix of the run with most people. */
export function mixOfLargest(runs: readonly LoadResult[]): Record<Action, number> {
  const largest = runs.reduce((most, run) =>
    plateauLoad(run).load.people > plateauLoad(most).load.people ? run : most,
  );
  return mixOf(largest);
}

const everyOf = (mix: Readonly<Record<Action, number>>): number =>
  1 / actions.reduce((sum, name) => sum + mix[name], 0);

/** The same mix with an action of each person in a time, seconds. */
export function mixEvery(mix: Readonly<Record<Action, number>>, everyS: number): Record<Action, number> {
  const times = everyOf(mix) / everyS;
  return Object.fromEntries(actions.map((name) => [name, mix[name] * times])) as Record<Action, number>;
}

/** What so many people need, with this mix of actions. */
export function capacityFor(
  model: CostModel,
  people: number,
  mix: Readonly<Record<Action, number>>,
  machines: Machines,
): Capacity {
  const load = loadFor(model, people, mix, machines);
  const needs = model.parts.map((part) => needOf(model, part, load, machines));
  return { people, actionEveryS: everyOf(mix), needs, limits: limitsOf(model, mix, machines, people) };
}

/** The load of so many people with as many processes as it needs. */
function loadFor(
  model: CostModel,
  people: number,
  mix: Readonly<Record<Action, number>>,
  { busyShare, connectionsEach }: Machines,
): Load {
  const rates = Object.fromEntries(actions.map((name) => [name, mix[name] * people])) as Load['rates'];
  let nodes = Math.max(1, Math.ceil(people / connectionsEach));
  // More nodes cost a little more themselves: a few rounds settle it.
  for (let round = 0; round < 20; round += 1) {
    const load = { people, rates, nodes, processes: { service: nodes, redis: 1, database: 1, converter: 1 } };
    const wanted = Math.max(nodes, Math.ceil(model.coresOf('service', load) / busyShare));
    if (wanted === nodes) return load;
    nodes = wanted;
  }
  return { people, rates, nodes, processes: { service: nodes, redis: 1, database: 1, converter: 1 } };
}

function needOf(
  model: CostModel,
  part: Part,
  load: Load,
  { cores, memoryGb, busyShare }: Machines,
): PartNeed {
  const used = model.coresOf(part, load);
  const memory = model.memoryMbOf(part, load) / mbPerGb;
  // Redis and a service process use one core each, a converter and PostgreSQL all there are.
  const processes =
    part === 'service' ? load.nodes : part === 'redis' ? Math.max(1, Math.ceil(used / busyShare)) : 1;
  const machines = Math.max(
    1,
    Math.ceil(used / (cores * busyShare)),
    Math.ceil(memory / (memoryGb * busyShare)),
  );
  return { part, cores: used, memoryGb: memory, processes, machines };
}

/** Where more machines alone do not help, in the order in which people come to it. */
function limitsOf(
  model: CostModel,
  mix: Readonly<Record<Action, number>>,
  machines: Machines,
  upTo: number,
): Limit[] {
  const { busyShare, cores } = machines;
  const reaches = (part: Part, limit: number) =>
    model.parts.includes(part)
      ? firstPeople(upTo, (people) => model.coresOf(part, loadFor(model, people, mix, machines)) > limit)
      : null;
  const found = [
    {
      title: `Redis uses ${busyShare * 100} % of its one core`,
      people: reaches('redis', busyShare),
      remedy: 'a Redis cluster: the keys of a document are on one of its nodes',
    },
    {
      title: `PostgreSQL uses ${busyShare * 100} % of a machine with ${cores} cores`,
      people: reaches('database', cores * busyShare),
      remedy: 'a larger machine, or several installations that share the documents out',
    },
    {
      title: `PostgreSQL has ${databaseConnections} connections (${poolSize} of each service process)`,
      people: firstPeople(
        upTo,
        (people) => loadFor(model, people, mix, machines).nodes * poolSize > databaseConnections,
      ),
      remedy: 'a smaller DATABASE_POOL_SIZE, or a pooler before PostgreSQL',
    },
  ];
  return found
    .flatMap(({ people, ...limit }) => (people === null ? [] : [{ ...limit, people }]))
    .sort((a, b) => a.people - b.people);
}

/** The smallest number of people of whom something is true, which stays true beyond; null when it is not at `upTo` either. */
function firstPeople(upTo: number, isSo: (people: number) => boolean): number | null {
  if (!isSo(upTo)) return null;
  let [below, above] = [0, upTo];
  while (above - below > Math.max(1, upTo / 1_000)) {
    const middle = Math.floor((below + above) / 2);
    if (isSo(middle)) above = middle;
    else below = middle;
  }
  return above;
}

/** What the model says of a run, beside what was measured in it. */
export function predict(model: CostModel, result: LoadResult): Prediction[] {
  const { load, measured } = plateauLoad(result);
  return model.parts
    .filter((part) => measured[part].processes > 0)
    .map((part) => ({
      part,
      cores: { predicted: model.coresOf(part, load), measured: measured[part].cores },
      memoryMb: { predicted: model.memoryMbOf(part, load), measured: measured[part].memoryMb },
    }));
}
