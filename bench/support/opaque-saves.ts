import pg from 'pg';
import { type Batches, Saver, saveMessage } from '../../load/saver.ts';
import { LeanClient } from '../../load/wire/lean-client.ts';
import { localTarget } from '../../load/wire/target.ts';
import type { Bench } from './bench-run.ts';

/** Changes in a save, as an editor sends them after a burst of typing. */
export const changesPerSave = 25;
const digits = 8;
/** Where the serial number stands in the first change of a save: behind its quote in the JSON array. */
const serialPosition = { start: 3, length: digits } as const;
const serialPlace = '#'.repeat(digits);

/** Saves one document as its only editor, with changes that the server only carries. */
export const opaqueSaver = (client: LeanClient, key: string, seed: number): Saver =>
  new Saver(client, key, opaqueBatches(client, seed));

/** So many people, each the only editor of a document of its own. */
export async function openSavers({ server, sources }: Bench, count: number): Promise<Saver[]> {
  const savers: Saver[] = [];
  for (let number = 0; number < count; number += 1) {
    const key = `saver-${number}`;
    const client = await LeanClient.connect(localTarget(server.port), key);
    const { callbackUrl } = sources;
    await client.signIn({ key, userId: `u${number}-`, documentUrl: sources.url(), callbackUrl });
    savers.push(opaqueSaver(client, key, number));
  }
  return savers;
}

/** What differs from save to save is written over one frame: a serial number by which logs are checked. */
function opaqueBatches(client: LeanClient, seed: number): Batches {
  const frame = client.prepare(saveMessage(changesOf(seed)));
  const serialAt = frame.indexOf(serialPlace);
  return {
    changesPerSave,
    frameOf(serial) {
      frame.write(String(serial).padStart(digits, '0'), serialAt, 'latin1');
      return frame;
    },
  };
}

/** 25 changes of about 60 characters: a kind and some bytes in base64, as editors with a binary model make them. */
function changesOf(seed: number): string[] {
  let state = seed + 1;
  const randomByte = () => {
    // Numerical Recipes' linear congruential generator: the same changes in every run.
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state >>> 24;
  };
  return Array.from({ length: changesPerSave }, (_, number) => {
    const bytes = Buffer.from(Array.from({ length: 39 + (number % 6) }, randomByte)).toString('base64');
    return number === 0 ? `${serialPlace};${bytes}` : `${30 + number};${bytes}`;
  });
}

const tickMs = 1;

/** Saves at a steady rate, one saver after the other, whether or not the server keeps up. Returns what ends it. */
export function saveAtRate(savers: readonly Saver[], perSecond: number): () => void {
  const startedAt = performance.now();
  const dueAtOf = (number: number) => startedAt + (number * 1_000) / perSecond;
  let issued = 0;
  const timer = setInterval(() => {
    const now = performance.now();
    for (let dueAt = dueAtOf(issued); dueAt <= now; dueAt = dueAtOf(issued)) {
      savers[issued % savers.length]!.save(dueAt);
      issued += 1;
    }
  }, tickMs);
  return () => clearInterval(timer);
}

/** `in_place`: the batches follow one another without gap, in the order in which the saver numbered them. */
const logs = `
  SELECT key, count(*)::int AS batches, bool_and(in_place) AS "inPlace" FROM (
    SELECT key,
           first_index = (row_number() OVER log - 1) * $1::int AND next_index = first_index + $1::int
             AND substring(changes FROM $2 FOR $3)::int = row_number() OVER log - 1 AS in_place
    FROM batches WINDOW log AS (PARTITION BY key ORDER BY first_index)
  ) AS numbered GROUP BY key`;

/**
 * Compares the change logs in the database with what the savers were acknowledged: the same number of batches, each in
 * its place.
 *
 * @returns how many batches were checked
 * @throws Error that names a document whose log is not what was acknowledged
 */
export async function checkLogs(databaseUrl: string, savers: readonly Saver[]): Promise<number> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ key: string; batches: number; inPlace: boolean }>(logs, [
      changesPerSave,
      serialPosition.start,
      serialPosition.length,
    ]);
    const stored = new Map(rows.map((row) => [row.key, row]));
    let checked = 0;
    for (const saver of savers) {
      const log = stored.get(saver.key);
      const batches = log?.batches ?? 0;
      if (batches !== saver.acknowledged || log?.inPlace === false) {
        const found = `${batches} batches${log?.inPlace === false ? ', not all in place' : ''}`;
        throw new Error(`${saver.key}: ${saver.acknowledged} saves acknowledged, ${found} stored`);
      }
      checked += batches;
    }
    return checked;
  } finally {
    await client.end();
  }
}
