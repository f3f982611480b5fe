import { shuffled } from './random.ts';
import type { Phase, Scenario } from './scenario.ts';

/** What a run changes of its scenario. */
export interface Scaling {
  /** People, and with them their rates, are multiplied by this. */
  scale: number;
  /** How long the phases are together, seconds; as the scenario says unless given. */
  durationS?: number | undefined;
  /** How long the phases of the middle are together, seconds; the others keep their times. */
  middleS?: number | undefined;
  /** At most so many people come in a second: phases that bring more take longer. */
  rampLimitPerS?: number | undefined;
  seed: number;
}

/** A scenario at its scale: who sits in which document, and how long each phase is. */
export interface Plan {
  phases: Phase[];
  /** People who come in all. */
  people: number;
  /** The document of each place, in the order of arrival. */
  documentOf: number[];
  documents: number;
  /** Whether people come who stay for a moment only. */
  hasVisitors: boolean;
}

const scaled = (people: number, scale: number): number =>
  people === 0 ? 0 : Math.max(1, Math.round(people * scale));

/** The plan of a run: the same in every process for the same arguments. */
export function planOf(
  scenario: Scenario,
  { scale, durationS, middleS, rampLimitPerS = Number.POSITIVE_INFINITY, seed }: Scaling,
): Plan {
  const stretchOf = stretches(scenario, durationS, middleS);
  const phases = scenario.phases.map((phase, number) => ({
    ...phase,
    forS: Math.max(
      phase.forS * stretchOf(phase),
      (scaled(phase.people, scale) - scaled(scenario.phases[number - 1]?.people ?? 0, scale)) / rampLimitPerS,
    ),
    people: scaled(phase.people, scale),
    turns: phase.turns.map((turns) => ({
      ...turns,
      ...(turns.people !== undefined && { people: scaled(turns.people, scale) }),
    })),
  }));
  const people = Math.max(...phases.map((phase) => phase.people));
  const sizes = sizesOf(scenario.documents, people, scale);
  const places = sizes.flatMap((size, document) => Array<number>(size).fill(document));
  // People who share documents come to them mixed; alone, each opens the next one.
  const documentOf = sizes.length === people ? places : shuffled(people, seed).map((place) => places[place]!);
  const hasVisitors = phases.some(({ visits }) => visits !== undefined);
  return { phases, people, documentOf, documents: sizes.length, hasVisitors };
}

/** By how much a phase takes longer than its scenario says, or less long. */
function stretches(
  { phases }: Scenario,
  durationS: number | undefined,
  middleS: number | undefined,
): (phase: Phase) => number {
  const sumOf = (some: readonly Phase[]) => some.reduce((sum, { forS }) => sum + forS, 0);
  const ofAll = durationS === undefined ? 1 : durationS / sumOf(phases);
  const ofMiddle = middleS === undefined ? 1 : middleS / sumOf(phases.filter(({ middle }) => middle));
  return ({ middle }) => (middle ? ofAll * ofMiddle : ofAll);
}

/** How many people each document has. */
export function sizesOf(documents: Scenario['documents'], people: number, scale: number): number[] {
  if ('peopleEach' in documents) {
    const count = Math.ceil(people / documents.peopleEach);
    return Array.from({ length: count }, (_, number) =>
      Math.min(documents.peopleEach, people - number * documents.peopleEach),
    );
  }
  const rooms = Math.min(people, scaled(documents.rooms, scale));
  const largest = Math.min(documents.largest, Math.max(1, Math.ceil(people / 4)), people - rooms + 1);
  return fallingSizes(people, rooms, largest);
}

/**
 * Sizes that fall with a power of the rank, `largest / rank ** power`, with the power that makes the sum right. Sizes of
 * real rooms lie so: a few large ones, many small ones. None is empty.
 */
function fallingSizes(people: number, rooms: number, largest: number): number[] {
  const sizesAt = (power: number) =>
    Array.from({ length: rooms }, (_, rank) => Math.max(1, Math.round(largest / (rank + 1) ** power)));
  const sumOf = (sizes: readonly number[]) => sizes.reduce((sum, size) => sum + size, 0);
  let low = 0;
  let high = 10;
  for (let step = 0; step < 50; step += 1) {
    const middle = (low + high) / 2;
    if (sumOf(sizesAt(middle)) > people) low = middle;
    else high = middle;
  }
  const sizes = sizesAt(high);
  // Rounding leaves a few over, which the rooms after the first take.
  for (let rest = people - sumOf(sizes), room = 0; rest !== 0; room += 1) {
    const at = rooms === 1 ? 0 : 1 + (room % (rooms - 1));
    const step = Math.sign(rest);
    if (sizes[at]! + step < 1) continue;
    sizes[at]! += step;
    rest -= step;
  }
  return sizes;
}

/** How many of the processes of a load have the people of its documents: visitors come from one of their own, where there are two. */
export const processesOfPeople = (hasVisitors: boolean, processes: number): number =>
  hasVisitors ? Math.max(1, processes - 1) : processes;

/** The documents of each process: the largest first, each to the process that has the fewest people so far. */
export function sharesOf(plan: Plan, processes: number): number[] {
  const sizes = Array<number>(plan.documents).fill(0);
  for (const document of plan.documentOf) sizes[document]! += 1;
  const order = sizes.map((_, document) => document).sort((one, other) => sizes[other]! - sizes[one]!);
  const loads = Array<number>(processes).fill(0);
  const processOf = Array<number>(plan.documents).fill(0);
  for (const document of order) {
    const least = loads.indexOf(Math.min(...loads));
    processOf[document] = least;
    loads[least]! += sizes[document]!;
  }
  return processOf;
}

/** When each place is taken, or left, in a phase that begins with `from` people: milliseconds after its begin. */
export function movesOf(
  { people, forS }: Pick<Phase, 'people' | 'forS'>,
  from: number,
): { place: number; atMs: number; arrives: boolean }[] {
  const count = Math.abs(people - from);
  const arrives = people > from;
  return Array.from({ length: count }, (_, number) => ({
    place: arrives ? from + number : from - 1 - number,
    atMs: (number * forS * 1_000) / count,
    arrives,
  }));
}
