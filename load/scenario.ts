import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { packageRoot } from '../platform/package-root.ts';
import { QuireError } from '../platform/quire-error.ts';

/** What people do: each in its turn. */
const actSchema = z.enum([
  /** Saves a batch of changes. */
  'save',
  /** Says something to everybody in the document. */
  'chat',
  /** Moves the cursor, which the others in the document see: presence. */
  'cursor',
  /** Loses the connection and comes back to the document with a new session, some seconds later. */
  'return',
  /** Goes to another document, which changes the lists of participants of both. */
  'move',
  /** Leaves the document for good and opens a new one. */
  'close',
  /** Says nothing any more, not even to heartbeats, until the server has ended the session; then comes again. */
  'silence',
]);
export type Act = z.infer<typeof actSchema>;

const turnsSchema = z.strictObject({
  /** Each person acts once in this time, seconds. */
  everyS: z.number().positive(),
  /** How often each act comes, as weights. */
  mix: z.partialRecord(actSchema, z.number().positive()),
  /** How many people take part, the first to arrive; everybody unless given. At scale 1. */
  people: z.number().int().positive().optional(),
  /** Whose turn is next: one after the other, or anybody, which makes the times between two turns exponential. */
  pick: z.enum(['one after the other', 'anybody']).default('one after the other'),
});
export type Turns = z.infer<typeof turnsSchema>;

/** What is measured: a latency, a counter, a series or a transaction by its name, and which of its figures. */
const measureSchema = z.strictObject({
  of: z.string(),
  figure: z.enum([
    ...['mean', 'p50', 'p90', 'p95', 'p99', 'p999', 'max', 'count', 'total', 'failed', 'passed', 'rate'],
    'last',
  ] as const),
  /** The phase in which it is measured, by its name; the whole run unless given. */
  during: z.string().optional(),
});
export type Measure = z.infer<typeof measureSchema>;

const phaseSchema = z.strictObject({
  name: z.string(),
  title: z.string(),
  forS: z.number().positive(),
  /** People in documents at the end of the phase; they come, or leave, evenly over it. At scale 1. */
  people: z.number().int().nonnegative(),
  turns: z.array(turnsSchema).default([]),
  /** People who come, stay for a moment and leave, beside those who are in. The scale says nothing of them. */
  visits: z
    .union([
      /** So many are on their way at once. The most that get through in such a phase is the best rate of log-ins. */
      z.strictObject({ atOnce: z.number().int().positive() }),
      /** So many times the best rate try to come in, those who try again included. */
      z.strictObject({ timesBest: z.number().positive() }),
    ])
    .optional(),
  /** Whether it is of the middle, between arrival and departure, which may be made shorter by itself. */
  middle: z.boolean().default(false),
  /**
   * What ends the phase earlier: a latency whose 95th percentile is beyond a limit in so many intervals in a row, or a
   * machine (with the target on it) whose cores have been busy for so many.
   */
  until: z
    .strictObject({
      latency: z.string(),
      p95Ms: z.number().positive(),
      busyShare: z.number().positive().max(1),
      intervals: z.number().int().positive(),
    })
    .optional(),
});
export type Phase = z.infer<typeof phaseSchema>;

