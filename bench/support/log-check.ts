import pg from 'pg';
import { changesPerSave, type Saver, serialPosition } from './saver.ts';

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
