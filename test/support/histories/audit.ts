import pg from 'pg';

/** A row that was written or removed, in the order in which rows of one document were. */
export interface AuditEntry {
  readonly id: number;
  /** When the statement wrote it, milliseconds since the epoch; the commit came later. */
  readonly at: number;
  readonly transaction: string;
  readonly key: string;
  readonly what: AuditedRow;
}

export type AuditedRow =
  | {
      readonly table: 'batches';
      readonly gone: boolean;
      readonly firstIndex: number;
      readonly nextIndex: number;
      readonly author: string;
      /** Empty for a row that goes. */
      readonly changes: readonly string[];
    }
  | {
      readonly table: 'documents';
      readonly state: string;
      readonly epoch: number;
      readonly nextIndex: number;
    }
  | {
      readonly table: 'saves';
      readonly id: string;
      readonly status: number;
      readonly state: string;
      readonly endIndex: number;
      readonly resultHash: string | null;
    };

/**
 * Triggers that keep every row of the log, of documents and of saves in the transaction that wrote it: what a
 * transaction that was rolled back wrote is not in it, and what was deleted since still is.
 */
const triggers = `
  CREATE TABLE audit (
    id bigserial PRIMARY KEY, at timestamptz NOT NULL DEFAULT clock_timestamp(),
    transaction bigint NOT NULL DEFAULT txid_current(), key text NOT NULL, tab text NOT NULL, op text NOT NULL, row jsonb NOT NULL);
  CREATE FUNCTION keep_audit() RETURNS trigger LANGUAGE plpgsql AS $body$
  BEGIN
    IF TG_OP IN ('DELETE', 'UPDATE') AND TG_TABLE_NAME = 'batches' THEN
      INSERT INTO audit (key, tab, op, row) VALUES (OLD.key, TG_TABLE_NAME, 'DELETE', to_jsonb(OLD) - 'changes');
    END IF;
    IF TG_OP IN ('INSERT', 'UPDATE') THEN
      INSERT INTO audit (key, tab, op, row) VALUES (NEW.key, TG_TABLE_NAME, 'INSERT', to_jsonb(NEW));
    END IF;
    RETURN NULL;
  END $body$;
  CREATE TRIGGER audited AFTER INSERT OR UPDATE OR DELETE ON batches FOR EACH ROW EXECUTE FUNCTION keep_audit();
  CREATE TRIGGER audited AFTER INSERT OR UPDATE ON documents FOR EACH ROW EXECUTE FUNCTION keep_audit();
  CREATE TRIGGER audited AFTER INSERT OR UPDATE ON saves FOR EACH ROW EXECUTE FUNCTION keep_audit();`;

/** Installs the triggers in a migrated database. */
export async function installAudit(databaseUrl: string): Promise<void> {
  await ask(databaseUrl, triggers);
}

interface AuditRow {
  id: string;
  at: number;
  transaction: string;
  key: string;
  tab: string;
  op: string;
  row: Record<string, unknown>;
}

/** Everything that was kept, in order. */
export async function readAudit(databaseUrl: string): Promise<AuditEntry[]> {
  const rows = await ask<AuditRow>(
    databaseUrl,
    `SELECT id::text, (extract(epoch FROM at) * 1000)::float8 AS at, transaction::text, key, tab, op, row
     FROM audit ORDER BY audit.id`,
  );
  return rows.map(({ id, at, transaction, key, tab, op, row }) => ({
    id: Number(id),
    at,
    transaction,
    key,
    what: auditedRow(tab, op, row),
  }));
}

function auditedRow(table: string, op: string, row: Record<string, unknown>): AuditedRow {
  if (table === 'batches') {
    return {
      table,
      gone: op === 'DELETE',
      firstIndex: Number(row.first_index),
      nextIndex: Number(row.next_index),
      author: String(row.unique_id),
      changes: op === 'DELETE' ? [] : (JSON.parse(String(row.changes)) as string[]),
    };
  }
  if (table === 'documents') {
    return { table, state: String(row.state), epoch: Number(row.epoch), nextIndex: Number(row.next_index) };
  }
  return {
    table: 'saves',
    id: String(row.id),
    status: Number(row.status),
    state: String(row.state),
    endIndex: Number(row.end_index),
    resultHash: row.result_hash === null ? null : String(row.result_hash),
  };
}

/** Asks a database by a connection of its own. */
export async function ask<Row extends pg.QueryResultRow>(
  databaseUrl: string,
  text: string,
  values: readonly unknown[] = [],
): Promise<Row[]> {
  const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: 10_000 });
  // A broken connection is reported by the query it breaks.
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<Row>(text, [...values])).rows;
  } finally {
    await client.end().catch(() => undefined);
  }
}
