import pg from 'pg';
import { SaveOverviews } from '../../db/save-overview.ts';
import { fileGone } from '../../db/save-row.ts';
import { safeAddress } from '../../platform/outgoing/request-error.ts';
import { type Finding, fail, ok, skip, warn } from './finding.ts';

const timeoutMs = 10_000;
/** A callback that is refused for so long is more than a moment's trouble. */
const refusedMs = 300_000;
/** Longest that an orderly closing takes, or the making of a file, milliseconds. */
const closingMs = 300_000;
/** PostgreSQL's code for a table that is not there (documentation, appendix A). */
const noTable = '42P01';

/** What waits, counted, and since when the oldest of it waits. */
interface Waiting {
  count: number;
  oldestMs: number;
}

/** Whether everything that was saved has reached its integrator: forgotten documents, callbacks that are refused, unsaved changes. */
export async function checkBacklog(databaseUrl: string | null): Promise<Finding[]> {
  if (databaseUrl === null) return [skip('The database does not run, and saves are in it')];
  const pool = new pg.Pool({
    ...{ connectionString: databaseUrl, max: 1, application_name: 'quire doctor' },
    ...{ connectionTimeoutMillis: timeoutMs, query_timeout: timeoutMs },
  });
  pool.on('error', () => undefined);
  try {
    const findings = [
      ...(await forgottenFindings(pool)),
      ...(await goneFindings(pool)),
      ...(await refusedFindings(pool)),
      ...(await lateFindings(pool)),
      ...(await stuckFindings(pool)),
    ];
    return [
      ...(findings.length > 0 ? findings : [ok('Nothing is forgotten, refused or late')]),
      await openFinding(pool),
    ];
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return [
      skip(
        code === noTable
          ? 'No server has been started on this database yet'
          : 'The database cannot be used, and saves are in it',
      ),
    ];
  } finally {
    await pool.end();
  }
}

async function waiting(pool: pg.Pool, tableAndRule: string, since: string): Promise<Waiting> {
  const { rows } = await pool.query<Waiting>(
    `SELECT count(*)::int AS count, coalesce(extract(epoch FROM now() - min(${since})) * 1000, 0)::float8 AS "oldestMs"
     FROM ${tableAndRule}`,
  );
  return rows[0]!;
}

async function forgottenFindings(pool: pg.Pool): Promise<Finding[]> {
  const { count, oldestMs } = await waiting(pool, 'forgotten', 'forgotten_at');
  if (count === 0) return [];
  return [
    fail(
      `${documents(count)} kept as forgotten, the oldest for ${duration(oldestMs)}: no integrator has the last changes`,
      'Mend the integrator, then send them again from the Saves page of the administration, or fetch them with getForgotten.',
    ),
  ];
}

/** Saves whose file is not in the store any more, and could not be made anew so far. */
async function goneFindings(pool: pg.Pool): Promise<Finding[]> {
  const { count, oldestMs } = await waiting(
    pool,
    `saves LEFT JOIN forgotten ON forgotten.save_id = saves.id
     WHERE (state = 'pending' OR forgotten.key IS NOT NULL) AND starts_with(last_error, '${fileGone}')`,
    'created_at',
  );
  if (count === 0) return [];
  return [
    fail(
      `The files of ${count} saves are gone from the store and cannot be made anew (${fileGone}), the oldest for ${duration(oldestMs)}`,
      'Is the volume mounted, and the bucket the right one? Else restore the files from the backup, then try these saves again from the administration.',
    ),
  ];
}

/** The outbox: callbacks that were tried and not accepted, with what the integrator of the oldest said. */
async function refusedFindings(pool: pg.Pool): Promise<Finding[]> {
  const { saves, total } = await new SaveOverviews(pool).search({
    ...{ text: '', phases: ['waiting', 'delivering'], limit: 1_000, offset: 0 },
  });
  const refused = saves.filter(({ lastError }) => lastError !== null && !lastError.startsWith(fileGone));
  const oldest = refused.at(-1);
  if (oldest === undefined) return [];
  const ageMs = Date.now() - oldest.createdAt.getTime();
  const where = oldest.callbackUrl === null ? 'no address' : safeAddress(oldest.callbackUrl);
  const count = total > saves.length ? `More than ${refused.length}` : String(refused.length);
  const sentence =
    `${count} saves are not accepted by their integrators, the oldest for ${duration(ageMs)} after ` +
    `${oldest.attempts} attempts (${where}: ${oldest.lastError})`;
  const remedy = 'Check the address with --callback-url; the next attempt delivers them.';
  return [ageMs < refusedMs ? warn(sentence, remedy) : fail(sentence, remedy)];
}

/** Documents whose integrator was promised every change within a time, which has passed. */
async function lateFindings(pool: pg.Pool): Promise<Finding[]> {
  const { count, oldestMs } = await waiting(
    pool,
    `documents WHERE unsaved_since IS NOT NULL AND store_within_ms IS NOT NULL
       AND unsaved_since + store_within_ms * interval '1 millisecond' < now()`,
    'unsaved_since',
  );
  if (count === 0) return [];
  return [
    fail(
      `${documents(count)} not stored in the time that was asked for (quireStoreWithinS), the oldest unsaved for ${duration(oldestMs)}`,
      'See job-queue and disk here, and the log of the server by documentKey.',
    ),
  ];
}

/** Documents that everybody has left, and whose file is not made. */
async function stuckFindings(pool: pg.Pool): Promise<Finding[]> {
  const { count, oldestMs } = await waiting(
    pool,
    `documents WHERE state IN ('closing', 'assembling') AND state_since < now() - ${closingMs} * interval '1 millisecond'`,
    'state_since',
  );
  if (count === 0) return [];
  return [
    fail(
      `${documents(count)} closed and without a file, the oldest for ${duration(oldestMs)}`,
      'See job-queue and disk here, and the log of the converters.',
    ),
  ];
}

/** Changes of documents that people edit are with the server until they leave, unless the integrator asked for more. */
async function openFinding(pool: pg.Pool): Promise<Finding> {
  const { count, oldestMs } = await waiting(
    pool,
    'documents WHERE unsaved_since IS NOT NULL',
    'unsaved_since',
  );
  if (count === 0) return ok('Every integrator has everything');
  return ok(
    `${count} documents have changes that their integrator has not yet, the oldest for ${duration(oldestMs)}`,
  );
}

const documents = (count: number): string => (count === 1 ? '1 document is' : `${count} documents are`);

/** A time as people say it, in its largest unit. */
function duration(ms: number): string {
  const units: readonly (readonly [sizeMs: number, name: string])[] = [
    [86_400_000, 'days'],
    [3_600_000, 'h'],
    [60_000, 'min'],
  ];
  const [sizeMs, name] = units.find(([size]) => ms >= 2 * size) ?? [1_000, 's'];
  return `${Math.round(ms / sizeMs)} ${name}`;
}
