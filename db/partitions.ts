import pg from 'pg';
import type { Logger } from 'pino';
import { QuireError } from '../platform/quire-error.ts';

/** Tables that grow with documents and their changes. Each has the document's key first in its primary key. */
export const partitionedTables = ['documents', 'openings', 'batches', 'saves'] as const;

/** Names under which servers and workers are connected. */
const serverNames = ['quire', 'quire node'];

/** Why tables were not parted. */
class PartitionError extends QuireError {
  constructor(message: string, options?: ErrorOptions) {
    super('cannot-partition', message, options);
  }
}

/**
 * Partitions the tables of documents by a hash of the key, with all their rows, in one transaction: a process that dies
 * leaves them as they were. Tables that are partitioned already stay as they are. It needs as much free space as the tables
 * have, and nobody else in the database. Names of indexes and constraints stay, so that later migrations find them.
 *
 * @returns the tables that were partitioned by this call
 * @throws PartitionError while servers or workers are connected
 */
export async function partitionTables(options: {
  url: string;
  partitions: number;
  log?: Pick<Logger, 'info'>;
}): Promise<string[]> {
  const client = new pg.Client({ connectionString: options.url, application_name: 'quire partition' });
  // A broken connection is reported by the query it breaks.
  client.on('error', () => {});
  await client.connect();
  try {
    await refuseServers(client);
    await client.query('BEGIN');
    await client.query('SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0');
    await client.query(`LOCK TABLE ${partitionedTables.join(', ')} IN ACCESS EXCLUSIVE MODE`);
    const parted: string[] = [];
    for (const table of partitionedTables) {
      if (await isParted(client, table)) continue;
      await partition(client, table, options.partitions);
      parted.push(table);
      options.log?.info({ table, partitions: options.partitions }, 'A table was parted');
    }
    await client.query('COMMIT');
    for (const table of parted) await client.query(`ANALYZE ${table}`);
    return parted;
  } finally {
    await client.end();
  }
}

async function refuseServers(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM pg_stat_activity
     WHERE datname = current_database() AND application_name = ANY($1)`,
    [serverNames],
  );
  const { count } = rows[0]!;
  if (count > 0) {
    throw new PartitionError(
      `Servers or workers are connected to the database (${count} connections). Stop them first.`,
    );
  }
}

async function isParted(client: pg.Client, table: string): Promise<boolean> {
  const { rows } = await client.query<{ kind: string }>(
    'SELECT relkind AS kind FROM pg_class WHERE oid = $1::regclass',
    [table],
  );
  return rows[0]?.kind === 'p';
}

async function partition(client: pg.Client, table: string, partitions: number): Promise<void> {
  const options = await storageOptions(client, table);
  const constraints = await constraintsOf(client, table);
  const indexes = await indexesOf(client, table);
  const old = `${table}_unparted`;
  await client.query(`ALTER TABLE ${table} RENAME TO ${old}`);
  await client.query(
    `CREATE TABLE ${table} (LIKE ${old} INCLUDING DEFAULTS INCLUDING CONSTRAINTS) PARTITION BY HASH (key)`,
  );
  for (let remainder = 0; remainder < partitions; remainder += 1) {
    await client.query(
      `CREATE TABLE ${table}_${remainder} PARTITION OF ${table}
       FOR VALUES WITH (MODULUS ${partitions}, REMAINDER ${remainder}) ${options}`,
    );
  }
  await client.query(`INSERT INTO ${table} SELECT * FROM ${old}`);
  await client.query(`DROP TABLE ${old}`);
  for (const { name, definition } of constraints) {
    await client.query(`ALTER TABLE ${table} ADD CONSTRAINT ${name} ${definition}`);
  }
  for (const definition of indexes) await client.query(definition);
}

async function storageOptions(client: pg.Client, table: string): Promise<string> {
  const { rows } = await client.query<{ options: string | null }>(
    `SELECT array_to_string(reloptions, ', ') AS options FROM pg_class WHERE oid = $1::regclass`,
    [table],
  );
  const { options } = rows[0]!;
  return options ? `WITH (${options})` : '';
}

/** Keys: checks go along with the columns. */
async function constraintsOf(
  client: pg.Client,
  table: string,
): Promise<{ name: string; definition: string }[]> {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `SELECT quote_ident(conname) AS name, pg_get_constraintdef(oid) AS definition FROM pg_constraint
     WHERE conrelid = $1::regclass AND contype IN ('p', 'u', 'f') ORDER BY contype`,
    [table],
  );
  return rows;
}

/** Indexes that do not belong to a key. */
async function indexesOf(client: pg.Client, table: string): Promise<string[]> {
  const { rows } = await client.query<{ definition: string }>(
    `SELECT pg_get_indexdef(indexrelid) AS definition FROM pg_index
     WHERE indrelid = $1::regclass
       AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = indexrelid)`,
    [table],
  );
  return rows.map(({ definition }) => definition);
}