const scenarioSchema = z.strictObject({
  name: z.string().regex(/^[a-z][a-z0-9-]*$/),
  title: z.string(),
  about: z.string(),
  transport: z.enum(['websocket', 'polling', 'plain']).default('websocket'),
  published: z
    .strictObject({ source: z.string(), year: z.number().int().nullable(), machine: z.string() })
    .nullable(),
  documents: z.union([
    z.strictObject({ peopleEach: z.number().int().positive() }),
    /** So many documents; the largest has `largest` people, and sizes fall with a power of the rank. */
    z.strictObject({ rooms: z.number().int().positive(), largest: z.number().int().positive() }),
  ]),
  /** What the documents are: texts or spreadsheets. */
  model: z.enum(['word', 'cell']).default('word'),
  /** Files that documents begin with; a server opens each of them once. */
  sources: z.number().int().positive().default(1),
  changesPerSave: z.number().int().positive(),
  /** How often somebody tries to come in before giving up. */
  attempts: z.number().int().positive().default(12),
  /** Pairs of people who time each other's messages and cursors through the loaded server; not scaled. */
  monitors: z.strictObject({ pairs: z.number().int().positive(), everyS: z.number().positive() }).optional(),
  phases: z.array(phaseSchema).min(1),
  thresholds: z.array(
    z.strictObject({
      title: z.string(),
      unit: z.string(),
      measure: measureSchema,
      atMost: z.number().optional(),
      atLeast: z.number().optional(),
      /** Whether the limit grows with the scale: rates and numbers of people do, times do not. */
      scales: z.boolean().default(false),
      /** The limit is so many times this figure; where that was not measured, the threshold is missed. */
      times: measureSchema.optional(),
    }),
  ),
  comparison: z.array(
    z.strictObject({ what: z.string(), theirs: z.string(), ours: measureSchema, unit: z.string() }),
  ),
});
export type Scenario = z.infer<typeof scenarioSchema>;

export class ScenarioError extends QuireError<'unknown_scenario' | 'bad_scenario'> {}

const directory = path.join(packageRoot, 'load', 'scenarios');

/** Names of the scenarios that come with the program. */
export async function scenarioNames(): Promise<string[]> {
  const files = (await readdir(directory)).filter((name) => name.endsWith('.json'));
  return files.map((name) => path.basename(name, '.json')).sort();
}

/**
 * Reads a scenario.
 *
 * @param name one that comes with the program, or the path of a file that ends in `.json`
 * @throws ScenarioError
 */
export async function readScenario(name: string): Promise<Scenario> {
  const names = await scenarioNames();
  const isFile = name.endsWith('.json');
  if (!isFile && !names.includes(name)) {
    throw new ScenarioError(
      'unknown_scenario',
      `There is no scenario ${name}. There are ${names.join(', ')}.`,
    );
  }
  const file = isFile ? name : path.join(directory, `${name}.json`);
  let json: unknown;
  try {
    json = JSON.parse(await readFile(file, 'utf8'));
  } catch (error) {
    throw new ScenarioError('bad_scenario', `${file} cannot be read: ${(error as Error).message}`, {
      cause: error,
    });
  }
  return parseScenario(json, file);
}

/** @param from where it comes from, for the error @throws ScenarioError that names what is wrong */
export function parseScenario(json: unknown, from: string): Scenario {
  const { data, error } = scenarioSchema.safeParse(json);
  if (!data) throw new ScenarioError('bad_scenario', `${from} is no scenario:\n${z.prettifyError(error)}`);
  const closes = data.phases.some(({ turns }) => turns.some(({ mix }) => mix.close !== undefined));
  if (closes && !('peopleEach' in data.documents && data.documents.peopleEach === 1)) {
    throw new ScenarioError('bad_scenario', `${from}: documents are closed only where each has one person`);
  }
  const firstOf = (kind: string) => data.phases.findIndex(({ visits }) => visits && kind in visits);
  if (
    firstOf('timesBest') !== -1 &&
    !(firstOf('atOnce') !== -1 && firstOf('atOnce') < firstOf('timesBest'))
  ) {
    throw new ScenarioError('bad_scenario', `${from}: visits at a rate come before the best rate is found`);
  }
  const phases = new Set(data.phases.map(({ name }) => name));
  const measures = data.thresholds.flatMap(({ measure, times }) => (times ? [measure, times] : [measure]));
  const [unknown] = measures.flatMap(({ during }) => (during && !phases.has(during) ? [during] : []));
  if (unknown !== undefined) {
    throw new ScenarioError('bad_scenario', `${from}: a threshold is of ${unknown}, which is no phase`);
  }
  return data;
}
